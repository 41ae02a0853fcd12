//! `etude compare`: two run folders against each other, cell by cell and metric by metric.
//!
//! Where both drew the same instances (one task's game, one seed) and kept their samples, the
//! samples are paired by index; otherwise the estimates are compared as independent ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::config::Experiment;
use crate::harness::Difference;
use crate::report::{Figure, Results, SummaryRow};
use crate::stats::{Level, Paired, independent_difference};
use crate::task::{Cell, Metric};
use clap::Args;

use super::experiment::load_from_folder;
use super::failure::Failure;
use super::program::Program;
use super::table::{Format, Printed};

/// Compare two runs: first minus second, paired where their streams match
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude compare results/optimal results/greedy

Runs are paired sample by sample if they have one seed and both kept their samples
([output] samples = true).")]
pub struct Compare {
    /// The run folder that counts positive
    #[arg(value_name = "DIR")]
    first: PathBuf,
    /// The run folder that counts negative
    #[arg(value_name = "DIR")]
    second: PathBuf,
    /// How the table is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const COLUMNS: [&str; 13] = [
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
];

impl Compare {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let first = Side::read(program, &self.first)?;
        let second = Side::read(program, &self.second)?;
        let mut table = Printed::new(&COLUMNS);
        let pairing = first.pairing(&second)?;
        for (a, b) in matching_cells(&first.experiment, &second.experiment) {
            for metric in first.experiment.task.metrics {
                let paired = pairing
                    .as_ref()
                    .map(|samples| samples.paired(a, b, metric.name));
                let row = match paired {
                    Some(paired) => first.paired_row(metric, &paired),
                    None => independent_row(&first, &second, (a, b), metric),
                };
                if let Some(row) = row {
                    let head = [a, b, metric.name, metric.unit].map(|text| Cell::Text(text.into()));
                    table.push(head.into_iter().chain(row));
                }
            }
        }
        if table.is_empty() {
            let [first, second] = [&self.first, &self.second].map(|folder| folder.display());
            return Err(
                Failure::usage(format!("{first} and {second} have no metric in common"))
                    .with_help("compare runs of one task, or of tasks that measure the same"),
            );
        }
        if pairing.is_none() {
            eprintln!(
                "unpaired: the runs have different seeds or games, or did not keep samples \
                 ([output] samples = true)"
            );
        }
        table.print(self.format)
    }
}

/// One of the two runs.
struct Side {
    folder: PathBuf,
    experiment: Experiment,
    results: Results,
}

/// Values of a metric, least and most, by sample and cell.
type Values = BTreeMap<(String, u64), (i64, i64)>;

/// The samples both runs kept.
struct Samples {
    first: BTreeMap<&'static str, Values>,
    second: BTreeMap<&'static str, Values>,
}

impl Side {
    fn read(program: &Program, folder: &Path) -> Result<Self, Failure> {
        Ok(Self {
            experiment: load_from_folder(program, folder)?,
            results: Results::read(folder).map_err(Failure::usage)?,
            folder: folder.to_owned(),
        })
    }

    /// The samples, if both runs drew the same instances and kept them.
    fn pairing(&self, other: &Self) -> Result<Option<Samples>, Failure> {
        let game = |side: &Self| side.experiment.task.name.split('/').next();
        let kept = self.experiment.keep_samples && other.experiment.keep_samples;
        let same = self.experiment.seed == other.experiment.seed && game(self) == game(other);
        if !(kept && same) {
            return Ok(None);
        }
        Ok(Some(Samples {
            first: self.samples()?,
            second: other.samples()?,
        }))
    }

