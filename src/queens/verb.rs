//! `etude solve queens`: all solutions of one board, by the algorithm asked for.

use crate::input::integer_within;
use base::Failure;
use clap::Args;
use queens::automaton::{self, Version};
use queens::bitmask::{self, MAX_N};
use queens::placement;
use task::{Console, TableCell, VerbOptions};

/// The largest board whose search tree is measured unasked; beyond it the tree costs minutes.
const PROFILED: usize = 15;

/// The largest board on which a solution is looked for to be drawn.
const DRAWN: usize = 26;

/// `etude solve queens`.
#[derive(Debug, Args)]
#[command(
    about = "Count or list the ways to place n queens that do not attack each other",
    after_help = "Examples:
  etude solve queens --n 8
      92 solutions, 12 up to symmetry
  etude solve queens --n 8 --algorithm automaton-1
      the first version, with its steps counted
  etude solve queens --n 6 --list
      one row for each solution"
)]
pub struct SolveQueens {
    /// The board's side, 1 to 28
    #[arg(long, value_name = "N", value_parser = integer_within(1..=MAX_N as u64))]
    n: u64,
    /// Method of counting
    #[arg(long, default_value = ALGORITHMS[0], value_parser = ALGORITHMS)]
    algorithm: String,
    /// List every solution, one per row
    #[arg(long)]
    list: bool,
    /// Count the whole search tree, whatever its size, and show its nodes by depth
    #[arg(long)]
    profile: bool,
}

/// The algorithm that counts by bit masks.
pub const BITMASK: &str = "bitmask";

/// All algorithms: bit masks, and the versions of the automaton.
pub const ALGORITHMS: [&str; 5] = [
    BITMASK,
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

const COLUMNS: [&str; 7] = [
    "n",
    "algorithm",
    "solutions",
    "fundamental",
    "tree_nodes",
    "steps",
    "placement",
];

impl VerbOptions for SolveQueens {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let n = self.n as usize;
        let outcome = match self.algorithm.parse() {
            Ok(version) => by_automaton(version, n),
            Err(_) => by_bitmask(n, self.profile),
        };
        let summary = summary_cells(n, &self.algorithm, &outcome);
        if self.list {
            console.columns(&COLUMNS);
            list(n, &summary, console);
        } else {
            console.columns(&COLUMNS[..6]);
            console.row(&summary);
            if let Some(columns) = (n <= DRAWN).then(|| placement::first(n)).flatten() {
                console.draw(&placement::draw(&columns, columns.len()));
            }
        }
        if self.profile {
            for (depth, nodes) in bitmask::tree_profile(n).iter().enumerate() {
                console.note(&format!("depth {depth}: {nodes} nodes"));
            }
        }
        Ok(())
    }
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

/// Lists the solutions, a row each, in the order in which the automaton finds them.
fn list(n: usize, summary: &[TableCell], console: &mut dyn Console) {
    automaton::run(Version::Four, n, &mut |columns| {
        let mut row = summary.to_vec();
        row.push(placement::format(columns).into());
        console.row(&row);
    });
}
