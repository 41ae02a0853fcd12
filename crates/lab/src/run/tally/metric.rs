//! The exact tally of one metric.

use crate::task::{Metric, MetricKind, Value};
use serde::{Deserialize, Serialize};
use stats::{Accumulator, Bounded, Histogram, Moments, RatioSums, WeightSums};

/// The tally of one metric. Integers have two kinds: a histogram where values are few, for it gives
/// quantiles and the narrowest sequences; sums where they range so widely that a histogram would hold
/// about a bin for every sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tally {
    /// Flags, small integers, pairs of games.
    Counts(Bounded<Histogram>),
    /// Integers of wide range.
    Sums(Box<Bounded<Moments>>),
    /// Ratios of totals.
    Ratio(Box<RatioSums>),
    /// Weights.
    Weights(Box<WeightSums>),
}

impl Tally {
    /// An empty tally of `metric`.
    pub fn new(metric: &Metric) -> Self {
        match metric.kind {
            MetricKind::Flag | MetricKind::Integer | MetricKind::Pair => {
                Tally::Counts(Bounded::default())
            }
            MetricKind::Total | MetricKind::Number => Tally::Sums(Box::default()),
            MetricKind::Ratio => Tally::Ratio(Box::default()),
            MetricKind::Weight => Tally::Weights(Box::default()),
        }
    }

    /// Counts one value. A value of the wrong kind for the metric does not count; rows are
    /// checked before they get here.
    pub fn push(&mut self, value: Value) {
        match (self, value) {
            (Tally::Counts(counts), value) => push_bounded(counts, value),
            (Tally::Sums(sums), value) => push_bounded(sums, value),
            (
                Tally::Ratio(ratio),
                Value::Ratio {
                    numerator,
                    denominator,
                },
            ) => ratio.push(numerator, denominator),
            (Tally::Weights(weights), Value::Weight(weight)) => {
                let (mantissa, exponent) = weight.parts();
                weights.push(mantissa, exponent);
            }
            _ => {}
        }
    }

    /// Returns the distances from the mean of the samples down to their minimum and up to their
    /// maximum, unresolved ones as far as they can be; `None` for a ratio or weights, or without
    /// samples.
    pub fn deviations(&self) -> Option<(f64, f64)> {
        let (low, high) = match self {
            Tally::Counts(counts) => (counts.low_end().moments(), counts.high_end().moments()),
            Tally::Sums(sums) => (sums.low_end(), sums.high_end()),
            Tally::Ratio(_) | Tally::Weights(_) => return None,
        };
        Some((
            low.mean()? - low.min()? as f64,
            high.max()? as f64 - high.mean()?,
        ))
    }

    /// Returns whether no two samples are known to differ.
    pub(super) fn is_constant(&self) -> bool {
        let are_equal = |sums: &Moments| sums.min() == sums.max();
        match self {
            Tally::Counts(counts) => are_equal(&counts.resolved().moments()),
            Tally::Sums(sums) => are_equal(sums.resolved()),
            Tally::Ratio(_) | Tally::Weights(_) => true,
        }
    }

    /// Samples in which the metric is defined.
    pub fn count(&self) -> u64 {
        match self {
            Tally::Counts(counts) => counts.count(),
            Tally::Sums(sums) => sums.count(),
            Tally::Ratio(ratio) => ratio.count(),
            Tally::Weights(weights) => weights.count(),
        }
    }

    /// Adds everything another tally of the same metric counted.
    pub fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Tally::Counts(mine), Tally::Counts(theirs)) => mine.merge(theirs),
            (Tally::Sums(mine), Tally::Sums(theirs)) => mine.merge(theirs),
            (Tally::Ratio(mine), Tally::Ratio(theirs)) => mine.merge(theirs),
            (Tally::Weights(mine), Tally::Weights(theirs)) => mine.merge(theirs),
            _ => {}
        }
    }
}

/// Different values that a metric's histogram has at most, as far as they are counted in a vector.
pub(super) fn histogram_size(metric: &Metric) -> u64 {
    match metric.kind {
        MetricKind::Flag | MetricKind::Pair | MetricKind::Integer => {
            let (min, max) = metric.limits().unwrap_or((i64::MIN, i64::MAX));
            max.abs_diff(min).saturating_add(1).min(8192)
        }
        MetricKind::Total | MetricKind::Number | MetricKind::Ratio | MetricKind::Weight => 0,
    }
}

fn push_bounded<A: Accumulator>(tally: &mut Bounded<A>, value: Value) {
    match value {
        Value::Exact(value) => tally.push(value),
        Value::Bounds { lower, upper } => tally.push_bounds(lower, upper),
        Value::Missing | Value::Ratio { .. } | Value::Weight(_) => tally.push_missing(),
    }
}
