//! `etude compare`: compares two run folders, cell by cell and metric by metric.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ::report::{ComparedSpeeds, compared, compared_sheet, conclusion};
use base::{counted, visible_line};
use clap::Args;
use figures::{Figure, folded, level_text, of_difference};
use lab::job::{ComparedMetric, compare};
use lab::store::holds_race;
use stats::{Interval, Method, Withheld};
use task::TableCell;

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
pub(crate) struct CompareArguments {
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
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let folders = [&*self.first, &*self.second];
        if folders.iter().all(|folder| holds_race(folder)) {
            return self.races(app, folders);
        }
        let mut rows = compare(app, folders, &mut Display::default())?;
        rows.sort_by_key(|row| !result(row).ends_with("is larger"));
        let mut table = Printed::default();
        if self.format != Format::Text {
            rows.iter().for_each(|row| table.push_named(whole(row)));
            return table.print(self.format);
        }
        let are_several = rows.iter().any(|row| row.cells != rows[0].cells);
        rows.iter()
            .for_each(|row| table.push_named(short(row, are_several)));
        write_prose(&self.heading())?;
        table.print(Format::Text)?;
        write_prose(&format!("\n{}", taken(&rows)))
    }

    /// Shows the ratios of two races side by side.
    fn races(&self, app: &Application, [first, second]: [&Path; 2]) -> Result<(), Failure> {
        let (one, other) = (bench::read(app, first)?, bench::read(app, second)?);
        let tasks = [&one, &other].map(|results| &results.experiment.task.name);
        let rows = compared(&one, &other);
        if tasks[0] != tasks[1] || rows.is_empty() {
            return Err(
                Failure::usage("these benchmarks have no pair of contenders in common")
                    .with_help("compare two folders of one benchmark file"),
            );
        }
        note!(
            "times of different sessions cannot be compared: `etude bench FILE --against PROGRAM` races two builds in one"
        );
        if self.format != Format::Text {
            let mut table = Printed::default();
            rows.iter().for_each(|row| table.push_named(ratios(row)));
            return table.print(self.format);
        }
        write_prose(&self.heading())?;
        let sheet = compared_sheet(&rows, &one).to_text(terminal::width());
        write_stdout(sheet.as_bytes())
    }

    fn heading(&self) -> String {
        let folders = [&self.first, &self.second];
        let [a, b] = folders.map(|folder| visible_line(&folder.display().to_string()));
        format!("A: {a}\nB: {b}\n\n")
    }
}

/// Writes lines as wide as the terminal.
fn write_prose(text: &str) -> Result<(), Failure> {
    let width = terminal::width().map_or(usize::MAX, usize::from);
    write_stdout(folded(text, width).as_bytes())
}

/// The ratios of a pair in two races with all digits, for programs.
fn ratios(rows: &ComparedSpeeds) -> Vec<(&'static str, TableCell)> {
    let [one, other] = rows;
    vec![
        ("first", one.first.as_str().into()),
        ("second", one.second.as_str().into()),
        ("statistic", one.statistic.as_ref().into()),
        ("ratio", one.speed.value.into()),
        ("ci_lo", one.speed.lo().into()),
        ("ci_hi", one.speed.hi().into()),
        ("other_ratio", other.speed.value.into()),
        ("other_ci_lo", other.speed.lo().into()),
        ("other_ci_hi", other.speed.hi().into()),
        ("conclusion", conclusion(rows).into()),
    ]
}

/// The result in a few words.
fn result(row: &ComparedMetric) -> String {
    let estimate = &row.difference.estimate;
    let bounds = || Some((estimate.lower? + estimate.upper?) / 2.0);
    let known = match (estimate.value.or_else(bounds), estimate.interval) {
        (Some(0.0), Some(interval)) if interval.method == Method::Exact => "equal",
        (Some(_), Some(interval)) if leaves_open(&interval) => "no difference found",
        (Some(middle), Some(_)) if middle < 0.0 => "A is larger",
        (Some(_), Some(_)) => "B is larger",
        _ => {
            let unknown = "the samples do not vary, or were looked at without limits";
            let reason = estimate.withheld.map_or(unknown, Withheld::in_words);
            return format!("no interval: {reason}");
        }
    };
    known.to_owned()
}

/// Returns whether an estimated interval has zero within it.
fn leaves_open(interval: &Interval) -> bool {
    interval.method != Method::Exact && interval.written().contains(0.0)
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
        ("result", result(row).into()),
    ];
    let interval = interval_cells(estimate.interval);
    cells.into_iter().chain(interval).chain(results).collect()
}

/// A row as people read it, narrow enough for every terminal; with its cell where there are several.
fn short(row: &ComparedMetric, are_several: bool) -> [(&'static str, TableCell); 4] {
    let figure = Figure::of(&row.difference.estimate, of_difference(&row.metric.unit));
    let result = result(row);
    let (result, _) = result.split_once(':').unwrap_or((&result, ""));
    let (cell, metric) = (&row.cells[0], &row.metric.name);
    let place = if are_several {
        format!("{cell}: {metric}")
    } else {
        metric.to_string()
    };
    [
        ("metric", place.into()),
        (
            "B - A",
            figure.value().replace("percentage point", "point").into(),
        ),
        ("interval", figure.interval().unwrap_or_default().into()),
        ("result", result.trim_end_matches(" found").into()),
    ]
}

/// The pairing, the samples and the level of the rows, or why there is none, a line for all of one kind.
fn taken(rows: &[ComparedMetric]) -> String {
    let line = |row: &ComparedMetric| {
        let estimate = &row.difference.estimate;
        let level = estimate.interval.map(|interval| interval.level.get());
        let level = level.map_or_else(|| result(row), level_text);
        let samples = counted(estimate.n, "sample");
        format!("{}, {samples}, {level}\n", row.pairing)
    };
    let lines: BTreeSet<String> = rows.iter().map(line).collect();
    lines.into_iter().collect()
}
