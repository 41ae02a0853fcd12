//! The verb `solve`: win or loss, and the largest count, of one deal or of a file of them.

use super::deal::Deal;
use super::draw::{self, Sight};
use super::exact::{Solver, TableSolution};
use super::rules::{DeckShape, Rules};
use super::seat::{SolitaireSeat, written};
use super::settings;
use super::task::money;
use super::written::WrittenRound;
use crate::cards::solve::{Chosen, SolvedCards, chosen_deals, solve_all};
use crate::cards::tabletop::{DEAL, HIDDEN, PLAYER, SEED, refuse};
use crate::cards::{DealError, WrittenTable, advice};
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption};

/// `etude solve solitaire`.
pub const SOLVE: Verb = Verb {
    name: "solve",
    summary: "whether a deal can be won, and the most cards on the foundations, with all cards known",
    examples: &[
        (
            "etude solve solitaire --rules vegas-3 --seed 1978 --index 0",
            "the first deal of a seed, with its best game",
        ),
        (
            "etude solve solitaire --rules draw-1 --deals deals.csv --format csv",
            "every deal of a file's column `deal`",
        ),
        (
            "etude solve solitaire --draw 3 --passes 2 --worrying-back no --seed 7 --index 3",
            "rules given part by part",
        ),
        (
            "etude solve solitaire --rules vegas-3 --hidden --deal \"foundations: 2H | JC | ?? KS QD | ... | waste: 9C 4D | stock: ?? ?? ...\"",
            "advice in the middle of a game",
        ),
    ],
    options: OPTIONS,
    run: solve,
};

const OPTIONS: &[VerbOption] = &[
    VerbOption::file("deals", "FILE", "a CSV file with a column `deal`"),
    DEAL,
    SEED,
    VerbOption::integer("index", "I", "the sample to deal with --seed [default: 0]"),
    RULES,
    DRAW,
    PASSES,
    WORRYING_BACK,
    VerbOption::integer(
        "budget-nodes",
        "N",
        "nodes allowed per deal [default: unlimited]",
    ),
    HIDDEN,
    VerbOption::text(
        "moves",
        "MOVES",
        "the moves made before, as `play` takes them: \"4 5; d; w f\" (with --hidden)",
    ),
    PLAYER,
    VerbOption::flag("svg", "add a column `svg` with a picture of the deal"),
];

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

pub(super) const RULES: VerbOption =
    VerbOption::choice("rules", Rules::NAMES, "the rules").or_text("draw-3");
pub(super) const DRAW: VerbOption = VerbOption::integer(
    "draw",
    "N",
    "cards drawn at once [default: as the rules say]",
);
pub(super) const PASSES: VerbOption = VerbOption::text(
    "passes",
    "N",
    "passes through the stock, or unlimited [default: as the rules say]",
);
pub(super) const WORRYING_BACK: VerbOption = VerbOption::choice(
    "worrying-back",
    &["yes", "no"],
    "whether a card may be taken back from its foundation",
)
.or_text("yes");

fn solve(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let rules = rules(arguments)?;
    let limit = arguments.integer("budget-nodes");
    let budget = limit.map_or(Budget::UNLIMITED, Budget::nodes);
    if arguments.flag("hidden") {
        return solve_hidden(arguments, rules, console);
    }
    let unseen = ["moves", "player"];
    arguments.refuse(&unseen, "does nothing without --hidden", "add --hidden")?;
    let problems = rounds(arguments, rules, WrittenTable::all_known)?;
    let mut solver = Solver::default();
    solve_all(arguments, console, &COLUMNS, problems, |written| {
        SolvedRound {
            found: solver.solve(written.round.table(), budget),
            written,
        }
    });
    Ok(())
}

/// Advice on one deal.
fn solve_hidden(
    arguments: &Arguments,
    rules: Rules,
    console: &mut dyn Console,
) -> Result<(), VerbError> {
    let seen = ["deals", "budget-nodes", "svg"];
    arguments.refuse(&seen, "does nothing with --hidden", "leave it out")?;
    let chosen = rounds(arguments, rules, Ok)?.into_iter();
    let mut seats = chosen.map(|chosen| SolitaireSeat(chosen.deal.round));
    seats.try_for_each(|seat| advice::advise(arguments, &seat, console))
}

