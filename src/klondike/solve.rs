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
            "advice for a player who cannot see the face-down cards, after a first move",
        ),
        (
            "etude solve klondike --hidden --deck 2x5 --layout 0:1,2:2,3:2",
            "what a small deck is worth to a player who cannot see the face-down cards",
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
        "a deal: \"AC | 5c 4S QC ... | ...\", lower-case suit = face down",
    ),
    VerbOption::integer(
        "seed",
        "S",
        "deal sample I of this seed, as an experiment would",
    ),
    VerbOption::integer("index", "I", "the sample to deal with --seed [default: 0]"),
    VerbOption::text(
        "layout",
        "LAYOUT",
        "the layout to deal with --seed [default: yukon]",
    ),
    VerbOption::choice(
        "algorithm",
        ExactEngine::NAMES,
        "the search [default: pruned]",
    ),
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
        "with --hidden: all orders of a small deck, suits x ranks, in --layout; at most 11 cards, \
         which take minutes where 10 take seconds",
    ),
    VerbOption::flag("svg", "add a column `svg` with a picture of the deal"),
];

const LEAVE_OUT: &str = "leave it out";

fn solve(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    if arguments.flag("hidden") {
        return solve_hidden(arguments, console);
    }
    let unseen = ["moves", "player", "deck"];
    arguments.refuse(&unseen, "does nothing without --hidden", "add --hidden")?;
    refuse_layout(arguments)?;
    let algorithm = algorithm(arguments)?;
    let limit = arguments.integer("budget-nodes");
    let budget = limit.map_or(Budget::UNLIMITED, Budget::nodes);
    let problems = chosen_deals(arguments, read_deal, |seed, index| {
        sample(arguments, seed, index)
    })?;
    let mut engine = PrunedEngine::new();
    let pictures = arguments.flag("svg");
    let svg = pictures.then_some("svg");
    console.columns(&COLUMNS.into_iter().chain(svg).collect::<Vec<_>>());
    for problem in &problems {
        let outcome = algorithm.solve(&mut engine, &problem.deal, budget);
        let picture = pictures.then(|| picture(&problem.deal));
        let cells = cells(problem.index, &outcome).into_iter().chain(picture);
        console.row(&cells.collect::<Vec<_>>());
        if arguments.file("deals").is_none() {
            show(&problem.deal, &outcome, console);
        }
    }
    Ok(())
}

const COLUMNS: [&str; 6] = [
    "index",
    "optimal_score",
    "upper_bound",
    "proved",
    "positions",
    "nodes",
];

/// What `--hidden` asks for: the totals of a small deck, or advice on one deal.
fn solve_hidden(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let seen = ["deals", "algorithm", "budget-nodes", "svg"];
    arguments.refuse(&seen, "does nothing with --hidden", LEAVE_OUT)?;
    if arguments.text("deck").is_some() {
        let one = ["deal", "seed", "index", "moves", "player"];
        let reason = "does nothing with --deck, which takes all orders of the deck";
        arguments.refuse(&one, reason, LEAVE_OUT)?;
        return hidden_value::solve(arguments, console);
    }
    refuse_layout(arguments)?;
    advise::advise(arguments, one_deal(arguments)?, console)
}

/// A deal that is written out has its own layout.
fn refuse_layout(arguments: &Arguments) -> Result<(), VerbError> {
    if arguments.integer("seed").is_some() {
        return Ok(());
    }
    let help = "give --seed S, or leave it out: a written deal shows its columns";
    arguments.refuse(&["layout"], "goes with --seed alone", help)
}

/// The one deal that advice is asked for.
fn one_deal(arguments: &Arguments) -> Result<Deal, VerbError> {
    match (arguments.text("deal"), arguments.integer("seed")) {
        (Some(text), None) => {
            arguments.refuse(&["index"], "goes with --seed alone", LEAVE_OUT)?;
            advise::read_deal(text)
        }
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
    let name = arguments.text("algorithm").unwrap_or("pruned");
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

fn picture(deal: &Deal) -> TableCell {
    TableCell::Text(draw::svg(&Position::new(deal), None))
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

    /// Options as `name=value`, or `name` for a flag.
    fn given(options: &[&str]) -> Arguments {
        let give = |arguments: Arguments, option: &&str| match option.split_once('=') {
            None => arguments.with_flag(option),
            Some((name, value)) => match value.parse() {
                Ok(integer) => arguments.with_integer(name, integer),
                Err(_) => arguments.with_text(name, value),
            },
        };
        options.iter().fold(Arguments::defaults(OPTIONS), give)
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        let small = ["hidden", "deck=2x4", "layout=0:1,2:1,3:1"];
        let plain = ["seed=1"];
        let advice = ["hidden", "seed=1"];
        let written = ["deal=AC"];
        for (mode, option) in [
            (&plain[..], "moves=AH"),
            (&plain, "player=greedy"),
            (&plain, "deck=2x4"),
            (&advice, "budget-nodes=1"),
            (&advice, "algorithm=etude"),
            (&advice, "svg"),
            (&small, "seed=1"),
            (&small, "index=3"),
            (&small, "moves=AH"),
            (&written, "index=3"),
            (&written, "layout=open"),
            (&["hidden", "deal=AC"], "index=3"),
            (&["hidden", "deal=AC"], "layout=open"),
        ] {
            let error = run(&given(&[mode, &[option]].concat())).err().unwrap();
            let name = option.split('=').next().unwrap();
            assert_eq!(error.place, format!("--{name}"), "{mode:?} {option}");
            let said = [" goes with ", " does nothing "];
            assert!(said.iter().any(|said| error.message.contains(said)));
        }
        let file = deals("deal\nAC\n").with_integer("index", 3);
        assert_eq!(run(&file).err().unwrap().place, "--index");
    }

    #[test]
    fn a_picture_of_the_deal_is_a_column() {
        let console = run(&given(&["seed=1978", "svg"])).unwrap();
        assert_eq!(console.columns[6], "svg");
        assert!(console.column(6)[0].starts_with("<svg "));
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
        let none = run(&Arguments::defaults(OPTIONS)).err().unwrap();
        assert_eq!((none.usage, none.message.as_str()), (true, "no deal given"));
        assert!(run(&seed().with_text("deal", "XX")).err().unwrap().usage);
    }
}
