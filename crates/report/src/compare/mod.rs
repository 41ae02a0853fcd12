//! Two runs compared, cell by cell and metric by metric.
//!
//! If both drew the same instances (one task's game, one seed) and kept their samples, the samples
//! are paired by index. Otherwise the estimates are compared, each with its own method. Swapping
//! the folders changes only the signs.

mod cells;
mod samples;
mod sentence;
mod side;

use std::path::{Display, Path};

use lab::job::{Failure, Program};
use lab::run::{Difference, Observer, difference_of_runs};
use lab::task::Metric;
use stats::{Confidence, Level, Looks};

use cells::matching_cells;
use samples::{SharedSamples, why_unpaired};
use side::ComparedRun;

/// The differences of two runs.
pub struct RunComparison {
    first: ComparedRun,
    second: ComparedRun,
    /// The samples, where they can be paired.
    samples: Option<SharedSamples>,
    /// The differences, one for every metric in every pair of cells; at least one.
    pub rows: Vec<ComparedMetric>,
}

/// The difference of a metric in two cells: the second run minus the first.
pub struct ComparedMetric {
    /// The cell's name in each run.
    pub cells: [String; 2],
    /// The metric, as in the first run.
    pub metric: Metric,
    /// The relation of the samples: `paired`, `unpaired` or `independent`.
    pub pairing: &'static str,
    /// The level that was asked for.
    pub level: Level,
    /// The difference.
    pub difference: Difference,
}

impl RunComparison {
    /// Compares the runs in two folders. Notes which cells are left out, and why samples are not paired.
    ///
    /// # Errors
    /// If a folder cannot be read, or the runs have no cell or no metric in common.
    pub fn read(
        program: &Program,
        folders: [&Path; 2],
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let first = ComparedRun::read(program, folders[0], observer)?;
        let second = ComparedRun::read(program, folders[1], observer)?;
        let cells = matching_cells(&first.job.experiment, &second.job.experiment, observer)?;
        let unpaired = why_unpaired(&first, &second);
        if let Some(reason) = &unpaired {
            observer.note(&format!("unpaired: {reason}"));
        }
        let read = || SharedSamples::read(&first, &second);
        let mut compared = Self {
            samples: unpaired.is_none().then(read).transpose()?,
            rows: Vec::new(),
            first,
            second,
        };
        compared.rows = (cells.iter())
            .flat_map(|&cells| compared.metrics(cells))
            .collect();
        if compared.rows.is_empty() {
            let [first, second] = compared.names();
            return Err(
                Failure::usage(format!("{first} and {second} have no metric in common")).with_help(
                    "compare runs of the same task, or of tasks with a metric in common",
                ),
            );
        }
        Ok(compared)
    }

    /// The folders.
    pub fn names(&self) -> [Display<'_>; 2] {
        [&self.first, &self.second].map(|side| side.job.folder.display())
    }

    /// Returns whether the first run has several cells.
    pub fn has_cells(&self) -> bool {
        self.first.job.experiment.cells.len() > 1
    }

    /// The level of both: the lower, if they differ.
    fn level(&self) -> Level {
        let [first, second] = [&self.first, &self.second].map(|side| side.confidence().level);
        if first < second { first } else { second }
    }

    /// Returns the looks that the pairs allow for: the larger plan of the two runs, because the
    /// pairs end with the shorter run.
    fn looks(&self) -> Looks {
        let planned = |side: &ComparedRun| match side.confidence().looks {
            Looks::Many { planned } => Some(planned),
            _ => None,
        };
        let most = planned(&self.first).max(planned(&self.second));
        most.map_or(Looks::Once, |planned| Looks::Many { planned })
    }

    /// A row for every metric of both runs that has a difference.
    fn metrics(&self, cells: (usize, usize)) -> Vec<ComparedMetric> {
        let (ours, theirs) = (&self.first.job.experiment, &self.second.job.experiment);
        let cell_names = [&*ours.cells[cells.0].name, &theirs.cells[cells.1].name];
        let row = |(place, metric): (usize, &Metric)| {
            let mut theirs = theirs.task.metrics.iter();
            let other = theirs.position(|other| {
                (&other.name, &other.unit, other.kind) == (&metric.name, &metric.unit, metric.kind)
            })?;
            let paired = self.paired(cell_names, metric);
            let (pairing, difference) =
                paired.or_else(|| self.apart((cells.0, place), (cells.1, other)))?;
            Some(ComparedMetric {
                cells: cell_names.map(str::to_owned),
                metric: metric.clone(),
                pairing,
                level: self.level(),
                difference: Difference {
                    estimate: difference.estimate.mirrored(),
                    ..difference
                },
            })
        };
        let ours = ours.task.metrics.iter().enumerate();
        ours.filter_map(row).collect()
    }

    /// The difference first minus second of the samples that both runs have.
    fn paired(&self, cells: [&str; 2], metric: &Metric) -> Option<(&'static str, Difference)> {
        let confidence = Confidence {
            level: self.level(),
            looks: self.looks(),
        };
        let samples = self.samples.as_ref()?;
        let difference = samples.difference(cells, metric, confidence)?;
        (difference.estimate.n > 0).then_some(("paired", difference))
    }

    /// The difference first minus second of the estimates.
    fn apart(
        &self,
        first: (usize, usize),
        second: (usize, usize),
    ) -> Option<(&'static str, Difference)> {
        let independent = !self.first.shares_instances(&self.second);
        let (first, second) = (self.first.measured(first), self.second.measured(second));
        let estimate = difference_of_runs(first, second, independent, self.level());
        let difference = Difference {
            estimate,
            ..Difference::default()
        };
        let pairing = if independent {
            "independent"
        } else {
            "unpaired"
        };
        estimate.lower.is_some().then_some((pairing, difference))
    }
}
