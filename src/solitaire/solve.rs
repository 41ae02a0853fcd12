//! The verb `solve`: win or loss, and the largest count, of one deal or of a file of them.

use super::deal::{Deal, DealError};
use super::draw::{self, Sight};
use super::exact::{Solver, TableSolution};
use super::rules::{DeckShape, Rules};
use super::settings;
use super::table::CardTable;
use super::task::money;
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption, chosen_deals};

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
    ],
    options: OPTIONS,
    run: solve,
};

const OPTIONS: &[VerbOption] = &[
    VerbOption::file("deals", "FILE", "a CSV file with a column `deal`"),
    VerbOption::text(
        "deal",
        "DEAL",
        "52 cards: the columns from left to right, each bottom card first, then the stock",
    ),
    VerbOption::integer(
        "seed",
        "S",
        "deal sample I of this seed, as an experiment would",
    ),
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
    let problems = chosen_deals(arguments, read_deal, |seed, index| Ok(sample(seed, index)))?;
    let mut solver = Solver::default();
    let pictures = arguments.flag("svg");
    let svg = pictures.then_some("svg");
    console.columns(&COLUMNS.into_iter().chain(svg).collect::<Vec<_>>());
    for problem in &problems {
        let table = CardTable::new(&problem.deal, rules);
        let solved = solver.solve(&table, budget);
        let picture = pictures.then(|| TableCell::Text(draw::svg(&table, None)));
        let cells = cells(problem.index, &solved).into_iter().chain(picture);
        console.row(&cells.collect::<Vec<_>>());
        if arguments.file("deals").is_none() {
            show(&problem.deal, &table, &solved, console);
        }
    }
    Ok(())
}

/// The rules that the options name.
pub(super) fn rules(arguments: &Arguments) -> Result<Rules, VerbError> {
    let worrying_back = arguments.text("worrying-back") != Some("no");
    let preset = arguments.text("rules").unwrap_or_default();
    let (draw, passes) = (arguments.integer("draw"), arguments.text("passes"));
    settings::rules(preset, draw, passes, worrying_back)
        .map_err(|error| VerbError::usage(format!("--{}", error.name), error.message, error.help))
}

pub(super) fn read_deal(place: &str, text: &str) -> Result<Deal, VerbError> {
    let refuse = |error: DealError| VerbError::usage(place, error.to_string(), DealError::HELP);
    text.parse().map_err(refuse)
}

/// The deal that an experiment of this seed draws as its sample `index`.
pub(super) fn sample(seed: u64, index: u64) -> Deal {
    Deal::draw(
        DeckShape::FULL,
        &mut Streams::new(seed).key("deal").stream(index),
    )
}

fn cells(index: u64, solved: &TableSolution) -> [TableCell; 8] {
    let result = match solved.is_win() {
        Some(true) => "win",
        Some(false) => "lose",
        None => "unknown",
    };
    let lower = solved.foundation.lower();
    [
        index.into(),
        result.into(),
        lower.into(),
        solved.foundation.upper().into(),
        money(lower).into(),
        solved.foundation.is_proved().into(),
        solved.nodes.into(),
        solved.positions.into(),
    ]
}

/// Draws a deal, the moves of its best game, and where they end.
fn show(deal: &Deal, table: &CardTable, solved: &TableSolution, console: &mut dyn Console) {
    console.draw(&format!("{deal}\n\n{}", draw::board(table, Sight::All)));
    let mut table = *table;
    let mut moves = Vec::new();
    for play in solved.line(&table) {
        moves.push(draw::caption(&table, play));
        table.play(play);
    }
    console.draw(&if moves.is_empty() {
        "No sequence of moves improves the score.".to_owned()
    } else {
        format!(
            "{}\n\n{}",
            moves.join(", "),
            draw::board(&table, Sight::All)
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let head = "index result foundation upper_bound money proved nodes positions";
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
        assert_eq!(console.columns[8], "svg");
        assert!(console.column(8)[0].starts_with("<svg "));
    }
}
