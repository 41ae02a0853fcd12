//! The exact tallies of the rows of samples.

use serde::{Deserialize, Serialize};
use stats::{
    Accumulator, Bounded, Histogram, Moments, Paired, RatioSums, Regression, Stored, WeightSums,
};

use super::{Metric, MetricKind, Row, Value};

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
    pub fn is_constant(&self) -> bool {
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

    /// Returns whether the tally counts so many samples, with values within the limits of the metric.
    pub fn is_possible(&self, metric: &Metric, samples: u64) -> bool {
        match self {
            Tally::Counts(counts) => is_possible(counts, metric.limits(), samples),
            Tally::Sums(sums) => is_possible(sums, metric.limits(), samples),
            Tally::Ratio(ratio) => ratio.count() <= samples,
            Tally::Weights(weights) => weights.count() <= samples,
        }
    }

    /// Returns whether the samples of another tally of the same metric can be among those of this one.
    pub fn can_hold(&self, part: &Self) -> bool {
        match (self, part) {
            (Tally::Counts(all), Tally::Counts(part)) => can_hold(all, part),
            (Tally::Sums(all), Tally::Sums(part)) => can_hold(all, part),
            _ => part.count() <= self.count(),
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

impl Stored for Tally {
    fn is_consistent(&self) -> bool {
        match self {
            Tally::Counts(counts) => counts.is_consistent(),
            Tally::Sums(sums) => sums.is_consistent(),
            Tally::Ratio(ratio) => ratio.is_consistent(),
            Tally::Weights(weights) => weights.is_consistent(),
        }
    }
}

/// Returns whether a tally counts every sample once, each within the limits.
pub fn is_possible<A: Accumulator>(
    tally: &Bounded<A>,
    limits: Option<(i64, i64)>,
    samples: u64,
) -> bool {
    let counted = tally.count().checked_add(tally.missing());
    let within = |values: &A| {
        let moments = values.moments();
        let ends = moments.min().zip(moments.max()).zip(limits);
        ends.is_none_or(|((min, max), (least, most))| least <= min && max <= most)
    };
    counted == Some(samples)
        && [Some(tally.resolved()), tally.lows(), tally.highs()]
            .into_iter()
            .flatten()
            .all(within)
}

/// Returns whether the samples of a tally can be among all those of another.
pub fn can_hold<A: Accumulator>(all: &Bounded<A>, part: &Bounded<A>) -> bool {
    let ends = [
        (Some(all.resolved()), Some(part.resolved())),
        (all.lows(), part.lows()),
        (all.highs(), part.highs()),
    ];
    let is_among = |(all, part): (Option<&A>, Option<&A>)| {
        part.is_none_or(|part| all.map_or(part.is_empty(), |all| can_hold_values(all, part)))
    };
    part.missing() <= all.missing() && ends.into_iter().all(is_among)
}

/// Returns whether values can be among others: each as often, within their extremes, and the rest with a sum that
/// so many values between the extremes can have.
fn can_hold_values<A: Accumulator>(all: &A, part: &A) -> bool {
    let counts = all.histogram().zip(part.histogram());
    let has_each = counts.is_none_or(|(all, part)| {
        let mut values = part.iter();
        values.all(|(value, count)| count <= all.count_of(value))
    });
    let (all, part) = (all.moments(), part.moments());
    let (Some((least, most)), Some((min, max))) =
        (all.min().zip(all.max()), part.min().zip(part.max()))
    else {
        return part.min().is_none();
    };
    let rest = i128::from(all.count()) - i128::from(part.count());
    let sum = all.sum() - part.sum();
    let between = |limit: i64| rest * i128::from(limit);
    let is_within = least <= min && max <= most;
    has_each && rest >= 0 && is_within && (between(least)..=between(most)).contains(&sum)
}

/// Counts the samples of a cell, with a tally for each metric.
pub fn push_rows(tallies: &mut [Tally], rows: &[Row]) {
    for row in rows {
        for (tally, &value) in tallies.iter_mut().zip(row.values()) {
            tally.push(value);
        }
    }
}

/// Counts the differences between two cells in the same samples; ratios and weights have none.
pub fn push_pairs(tallies: &mut [Paired], first: &[Row], second: &[Row]) {
    for (first, second) in first.iter().zip(second) {
        let both = first.values().iter().zip(second.values());
        for (tally, (first, second)) in tallies.iter_mut().zip(both) {
            match (first.ends(), second.ends()) {
                (Some(first), Some(second)) => tally.push_bounds(first, second),
                _ => tally.push_missing(),
            }
        }
    }
}

/// Counts the samples of a cell from `first` on beside their control variates; a value that is missing makes
/// the tally useless.
pub fn push_adjusted(tallies: &mut [Regression], first: u64, rows: &[Row]) {
    for (index, row) in (first..).zip(rows) {
        for (tally, value) in tallies.iter_mut().zip(row.values()) {
            match value.ends().zip(row.control) {
                Some((ends, control)) => tally.push(index, ends, control),
                None => tally.push_missing(),
            }
        }
    }
}

/// The tallies of cells, of compared pairs and of what is adjusted, in bytes: each number as short as it can be.
pub fn encode(
    cells: &[Vec<Tally>],
    pairs: &[Vec<Paired>],
    adjusted: &[Vec<Regression>],
) -> Vec<u8> {
    // Lists of known lengths always have a form.
    postcard::to_allocvec(&(cells, pairs, adjusted)).unwrap_or_default()
}

/// The tallies of cells, of compared pairs and of what is adjusted.
pub type Tallies = (Vec<Vec<Tally>>, Vec<Vec<Paired>>, Vec<Vec<Regression>>);

/// The tallies that [`encode`] wrote, and the bytes after them; `None` of any other bytes.
pub fn decode(bytes: &[u8]) -> Option<(Tallies, &[u8])> {
    postcard::take_from_bytes(bytes).ok()
}

/// Different values that a metric's histogram has at most, as far as they are counted in a vector.
pub fn histogram_size(metric: &Metric) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(metric: &Metric, values: &[i64]) -> Tally {
        let mut tally = Tally::new(metric);
        values
            .iter()
            .for_each(|&value| tally.push(Value::Exact(value)));
        tally
    }

    /// A value too often, one beyond the extremes, too many values, and a rest that so few values cannot sum up to.
    #[test]
    fn a_part_has_no_value_more_often_than_the_whole() {
        let counts = Metric::integer("score", "", (0, 9), "");
        let sums = Metric::total("nodes", "", "");
        let all = [2, 2, 5, 7];
        for metric in [&counts, &sums] {
            let whole = tally(metric, &all);
            for sound in [&[][..], &[2], &[5, 7], &[2, 2, 5, 7]] {
                assert!(whole.can_hold(&tally(metric, sound)), "{sound:?}");
            }
            for wrong in [&[1][..], &[8], &[7, 7, 7], &[2, 2, 5, 7, 5], &[2, 2, 5, 5]] {
                assert!(!whole.can_hold(&tally(metric, wrong)), "{wrong:?}");
            }
        }
        let more = [5, 5];
        assert!(!tally(&counts, &all).can_hold(&tally(&counts, &more)));
        assert!(
            tally(&sums, &all).can_hold(&tally(&sums, &more)),
            "the sums do not tell"
        );
    }

    #[test]
    fn a_part_has_no_more_unresolved_values_than_the_whole() {
        let metric = Metric::integer("score", "", (0, 9), "");
        let with = |value: Value| {
            let mut tally = tally(&metric, &[2, 7]);
            tally.push(value);
            tally
        };
        let open = with(Value::Bounds { lower: 3, upper: 6 });
        assert!(open.can_hold(&tally(&metric, &[7])) && open.can_hold(&open));
        assert!(!tally(&metric, &[2, 7, 3]).can_hold(&open));
        let wider = with(Value::Bounds { lower: 3, upper: 8 });
        assert!(!open.can_hold(&wider) && !open.can_hold(&with(Value::Missing)));
    }
}
