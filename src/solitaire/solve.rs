//! The verb `solve`: win or loss, and the largest count, of one deal or of a file of them.

use super::settings::GivenRules;
use crate::cards::games::result;
use crate::cards::solve::{SolveCards, SolvedCards};
use base::Failure;
use clap::Args;
use solitaire::draw::{self, Sight};
use solitaire::exact::{Solver, TableSolution};
use solitaire::rules::money;
use solitaire::seat::written;
use solitaire::written::WrittenRound;
use task::{Console, TableCell, VerbOptions};

/// `etude solve solitaire`.
#[derive(Debug, Args)]
#[command(
    about = "Whether a deal can be won, and the most cards on the foundations, with all cards known",
    after_help = "Examples:
  etude solve solitaire --rules vegas-3 --seed 1978 --index 0
      the first deal of a seed, with its best game
  etude solve solitaire --rules draw-1 --deals deals.csv --format csv
      every deal of a file's column `deal`
  etude solve solitaire --rules draw-3 --deals deals.csv --win-or-lose
      which of them can be won, drawing three in half the time
  etude solve solitaire --draw 1 --deals TestDeals.txt
      a file of deals as Klondike-Solver (three digits a card), lonelybot (numbers) or Solvitaire (JSON) write them
  etude solve solitaire --deals deals.csv --hidden --play \"macros(hindsight(100))\"
      each deal of a file played to its end by a player that sees what you see, beside perfect sight
  etude solve solitaire --draw 3 --passes 2 --worrying-back no --seed 7 --index 3
      rules given part by part
  etude solve solitaire --rules vegas-3 --hidden --deal \"foundations: 2H | JC | ?? KS QD | ... | waste: 9C 4D | stock: ?? ?? ...\"
      advice in the middle of a game"
)]
pub struct SolveSolitaire {
    #[command(flatten)]
    cards: SolveCards,
    #[command(flatten)]
    rules: GivenRules,
    /// Ask only whether each deal can be won: sooner, but of a lost deal the most cards on the foundations
    /// are only bounded
    #[arg(long)]
    win_or_lose: bool,
}

const COLUMNS: [&str; 8] = [
    "index",
    "result",
    "foundation",
    "upper_bound",
    "money",
    "proved",
    "nodes",
    "positions",
];

impl VerbOptions for SolveSolitaire {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let rules = self.rules.rules()?;
        let (mut solver, budget) = (Solver::default(), self.cards.budget());
        let search = if self.win_or_lose {
            Solver::decide
        } else {
            Solver::solve
        };
        self.cards
            .run(&rules, console, &COLUMNS, |written| SolvedRound {
                solution: search(&mut solver, written.round.table(), budget),
                written,
            })
    }
}

/// A round with what an exact search found.
struct SolvedRound {
    written: WrittenRound,
    solution: TableSolution,
}

impl SolvedCards for SolvedRound {
    fn cells(&self) -> Vec<TableCell> {
        let solution = &self.solution;
        let lower = solution.foundation.lower();
        vec![
            result(self.is_win()).into(),
            lower.into(),
            solution.foundation.upper().into(),
            money(lower).into(),
            solution.foundation.is_proved().into(),
            solution.nodes.into(),
            solution.positions.into(),
        ]
    }

    fn is_win(&self) -> Option<bool> {
        self.solution.is_win()
    }

    fn is_best(&self) -> bool {
        self.solution.foundation.is_proved() || self.is_win() == Some(true)
    }

    fn moves(&self) -> String {
        written(&self.solution.line(self.written.round.table()))
    }

    fn picture(&self) -> String {
        draw::svg(self.written.round.table(), None)
    }

    fn story(&self) -> (String, Vec<String>, String) {
        let mut table = *self.written.round.table();
        let board = draw::board(&table, Sight::All);
        let start = match &self.written.deal {
            Some(deal) => format!("{deal}\n\n{board}"),
            None => board,
        };
        let mut moves = Vec::new();
        for play in self.solution.line(&table) {
            moves.push(draw::caption(&table, play));
            table.play(play);
        }
        (start, moves, draw::board(&table, Sight::All))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::tabletop::Tabletop;
    use cards::tabletop::deal_stream;
    use solitaire::card::Card;
    use solitaire::deal::Deal;
    use solitaire::elsewhere;
    use solitaire::rules::{DeckShape, Rules};
    use solitaire::seat::SolitaireSeat;
    use solitaire::table::CardTable;
    use task::{Script, Verb};

    fn run(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<SolveSolitaire>("solve"), options)
    }

