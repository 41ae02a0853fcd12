//! `truths.csv`: exact values beside their estimates.
//!
//! Some tasks know the expectation of a metric from an exact count, and an experiment file may
//! declare it. The harness is tested by it on real samples: at 95 %, about one interval in twenty
//! misses it.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use stats::{Estimate, Interval, declared};

table_row! {
    /// A row of `truths.csv`: a metric in a cell whose value is known.
    pub struct TruthRow in "truths", keys ["cell", "metric"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// The estimate.
        estimate: Estimate,
        /// The exact value.
        truth: Option<Exact>,
        /// Whether the interval covers the exact value.
        covered: Option<bool>,
        /// The source of the exact value.
        source: String,
    }
}

/// The table; `None` if no exact value is known.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let metrics = facts.metrics().filter(|_| facts.has_truths);
    let known = |(subject, estimate, _)| row(facts, subject, estimate);
    let mut rows = metrics.filter_map(known).peekable();
    rows.peek().is_some().then(|| Table::of(rows))
}

/// The row of a metric in a cell; `None` if neither its task knows the expectation nor the experiment file declares it.
fn row(facts: &RunFacts<'_>, subject: MetricInCell<'_>, estimate: &Estimate) -> Option<TruthRow> {
    let (task, name) = (facts.compiled.task(subject.cell), &*subject.metric.name);
    let stated = facts.experiment.declared_truth(name);
    let truth = stated.or_else(|| task.truth(name))?;
    let interval = estimate.interval;
    Some(TruthRow {
        experiment: subject.experiment(),
        cell: subject.cell(),
        metric: subject.metric(),
        unit: subject.unit(),
        estimate: *estimate,
        truth: Some(Exact(declared(truth.value, interval))),
        covered: interval.map(|interval| covers(interval, truth.value)),
        source: truth.source,
    })
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
