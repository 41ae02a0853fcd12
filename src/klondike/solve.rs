//! The verb `solve`: the optimal score of one deal or of a file of them.

use super::deal::{Deal, DealError};
use super::engine::ExactEngine;
use super::hidden_value;
use super::layout::{Layout, LayoutError};
use super::outcome::SearchOutcome;
use super::position::Position;
use super::pruned::PrunedEngine;
use super::{advise, draw};
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption, chosen_deals};

/// `etude solve klondike`.
pub const SOLVE: Verb = Verb {
    name: "solve",
    summary: "the optimal score of a deal, or of a file of deals",
    examples: &[
        (
            "etude solve klondike --seed 1978 --index 0",
            "the first deal of a seed, with its solution",
        ),
        (
            "etude solve klondike --deals deals.csv --format csv",
            "every deal of a file's column `deal`",
        ),
        (
            "etude solve klondike --seed 7 --index 3 --layout open",
            "a deal with all cards face up",
        ),
        (
            "etude solve klondike --hidden --seed 1978 --moves AH",
            "advice for one who does not see the cards face down, after a first move",
        ),
        (
            "etude solve klondike --hidden --deck 2x5 --layout 0:1,2:2,3:2",
            "what a small deck is worth to one who does not see the cards face down",
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
        "a deal: \"AC | 5c 4S QC ... | ...\", a lower-case suit face down",
    ),
    VerbOption::integer(
        "seed",
        "S",
        "deal sample I of this seed, as an experiment would",
    ),
    VerbOption::integer("index", "I", "the sample to deal with --seed").or_integer(0),
    VerbOption::text(
        "layout",
        "LAYOUT",
        "the layout to deal with --seed [default: yukon]",
    ),
    VerbOption::choice("algorithm", ExactEngine::NAMES, "the search").or_text("pruned"),
    VerbOption::integer(
        "budget-nodes",
        "N",
        "nodes allowed per deal [default: unlimited]",
    ),
    VerbOption::flag(
        "hidden",
        "advise a player who cannot see the face-down cards (`??`), move by move",
    ),
    VerbOption::text(
        "moves",
        "CARDS",
        "the moves made before, each by its card: \"2C KD\" (with --hidden)",
    ),
    VerbOption::text(
        "player",
        "PLAYER",
        "the adviser: hindsight(N), rollout(N), nested(N, PLAYER) [default: hindsight(1000)]",
    ),
    VerbOption::text(
        "deck",
        "SxR",
        "with --hidden: all orders of a small deck, suits x ranks, in --layout",
    ),
];

fn solve(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    if arguments.flag("hidden") && arguments.text("deck").is_some() {
        return hidden_value::solve(arguments, console);
    }
    if arguments.flag("hidden") {
        return advise::advise(arguments, one_deal(arguments)?, console);
    }
    let algorithm = algorithm(arguments)?;
    let limit = arguments.integer("budget-nodes");
    let budget = limit.map_or(Budget::UNLIMITED, Budget::nodes);
    let problems = chosen_deals(arguments, read_deal, |seed, index| {
        sample(arguments, seed, index)
    })?;
    let mut engine = PrunedEngine::new();
    console.columns(&[
        "index",
        "optimal_score",
        "upper_bound",
        "proved",
        "positions",
        "nodes",
    ]);
    for problem in &problems {
        let outcome = algorithm.solve(&mut engine, &problem.deal, budget);
        console.row(&cells(problem.index, &outcome));
        if arguments.file("deals").is_none() {
            show(&problem.deal, &outcome, console);
        }
    }
    Ok(())
}

/// The one deal that advice is asked for.
fn one_deal(arguments: &Arguments) -> Result<Deal, VerbError> {
    match (arguments.text("deal"), arguments.integer("seed")) {
        (Some(text), None) => advise::read_deal(text),
        (None, Some(seed)) => sample(
            arguments,
            seed,
            arguments.integer("index").unwrap_or_default(),
        ),
        _ => Err(VerbError::usage(
            "--hidden",
            "advice is for one deal",
            "give --deal DEAL, or --seed S with --index I",
        )),
    }
}

fn algorithm(arguments: &Arguments) -> Result<ExactEngine, VerbError> {
    let name = arguments.text("algorithm").unwrap_or_default();
    ExactEngine::from_name(name).ok_or_else(|| {
        let message = format!("there is no algorithm `{name}`");
        VerbError::usage("--algorithm", message, "give `pruned` or `etude`")
    })
}

fn read_deal(place: &str, text: &str) -> Result<Deal, VerbError> {
    let refuse = |error: DealError| VerbError::usage(place, error.to_string(), DealError::HELP);
    text.parse().map_err(refuse)
}

/// The deal that an experiment of this seed draws as its sample `index`.
fn sample(arguments: &Arguments, seed: u64, index: u64) -> Result<Deal, VerbError> {
    let text = arguments.text("layout").unwrap_or("yukon");
    let refuse =
        |error: LayoutError| VerbError::usage("--layout", error.to_string(), LayoutError::HELP);
    let layout: Layout = text.parse().map_err(refuse)?;
    let mut stream = Streams::new(seed).key("deal").stream(index);
    Ok(Deal::draw(&layout, &mut stream))
}

fn cells(index: u64, outcome: &SearchOutcome) -> [TableCell; 6] {
    [
        index.into(),
        outcome.score.lower().into(),
        outcome.score.upper().into(),
        outcome.score.is_proved().into(),
        outcome.positions.into(),
        outcome.nodes.into(),
    ]
}

/// Draws a deal, the moves of its solution, and where they end.
fn show(deal: &Deal, outcome: &SearchOutcome, console: &mut dyn Console) {
    let mut position = Position::new(deal);
    console.draw(&format!("{deal}\n\n{}", draw::board(&position)));
    let moves: Vec<String> = outcome
        .moves
        .iter()
        .map(|&card| draw::caption(card))
        .collect();
    outcome.moves.iter().for_each(|&card| position.play(card));
    console.draw(&if moves.is_empty() {
        "No sequence of moves improves the score.".to_owned()
    } else {
        format!("{}\n\n{}", moves.join(", "), draw::board(&position))
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

    /// `tests/data/klondike_deals.csv`: the third deal is won.
    #[test]
    fn a_file_of_deals_gives_a_row_each_whatever_the_algorithm() {
        let golden = include_str!("../../tests/data/klondike_deals.csv");
        let text: String = golden
            .lines()
            .take(4)
            .map(|line| format!("{line}\n"))
            .collect();
        for algorithm in ExactEngine::NAMES {
            let console = run(&deals(&text).with_text("algorithm", algorithm)).unwrap();
            assert_eq!(
                console.columns[..3],
                ["index", "optimal_score", "upper_bound"]
            );
            let scores: Vec<&TableCell> = console.rows.iter().map(|row| &row[1]).collect();
            assert_eq!(
                scores,
                [
                    &TableCell::Integer(0),
                    &TableCell::Integer(1),
                    &TableCell::Integer(52)
                ]
            );
            assert_eq!(console.rows[2][3], TableCell::Flag(true));
            assert!(console.drawings.is_empty());
        }
    }

    /// Seed 1978, sample 0, drawn as the text of its deal and as a sample.
    #[test]
    fn a_single_deal_is_drawn_with_its_solution() {
        let sample = Arguments::defaults(OPTIONS)
            .with_integer("seed", 1978)
            .with_integer("index", 2);
        let drawn = run(&sample).unwrap();
        let deal = drawn.drawings[0].lines().next().unwrap();
        let read = run(&Arguments::defaults(OPTIONS).with_text("deal", deal)).unwrap();
        assert_eq!(read.drawings, drawn.drawings);
        assert_eq!(read.rows[0][1..], drawn.rows[0][1..]);
    }

    #[test]
    fn a_budget_bounds_what_it_does_not_solve() {
        let golden = include_str!("../../tests/data/klondike_deals.csv");
        let console = run(&deals(golden).with_integer("budget-nodes", 1)).unwrap();
        assert_eq!(console.rows.len(), 200);
        assert!(
            console
                .rows
                .iter()
                .any(|row| row[3] == TableCell::Flag(false))
        );
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
        assert_eq!(place(&seed().with_text("layout", "52")), "--layout");
        assert_eq!(
            place(&seed().with_text("algorithm", "magic")),
            "--algorithm"
        );
        assert!(run(&Arguments::defaults(OPTIONS)).err().unwrap().usage);
        assert!(run(&seed().with_text("deal", "XX")).err().unwrap().usage);
    }
}
