//! Exact values beside the estimates.
//!
//! Some tasks know the expectation of a metric from an exact count, and an experiment file may
//! declare it. The harness is tested by it on real samples: at 95 %, about one interval in twenty
//! misses it.

use stats::{Interval, declared};
use task::Truth;

use super::compiled_experiment::CompiledExperiment;
use super::outcome::Outcome;

/// An exact expectation beside its estimate.
#[derive(Clone, Debug)]
pub struct KnownTruth {
    /// The cell's number.
    pub cell: usize,
    /// The metric's place among the task's.
    pub metric: usize,
    /// The exact value, in the metric's unit, as it is written.
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
                covered: interval.map(|interval| covers(interval, truth.value)),
                truth: Truth {
                    value: declared(truth.value, interval),
                    ..truth
                },
            })
        })
    };
    (0..compiled.cells()).flat_map(of_cell).collect()
}

/// Returns whether an interval covers a value, both as they are written. Two exact values are equal but
/// for the rounding of their last digit.
fn covers(interval: Interval, value: f64) -> bool {
    let is_exact = interval.lo == interval.hi;
    let rounding = if is_exact {
        4.0 * f64::EPSILON * value.abs()
    } else {
        0.0
    };
    let (written, value) = (interval.written(), declared(value, Some(interval)));
    written.lo - rounding <= value && value <= written.hi + rounding
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Level, Method, Validity};

    /// A truth a millisecond beyond a sharp interval of a large number is missed, and one within it is
    /// not; exact values may differ in their last digit.
    #[test]
    fn a_sharp_interval_of_a_large_number_misses_what_is_beyond_it() {
        let interval = |lo, hi| {
            let limits = (lo, hi);
            Interval::new(limits, Level::DEFAULT, Method::StudentT, Validity::FixedN).unwrap()
        };
        let clock = interval(1_700_000_000.250_28, 1_700_000_000.250_33);
        assert!(covers(clock, 1_700_000_000.250_3));
        assert!(!covers(clock, 1_700_000_000.251_3));
        assert!(covers(interval(0.3, 0.3), 0.1 + 0.2));
        assert!(!covers(interval(0.3, 0.3), 0.300_000_000_001));
    }
}
