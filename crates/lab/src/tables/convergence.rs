//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::experiment::Experiment;
use crate::run::Checkpoint;
use stats::Interval;

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
        mean: Option<Exact>,
        /// The estimate with every unresolved sample at its least.
        mean_lo: Option<Exact>,
        /// The estimate with every unresolved sample at its greatest.
        mean_hi: Option<Exact>,
        /// Lower end of the confidence interval.
        ci_lo: Option<Exact>,
        /// Upper end of the confidence interval.
        ci_hi: Option<Exact>,
        /// Lower end of the confidence sequence, valid at all rows at once.
        cs_lo: Option<Exact>,
        /// Upper end of the confidence sequence, valid at all rows at once.
        cs_hi: Option<Exact>,
    }
}

/// The table.
pub fn convergence_table<'run>(
    experiment: &'run Experiment,
    checkpoints: &'run [Checkpoint],
) -> Table<'run> {
    Table::of(checkpoints.iter().flat_map(|checkpoint| {
        let metrics = experiment.task.metrics.iter().enumerate();
        metrics.map(|(index, metric)| approached(&metric.name, checkpoint, index))
    }))
}

fn approached(metric: &str, checkpoint: &Checkpoint, index: usize) -> ConvergenceRow {
    let estimate = checkpoint.estimates[index].written();
    let sequence = checkpoint.sequences[index].map(Interval::written);
    let interval = estimate.interval;
    let is_open = estimate.value.is_none();
    ConvergenceRow {
        metric: metric.to_owned(),
        samples: checkpoint.samples,
        n: estimate.n,
        mean: estimate.value.map(Exact),
        mean_lo: estimate.lower.filter(|_| is_open).map(Exact),
        mean_hi: estimate.upper.filter(|_| is_open).map(Exact),
        ci_lo: interval.map(|interval| Exact(interval.lo)),
        ci_hi: interval.map(|interval| Exact(interval.hi)),
        cs_lo: sequence.map(|interval| Exact(interval.lo)),
        cs_hi: sequence.map(|interval| Exact(interval.hi)),
    }
}
