//! `play riddle`: a person finds hidden pieces from the threats they ask for.
//!
//! Every line of input is answered. None is lost, and none ends the game by mistake.

use super::HiddenPlacement;
use base::Failure;
use clap::Args;
use kit::search::Budget;
use riddle::army::{Army, Placement};
use riddle::board::{CellSet, has, members, only};
use riddle::clues::Clues;
use riddle::maker::{CHECK, MOST_PLACEMENTS, Maker};
use riddle::picture;
use riddle::review::{RiddleReview, review};
use riddle::rules::Referee;
use riddle::solver::RiddleSolver;
use riddle::threats::ThreatMap;
use task::{Console, VerbOptions};

/// Nodes spent on counting what still fits.
const COUNTING: Budget = Budget::nodes(2_000_000);
/// Placements counted before "many" is answer enough.
const MANY: u64 = 100_000;

/// `etude play riddle`.
#[derive(Debug, Args)]
#[command(
    about = "Find the hidden pieces from the numbers of their threats",
    after_help = "Examples:
  etude play riddle
      chess pieces that do not attack each other
  etude play riddle --variant shogi --whole
      all threats shown from the start, as in the original program"
)]
pub struct PlayRiddle {
    #[command(flatten)]
    hidden: HiddenPlacement,
    /// Show all threats from the start
    #[arg(long)]
    whole: bool,
    /// Show a made riddle: few clues, enough to find the answer
    #[arg(long)]
    riddle: bool,
}

const HELP: &str = "\
  e4             ask how many pieces attack e4
  guess e4 d1 .. name the cells of all pieces, in order
  advice         show the number that tells the most
  undo           hide the last number; it still counts
  count          count the placements that fit what is shown
  board          draw the board
  whole          show all numbers
  reveal         show the pieces and end
  quit           end";

impl VerbOptions for PlayRiddle {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let generator = self.hidden.generator()?;
        let mut rng = self.hidden.draws("play").stream(0);
        let starred = self.hidden.starred;
        let maker = || Maker::new(&generator, starred, CHECK);
        let made = self
            .riddle
            .then(|| maker().make(&mut rng, MOST_PLACEMENTS))
            .flatten();
        let hidden = made.as_ref().map_or_else(
            || generator.generate(&mut rng).placement,
            |riddle| riddle.answer,
        );
        let mut game = RiddleSession::new(generator.referee(), hidden);
        game.show_first(self.whole, starred, made.map(|riddle| riddle.clues));
        console.note(&game.introduction());
        console.draw(&game.board());
        while let Some(line) = console.ask("> ") {
            let (answer, over) = game.answer(&line);
            console.draw(&answer);
            if over {
                break;
            }
        }
        Ok(())
    }
}

/// A game in progress.
struct RiddleSession<'a> {
    referee: &'a Referee,
    hidden: Placement,
    map: ThreatMap,
    shown: CellSet,
    /// The cells that were shown and are hidden again.
    hidden_again: CellSet,
    /// The cells shown before each of the requests so far.
    earlier: Vec<CellSet>,
    stars: CellSet,
    asked: u32,
    guesses: u32,
}

impl<'a> RiddleSession<'a> {
    fn new(referee: &'a Referee, hidden: Placement) -> Self {
        Self {
            map: referee.army().threats(&hidden),
            referee,
            hidden,
            shown: 0,
            hidden_again: 0,
            earlier: Vec::new(),
            stars: 0,
            asked: 0,
            guesses: 0,
        }
    }

    fn show_first(&mut self, whole: bool, starred: bool, clues: Option<Clues>) {
        if whole {
            self.shown = self.army().board().all();
        }
        if starred {
            self.stars = self.hidden.occupied();
        }
        if let Some(clues) = clues {
            self.shown |= clues.digits();
        }
    }

    fn army(&self) -> &Army {
        self.referee.army()
    }

    fn introduction(&self) -> String {
        let pieces: Vec<String> = self
            .army()
            .pieces()
            .iter()
            .map(|piece| format!("{} {}", piece.symbol, piece.name))
            .collect();
        format!(
            "Hidden: {}, rule {}. Each number says how many of them attack the cell. \
             `help` lists what you can type.",
            pieces.join(", "),
            self.referee.rule().as_ref()
        )
    }

    fn clues(&self) -> Clues {
        self.clues_on(self.shown)
    }

    fn clues_on(&self, shown: CellSet) -> Clues {
        Clues::of_map(&self.map, shown).with_stars(self.stars & !shown)
    }

    fn board(&self) -> String {
        picture::clues(self.army(), &self.clues())
    }

