//! `etude compare`: compares two run folders, cell by cell and metric by metric.
//!
//! If both drew the same instances (one task's game, one seed) and kept their samples, the samples
//! are paired by index. Otherwise the estimates are compared, each with its own method. Swapping
//! the folders changes only the signs.

mod cells;
mod samples;
mod sentence;
mod side;

use std::path::PathBuf;

use crate::bench::BenchFolder;
use crate::report::{counted, folded};
use crate::run::{Difference, difference_of_runs};
use crate::stats::{Confidence, Level, Looks};
use crate::task::{TableCell, visible_line};
use clap::Args;

use super::Program;
use super::bench;
use super::failure::Failure;
use super::table::{Format, Printed, write_stdout};
use super::terminal;
use cells::matching_cells;
use samples::{SharedSamples, pairing};
use sentence::{Sentence, conclusion, result, shown};
use side::ComparedRun;

/// Compare two runs: second minus first, paired where their streams match
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude compare results/optimal results/greedy

Runs are paired sample by sample if they have the same seed and both kept their samples \
([output] samples = true). Cells are paired by their parameters; a parameter that has \
one value in each run may differ.

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
            return bench::compare(&one, &other, self.format);
        }
        let first = ComparedRun::read(program, &self.first)?;
        let second = ComparedRun::read(program, &self.second)?;
        let cells = matching_cells(&first.experiment, &second.experiment)?;
        let samples = pairing(&first, &second)?;
        if let Err(reason) = &samples {
            note!("unpaired: {reason}");
        }
        let versus = Versus {
            first: &first,
            second: &second,
            samples: samples.ok(),
        };
        let rows: Vec<ComparedMetric> =
            cells.iter().flat_map(|&cells| versus.rows(cells)).collect();
        if rows.is_empty() {
            return Err(Failure::usage(format!(
                "{} and {} have no metric in common",
                first.name(),
                second.name()
            ))
            .with_help("compare runs of the same task, or of tasks with a metric in common"));
        }
        match self.format {
            Format::Text => versus.show(&rows),
            format => versus.table(&rows).print(format),
        }
    }
}

/// Two runs, with their samples where they can be paired.
struct Versus<'run> {
    first: &'run ComparedRun,
    second: &'run ComparedRun,
    samples: Option<SharedSamples>,
}

/// One metric in one pair of cells.
struct ComparedMetric {
    cells: (usize, usize),
    /// The metric's place in the first run's task.
    metric: usize,
    pairing: &'static str,
    level: Level,
    difference: Difference,
}

