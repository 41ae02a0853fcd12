//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use super::row::table_row;
use super::table::Table;
use crate::experiment::Experiment;
use crate::run::Checkpoint;

table_row! {
    /// A row of `convergence.csv`: the estimate of a metric of the first cell at a checkpoint.
    pub struct ConvergenceRow in "convergence", keys ["metric", "samples"]
    refers ["metric"] to "metrics" {
        /// Name of the metric.
        metric: String,
        /// Samples of the cell so far.
        samples: u64,
        /// Sample size: samples that count for the estimate.
        n: u64,
        /// The estimate; empty while unresolved samples leave it open.
        mean: Option<f64>,
        /// The estimate with every unresolved sample at its least.
        mean_lo: Option<f64>,
        /// The estimate with every unresolved sample at its greatest.
        mean_hi: Option<f64>,
        /// Lower end of the confidence interval.
        ci_lo: Option<f64>,
        /// Upper end of the confidence interval.
        ci_hi: Option<f64>,
        /// Lower end of the confidence sequence, valid at all rows at once.
        cs_lo: Option<f64>,
        /// Upper end of the confidence sequence, valid at all rows at once.
        cs_hi: Option<f64>,
    }
}

/// The table.
pub fn convergence_table(experiment: &Experiment, checkpoints: &[Checkpoint]) -> Table {
    Table::of(checkpoints.iter().flat_map(|checkpoint| {
        let metrics = experiment.task.metrics.iter().enumerate();
        metrics.map(|(index, metric)| approached(&metric.name, checkpoint, index))
    }))
}

fn approached(metric: &str, checkpoint: &Checkpoint, index: usize) -> ConvergenceRow {
    let estimate = &checkpoint.estimates[index];
    let (interval, sequence) = (estimate.interval, checkpoint.sequences[index]);
    let is_open = estimate.value.is_none();
    ConvergenceRow {
        metric: metric.to_owned(),
        samples: checkpoint.samples,
        n: estimate.n,
        mean: estimate.value,
        mean_lo: estimate.lower.filter(|_| is_open),
        mean_hi: estimate.upper.filter(|_| is_open),
        ci_lo: interval.map(|interval| interval.lo),
        ci_hi: interval.map(|interval| interval.hi),
        cs_lo: sequence.map(|interval| interval.lo),
        cs_hi: sequence.map(|interval| interval.hi),
    }
}