    /// The answer to a line, and whether the game is over.
    fn answer(&mut self, line: &str) -> (String, bool) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let playing = |text: String| (text, false);
        match words.as_slice() {
            [] => playing("Type a cell, `guess`, `advice` or `help`.".into()),
            ["help" | "?"] => playing(HELP.into()),
            ["board"] => playing(self.board()),
            ["whole"] => {
                self.show(self.army().board().all());
                playing(self.board())
            }
            ["count"] => playing(self.count()),
            ["advice" | "hint"] => playing(self.advice()),
            ["undo"] => playing(self.undo()),
            ["reveal"] | ["give", "up"] => (self.reveal("The pieces stood here."), true),
            ["quit" | "exit"] => (self.score("Good-bye."), true),
            ["guess", cells @ ..] => self.guess(cells),
            [cell] => playing(self.ask(cell)),
            _ => playing(format!(
                "`{}` is not understood; `help` lists what is.",
                line.trim()
            )),
        }
    }

    fn ask(&mut self, name: &str) -> String {
        let Some(cell) = self.army().board().parse(name) else {
            return format!("There is no cell `{name}`; `help` lists what you can type.");
        };
        self.asked += 1;
        self.show(only(cell));
        self.board()
    }

    fn show(&mut self, cells: CellSet) {
        self.earlier.push(self.shown);
        self.shown |= cells;
    }

    fn undo(&mut self) -> String {
        let Some(shown) = self.earlier.pop() else {
            return "There is nothing to undo.".to_owned();
        };
        self.hidden_again |= self.shown;
        self.shown = shown;
        self.board()
    }

    fn guess(&mut self, names: &[&str]) -> (String, bool) {
        let size = self.army().size();
        let board = self.army().board();
        let cells: Vec<usize> = names.iter().filter_map(|name| board.parse(name)).collect();
        if cells.len() != size || names.len() != size {
            let order: Vec<&str> = self.army().pieces().iter().map(|p| p.name).collect();
            return (
                format!(
                    "A guess names {size} cells of the board: {}.",
                    order.join(", ")
                ),
                false,
            );
        }
        self.guesses += 1;
        let guess: Placement = cells.into_iter().collect();
        if guess == self.hidden {
            return (self.reveal("Right!"), true);
        }
        let right = guess
            .iter()
            .zip(self.hidden.iter())
            .filter(|(a, b)| a == b)
            .count();
        (
            format!(
                "No: {right} of {size} pieces are where you say. {}",
                self.contradiction(&guess)
            ),
            false,
        )
    }

    /// Returns the contradictions between the clues and a guess.
    fn contradiction(&self, guess: &Placement) -> String {
        if !self.referee.accepts(guess) {
            return format!(
                "Rule {} forbids that placement.",
                self.referee.rule().as_ref()
            );
        }
        let map = self.army().threats(guess);
        let board = self.army().board();
        members(self.shown)
            .find(|&cell| map.count(cell) != self.map.count(cell))
            .map_or_else(
                || "It fits all the numbers shown: ask for more.".into(),
                |cell| {
                    format!(
                        "It would make {} threats on {}, which shows {}.",
                        map.count(cell),
                        board.name(cell),
                        self.map.count(cell)
                    )
                },
            )
    }

    fn count(&self) -> String {
        let search = RiddleSolver::new(self.referee).count(&self.clues(), MANY, COUNTING);
        if search.complete {
            let fit = counted(search.solutions, "placement fits", "placements fit");
            format!("{fit} what is shown.")
        } else {
            format!(
                "At least {} placements fit what is shown.",
                search.solutions
            )
        }
    }

    /// Shows the unshown cell with the most threats; with everything shown, counts.
    fn advice(&mut self) -> String {
        let all = self.army().board().all();
        let best = (0..=7)
            .rev()
            .map(|count| self.map.level(count) & all & !self.shown)
            .find(|&cells| cells != 0);
        match best.and_then(|cells| members(cells).next()) {
            Some(cell) => {
                self.asked += 1;
                self.show(only(cell));
                format!(
                    "Look at {}.\n{}",
                    self.army().board().name(cell),
                    self.board()
                )
            }
            None => self.count(),
        }
    }

    fn reveal(&self, remark: &str) -> String {
        let army = self.army();
        let board = picture::text(army.board(), |cell| {
            match picture::symbol(army, &self.hidden, cell) {
                Some(symbol) => symbol.to_string(),
                None if has(self.shown, cell) => self.map.count(cell).to_string(),
                None => "·".into(),
            }
        });
        format!("{}\n{board}", self.score(remark))
    }

    fn score(&self, remark: &str) -> String {
        format!(
            "{remark} {}, {}.\n{}",
            counted(self.asked.into(), "cell asked", "cells asked"),
            counted(self.guesses.into(), "guess", "guesses"),
            self.review()
        )
    }

    /// The number that would have decided the game, of all that was shown: a number that is hidden again counts.
    fn review(&self) -> String {
        let game = (&self.clues_on(self.shown | self.hidden_again), &self.hidden);
        let Some(RiddleReview {
            fitting,
            cell,
            left,
        }) = review(self.referee, game, MANY, COUNTING)
        else {
            return "Many placements fit what was shown.".to_owned();
        };
        let cell = self.army().board().name(cell);
        match (fitting, left) {
            (1, _) => "What was shown decided it: no other placement fits.".to_owned(),
            (_, 1) => format!(
                "{fitting} placements fit what was shown; the number on {cell} would have decided it."
            ),
            _ if left == fitting => format!(
                "{fitting} placements fit what was shown, and no number more tells them apart."
            ),
            _ => format!(
                "{fitting} placements fit what was shown; the number on {cell} would have left {left}, and none fewer."
            ),
        }
    }
}

