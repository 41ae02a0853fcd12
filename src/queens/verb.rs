//! `etude solve queens`: all solutions of one board, by the algorithm asked for.

use super::automaton::{self, Version};
use super::bitmask::{self, MAX_N};
use super::placement;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption};

/// The largest board whose search tree is measured unasked; beyond it the tree costs minutes.
const PROFILED: usize = 15;

/// The largest board on which a solution is looked for to be drawn.
const DRAWN: usize = 26;

/// `solve queens`.
pub const SOLVE: Verb = Verb {
    name: "solve",
    summary: "Count or list the ways to place n queens that do not attack each other",
    examples: &[
        (
            "etude solve queens --n 8",
            "92 solutions, 12 up to symmetry",
        ),
        (
            "etude solve queens --n 8 --algorithm automaton-1",
            "the first version, with its steps counted",
        ),
        (
            "etude solve queens --n 6 --list",
            "one row for each solution",
        ),
    ],
    options: &[
        VerbOption::integer("n", "N", "The board's side, 1 to 28"),
        VerbOption::choice("algorithm", ALGORITHMS, "how they are counted").or_text("bitmask"),
        VerbOption::flag("list", "List every solution, one per row"),
        VerbOption::flag(
            "profile",
            "Count the whole search tree, whatever its size, and show its nodes by depth",
        ),
    ],
    run: solve,
};

const ALGORITHMS: &[&str] = &[
    "bitmask",
    "automaton-1",
    "automaton-2",
    "automaton-3",
    "automaton-4",
];

/// The result of one run of an algorithm.
struct AlgorithmRun {
    solutions: u64,
    fundamental: u64,
    tree_nodes: Option<u64>,
    steps: Option<u64>,
}

fn solve(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let n = board_side(arguments)?;
    let name = arguments.text("algorithm").unwrap_or_default();
    let outcome = match version(name)? {
        Some(version) => by_automaton(version, n),
        None => by_bitmask(n, arguments.flag("profile")),
    };
    let mut columns = vec![
        "n",
        "algorithm",
        "solutions",
        "fundamental",
        "tree_nodes",
        "steps",
    ];
    let summary = summary_cells(n, name, &outcome);
    if arguments.flag("list") {
        columns.push("placement");
        console.columns(&columns);
        list(n, &summary, console);
    } else {
        console.columns(&columns);
        console.row(&summary);
        if let Some(columns) = (n <= DRAWN).then(|| placement::first(n)).flatten() {
            console.draw(&placement::draw(&columns));
        }
    }
    if arguments.flag("profile") {
        for (depth, nodes) in bitmask::tree_profile(n).iter().enumerate() {
            console.note(&format!("depth {depth}: {nodes} nodes"));
        }
    }
    Ok(())
}

fn board_side(arguments: &Arguments) -> Result<usize, VerbError> {
    let help = format!("give --n between 1 and {MAX_N}");
    match arguments.integer("n") {
        Some(n) if (1..=MAX_N as u64).contains(&n) => Ok(n as usize),
        Some(n) => Err(VerbError::usage(
            "--n",
            format!("a board of side {n} is out of range"),
            help,
        )),
        None => Err(VerbError::usage("--n", "the board's side is missing", help)),
    }
}

fn version(name: &str) -> Result<Option<Version>, VerbError> {
    if name == "bitmask" {
        return Ok(None);
    }
    Version::from_name(name).map(Some).ok_or_else(|| {
        VerbError::usage(
            "--algorithm",
            format!("there is no algorithm `{name}`"),
            "expected bitmask, automaton-1, automaton-2, automaton-3 or automaton-4",
        )
    })
}

fn by_automaton(version: Version, n: usize) -> AlgorithmRun {
    let mut fundamental = 0;
    let steps = automaton::run(version, n, &mut |columns| {
        fundamental += u64::from(placement::class_size(columns).is_some());
    });
    AlgorithmRun {
        solutions: steps.solutions,
        fundamental,
        tree_nodes: Some(steps.tree_nodes()),
        steps: Some(steps.total()),
    }
}

fn by_bitmask(n: usize, profile: bool) -> AlgorithmRun {
    let counts = bitmask::count(n);
    let measured = profile || n <= PROFILED;
    AlgorithmRun {
        solutions: counts.solutions,
        fundamental: counts.fundamental,
        tree_nodes: measured.then(|| bitmask::tree_profile(n).iter().sum()),
        steps: None,
    }
}

fn summary_cells(n: usize, name: &str, outcome: &AlgorithmRun) -> Vec<TableCell> {
    vec![
        n.into(),
        name.into(),
        outcome.solutions.into(),
        outcome.fundamental.into(),
        outcome.tree_nodes.into(),
        outcome.steps.into(),
    ]
}

/// One row a solution, in the order in which the automaton writes them.
fn list(n: usize, summary: &[TableCell], console: &mut dyn Console) {
    automaton::run(Version::Four, n, &mut |columns| {
        let mut row = summary.to_vec();
        row.push(placement::format(columns).into());
        console.row(&row);
    });
}
