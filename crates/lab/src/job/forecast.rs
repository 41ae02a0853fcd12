//! The cost of a run, foreseen from a pilot of its first samples: their time, and on the disk
//! the same tables, rows and lines as those of the whole run, written for the pilot and
//! measured.

use std::iter::repeat_with;
use std::time::{Duration, Instant};

use crate::run::{Block, BlockTally, Look, Outcome, StopReason, Stopped};
use crate::store::{datapackage, journal_row_size};
use crate::tables::{RunFacts, Table, convergence, outcome_tables};
use base::threads::thread_time;
use stats::{Confidence, Estimate, Expected, Looks, Method};
use task::{Metric, MetricKind, Row, SampleError, Workspace};

use super::Job;

/// The longest time that one cell is tried, and all of them together. Even costs are known after
/// the part `1 / EVEN` of that.
const PILOT: Duration = Duration::from_secs(3);
const PILOTS: Duration = Duration::from_secs(10);
const EVEN: u32 = 10;

/// The part of a cell's pilot that a batch may take before the next is no larger.
const BATCHES: u32 = 100;

/// The share of a cell's time from which on one batch shows a heavy tail: a costlier one is still
/// to come, and the mean of those so far is too low.
const HEAVY: f64 = 0.1;

/// Samples drawn in one go at most.
const BATCH: usize = 64;

/// Values kept of all cells, about.
const KEPT: usize = 1_000_000;

/// Blocks watched for a table whose rows are ever further apart.
const WATCHED: u64 = 10_000;

/// Bytes of the manifest, and of a cell in `timings.csv` beside its name.
const MANIFEST: u64 = 3_000;
const TIMING: u64 = 30;

/// Bytes of a row of `truths.csv`, and of one of `claims.csv` beside its text.
const TRUTH: usize = 105;
const CLAIM: usize = 300;

/// The first samples of every cell.
pub struct Pilot<'run> {
    job: &'run Job,
    /// Seconds a sample takes in each cell.
    pub seconds: Vec<f64>,
    /// True if a cell's costs have a heavy tail, or too few samples were drawn to see one: a run
    /// then takes at least what the pilot says.
    pub is_heavy: bool,
    /// The rows of the pilot by cell, equally many of each: those of one block.
    rows: Vec<Vec<Row>>,
    /// The metrics that will have an interval at least twice as wide as their samples make it, because
    /// their limits are far from all samples: with its half-width, in the cell where it is widest.
    pub far_limits: Vec<(&'run Metric, f64)>,
}

impl<'run> Pilot<'run> {
    /// Draws as many samples as fit into a few seconds, at least one of each cell.
    ///
    /// # Errors
    /// [`SampleError`] for a sample that cannot be drawn.
    pub fn draw(job: &'run Job) -> Result<Self, SampleError> {
        let mut pilot = Self {
            job,
            seconds: Vec::new(),
            is_heavy: false,
            rows: Vec::new(),
            far_limits: Vec::new(),
        };
        let mut workspace = Workspace::new();
        for cell in 0..job.compiled.cells() {
            pilot.draw_cell(cell, &mut workspace)?;
        }
        let shared = pilot.rows.iter().map(Vec::len).min().unwrap_or(0);
        pilot.truncate(shared);
        pilot.far_limits = pilot.far_limits();
        pilot.truncate(job.plan.block_size() as usize);
        Ok(pilot)
    }

    fn truncate(&mut self, rows: usize) {
        (self.rows.iter_mut()).for_each(|kept| kept.truncate(rows));
    }