/// A number with its noun.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}

#[cfg(test)]
mod tests {
    use super::super::tests::play;
    use task::Script;

    #[test]
    fn a_game_is_won_by_naming_every_cell() {
        let revealed = play(&[], &["give up"]).drawings.join("\n");
        assert!(revealed.contains("0 cells asked, 0 guesses"));
        assert!(revealed.contains("Many placements fit what was shown."));
        let wrong = play(&[], &["guess a1 a2 a3 a4 a5", "quit"]);
        assert!(
            wrong.drawings[1].starts_with("No: "),
            "{}",
            wrong.drawings[1]
        );
        assert!(wrong.drawings[2].contains("1 guess."));
    }

    /// A number that was shown is known, hidden again or not.
    #[test]
    fn the_verdict_is_on_all_that_was_shown() {
        for lines in [&["whole", "quit"][..], &["whole", "undo", "quit"]] {
            let told = play(&["--variant=makruk"], lines).drawings.join("\n");
            let decided = "What was shown decided it: no other placement fits.";
            assert!(told.contains(decided), "{lines:?}: {told}");
        }
    }

    #[test]
    fn every_line_is_answered_and_none_ends_the_game_by_mistake() {
        let lines = [
            "",
            "   ",
            "help",
            "?",
            "e4",
            "z9",
            "e99",
            "é",
            "guess",
            "guess a1",
            "guess x x x x x",
            "advice",
            "undo",
            "undo",
            "count",
            "board",
            "whole",
            "hint",
            "give",
            "up",
            "💥 💥",
            "a b c d e f g",
            "quit",
        ];
        for options in [
            &[][..],
            &["--variant=xiangqi", "--rule=any"],
            &["--variant=shogi", "--riddle"],
        ] {
            let script = play(options, &lines);
            assert_eq!(script.drawings.len(), lines.len() + 1, "{options:?}");
            assert!(script.drawings.iter().all(|drawing| !drawing.is_empty()));
        }
    }

    /// Seed 1: the number that is named leaves as many as it says.
    #[test]
    fn the_end_names_the_number_that_would_have_decided() {
        let asked = ["a1", "d4", "e5", "h8", "c2", "f7"];
        let end = |more: &[&str]| play(&[], &[&asked[..], more, &["reveal"]].concat());
        let shown = |script: &Script| {
            script
                .drawings
                .last()
                .unwrap()
                .lines()
                .nth(1)
                .unwrap()
                .to_owned()
        };
        let told = shown(&end(&[]));
        let (fit, rest) = told
            .split_once(" placements fit what was shown; the number on ")
            .unwrap();
        let (cell, left) = rest.split_once(" would have left ").unwrap();
        let left = left.strip_suffix(", and none fewer.").unwrap();
        assert!(left.parse::<u64>().unwrap() < fit.parse().unwrap());
        let next = shown(&end(&[cell]));
        assert!(
            next.starts_with(&format!("{left} placements fit what was shown")),
            "{told} {next}"
        );
        let whole = play(&["--whole"], &["reveal"]);
        assert_eq!(
            shown(&whole),
            "What was shown decided it: no other placement fits."
        );
    }

    /// Seed 1: with the riddle's clues shown exactly one placement fits.
    #[test]
    fn a_made_riddle_starts_with_one_fitting_placement() {
        let script = play(&["--riddle"], &["count", "quit"]);
        assert_eq!(script.drawings[1], "1 placement fits what is shown.");
    }
}
