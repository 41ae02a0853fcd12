//! `etude compare`: compares two run folders, cell by cell and metric by metric.

use std::path::PathBuf;

use ::report::{ComparedMetric, compare, folded};
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
([output] samples = true). Cells are paired by their names, single ones whatever they are. \
Differences come first. Two folders of benchmarks are compared by their ratios.

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

impl CompareArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let folders = [&*self.first, &*self.second];
        if folders.iter().all(|folder| bench::is_race(folder)) {
            return bench::compare(program, folders, self.format);
        }
        let rows = compare(program, folders, &mut Display::default())?;
        let mut table = Printed::default();
        if self.format != Format::Text {
            rows.iter().for_each(|row| table.push_named(whole(row)));
            return table.print(self.format);
        }
        rows.iter().for_each(|row| table.push_named(short(row)));
        let [a, b] = folders.map(|folder| visible_line(&folder.display().to_string()));
        let heading = format!("A: {a}\nB: {b}\n\n");
        let width = terminal::width().map_or(usize::MAX, usize::from);
        write_stdout(folded(&heading, width).as_bytes())?;
        table.print(Format::Text)
    }
}

/// A row with all digits, for programs.
fn whole(row: &ComparedMetric) -> Vec<(&'static str, TableCell)> {
    let (difference, estimate) = (&row.difference, row.difference.estimate);
    let cells = [
        ("first", row.cells[0].as_str().into()),
        ("second", row.cells[1].as_str().into()),
        ("metric", row.metric.name.as_ref().into()),
        ("unit", row.metric.unit.as_ref().into()),
        ("pairing", row.pairing.into()),
        ("n", estimate.n.into()),
        ("difference", TableCell::exact(estimate.written().value)),
    ];
    let results = [
        ("correlation", difference.correlation.into()),
        ("variance_reduction", difference.variance_reduction.into()),
        ("result", row.result().into()),
    ];
    let interval = interval_cells(estimate.interval);
    cells.into_iter().chain(interval).chain(results).collect()
}

/// A row as people read it.
fn short(row: &ComparedMetric) -> [(&'static str, TableCell); 7] {
    let [value, interval, method] = row.shown();
    [
        ("cell", row.cells[0].as_str().into()),
        ("metric", row.metric.name.as_ref().into()),
        ("B - A", value.into()),
        ("interval", interval.into()),
        ("result", row.result().into()),
        ("samples", row.difference.estimate.n.into()),
        (
            "pairing, level, method",
            format!("{}, {method}", row.pairing).into(),
        ),
    ]
}