/// The rounds that the options name; `accept` may refuse what was written.
fn rounds(
    arguments: &Arguments,
    rules: Rules,
    accept: impl Fn(WrittenTable) -> Result<WrittenTable, DealError>,
) -> Result<Vec<Chosen<WrittenRound>>, VerbError> {
    let read = |place: &str, text: &str| {
        let table = read_table(text).and_then(&accept);
        let round = table.and_then(|table| WrittenRound::read(&table, rules));
        round.map_err(refuse(place))
    };
    chosen_deals(arguments, read, |seed, index| {
        Ok(WrittenRound::of(sample(seed, index), rules))
    })
}

pub(super) fn read_table(text: &str) -> Result<WrittenTable, DealError> {
    Deal::read_table(DeckShape::FULL, text)
}

/// The rules that the options name.
pub(super) fn rules(arguments: &Arguments) -> Result<Rules, VerbError> {
    let worrying_back = arguments.text("worrying-back") != Some("no");
    let preset = arguments.text("rules").unwrap_or_default();
    let (draw, passes) = (arguments.integer("draw"), arguments.text("passes"));
    settings::rules(preset, draw, passes, worrying_back)
        .map_err(|error| VerbError::usage(format!("--{}", error.name), error.message, error.help))
}

/// The deal that an experiment of this seed draws as its sample `index`.
pub(super) fn sample(seed: u64, index: u64) -> Deal {
    Deal::draw(
        DeckShape::FULL,
        &mut Streams::new(seed).key("deal").stream(index),
    )
}

/// A round with what an exact search found.
struct SolvedRound {
    written: WrittenRound,
    found: TableSolution,
}

impl SolvedCards for SolvedRound {
    fn cells(&self) -> Vec<TableCell> {
        let found = &self.found;
        let result = match found.is_win() {
            Some(true) => "win",
            Some(false) => "lose",
            None => "unknown",
        };
        let lower = found.foundation.lower();
        vec![
            result.into(),
            lower.into(),
            found.foundation.upper().into(),
            money(lower).into(),
            found.foundation.is_proved().into(),
            found.nodes.into(),
            found.positions.into(),
        ]
    }

    fn moves(&self) -> String {
        written(&self.found.line(self.written.round.table()))
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
        for play in self.found.line(&table) {
            moves.push(draw::caption(&table, play));
            table.play(play);
        }
        (start, moves, draw::board(&table, Sight::All))
    }
}

#[cfg(test)]
mod tests {
    use super::super::card::Card;
    use super::super::table::CardTable;
    use super::*;
    use crate::cards::tabletop::Tabletop;
    use lab::task::{InputFile, Script};

    fn run(arguments: &Arguments) -> Result<Script, VerbError> {
        let mut console = Script::default();
        solve(arguments, &mut console).map(|()| console)
    }

    fn deals(text: &str) -> Arguments {
        let file = InputFile {
            path: "deals.csv".into(),
            text: text.into(),
        };
        Arguments::defaults(OPTIONS).with_file("deals", file)
    }

    /// `tests/data/solitaire_vegas_draw1_pass1.csv`: a loss, then a win.
    #[test]
    fn a_file_of_deals_gives_a_row_each() {
        let golden = include_str!("../../tests/data/solitaire_vegas_draw1_pass1.csv");
        let text: String = golden
            .lines()
            .take(3)
            .map(|line| format!("{line}\n"))
            .collect();
        let console = run(&deals(&text).with_text("rules", "vegas-1")).unwrap();
        let head = "index result foundation upper_bound money proved nodes positions moves";
        assert_eq!(console.columns.join(" "), head);
        assert_eq!(console.column(1), ["lose", "win"]);
        assert_eq!(console.column(2), ["6", "52"]);
        assert_eq!(console.column(4), ["-22", "208"]);
        assert_eq!(console.column(5), ["true", "true"]);
        assert!(console.drawings.is_empty());
    }

