//! `etude compare`: compares two run folders, cell by cell and metric by metric.

use std::path::PathBuf;

use ::bench::BenchFolder;
use ::report::compare::{ComparedMetric, RunComparison};
use ::report::{counted, folded};
use clap::Args;
use lab::task::{TableCell, visible_line};

use super::Program;
use super::bench;
use super::failure::Failure;
use super::progress::Display;
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

/// The columns that people are shown where their rows differ.
const FACTS: [&str; 3] = ["method", "samples", "pairing"];

impl CompareArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let [one, other] = [&self.first, &self.second].map(|path| BenchFolder::at(path));
        if one.is_one() && other.is_one() {
            return bench::compare(program, [&one, &other], self.format);
        }
        let compared = RunComparison::read(
            program,
            [&self.first, &self.second],
            &mut Display::default(),
        )?;
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
    let mut table = Printed::default();
    for row in &compared.rows {
        let (difference, interval) = (&row.difference, row.difference.estimate.interval);
        let [lo, hi, _, method, validity] = interval_cells(interval);
        let level = interval.map_or(row.level, |interval| interval.level);
        table.push_named([
            ("first", row.cells[0].as_str().into()),
            ("second", row.cells[1].as_str().into()),
            ("metric", row.metric.name.as_ref().into()),
            ("unit", row.metric.unit.as_ref().into()),
            ("pairing", row.pairing.into()),
            ("n", difference.estimate.n.into()),
            (
                "difference",
                TableCell::exact(difference.estimate.written().value),
            ),
            lo,
            hi,
            ("ci_level", level.get().into()),
            method,
            ("correlation", difference.correlation.into()),
            ("variance_reduction", difference.variance_reduction.into()),
            validity,
            ("conclusion", compared.conclusion(row).into()),
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
    let facts = shared.iter().flatten().map(String::as_str);
    let facts: Vec<&str> = facts.filter(|fact| !fact.is_empty()).collect();
    let common = match facts.as_slice() {
        [] => String::new(),
        facts => format!("Intervals: {}\n", facts.join("; ")),
    };
    let heading = format!("A: {first}\nB: {second}\n{common}\n");
    terminal::width().map_or_else(|| heading.clone(), |width| folded(&heading, width.into()))
}

/// The table as people read it, with the facts that the rows do not share.
fn short_table(
    compared: &RunComparison,
    facts: &[[String; 3]],
    shared: &[Option<String>; 3],
) -> Printed {
    let own = |index: &usize| shared[*index].is_none();
    let own: Vec<usize> = (0..FACTS.len()).filter(own).collect();
    let mut table = Printed::default();
    for (row, facts) in compared.rows.iter().zip(facts) {
        let [value, interval, _] = row.shown();
        let cell = compared.has_cells().then(|| ("cell", row.cells[0].clone()));
        let fields = [
            ("metric", row.metric.name.to_string()),
            ("B - A", value),
            ("interval", interval),
            ("result", compared.result(row).to_owned()),
        ];
        let own = own
            .iter()
            .map(|&index| (FACTS[index], facts[index].clone()));
        let fields = cell.into_iter().chain(fields).chain(own);
        table.push_named(fields.map(|(name, text)| (name, TableCell::Text(text))));
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
