//! Exact values beside the estimates.
//!
//! Some tasks know the expectation of a metric from an exact count, and an experiment file may
//! declare it. The harness is tested by it on real samples: at 95 %, about one interval in twenty
//! misses it.

use crate::stats::Interval;
use crate::task::Truth;

use super::compiled_experiment::CompiledExperiment;
use super::outcome::Outcome;

/// An exact expectation beside its estimate.
#[derive(Clone, Debug)]
pub struct KnownTruth {
    /// The cell's number.
    pub cell: usize,
    /// The metric's place among the task's.
    pub metric: usize,
    /// The exact value, in the metric's unit.
    pub truth: Truth,
    /// True if the interval covers it; `None` without an interval.
    pub covered: Option<bool>,
}

/// Every metric of every cell whose expectation its task knows or its experiment file declares.
pub fn known_truths(compiled: &CompiledExperiment, outcome: &Outcome) -> Vec<KnownTruth> {
    let of_cell = |cell: usize| {
        (0..compiled.metrics().len()).filter_map(move |metric| {
            let truth = compiled.truth(cell, metric)?;
            let interval = outcome.cells[cell][metric].interval;
            Some(KnownTruth {
                cell,
                metric,
                covered: interval.map(|interval| covers(&interval, truth.value)),
                truth,
            })
        })
    };
    (0..compiled.cells()).flat_map(of_cell).collect()
}

/// Returns whether an interval covers a value that is exact but for the rounding of its last digits.
fn covers(interval: &Interval, value: f64) -> bool {
    let rounding = 1e-12 * value.abs();
    interval.lo - rounding <= value && value <= interval.hi + rounding
}
