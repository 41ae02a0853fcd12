//! A game that a person plays in the terminal, with advice on request.

use super::deals::refuse;
use base::{Failure, parse_integer};
use cards::hidden::HiddenGame;
use cards::tabletop::{Dealer, MoveOf, Tabletop, WorldOf, deal_stream, draws};
use cards::text::{FORMAT, WrittenTable};
use clap::Args;
use kit::rng::Streams;
use task::Console;

const COMMANDS: &str = "Or type the number of a move in the list of `moves`, or: moves, advice, undo, \
    board, reveal (shows the best possible score), help, quit. Undo does not hide a card again.";

/// The cards that a person plays with.
#[derive(Debug, Args)]
pub struct PlayCards {
    /// Deal sample I of this seed, as an experiment would; or the cards `??` of --deal [default: 1]
    #[arg(long, value_name = "S", value_parser = parse_integer)]
    seed: Option<u64>,
    /// The sample to deal [default: 0]
    #[arg(long, value_name = "I", value_parser = parse_integer)]
    index: Option<u64>,
    #[arg(long, value_name = "DEAL", allow_hyphen_values = true, help = format!("The cards: {FORMAT}"))]
    deal: Option<String>,
}

impl PlayCards {
    /// Plays with a person: the table of `--deal`, its unknown cards dealt by `--seed` and
    /// `--index`, or the deal of these.
    ///
    /// # Errors
    /// If the table cannot be read, or if nothing of it is left to deal.
    pub fn play<D: Dealer>(&self, dealer: &D, console: &mut dyn Console) -> Result<(), Failure> {
        let number = (self.seed.unwrap_or(1), self.index.unwrap_or_default());
        let (dealt, guessed) = match &self.deal {
            Some(text) => {
                let table = self.written(dealer, text, number)?;
                let dealt = dealer.lay_out(&table).map_err(refuse("--deal"))?;
                (dealt, table.guessed())
            }
            None => (dealer.deal(&mut deal_stream(number)), 0),
        };
        let seat = D::seat(dealt);
        Session::new(&seat, number, guessed).play_to_end(console);
        Ok(())
    }

    /// The table of a text, its unknown cards dealt by a seed and an index.
    fn written<D: Dealer>(
        &self,
        dealer: &D,
        text: &str,
        (seed, index): (u64, u64),
    ) -> Result<WrittenTable, Failure> {
        let mut table = dealer.read(text).map_err(refuse("--deal"))?;
        if table.unknown == 0 && (self.seed.is_some() || self.index.is_some()) {
            let message = "a seed does nothing with --deal but for cards `??`";
            let help = "leave --seed and --index out";
            return Err(Failure::input("--seed", message, help));
        }
        let key = Streams::new(seed).key("unknown cards");
        table.shuffle_unknown(&mut key.stream(index));
        Ok(table)
    }
}

/// The choices that advice shows.
const ADVISED: usize = 12;

/// A game in progress; a rival draws by its seed and index.
struct Session<'a, T: Tabletop> {
    seat: &'a T,
    seed: u64,
    index: u64,
    /// Cards that nobody has seen, dealt by seed and index: another deal of them is as likely.
    guessed: usize,
    played: Vec<MoveOf<T>>,
    /// Moves taken back that had shown a card: knowledge that no player here has.
    undone: usize,
}

impl<'a, T: Tabletop> Session<'a, T> {
    fn new(seat: &'a T, (seed, index): (u64, u64), guessed: usize) -> Self {
        Session {
            seat,
            seed,
            index,
            guessed,
            played: Vec::new(),
            undone: 0,
        }
    }

    /// Plays with a person to the end, or until they stop.
    fn play_to_end(mut self, console: &mut dyn Console) {
        self.help(console);
        if self.guessed > 0 {
            let guess = self.guess();
            console.note(&format!("You play a guess, one of many: {guess}."));
        }
        self.show(console);
        loop {
            if self.seat.legal(&self.world()).is_empty() {
                console.note("Nothing can move: the game is over.");
                break;
            }
            let line = console.ask("move> ").map(|line| line.trim().to_lowercase());
            let Some(line) = line.filter(|line| !matches!(line.as_str(), "quit" | "q" | "exit"))
            else {
                break;
            };
            self.answer(&line, console);
        }
        self.conclude(console);
    }

    /// The cards that nobody has seen, and the seed that deals them.
    fn guess(&self) -> String {
        format!(
            "the {} cards `??` as --seed {} --index {} deals them",
            self.guessed, self.seed, self.index
        )
    }

    /// A sentence that restricts what was said before it to the guess that is played.
    fn caution(&self) -> String {
        match self.guessed {
            0 => String::new(),
            _ => format!(
                " That holds for one guess alone, {}; dealt otherwise, the score may be any other.",
                self.guess()
            ),
        }
    }

    fn world(&self) -> WorldOf<T> {
        let mut world = self.seat.start().clone();
        for &play in &self.played {
            self.seat.game().play(&mut world, play);
        }
        world
    }

    fn unseen(&self) -> usize {
        let game = self.seat.game();
        game.unseen(&game.observe(&self.world()))
    }

    fn help(&self, console: &mut dyn Console) {
        console.note(&format!("{} {COMMANDS}", T::HELP));
    }

    fn show(&self, console: &mut dyn Console) {
        let board = with_column_numbers(&self.seat.board(&self.world(), &self.played));
        let board = if console.colour() {
            with_red_suits(&board)
        } else {
            board
        };
        console.draw(&board);
    }

