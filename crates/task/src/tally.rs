//! The exact tally of a metric of samples.

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

    /// Counts the values of a sample, each in the tally of its metric.
    pub fn push_row(tallies: &mut [Tally], row: &Row) {
        for (tally, &value) in tallies.iter_mut().zip(row.values()) {
            tally.push(value);
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

/// The tallies of a block: of each cell by metric, of each pair of cells, and of each cell whose variance is reduced.
type TallyLists = (Vec<Vec<Tally>>, Vec<Vec<Paired>>, Vec<Vec<Regression>>);

/// The tallies of a block in bytes, each number as short as it can be.
pub fn encode_tallies(
    cells: &[Vec<Tally>],
    pairs: &[Vec<Paired>],
    adjusted: &[Vec<Regression>],
) -> Vec<u8> {
    // Lists of known lengths always have a form.
    postcard::to_allocvec(&(cells, pairs, adjusted)).unwrap_or_default()
}

/// The tallies that [`encode_tallies`] wrote, and the bytes after them; they may be of no samples.
pub fn decode_tallies(bytes: &[u8]) -> Option<(TallyLists, &[u8])> {
    postcard::take_from_bytes(bytes).ok()
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

    /// Numerators 1, 0, 7 and 2 over denominators 2, 5, 3 and 2; weights 1, 0, 9 and 4,
    /// whose mean is 3.5.
    #[test]
    fn ratios_and_weights_are_those_of_their_samples() {
        for (metric, values) in kinds() {
            match of(&metric, &values) {
                Tally::Ratio(ratio) => {
                    let found = ratio.estimate(stats::Level::DEFAULT, metric.range()).value;
                    assert!((found.unwrap() - 10.0 / 12.0).abs() < 1e-12, "{found:?}");
                }
                Tally::Weights(weights) => {
                    let digits = weights.log10_mean().unwrap();
                    assert!((digits - 0.544_068_044).abs() < 1e-9, "{digits}");
                }
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
            assert!(parts.is_consistent());
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
            }
        }
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
}
