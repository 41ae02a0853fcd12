//! The exact tallies of the rows of samples.

use serde::{Deserialize, Serialize};
use stats::{
    Accumulator, Bounded, Histogram, Margins, Moments, Paired, RatioSums, Regression, Storable,
    WeightSums,
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
    pub fn deviations(&self) -> Option<Margins> {
        let (low, high) = match self {
            Tally::Counts(counts) => (counts.low_end().moments(), counts.high_end().moments()),
            Tally::Sums(sums) => (sums.low_end(), sums.high_end()),
            Tally::Ratio(_) | Tally::Weights(_) => return None,
        };
        Some(Margins {
            below: low.mean()? - low.min()? as f64,
            above: high.max()? as f64 - high.mean()?,
        })
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

impl Storable for Tally {
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
type Tallies = (Vec<Vec<Tally>>, Vec<Vec<Paired>>, Vec<Vec<Regression>>);

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
    use kit::search::Weight;

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
            assert!(!tally(metric, &[3]).can_hold(&tally(metric, &[3, 3])));
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

    /// A metric of each kind, and its values in four samples of which no two are alike.
    fn kinds() -> Vec<(Metric, [Value; 4])> {
        let exact = |values: [i64; 4]| values.map(Value::Exact);
        let ratio = Value::ratio;
        vec![
            (Metric::flag("flag", ""), exact([1, 0, 1, 1])),
            (
                Metric::integer("grade", "", (-3, 12), ""),
                exact([-3, 5, 1, 12]),
            ),
            (Metric::pair("pair", ""), exact([0, 3, 4, 1])),
            (Metric::total("total", "", ""), exact([7, 0, 1_000_000, 12])),
            (
                Metric::number("number", "", 2, "").within(-50, 90),
                exact([-50, 90, 3, 4]),
            ),
            (
                Metric::rate("rate", "", ""),
                [ratio(1, 2), ratio(0, 5), ratio(7, 3), ratio(2, 2)],
            ),
            (
                Metric::weight("weight", "", ""),
                [1.0, 0.0, 9.0, 4.0].map(|weight| Value::Weight(Weight::new(weight))),
            ),
        ]
    }

    fn of(metric: &Metric, values: &[Value]) -> Tally {
        let mut tally = Tally::new(metric);
        values.iter().for_each(|&value| tally.push(value));
        tally
    }

    /// Of ratios and weights the numbers of samples alone are known.
    #[test]
    fn a_part_of_any_kind_has_no_more_samples_than_the_whole() {
        for (metric, values) in kinds() {
            let (whole, most) = (of(&metric, &values), of(&metric, &values[..3]));
            assert!(
                whole.can_hold(&most) && !most.can_hold(&whole),
                "{}",
                metric.name
            );
        }
        // A value that is known is not among those that are open.
        let metric = Metric::total("total", "", "");
        let open = of(&metric, &[Value::bounds(2, 7)]);
        assert!(open.can_hold(&open) && !open.can_hold(&tally(&metric, &[2])));
    }

    /// Numerators 1, 0, 7 and 2 over denominators 2, 5, 3 and 2; weights 1, 0, 9 and 4.
    #[test]
    fn ratios_and_weights_are_those_of_their_samples() {
        for (metric, values) in kinds() {
            match of(&metric, &values) {
                Tally::Ratio(ratio) => {
                    let found = ratio.estimate(stats::Level::DEFAULT, metric.range()).value;
                    assert!((found.unwrap() - 10.0 / 12.0).abs() < 1e-12, "{found:?}");
                }
                Tally::Weights(weights) => assert_eq!(weights.mean(), Some(3.5)),
                Tally::Counts(_) | Tally::Sums(_) => {}
            }
        }
    }

    #[test]
    fn parts_of_every_kind_merge_to_the_tally_of_all() {
        for (metric, values) in kinds() {
            let (first, rest) = values.split_at(1);
            let (mut parts, rest) = (of(&metric, first), of(&metric, rest));
            let before = parts.clone();
            parts.merge(&rest);
            assert_eq!(parts, of(&metric, &values), "{}", metric.name);
            assert_ne!(parts, before, "{}", metric.name);
            assert_eq!((parts.count(), rest.count()), (4, 3), "{}", metric.name);
            assert!(parts.is_consistent() && parts.is_possible(&metric, 4));
        }
    }

    /// A value that is not defined or of another kind does not count.
    #[test]
    fn what_is_missing_does_not_count() {
        for (metric, [first, ..]) in kinds() {
            let counted = of(&metric, &[first]);
            let is_quotient = matches!(counted, Tally::Ratio(_) | Tally::Weights(_));
            let alien = if is_quotient {
                Value::Exact(1)
            } else {
                Value::ratio(1, 1)
            };
            for other in [Value::Missing, alien] {
                let with_gap = of(&metric, &[other, first]);
                assert_eq!(with_gap.count(), 1, "{}", metric.name);
                assert_eq!(with_gap == counted, is_quotient, "{}", metric.name);
                assert!(with_gap.is_possible(&metric, 2), "{}", metric.name);
                assert_eq!(with_gap.is_possible(&metric, 1), is_quotient);
            }
        }
    }

    /// A stored tally cannot count more samples than there are, nor, of numbers, fewer, nor values beyond the limits:
    /// exact ones, or either end of an unresolved one.
    #[test]
    fn a_tally_of_other_samples_or_beyond_the_limits_is_not_possible() {
        for (metric, values) in kinds() {
            let tally = of(&metric, &values);
            assert!(!tally.is_possible(&metric, 3), "{}", metric.name);
            let may_lack = matches!(tally, Tally::Ratio(_) | Tally::Weights(_));
            assert_eq!(tally.is_possible(&metric, 5), may_lack, "{}", metric.name);
        }
        for metric in [
            Metric::integer("grade", "", (-3, 12), ""),
            Metric::number("number", "", 2, "").within(-3, 12),
        ] {
            let bounds = |lower, upper| Value::Bounds { lower, upper };
            for (value, expected) in [
                (Value::Exact(-3), true),
                (Value::Exact(12), true),
                (Value::Exact(-4), false),
                (Value::Exact(13), false),
                (bounds(-3, 12), true),
                (bounds(-4, 12), false),
                (bounds(-3, 13), false),
            ] {
                let tally = of(&metric, &[value]);
                assert_eq!(tally.is_possible(&metric, 1), expected, "{value:?}");
            }
        }
        let free = Metric::total("total", "", "");
        assert!(of(&free, &[Value::Exact(i64::MIN)]).is_possible(&free, 1));
    }

    /// Every kind as it was stored, with one number that its samples cannot have.
    #[test]
    fn a_stored_tally_that_no_samples_make_is_not_consistent() {
        let open = [Value::Exact(3), Value::Bounds { lower: 0, upper: 9 }];
        let kinds = kinds();
        let find = |name: &str| {
            kinds
                .iter()
                .find(|(metric, _)| metric.name == name)
                .unwrap()
        };
        for (name, values) in [
            ("grade", &open[..]),
            ("total", &open),
            ("rate", &find("rate").1),
            ("weight", &find("weight").1),
        ] {
            let tally = of(&find(name).0, values);
            assert!(tally.is_consistent());
            let stored = serde_json::to_string(&tally).unwrap();
            // Ends the wrong way round, or no sample of what was summed.
            let swapped = stored.replace("lows", "ends").replace("highs", "lows");
            let swapped = swapped.replace("ends", "highs");
            let spoilt = swapped.replace("\"count\":4", "\"count\":0");
            assert_ne!(spoilt, stored);
            let spoilt: Tally = serde_json::from_str(&spoilt).unwrap();
            assert!(!spoilt.is_consistent(), "{name}");
        }
    }

    /// 1, 2 and 6, and one somewhere from 0 to 15: the mean is 2.25 with it at its least, and 6 at its most.
    #[test]
    fn deviations_reach_from_the_mean_to_the_farthest_sample_on_either_side() {
        let values = [
            Value::Exact(1),
            Value::Exact(2),
            Value::Exact(6),
            Value::Bounds {
                lower: 0,
                upper: 15,
            },
        ];
        let margins = |below, above| Some(Margins { below, above });
        for metric in [
            Metric::integer("grade", "", (0, 20), ""),
            Metric::total("total", "", ""),
        ] {
            assert_eq!(of(&metric, &values).deviations(), margins(2.25, 9.0));
            assert_eq!(of(&metric, &values[..3]).deviations(), margins(2.0, 3.0));
            assert_eq!(of(&metric, &[]).deviations(), None);
        }
        for (metric, values) in kinds() {
            let tally = of(&metric, &values);
            let has_none = matches!(tally, Tally::Ratio(_) | Tally::Weights(_));
            assert_eq!(tally.deviations().is_none(), has_none);
        }
    }

    /// Unresolved samples may all be like the others, and nothing is known of ratios.
    #[test]
    fn samples_are_constant_as_long_as_no_two_are_known_to_differ() {
        let grade = Metric::integer("grade", "", (0, 20), "");
        let total = Metric::total("total", "", "");
        for metric in [&grade, &total] {
            let is_constant = |values: &[Value]| of(metric, values).is_constant();
            let (three, open) = (Value::Exact(3), Value::bounds(0, 9));
            assert!(is_constant(&[]) && is_constant(&[three, three, open, Value::Missing]));
            assert!(!is_constant(&[three, three, Value::Exact(4)]));
        }
        for (metric, values) in kinds() {
            let tally = of(&metric, &values);
            let is_unknown = matches!(tally, Tally::Ratio(_) | Tally::Weights(_));
            assert_eq!(tally.is_constant(), is_unknown, "{}", metric.name);
        }
    }

    fn row(values: &[Value]) -> Row {
        let mut row = Row::new();
        values.iter().for_each(|&value| row.push(value));
        row
    }

    /// Two samples of two metrics in two cells, the second with a gap in the second cell.
    #[test]
    fn pairs_count_the_first_less_the_second_where_both_have_a_value() {
        let first = [
            row(&[Value::Exact(9), Value::Exact(1)]),
            row(&[Value::Exact(4), Value::bounds(2, 7)]),
        ];
        let second = [
            row(&[Value::Exact(2), Value::ratio(1, 2)]),
            row(&[Value::Missing, Value::Exact(1)]),
        ];
        let mut found = [Paired::default(), Paired::default()];
        push_pairs(&mut found, &first, &second);
        let [mut whole, mut open] = [Paired::default(), Paired::default()];
        whole.push(9, 2);
        whole.push_missing();
        open.push_missing();
        open.push_bounds((2, 7), (1, 1));
        assert_eq!(found, [whole, open]);
    }

    #[test]
    fn rows_are_counted_metric_by_metric() {
        let metrics = [
            Metric::integer("grade", "", (0, 20), ""),
            Metric::total("total", "", ""),
        ];
        let mut found = metrics.each_ref().map(Tally::new);
        let rows = [[1, 7], [2, 9]].map(|values| row(&values.map(Value::Exact)));
        push_rows(&mut found, &rows);
        let expected = [[1, 2], [7, 9]].map(|values| values.map(Value::Exact));
        let expected = [0, 1].map(|at| of(&metrics[at], &expected[at]));
        assert_eq!(found, expected);
    }

    /// Samples 5 to 7: even and odd ones are kept apart, and one without a control or a value is missing.
    #[test]
    fn a_control_is_counted_beside_its_own_sample() {
        let with = |value: Value, control| {
            let mut row = row(&[value]);
            row.control = control;
            row
        };
        let rows = [
            with(Value::Exact(3), Some(10)),
            with(Value::bounds(1, 4), Some(20)),
            with(Value::Exact(8), None),
            with(Value::Missing, Some(7)),
        ];
        let mut found = [Regression::default()];
        push_adjusted(&mut found, 5, &rows);
        let mut expected = Regression::default();
        expected.push(5, (3, 3), 10);
        expected.push(6, (1, 4), 20);
        expected.push_missing();
        expected.push_missing();
        assert_eq!(found, [expected]);
        assert_eq!(found[0].count(), 4);
    }

    #[test]
    fn a_histogram_has_room_for_the_values_within_the_limits() {
        let sizes = [
            (Metric::flag("flag", ""), 2),
            (Metric::pair("pair", ""), 5),
            (Metric::integer("grade", "", (-3, 12), ""), 16),
            (Metric::integer("wide", "", (0, 1 << 40), ""), 8192),
            (Metric::total("total", "", ""), 0),
            (Metric::rate("rate", "", ""), 0),
        ];
        for (metric, size) in sizes {
            assert_eq!(histogram_size(&metric), size, "{}", metric.name);
        }
    }

    #[test]
    fn tallies_are_read_as_they_were_written_and_what_follows_is_left() {
        let cells = vec![
            kinds()
                .iter()
                .map(|(metric, values)| of(metric, values))
                .collect(),
            Vec::new(),
        ];
        let (mut pair, mut adjusted) = (Paired::default(), Regression::default());
        pair.push(3, 1);
        adjusted.push(0, (1, 2), 3);
        let all = (cells, vec![vec![pair]], vec![vec![adjusted]]);
        let mut bytes = encode(&all.0, &all.1, &all.2);
        assert!(decode(&bytes[..bytes.len() - 1]).is_none());
        bytes.extend([1, 2]);
        assert_eq!(decode(&bytes), Some((all, &[1, 2][..])));
    }
}