    /// Draws one sample, then twice as many each time, as a run does not draw one by one either.
    fn draw_cell(&mut self, cell: usize, workspace: &mut Workspace) -> Result<(), SampleError> {
        let (compiled, plan) = (&self.job.compiled, &self.job.plan);
        let cells = compiled.cells();
        let kept = KEPT / (cells * compiled.metrics().len()).max(1);
        let kept = (plan.samples() as usize).min(kept).max(1);
        let pilot = PILOT.min(PILOTS / u32::try_from(cells).unwrap_or(u32::MAX));
        let (began, before) = (Instant::now(), thread_time());
        let (mut rows, mut size) = (Vec::new(), 1);
        let (mut drawn, mut costliest) = (0, Duration::ZERO);
        let (spent, is_heavy) = loop {
            let mut batch: Vec<Row> = repeat_with(Row::new).take(size).collect();
            let begun = thread_time();
            compiled.source(cell).draw(workspace, drawn, &mut batch)?;
            let now = thread_time();
            let (took, spent) = (now.saturating_sub(begun), now.saturating_sub(before));
            drawn += size as u64;
            costliest = costliest.max(took);
            let missing = kept.saturating_sub(rows.len());
            rows.extend(batch.into_iter().take(missing));
            let larger = if took > pilot / BATCHES { 1 } else { 2 };
            let left = plan.samples() - drawn;
            size = BATCH.min(larger * size).min(left as usize);
            let is_heavy = has_heavy_tail(costliest, spent);
            // A mean is known after less time where no batch stands out.
            let enough = if is_heavy { pilot } else { pilot / EVEN };
            if size == 0 || began.elapsed() >= enough {
                break (spent, is_heavy);
            }
        };
        self.seconds.push(spent.as_secs_f64() / drawn as f64);
        self.is_heavy |= drawn < plan.samples() && is_heavy;
        self.rows.push(rows);
        Ok(())
    }

    /// The tally of the first samples.
    fn tally(&self) -> BlockTally {
        BlockTally::of(&self.job.compiled, 0, &self.rows)
    }

    fn far_limits(&self) -> Vec<(&'run Metric, f64)> {
        let confidence = self.job.experiment.confidence();
        let outcome = Outcome::of(&self.job.compiled, self.tally(), confidence);
        let widest = |(number, metric): (usize, &'run Metric)| {
            let cells = outcome.cells.iter();
            let widths = cells.filter_map(|cell| self.far_limit(metric, &cell[number], confidence));
            Some((metric, widths.reduce(f64::max)?))
        };
        let metrics = self.job.compiled.metrics().iter().enumerate();
        metrics.filter_map(widest).collect()
    }

    /// The half-width that the limits will give to the interval of a metric, if they widen it.
    fn far_limit(&self, metric: &Metric, pilot: &Estimate, confidence: Confidence) -> Option<f64> {
        let has_limits = matches!(metric.kind, MetricKind::Integer | MetricKind::Number);
        let is_mean = has_limits && confidence.looks == Looks::Once;
        let expected = Expected {
            sd: pilot.sd.filter(|sd| is_mean && *sd > 0.0)?,
            mean: pilot.value,
            limits: Some(metric.unit_limits()?),
            largest: None,
        };
        let interval = expected.interval(self.job.plan.samples(), confidence.level)?;
        (interval.method == Method::StudentLimits).then(|| interval.half_width())
    }

    /// Bytes of everything that the run leaves on the disk, about.
    pub fn disk(&self) -> u64 {
        let tally = self.tally();
        self.journal(&tally) + self.samples() + self.tables(tally) + self.records()
    }

    /// Returns an upper bound of the size of a tally of so many samples, as a multiple of the
    /// pilot's.
    fn growth(&self, samples: u64) -> f64 {
        let size = |samples| BlockTally::text_size(&self.job.compiled, samples) as f64;
        size(samples) / size(self.drawn())
    }

    fn drawn(&self) -> u64 {
        self.rows.first().map_or(0, |rows| rows.len() as u64)
    }

    fn journal(&self, tally: &BlockTally) -> u64 {
        let schema = self.job.schema().size();
        let row = journal_row_size(&tally.encode(), self.job.experiment.keeps_samples());
        let row = row as f64 * self.growth(self.job.plan.block_size());
        schema + (self.job.plan.total_blocks() as f64 * row) as u64
    }