impl Versus<'_> {
    /// The level of both: the lower, if they differ.
    fn level(&self) -> Level {
        let [first, second] = [self.first, self.second].map(|side| side.confidence().level);
        if first < second { first } else { second }
    }

    /// Returns the looks that the pairs allow for: the larger plan of the two runs, because the
    /// pairs end with the shorter run.
    fn looks(&self) -> Looks {
        let planned = |side: &ComparedRun| match side.confidence().looks {
            Looks::Many { planned } => Some(planned),
            _ => None,
        };
        let most = planned(self.first).max(planned(self.second));
        most.map_or(Looks::Once, |planned| Looks::Many { planned })
    }

    /// A row for every metric of both runs that has a difference.
    fn rows(&self, cells: (usize, usize)) -> Vec<ComparedMetric> {
        let ours = self.first.experiment.task.metrics.iter().enumerate();
        let common = ours.filter_map(|(place, metric)| {
            let mut theirs = self.second.experiment.task.metrics.iter();
            let other = theirs.position(|other| {
                (&other.name, &other.unit, other.kind) == (&metric.name, &metric.unit, metric.kind)
            })?;
            Some((place, other))
        });
        let row = |(place, other)| {
            self.paired(cells, place)
                .or_else(|| self.apart(cells, (place, other)))
        };
        common.filter_map(row).collect()
    }

    fn paired(&self, cells: (usize, usize), metric: usize) -> Option<ComparedMetric> {
        let spec = &self.first.experiment.task.metrics[metric];
        let (first, second) = (self.first.cell(cells.0), self.second.cell(cells.1));
        let confidence = Confidence {
            level: self.level(),
            looks: self.looks(),
        };
        let samples = self.samples.as_ref()?;
        let difference = turned(samples.difference((first, second), spec, confidence)?);
        (difference.estimate.n > 0).then_some(ComparedMetric {
            cells,
            metric,
            pairing: "paired",
            level: confidence.level,
            difference,
        })
    }

    fn apart(&self, cells: (usize, usize), metrics: (usize, usize)) -> Option<ComparedMetric> {
        let independent = !self.first.shares_instances(self.second);
        let level = self.level();
        let estimate = difference_of_runs(
            self.first.measured((cells.0, metrics.0)),
            self.second.measured((cells.1, metrics.1)),
            independent,
            level,
        );
        estimate.lower.is_some().then_some(ComparedMetric {
            cells,
            metric: metrics.0,
            pairing: if independent {
                "independent"
            } else {
                "unpaired"
            },
            level,
            difference: turned(Difference {
                estimate,
                correlation: None,
                variance_reduction: None,
                mcnemar: None,
            }),
        })
    }

    fn sentence<'row>(&'row self, row: &'row ComparedMetric) -> Sentence<'row> {
        Sentence {
            names: (self.first.name(), self.second.name()),
            cell: (self.first.experiment.cells.len() > 1).then(|| self.first.cell(row.cells.0)),
            metric: &self.first.experiment.task.metrics[row.metric],
            pairing: row.pairing,
            estimate: &row.difference.estimate,
            watched: self.looks() != Looks::Once,
        }
    }

    /// The table with all digits, for programs.
    fn table(&self, rows: &[ComparedMetric]) -> Printed {
        let mut table = Printed::new(&COLUMNS);
        for row in rows {
            let metric = &self.first.experiment.task.metrics[row.metric];
            let (a, b) = (self.first.cell(row.cells.0), self.second.cell(row.cells.1));
            let (found, interval) = (&row.difference, row.difference.estimate.interval);
            table.push([
                a.into(),
                b.into(),
                metric.name.as_ref().into(),
                metric.unit.as_ref().into(),
                row.pairing.into(),
                found.estimate.n.into(),
                found.estimate.value.into(),
                interval.map(|interval| interval.lo).into(),
                interval.map(|interval| interval.hi).into(),
                interval
                    .map_or(row.level, |interval| interval.level)
                    .get()
                    .into(),
                interval
                    .map_or("", |interval| interval.method.name())
                    .into(),
                found.correlation.into(),
                found.variance_reduction.into(),
                interval
                    .map_or("", |interval| interval.validity.name())
                    .into(),
                conclusion(&self.sentence(row)).into(),
            ]);
        }
        table
    }

    /// The table as people read it, below the names of the runs and what all rows have in common.
    fn show(&self, rows: &[ComparedMetric]) -> Result<(), Failure> {
        let has_cells = self.first.experiment.cells.len() > 1;
        let facts: Vec<[String; 3]> = rows.iter().map(|row| self.facts(row)).collect();
        let shared = [0, 1, 2].map(|place| shared(facts.iter().map(|facts| &facts[place])));
        let cells = has_cells.then_some("cell");
        let own = (FACTS.into_iter().zip(&shared)).filter(|(_, shared)| shared.is_none());
        let columns = cells
            .into_iter()
            .chain(SHORT)
            .chain(own.map(|(name, _)| name));
        let mut table = Printed::new(&columns.collect::<Vec<_>>());
        for (row, facts) in rows.iter().zip(facts) {
            let metric = &self.first.experiment.task.metrics[row.metric];
            let cell = has_cells.then(|| self.first.cell(row.cells.0).into());
            let [value, interval, _] = shown(&row.difference.estimate, metric);
            let result = result(&self.sentence(row));
            let fields = [metric.name.to_string(), value, interval, result];
            let own = facts.into_iter().zip(&shared);
            let own = own.filter_map(|(fact, shared)| shared.is_none().then_some(fact));
            let fields = fields.into_iter().chain(own).map(TableCell::Text);
            table.push(cell.into_iter().chain(fields));
        }
        let names = [("A", self.first), ("B", self.second)];
        let names = names.map(|(letter, side)| {
            let name = side.name().to_string();
            format!("{letter}: {}\n", visible_line(&name))
        });
        let common: Vec<&str> = (shared.iter().flatten())
            .map(|fact| fact.as_str())
            .filter(|fact| !fact.is_empty())
            .collect();
        let common = match common.as_slice() {
            [] => String::new(),
            facts => format!("Intervals: {}\n", facts.join("; ")),
        };
        let heading = format!("{}{common}\n", names.concat());
        let width = terminal::width().map(usize::from);
        let heading = width.map_or(heading.clone(), |width| folded(&heading, width));
        write_stdout(heading.as_bytes())?;
        table.print(Format::Text)
    }

    /// The method of a row's interval, its samples, and how they are paired.
    fn facts(&self, row: &ComparedMetric) -> [String; 3] {
        let metric = &self.first.experiment.task.metrics[row.metric];
        let [_, _, method] = shown(&row.difference.estimate, metric);
        let samples = counted(row.difference.estimate.n, "sample");
        [method, samples, row.pairing.to_owned()]
    }
}

/// The text that all rows have which have any; `None` where two differ.
fn shared<'text>(mut texts: impl Iterator<Item = &'text String>) -> Option<String> {
    let Some(first) = texts.find(|text| !text.is_empty()) else {
        return Some(String::new());
    };
    let is_same = texts.all(|text| text.is_empty() || text == first);
    is_same.then(|| first.clone())
}

/// The difference of the runs, the other way round.
fn turned(difference: Difference) -> Difference {
    Difference {
        estimate: difference.estimate.mirrored(),
        ..difference
    }
}