    /// The legal moves, numbered, a line each.
    fn list(&self) -> String {
        let legal = self.seat.legal(&self.world());
        let lines = (1..).zip(&legal);
        let lines: Vec<String> = lines
            .map(|(number, text)| format!("{number:>3}. {text}"))
            .collect();
        lines.join("\n")
    }

    /// The move that a line means: its number in the list, or the move as it is typed.
    fn read(&self, world: &WorldOf<T>, line: &str) -> Option<MoveOf<T>> {
        let number = line.trim_end_matches('.').parse::<usize>().ok();
        let listed = number.and_then(|number| self.seat.nth(world, number.checked_sub(1)?));
        listed.or_else(|| self.seat.read(world, line))
    }

    /// Obeys a line.
    fn answer(&mut self, line: &str, console: &mut dyn Console) {
        match line {
            "" | "help" | "?" => self.help(console),
            "board" | "b" => self.show(console),
            "moves" | "m" => console.note(&self.list()),
            "advice" | "a" | "hint" => self.advise(console),
            "reveal" => console.note(&self.reveal()),
            "undo" | "u" => self.undo(console),
            _ => self.play(line, console),
        }
    }

    fn undo(&mut self, console: &mut dyn Console) {
        let unseen = self.unseen();
        if self.played.pop().is_none() {
            return console.note("There is nothing to undo.");
        }
        self.undone += usize::from(self.unseen() != unseen);
        self.show(console);
    }

    fn play(&mut self, line: &str, console: &mut dyn Console) {
        let world = self.world();
        let Some(play) = self.read(&world, line) else {
            let legal = self.list();
            return console.note(&format!("`{line}` cannot be played; these can:\n{legal}"));
        };
        console.note(&self.seat.told(&world, play));
        self.played.push(play);
        self.show(console);
    }

    fn advise(&self, console: &mut dyn Console) {
        let adviser = self.seat.adviser();
        let stream = draws(self.seed, &adviser).step(self.index, self.played.len() as u64);
        let choices = self.seat.advice(&self.world(), &adviser, stream);
        for choice in choices.iter().take(ADVISED) {
            console.note(&choice.judged());
        }
        if choices.len() > ADVISED {
            let more = choices.len() - ADVISED;
            console.note(&format!("{more} more choices are judged no better."));
        }
        if let Some(best) = choices.first() {
            console.note(&format!("{adviser} would play: {}.", best.told));
        }
    }

    /// The score that can still be reached by a player who sees all cards.
    fn reveal(&self) -> String {
        let best = self.seat.perfect(&self.world());
        let or_more = if best.is_proved() { "" } else { " or more" };
        format!(
            "From here a player who sees every card can score {}{or_more}.{}",
            best.lower(),
            self.caution()
        )
    }

    /// Tells whether it was the player or the cards.
    fn review(&self, console: &mut dyn Console) {
        if !self.played.is_empty() {
            console.progress("reviewing the game");
        }
        for line in self.seat.review(&self.played, self.seed) {
            console.note(&line);
        }
    }

    /// Tells the score, and the scores of others on the same deal.
    fn conclude(&self, console: &mut dyn Console) {
        let game = self.seat.game();
        console.note(&self.seat.result(game.score(&self.world())));
        let rival = self.seat.rival();
        let draws = draws(self.seed, &rival);
        let score = self.seat.play_out(&rival, (&draws, self.index)).score;
        let optimum = self.seat.perfect(self.seat.start());
        let at_least = if optimum.is_proved() { "" } else { "at least " };
        console.note(&format!(
            "{rival}, which saw only what you saw, scores {score}; a player who sees every card \
             can score {at_least}{}.{}",
            optimum.lower(),
            self.caution()
        ));
        self.review(console);
        match self.undone {
            0 => (),
            1 => {
                console.note("You took back a move that had turned a card over, and so knew more.")
            }
            moves => console.note(&format!(
                "You took back {moves} moves that had turned cards over, and so knew more."
            )),
        }
    }
}

/// A board with the numbers of its columns above them. What stands above the columns ends with an
/// empty line.
fn with_column_numbers(board: &str) -> String {
    let Some((above, columns)) = board.split_once("\n\n") else {
        return board.to_owned();
    };
    // Every column is in the first line, three characters wide.
    let count = columns.lines().next().unwrap_or_default().len() / 3;
    let numbers: String = (1..=count).map(|number| format!("{number:>3}")).collect();
    format!("{above}\n\n{numbers}\n{columns}")
}

/// A board with its hearts and diamonds in red.
fn with_red_suits(board: &str) -> String {
    let is_red = |word: &&str| word.len() == 2 && word.ends_with(['H', 'D']);
    let painted = |part: &str| {
        let word = part.trim_end();
        match Some(word).filter(is_red) {
            Some(card) => format!("\u{1b}[31m{card}\u{1b}[0m{}", &part[card.len()..]),
            None => part.to_owned(),
        }
    };
    board.split_inclusive([' ', '\n']).map(painted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_numbered_and_red_cards_red() {
        let board = " AC -- -- --   (1 of 52)\n\n 7D 8S --\n    ??";
        let numbered = with_column_numbers(board);
        assert_eq!(numbered.lines().nth(2), Some("  1  2  3"));
        let red = with_red_suits(&numbered);
        assert!(red.contains(" \u{1b}[31m7D\u{1b}[0m 8S"), "{red:?}");
        assert_eq!(red.matches('\u{1b}').count(), 2);
    }
}
