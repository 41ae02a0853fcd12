//! `etude compare`: compares two run folders, cell by cell and metric by metric.

use std::path::PathBuf;

use crate::bench::BenchFolder;
use crate::compare::{ComparedMetric, RunComparison};
use crate::report::{counted, folded};
use crate::task::{TableCell, visible_line};
use clap::Args;

use super::Program;
use super::bench;
use super::failure::Failure;
use super::progress::Remarks;
use super::table::{Format, Printed, interval_cells, write_stdout};
use super::terminal;

/// Compare two runs: second minus first, paired where their streams match
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude compare results/optimal results/greedy

Runs are paired sample by sample if they have the same seed and both kept their samples \
([output] samples = true). Cells are paired by their parameters; a parameter that has \
one value in each run may differ. Two folders of benchmarks are compared by their ratios.

Run times are not a fair comparison: `etude bench` measures which of two programs is faster.")]
pub struct CompareArguments {
    /// The first run folder, A: each difference is B - A
    #[arg(value_name = "DIR")]
    first: PathBuf,
    /// The second run folder, B
    #[arg(value_name = "DIR")]
    second: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const COLUMNS: [&str; 15] = [
    "first",
    "second",
    "metric",
    "unit",
    "pairing",
    "n",
    "difference",
    "ci_lo",
    "ci_hi",
    "ci_level",
    "ci_method",
    "correlation",
    "variance_reduction",
    "valid_under",
    "conclusion",
];

/// The columns that people are shown, after the cells where there are several.
const SHORT: [&str; 4] = ["metric", "B - A", "interval", "result"];

/// The columns that people are shown where their rows differ.
const FACTS: [&str; 3] = ["method", "samples", "pairing"];

impl CompareArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let [one, other] = [&self.first, &self.second].map(|path| BenchFolder::at(path));
        if one.is_one() && other.is_one() {
            return bench::compare(program, [&one, &other], self.format);
        }
        let compared = RunComparison::read(program, [&self.first, &self.second], &mut Remarks)?;
        if self.format != Format::Text {
            return whole_table(&compared).print(self.format);
        }
        let facts: Vec<[String; 3]> = compared.rows.iter().map(facts).collect();
        let shared = [0, 1, 2].map(|index| shared(facts.iter().map(|facts| &facts[index])));
        write_stdout(heading(&compared, &shared).as_bytes())?;
        short_table(&compared, &facts, &shared).print(Format::Text)
    }
}

/// The table with all digits, for programs.
fn whole_table(compared: &RunComparison) -> Printed {
    let mut table = Printed::new(&COLUMNS);
    for row in &compared.rows {
        let (difference, interval) = (&row.difference, row.difference.estimate.interval);
        let [lo, hi, _, method, validity] = interval_cells(interval);
        let level = interval.map_or(row.level, |interval| interval.level);
        table.push([
            row.cells[0].as_str().into(),
            row.cells[1].as_str().into(),
            row.metric.name.as_ref().into(),
            row.metric.unit.as_ref().into(),
            row.pairing.into(),
            difference.estimate.n.into(),
            difference.estimate.value.into(),
            lo,
            hi,
            level.get().into(),
            method,
            difference.correlation.into(),
            difference.variance_reduction.into(),
            validity,
            compared.conclusion(row).into(),
        ]);
    }
    table
}

/// The method of a row's interval, its samples, and how they are paired.
fn facts(row: &ComparedMetric) -> [String; 3] {
    let [_, _, method] = row.shown();
    let samples = counted(row.difference.estimate.n, "sample");
    [method, samples, row.pairing.to_owned()]
}

/// The names of the runs, and what all rows have in common.
fn heading(compared: &RunComparison, shared: &[Option<String>]) -> String {
    let [first, second] = compared.names().map(|name| visible_line(&name.to_string()));
    let common: Vec<&str> = (shared.iter().flatten())
        .map(String::as_str)
        .filter(|fact| !fact.is_empty())
        .collect();
    let common = match common.as_slice() {
        [] => String::new(),
        facts => format!("Intervals: {}\n", facts.join("; ")),
    };
    let heading = format!("A: {first}\nB: {second}\n{common}\n");
    match terminal::width() {
        Some(width) => folded(&heading, usize::from(width)),
        None => heading,
    }
}

/// The table as people read it, with the facts that the rows do not share.
fn short_table(
    compared: &RunComparison,
    facts: &[[String; 3]],
    shared: &[Option<String>; 3],
) -> Printed {
    let own = |index: &usize| shared[*index].is_none();
    let own: Vec<usize> = (0..FACTS.len()).filter(own).collect();
    let cell = compared.has_cells().then_some("cell");
    let columns = cell.into_iter().chain(SHORT);
    let columns = columns.chain(own.iter().map(|&index| FACTS[index]));
    let mut table = Printed::new(&columns.collect::<Vec<_>>());
    for (row, facts) in compared.rows.iter().zip(facts) {
        let [value, interval, _] = row.shown();
        let result = compared.result(row).to_owned();
        let cell = compared.has_cells().then(|| row.cells[0].clone());
        let fields = [row.metric.name.to_string(), value, interval, result];
        let own = own.iter().map(|&index| facts[index].clone());
        let fields = cell.into_iter().chain(fields).chain(own);
        table.push(fields.map(TableCell::Text));
    }
    table
}

/// The text that all rows have which have any; `None` where two differ.
fn shared<'text>(mut texts: impl Iterator<Item = &'text String>) -> Option<String> {
    let Some(first) = texts.find(|text| !text.is_empty()) else {
        return Some(String::new());
    };
    let is_same = texts.all(|text| text.is_empty() || text == first);
    is_same.then(|| first.clone())
}