    fn samples(&self) -> Result<BTreeMap<&'static str, Values>, Failure> {
        let path = self.folder.join("samples.csv");
        let refuse =
            |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", path.display()));
        let mut reader = csv::Reader::from_path(&path).map_err(|error| refuse(&error))?;
        let header = reader.headers().map_err(|error| refuse(&error))?.clone();
        let column = |name: &str| header.iter().position(|column| column == name);
        let places: Vec<_> = (self.experiment.task.metrics.iter())
            .filter_map(|metric| {
                let lo = column(&format!("{}_lo", metric.name))?;
                Some((metric.name, lo, column(&format!("{}_hi", metric.name))?))
            })
            .map(|(name, lo, hi)| (name, [lo, hi]))
            .collect();
        let mut samples: BTreeMap<&'static str, Values> = BTreeMap::new();
        for record in reader.records() {
            let record = record.map_err(|error| refuse(&error))?;
            let number = |place: usize| record.get(place)?.parse::<i64>().ok();
            let sample = record.get(0).and_then(|text| text.parse().ok());
            let (Some(sample), Some(cell)) = (sample, record.get(1)) else {
                return Err(refuse(&"a row without sample or cell"));
            };
            for &(metric, [lo, hi]) in &places {
                if let (Some(lo), Some(hi)) = (number(lo), number(hi)) {
                    let values = samples.entry(metric).or_default();
                    values.insert((cell.to_owned(), sample), (lo, hi));
                }
            }
        }
        Ok(samples)
    }

    fn paired_row(&self, metric: &Metric, paired: &Paired) -> Option<Vec<Cell>> {
        let difference = Difference::of(metric, paired, self.experiment.confidence());
        let estimate = difference.estimate;
        let interval = estimate.interval;
        (estimate.n > 0).then(|| {
            vec![
                Cell::Text("paired".into()),
                Cell::Integer(estimate.n.into()),
                number(estimate.value),
                number(interval.map(|interval| interval.lo)),
                number(interval.map(|interval| interval.hi)),
                Cell::Number(self.experiment.level),
                Cell::Text(
                    interval
                        .map_or("", |interval| interval.method.name())
                        .into(),
                ),
                number(difference.correlation),
                number(difference.variance_reduction),
            ]
        })
    }

    fn row(&self, cell: &str, metric: &str) -> Option<&SummaryRow> {
        let mut rows = self.results.summary.iter();
        rows.find(|row| row.cell == cell && row.metric == metric)
    }
}

impl Samples {
    fn paired(&self, first: &str, second: &str, metric: &str) -> Paired {
        let mut paired = Paired::default();
        let (Some(a), Some(b)) = (self.first.get(metric), self.second.get(metric)) else {
            return paired;
        };
        for ((cell, sample), &values) in a.range((first.to_owned(), 0)..) {
            if cell != first {
                break;
            }
            if let Some(&others) = b.get(&(second.to_owned(), *sample)) {
                paired.push_bounds(values, others);
            }
        }
        paired
    }
}

/// Cells of one name, or the only cells of both.
fn matching_cells<'a>(first: &'a Experiment, second: &'a Experiment) -> Vec<(&'a str, &'a str)> {
    if let ([a], [b]) = (first.cells.as_slice(), second.cells.as_slice()) {
        return vec![(&a.name, &b.name)];
    }
    let alike = |name| {
        let other = second.cell_names().find(|other| *other == name)?;
        Some((name, other))
    };
    first.cell_names().filter_map(alike).collect()
}

/// The difference of two estimates made from separate instances.
fn independent_row(
    first: &Side,
    second: &Side,
    (a, b): (&str, &str),
    metric: &Metric,
) -> Option<Vec<Cell>> {
    let error = |figure: &Figure| Some(figure.sd? / (figure.n as f64).sqrt());
    let (x, y) = (
        &first.row(a, metric.name)?.figure,
        &second.row(b, metric.name)?.figure,
    );
    let level = Level::new(first.experiment.level)?;
    let fixed = !first.experiment.stop.looks() && !second.experiment.stop.looks();
    let errors = error(x).zip(error(y)).filter(|_| fixed);
    let difference = x.mean? - y.mean?;
    let interval = errors.map(|errors| independent_difference(difference, errors, level));
    Some(vec![
        Cell::Text("independent".into()),
        Cell::Integer(x.n.min(y.n).into()),
        Cell::Number(difference),
        number(interval.map(|(lo, _)| lo)),
        number(interval.map(|(_, hi)| hi)),
        Cell::Number(level.get()),
        Cell::Text(interval.map_or("", |_| "normal").into()),
        Cell::Empty,
        Cell::Empty,
    ])
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}