    /// Seed 1978, sample 2, as the text of its deal and as a sample.
    #[test]
    fn a_single_deal_is_drawn_with_its_best_game() {
        let vegas = || Arguments::defaults(OPTIONS).with_text("rules", "vegas-1");
        let drawn = run(&vegas().with_integer("seed", 1978).with_integer("index", 2)).unwrap();
        let deal = drawn.drawings[0].lines().next().unwrap();
        let read = run(&vegas().with_text("deal", deal)).unwrap();
        assert_eq!(read.drawings, drawn.drawings);
        assert_eq!(read.rows[0][1..], drawn.rows[0][1..]);
    }

    /// Seed 1978, sample 0.
    #[test]
    fn a_budget_leaves_a_deal_unknown() {
        let arguments = Arguments::defaults(OPTIONS)
            .with_integer("seed", 1978)
            .with_integer("budget-nodes", 1);
        let console = run(&arguments).unwrap();
        assert_eq!(
            (console.column(1)[0].as_str(), console.column(3)[0].as_str()),
            ("unknown", "52")
        );
        assert_eq!(console.column(5), ["false"]);
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let place = |arguments: &Arguments| run(arguments).err().unwrap().place;
        assert_eq!(place(&deals("deal\nAC\n")), "deals.csv:2");
        assert_eq!(place(&deals("x\nAC\n")), "deals.csv:1");
        assert_eq!(
            place(&Arguments::defaults(OPTIONS).with_text("deal", "XX")),
            "--deal"
        );
        let seed = || Arguments::defaults(OPTIONS).with_integer("seed", 1);
        assert_eq!(place(&seed().with_text("rules", "whist")), "--rules");
        assert_eq!(place(&seed().with_integer("draw", 0)), "--draw");
        assert_eq!(place(&seed().with_text("passes", "x")), "--passes");
        assert!(run(&Arguments::defaults(OPTIONS)).err().unwrap().usage);
        assert!(run(&seed().with_text("deal", "XX")).err().unwrap().usage);
        let index = deals("deal\nAC\n").with_integer("index", 3);
        assert_eq!(place(&index), "--index");
    }

    #[test]
    fn a_picture_of_the_deal_is_a_column() {
        let seed = Arguments::defaults(OPTIONS).with_integer("seed", 1978);
        let console = run(&seed.with_flag("svg")).unwrap();
        assert_eq!(console.columns[8..], ["moves", "svg"]);
        assert!(console.column(9)[0].starts_with("<svg "));
    }

    /// Seed 1978, samples 0 to 2: the moves of the table reach its score, and a table that is
    /// written down after half of them is solved as the deal.
    #[test]
    fn a_table_has_the_moves_of_each_solution_and_its_middle_is_solved_alike() {
        for index in 0..3 {
            let arguments = || Arguments::defaults(OPTIONS).with_text("rules", "vegas-3");
            let seeded = arguments()
                .with_integer("seed", 1978)
                .with_integer("index", index);
            let console = run(&seeded).unwrap();
            let seat = SolitaireSeat(WrittenRound::of(sample(1978, index), Rules::VEGAS_3).round);
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
            let again = run(&arguments().with_text("deal", &text)).unwrap();
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
            format!("{down}{}", pile(column.run()))
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

    /// Named or not, cards that nobody has seen change nothing.
    #[test]
    fn advice_does_not_depend_on_hidden_cards() {
        let deal = sample(1978, 3);
        let text = write(WrittenRound::of(deal, Rules::VEGAS_3).round.table());
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
        let advised = |deal: &str, moves: &str| {
            let options = Arguments::defaults(OPTIONS).with_flag("hidden");
            let options = options
                .with_text("player", "rollout(20)")
                .with_text("moves", moves);
            run(&options.with_text("deal", deal)).unwrap()
        };
        for moves in ["", "d"] {
            let (known, unknown) = (advised(&text, moves), advised(&seen.join(" "), moves));
            if moves.is_empty() {
                assert_eq!(known.rows, unknown.rows);
                assert_eq!(known.drawings, unknown.drawings);
            }
            assert!(known.rows.len() > 1 && known.drawings[0].contains("??"));
        }
        let error = run(&Arguments::defaults(OPTIONS).with_text("deal", &seen.join(" ")));
        assert_eq!(error.err().unwrap().message, "45 of the cards are unknown");
    }
}
