//! `etude compare`: compares two run folders, cell by cell and metric by metric.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ::report::{ComparedMetric, compare};
use clap::Args;
use figures::{counted, folded, level_text};
use task::{TableCell, visible_line};

use super::Application;
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
Differences come first; `--format csv` has the method of each. Two folders of benchmarks are compared by their ratios.

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
    pub fn run(self, app: &Application) -> Result<(), Failure> {
        let folders = [&*self.first, &*self.second];
        if folders.iter().all(|folder| bench::is_race(folder)) {
            return bench::compare(app, folders, self.format);
        }
        let rows = compare(app, folders, &mut Display::default())?;
        let mut table = Printed::default();
        if self.format != Format::Text {
            rows.iter().for_each(|row| table.push_named(whole(row)));
            return table.print(self.format);
        }
        let are_several = rows.iter().any(|row| row.cells != rows[0].cells);
        rows.iter()
            .for_each(|row| table.push_named(short(row, are_several)));
        let [a, b] = folders.map(|folder| visible_line(&folder.display().to_string()));
        let heading = format!("A: {a}\nB: {b}\n\n");
        let width = terminal::width().map_or(usize::MAX, usize::from);
        write_stdout(folded(&heading, width).as_bytes())?;
        table.print(Format::Text)?;
        let taken = format!("\n{}", taken(&rows));
        write_stdout(folded(&taken, width).as_bytes())
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

/// A row as people read it, narrow enough for every terminal; with its cell where there are several.
fn short(row: &ComparedMetric, are_several: bool) -> [(&'static str, TableCell); 4] {
    let [value, interval, _] = row.shown();
    let (result, _) = row.result().split_once(':').unwrap_or((row.result(), ""));
    let (cell, metric) = (&row.cells[0], &row.metric.name);
    let place = if are_several {
        format!("{cell}: {metric}")
    } else {
        metric.to_string()
    };
    [
        ("metric", place.into()),
        ("B - A", value.replace("percentage point", "point").into()),
        ("interval", interval.into()),
        ("result", result.trim_end_matches(" found").into()),
    ]
}

/// The pairing, the samples and the level of the rows, or why there is none, a line for all of one kind.
fn taken(rows: &[ComparedMetric]) -> String {
    let line = |row: &ComparedMetric| {
        let estimate = &row.difference.estimate;
        let level = estimate.interval.map(|interval| interval.level.get());
        let level = level.map_or_else(|| row.result().to_owned(), level_text);
        let samples = counted(estimate.n, "sample");
        format!("{}, {samples}, {level}\n", row.pairing)
    };
    let lines: BTreeSet<String> = rows.iter().map(line).collect();
    lines.into_iter().collect()
}