    fn samples(&self) -> u64 {
        if !self.job.experiment.keeps_samples() {
            return 0;
        }
        let block = Block {
            samples: self.drawn(),
            ..self.job.plan.block(0)
        };
        let text = self.job.sample_table().rows(&block, &self.rows);
        let line = text.len() as f64 / self.drawn().max(1) as f64;
        (self.job.plan.samples() as f64 * line) as u64
    }

    fn tables(&self, tally: BlockTally) -> u64 {
        let (experiment, compiled) = (&self.job.experiment, &self.job.compiled);
        let confidence = experiment.confidence();
        let blocks = self.job.plan.total_blocks();
        let watched = blocks.min(WATCHED);
        let (first_cell, size) = (tally.first_cell(), self.job.plan.block_size());
        let all = (0..watched).map(|_| Ok((size, first_cell.clone())));
        let looks = Look::at_blocks(compiled, blocks, all).unwrap_or_default();
        let both = (confidence, experiment.watched());
        let convergence = convergence(compiled, &looks, both);
        let outcome = Outcome::of(compiled, tally, confidence);
        let facts = RunFacts {
            experiment,
            compiled,
            outcome: &outcome,
            claims: &[],
            has_truths: false,
            stopped: Stopped::Complete(StopReason::Samples),
        };
        let mut tables: Vec<Table<'_>> = outcome_tables(&facts).collect();
        tables.push(convergence);
        let samples = experiment.keeps_samples().then(|| {
            let table = self.job.sample_table();
            table.columns(&table.no_singles())
        });
        let package = datapackage(experiment, &tables, samples.as_deref());
        // What is seldom has not occurred yet.
        let more = self.growth(self.job.plan.samples()).min(2.0);
        let size = |table: Table<'_>| match (table.name(), table.into_csv().len()) {
            ("histograms", size) => (size as f64 * more) as u64,
            (_, size) => size as u64,
        };
        package.len() as u64 + tables.into_iter().map(size).sum::<u64>() + self.exact()
    }

    /// Estimates the bytes that depend on exact knowledge, which may take long to count: the
    /// claims, and a row of `truths.csv` for half of the metrics, because some tasks know all of
    /// them and some know none.
    fn exact(&self) -> u64 {
        let metrics = self.job.compiled.cells() * self.job.compiled.metrics().len();
        let experiment = &self.job.experiment;
        let claims = experiment.metric_claims().map(|(_, claim, spec)| {
            experiment.targets(spec).len() * (CLAIM + claim.written.text.len())
        });
        let claims: usize = claims.sum();
        (metrics * TRUTH / 2 + claims) as u64
    }

    /// The canonical file, the manifest, the timings and the exhibit.
    fn records(&self) -> u64 {
        let experiment = &self.job.experiment;
        let timings = experiment.cells.iter();
        let timings: u64 = timings.map(|cell| cell.name.len() as u64 + TIMING).sum();
        let exhibit = self.job.exhibit();
        let exhibit = exhibit.map_or(0, |exhibit| exhibit.to_json().len() as u64);
        MANIFEST + timings + exhibit + experiment.resolved_toml().len() as u64
    }
}

/// Returns whether the costliest batch makes up so much of the time that its like may decide the rest.
fn has_heavy_tail(costliest: Duration, all: Duration) -> bool {
    costliest.as_secs_f64() >= HEAVY * all.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_batch_of_a_tenth_of_the_time_is_a_heavy_tail() {
        let seconds = Duration::from_secs_f64;
        assert!(has_heavy_tail(seconds(0.4), seconds(3.0)));
        assert!(has_heavy_tail(seconds(2.0), seconds(2.0)));
        assert!(!has_heavy_tail(seconds(0.03), seconds(3.0)));
    }
}
