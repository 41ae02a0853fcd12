//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::{BlockTally, CompiledExperiment, Evidence};
use stats::{Confidence, Estimate, Interval};

/// Consecutive checkpoints are two of these factors apart in blocks, so the number of blocks about
/// doubles: ten checkpoints for a run of the usual size, evenly spaced on a logarithmic axis.
const STEP: f64 = 1.4;

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

/// Watches the first cell's estimates at growing numbers of blocks, which come in index order.
pub struct Convergence<'run> {
    compiled: &'run CompiledExperiment,
    confidence: Confidence,
    watched: Confidence,
    blocks: u64,
    count: u64,
    due: u64,
    samples: u64,
    rows: Vec<ConvergenceRow>,
}

impl<'run> Convergence<'run> {
    /// The convergence over so many blocks; the last checkpoint has them all. Each interval is the
    /// one for a run that had stopped there, with `confidence`; the sequences are those that
    /// someone with the confidence `watched` sees.
    pub fn new(
        compiled: &'run CompiledExperiment,
        blocks: u64,
        (confidence, watched): (Confidence, Confidence),
    ) -> Self {
        Self {
            compiled,
            confidence,
            watched,
            blocks,
            count: 0,
            due: 1,
            samples: 0,
            rows: Vec::new(),
        }
    }

    /// The next block has `samples` samples; `tally` is the sum of all blocks so far, of the first cell at least.
    pub fn push(&mut self, samples: u64, tally: &BlockTally) {
        self.count += 1;
        self.samples += samples;
        if self.count != self.due && self.count != self.blocks {
            return;
        }
        self.due = later(later(self.count));
        let evidence = Evidence {
            compiled: self.compiled,
            tally,
            confidence: self.confidence,
        };
        let seen = evidence.with(self.watched).estimates(0);
        let estimates = evidence.estimates(0).into_iter().zip(seen);
        for (metric, (estimate, seen)) in self.compiled.metrics().iter().zip(estimates) {
            let row = row(&metric.name, self.samples, &estimate, seen.interval);
            self.rows.push(row);
        }
    }

    /// The table of all checkpoints.
    pub fn into_table<'table>(self) -> Table<'table> {
        Table::of(self.rows)
    }
}

/// The number of blocks that is a step on from another.
fn later(count: u64) -> u64 {
    (count as f64 * STEP).ceil() as u64
}

/// The row of a metric after so many samples, with the confidence sequence of its estimate: the interval for someone
/// who looks at every checkpoint and before; `None` of quantities without bounds.
fn row(metric: &str, samples: u64, estimate: &Estimate, seen: Option<Interval>) -> ConvergenceRow {
    let estimate = estimate.written();
    let sequence = seen.map(Interval::written);
    let interval = estimate.interval;
    let is_open = estimate.value.is_none();
    ConvergenceRow {
        metric: metric.to_owned(),
        samples,
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