    fn error(options: &[&str]) -> Failure {
        run(options).err().unwrap()
    }

    fn with_file(text: &str, options: &[&str]) -> Result<Script, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deals.csv");
        std::fs::write(&path, text).unwrap();
        run(&[&["--deals", path.to_str().unwrap()], options].concat())
    }

    fn sample(index: u64) -> Deal {
        Deal::draw(DeckShape::FULL, &mut deal_stream((1978, index)))
    }

    /// Seed 1978, sample 2, as the text of its deal and as a sample.
    #[test]
    fn a_single_deal_is_drawn_with_its_best_game() {
        let drawn = run(&["--rules=vegas-1", "--seed=1978", "--index=2"]).unwrap();
        let deal = drawn.drawings[0].lines().next().unwrap();
        let read = run(&["--rules=vegas-1", "--deal", deal]).unwrap();
        assert_eq!(read.drawings, drawn.drawings);
        assert_eq!(read.rows[0][1..], drawn.rows[0][1..]);
    }

    /// Seed 1978, sample 0.
    #[test]
    fn a_budget_leaves_a_deal_unknown() {
        let console = run(&["--seed=1978", "--budget-nodes=1"]).unwrap();
        assert_eq!(
            (console.column(1)[0].as_str(), console.column(3)[0].as_str()),
            ("unknown", "52")
        );
        assert_eq!(console.column(5), ["false"]);
    }

    /// Seed 1978, samples 0 and 1.
    #[test]
    fn deals_are_read_as_other_programs_write_them() {
        let deals = [sample(0), sample(1)];
        let solved = |text: &str| with_file(text, &["--rules=vegas-1"]).unwrap().rows;
        let lines = |text: &dyn Fn(&Deal) -> String| deals.each_ref().map(text).join("\n");
        let expected = solved(&format!("deal\n{}", lines(&Deal::to_string)));
        assert_eq!(solved(&lines(&Deal::to_string)), expected);
        for form in elsewhere::FORMS {
            let text = lines(&|deal| elsewhere::write(deal, form).unwrap());
            assert_eq!(solved(&text), expected, "{form}");
            let [first, _] = &deals;
            let one = elsewhere::write(first, form).unwrap();
            let one = run(&["--rules=vegas-1", "--deal", &one]).unwrap().rows;
            assert_eq!(one[0], expected[0], "{form}");
            let wrong = with_file(&format!("{text}\n{{"), &[]).err().unwrap();
            assert!(wrong.place.ends_with("deals.csv:3"), "{}", wrong.place);
        }
    }

    /// Seed 1978, samples 0 to 3: `tests/library/players.rs` has them as a run plays them.
    #[test]
    fn a_player_plays_the_deals_of_a_file_as_those_of_a_seed() {
        let deals: String = (0..4).map(|index| format!("{}\n", sample(index))).collect();
        for player in ["random", "ismcts(20)", "macros(hindsight(3))"] {
            let options = ["--hidden", "--play", player, "--budget-nodes=1"];
            let console =
                with_file(&deals, &[&options[..], &["--play-seed=1978"]].concat()).unwrap();
            let head = "index result cards length sight moves";
            assert_eq!(console.columns.join(" "), head);
            for (row, index) in console.rows.iter().zip(["0", "1", "2", "3"]) {
                let deal = ["--seed=1978", "--index", index];
                let one = run(&[&options[..], &deal].concat()).unwrap();
                assert_eq!(one.rows[0], *row, "{player}");
            }
            let moves = console
                .column(5)
                .into_iter()
                .map(|line| line.split("; ").count());
            let lengths: Vec<String> = moves.map(|count| count.to_string()).collect();
            assert_eq!(lengths, console.column(3), "{player}");
        }
    }

    #[test]
    fn options_that_go_with_no_game_are_refused() {
        let file = |options: &[&str]| with_file("deal\nAC\n", options).err().unwrap();
        assert_eq!(file(&["--hidden"]).place, "--deals");
        assert_eq!(file(&["--hidden", "--play=nobody"]).place, "--play");
        for (given, option) in [
            (&["--seed=1"][..], "--play=greedy"),
            (&["--seed=1", "--hidden"], "--play-seed=2"),
            (&["--seed=1", "--hidden", "--play=greedy"], "--moves=d"),
            (
                &["--seed=1", "--hidden", "--play=greedy"],
                "--player=rollout(9)",
            ),
        ] {
            let kind = error(&[given, &[option]].concat()).kind;
            assert_eq!(kind, base::FailureKind::Usage, "{option}");
        }
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let in_file = |text: &str| with_file(text, &[]).err().unwrap().place;
        assert!(in_file("deal\nAC\n").ends_with("deals.csv:2"));
        assert!(in_file("x\nAC\n").ends_with("deals.csv:1"));
        assert_eq!(error(&["--deal=XX"]).place, "--deal");
        for (option, value) in [("--rules", "whist"), ("--draw", "0"), ("--passes", "x")] {
            assert_eq!(error(&["--seed=1", option, value]).place, option);
        }
        assert_eq!(error(&[]).kind, base::FailureKind::Usage);
        assert_eq!(
            error(&["--seed=1", "--deal=XX"]).kind,
            base::FailureKind::Usage
        );
        let index = error(&["--deal=AC", "--index=3"]).message;
        assert!(index.contains("'--index <I>'"), "{index}");
    }

    #[test]
    fn a_picture_of_the_deal_is_a_column() {
        let console = run(&["--seed=1978", "--svg"]).unwrap();
        assert_eq!(console.columns[8..], ["moves", "svg"]);
        assert!(console.column(9)[0].starts_with("<svg "));
    }

    /// Seed 1978, samples 0 to 2: the moves of the table reach its score, and a table that is
    /// written down after half of them is solved as the deal.
    #[test]
    fn a_table_has_the_moves_of_each_solution_and_its_middle_is_solved_alike() {
        for index in 0..3 {
            let vegas = |deal: &[&str]| run(&[&["--rules=vegas-3"], deal].concat()).unwrap();
            let console = vegas(&["--seed=1978", &format!("--index={index}")]);
            let seat = SolitaireSeat(WrittenRound::of(sample(index), Rules::VEGAS_3).round);
            let line = console.column(8)[0].clone();
            let moves: Vec<&str> = line.split("; ").filter(|text| !text.is_empty()).collect();
            let (mut round, mut middle) = (seat.0, seat.0);
            for (number, text) in moves.iter().enumerate() {
                round.play(seat.read(&round, text).unwrap());
                if number == moves.len() / 2 {
                    middle = round;
                }
            }
            assert_eq!(round.score().to_string(), console.column(2)[0]);
            let text = write(middle.table());
            let again = vegas(&["--deal", &text]);
            assert_eq!(again.column(2), console.column(2), "{text}");
            assert!(again.drawings[0].starts_with(&draw::board(middle.table(), Sight::All)));
        }
    }

    /// A table in the middle of a game as a person would write it down.
    fn write(table: &CardTable) -> String {
        let pile = |cards: &[Card]| -> String {
            let symbols = cards.iter().map(|card| card.face().pip());
            symbols.collect::<Vec<_>>().join(" ")
        };
        let tops: Vec<Card> = (0..4)
            .filter_map(|suit| table.foundation_top(suit))
            .collect();
        let columns = table.columns().iter().map(|column| {
            let down = column.cards()[..column.face_down()].iter();
            let down: String = down.map(|card| card.face().symbol(true) + " ").collect();
            match column.cards() {
                [] => "--".to_owned(),
                _ => format!("{down}{}", pile(column.run())),
            }
        });
        let columns: Vec<String> = columns.collect();
        format!(
            "foundations: {} | {} | waste: {} | stock: {} | pass: {}",
            pile(&tops),
            columns.join(" | "),
            pile(table.waste()),
            pile(table.stock()),
            table.pass() + 1
        )
    }

    /// A written table with the cards of its stock face down.
    fn unseen(text: &str) -> String {
        let (seen, stock) = text.split_once("stock: ").unwrap();
        let down = |symbol: &str| Card::read(symbol).map(|card| card.face().symbol(true));
        let stock = stock
            .split(' ')
            .map(|symbol| down(symbol).unwrap_or_else(|| symbol.to_owned()));
        format!("{seen}stock: {}", stock.collect::<Vec<_>>().join(" "))
    }

    /// The choice that four worlds a decision like best; `None` at the end.
    fn advised(deal: &str) -> Option<String> {
        let options = ["--hidden", "--player=macros(hindsight(4))", "--deal", deal];
        run(&options).unwrap().column(0).into_iter().next()
    }

    const LOOK: &str = "draw; draw; draw; draw; draw; draw; draw; draw; turn";

    /// Seed 1978, sample 3.
    #[test]
    fn a_stock_that_is_written_was_seen() {
        let text = write(WrittenRound::of(sample(3), Rules::DRAW_3).round.table());
        assert_ne!(advised(&text).unwrap(), LOOK);
        assert_eq!(advised(&unseen(&text)).unwrap(), LOOK);
        assert_eq!(advised(&sample(3).to_string()).unwrap(), LOOK);
        let (columns, stock) = text.split_once("stock: ").unwrap();
        let (_, stock) = stock.split_once(' ').unwrap();
        let some = error(&["--hidden", "--deal", &format!("{columns}stock: ?? {stock}")]);
        assert!(
            some.message
                .starts_with("stock: 23 of its 24 cards were seen")
        );
    }

    /// Seed 1978, samples 3 to 5: a person who does as advised, and writes the table down after each
    /// card that is turned, without counting passes, comes to the end.
    #[test]
    fn advice_on_written_tables_leads_to_an_end() {
        for index in 3..6 {
            let mut round = WrittenRound::of(sample(index), Rules::DRAW_3).round;
            let seat = SolitaireSeat(round);
            let mut turns = 0;
            let uncounted = |text: &str| text.rsplit_once(" | pass").unwrap().0.to_owned();
            while let Some(line) = advised(&uncounted(&write(round.table()))) {
                let face_down = round.table().face_down();
                for text in line.split("; ") {
                    if round.table().face_down() == face_down {
                        round.play(seat.read(&round, text).unwrap());
                    }
                }
                turns += 1;
                assert!(turns <= 22, "{index}: {line}");
            }
        }
    }

    /// Named or not, cards that nobody has seen change nothing.
    #[test]
    fn advice_does_not_depend_on_hidden_cards() {
        let deal = sample(3);
        let text = unseen(&write(WrittenRound::of(deal, Rules::VEGAS_3).round.table()));
        let is_down = |symbol: &str| symbol.ends_with(|letter: char| letter.is_ascii_lowercase());
        let (seen, stock) = text.split_once("stock: ").unwrap();
        let seen = seen
            .split(' ')
            .map(|symbol| if is_down(symbol) { "??" } else { symbol });
        let stock = stock.split(' ').map(|symbol| match symbol {
            "|" | "pass:" | "1" => symbol,
            _ => "??",
        });
        let seen: Vec<&str> = seen.chain(["stock:"]).chain(stock).collect();
        let advised = |deal: &str, player: &str, moves: &str| {
            let options = ["--hidden", "--player", player, "--moves"];
            run(&[&options[..], &[moves, "--deal", deal]].concat())
        };
        let looked = "d; d; d; d; d; d; d; d; t";
        let cases = [
            ("rollout(20)", "", 2),
            ("rollout(20)", "d", 2),
            ("macros(hindsight(4))", "", 1),
            ("macros(hindsight(4))", "d", 2),
            ("macros(hindsight(4))", looked, 2),
        ];
        for (player, moves, least) in cases {
            let known = advised(&text, player, moves).unwrap();
            match advised(&seen.join(" "), player, moves) {
                Ok(unknown) => {
                    assert!(moves.is_empty(), "{moves} shows cards that nobody has seen");
                    assert_eq!(known.rows, unknown.rows);
                    assert_eq!(known.drawings, unknown.drawings);
                }
                Err(error) => {
                    assert_eq!(error.message, "`d` turns a card that is `??` in --deal");
                    assert_eq!((error.place.as_str(), moves.is_empty()), ("--moves", false));
                }
            }
            assert!(known.rows.len() >= least && known.drawings[0].contains("??"));
        }
        let error = error(&["--deal", &seen.join(" ")]);
        assert_eq!(error.message, "45 of the cards are unknown");
    }
}
