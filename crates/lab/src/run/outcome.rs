//! The results of an experiment: an estimate for every cell and metric, and a difference for every
//! compared pair.

use base::threads;
use experiment::CellPair;
use stats::{
    Accumulator, Confidence, Dependence, Estimate, Looks, Moments, Paired, Withheld, mean,
    share_estimate, subtracted,
};
use task::{Metric, MetricKind};

use super::compiled_experiment::CompiledExperiment;
use super::evidence::Evidence;
use super::reduced::{ReducedMean, reduced_mean};
use super::tally::BlockTally;
use task::Tally;

/// The estimates of an experiment at its level, one claim at a time.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The estimates of every metric, by cell.
    pub cells: Vec<Vec<Estimate>>,
    /// The compared pairs of cells.
    pub pairs: Vec<PairOutcome>,
    /// The means whose variance was reduced.
    pub reduced: Vec<ReducedMean>,
    /// The tally of all samples.
    pub tally: BlockTally,
    /// The confidence of the intervals.
    pub(crate) confidence: Confidence,
}

/// Two cells compared on the same instances.
#[derive(Clone, Debug)]
pub struct PairOutcome {
    /// The two cells.
    pub(crate) pair: CellPair,
    /// First minus second, for every metric.
    pub differences: Vec<Difference>,
}

/// A difference of means on the same instances.
#[derive(Clone, Copy, Debug, Default)]
pub struct Difference {
    /// The difference.
    pub estimate: Estimate,
    /// Correlation of the two means.
    pub correlation: Option<f64>,
    /// The ratio of the samples that separate instances would need for the same error to those
    /// drawn.
    pub variance_reduction: Option<f64>,
    /// The exact p-value of McNemar's test, for flags.
    pub(crate) mcnemar: Option<f64>,
}

impl Outcome {
    /// Estimates everything in `tally` with `confidence`.
    pub fn of(compiled: &CompiledExperiment, tally: BlockTally, confidence: Confidence) -> Self {
        let evidence = Evidence {
            compiled,
            tally: &tally,
            confidence,
        };
        let metrics = 0..compiled.metrics().len();
        let (cells, reduced) = apart(|| evidence.all_estimates());
        let pair = |(index, &pair)| PairOutcome {
            pair,
            differences: (metrics.clone())
                .map(|metric| evidence.difference((index, metric)))
                .collect(),
        };
        Self {
            cells,
            reduced,
            pairs: compiled.pairs().iter().enumerate().map(pair).collect(),
            tally,
            confidence,
        }
    }
}

/// The result of work on a thread of its own, which takes over the memory that a thread of the run has freed and this
/// one cannot use: of a wide sweep that is much. Where no thread is left, this one does it.
fn apart<T: Send>(work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| match threads::spawn_scoped(scope, &work) {
        Ok(working) => (working.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => work(),
    })
}

impl BlockTally {
    /// The estimate of a metric, given with its number, in a cell: without an interval where all samples
    /// of the cell are one.
    pub fn estimate(
        &self,
        cell: usize,
        (number, metric): (usize, &Metric),
        confidence: Confidence,
    ) -> Estimate {
        let estimate = estimate(metric, &self.cell(cell)[number], confidence);
        let is_one = confidence.looks != Looks::Exhaustive && self.is_one_sample(cell);
        if is_one {
            return estimate.without_interval(Withheld::OneSample);
        }
        estimate
    }
}

impl Evidence<'_> {
    /// The estimates of every metric, by cell, and how their variance was reduced where it was.
    fn all_estimates(self) -> (Vec<Vec<Estimate>>, Vec<ReducedMean>) {
        let mut all_reduced = Vec::new();
        let of_cell = |cell| -> Vec<Estimate> {
            let metrics = 0..self.compiled.metrics().len();
            let estimates = metrics.map(|metric| {
                let (estimate, reduced) = self.estimate((cell, metric));
                all_reduced.extend(reduced);
                estimate
            });
            estimates.collect()
        };
        let cells = (0..self.compiled.cells()).map(of_cell).collect();
        (cells, all_reduced)
    }

    /// The estimate of every metric in one cell, its variance reduced where the experiment says so.
    pub(crate) fn estimates(self, cell: usize) -> Vec<Estimate> {
        let metrics = 0..self.compiled.metrics().len();
        metrics
            .map(|metric| self.estimate_of((cell, metric)))
            .collect()
    }

    /// The estimate of a metric in a cell, given by their numbers.
    pub(crate) fn estimate_of(self, place: (usize, usize)) -> Estimate {
        self.estimate(place).0
    }

    /// The estimate of a metric in a cell, and how its variance was reduced, if it was.
    fn estimate(self, (cell, metric): (usize, usize)) -> (Estimate, Option<ReducedMean>) {
        let numbered = (metric, &self.compiled.metrics()[metric]);
        let plain = self.tally.estimate(cell, numbered, self.confidence);
        let reduced = reduced_mean(self, (cell, metric), plain);
        let estimate = reduced.as_ref().map_or(plain, |reduced| reduced.estimate);
        match self.withheld((cell, metric)) {
            Some(reason) => (estimate.without_interval(reason), None),
            None => (estimate, reduced),
        }
    }

    /// The difference of a metric's means in a compared pair, both given by their numbers.
    pub(crate) fn difference(self, (pair, metric): (usize, usize)) -> Difference {
        let CellPair { first, second } = self.compiled.pairs()[pair];
        let tallies = [first, second].map(|cell| &self.tally.cell(cell)[metric]);
        let (spec, paired) = (
            &self.compiled.metrics()[metric],
            &self.tally.pair(pair)[metric],
        );
        let mut difference = Difference::of(spec, tallies, paired, self.confidence);
        let mut reasons = [first, second].into_iter();
        if let Some(reason) = reasons.find_map(|cell| self.withheld((cell, metric))) {
            difference.estimate = difference.estimate.without_interval(reason);
            difference.mcnemar = None;
        }
        difference
    }

    /// Returns the reason for which a metric's samples in a cell give no interval, whatever they are.
    pub(crate) fn withheld(self, (cell, metric): (usize, usize)) -> Option<Withheld> {
        if self.confidence.looks == Looks::Exhaustive {
            return None;
        }
        let is_weight = matches!(self.tally.cell(cell)[metric], Tally::Weights(_));
        let name = &self.compiled.metrics()[metric].name;
        let hides_most = is_weight && self.compiled.task(cell).mean_untrustworthy(name);
        let is_one = self.tally.is_one_sample(cell);
        (hides_most.then_some(Withheld::Untrusted)).or(is_one.then_some(Withheld::OneSample))
    }
}

impl Difference {
    /// The difference of the means of `metric`, in its unit, in two cells. `paired` holds the samples of both cells, and
    /// those in which both values are defined. Where there are no others with either, the mean of the differences
    /// is the difference of the means, of the first samples if one of the cells drew no more; else the intervals of
    /// both means are joined.
    pub(crate) fn of(
        metric: &Metric,
        cells: [&Tally; 2],
        paired: &Paired,
        confidence: Confidence,
    ) -> Self {
        let (both, missing) = (paired.differences().count(), paired.differences().missing());
        if missing > 0 && cells.iter().any(|tally| tally.count() != both) {
            return Self::of_means(metric, cells, paired, confidence);
        }
        Self {
            estimate: paired_difference(metric, paired, confidence),
            correlation: paired.correlation(),
            variance_reduction: paired.variance_reduction(),
            mcnemar: paired
                .mcnemar()
                .filter(|_| matches!(metric.kind, MetricKind::Flag)),
        }
    }

    /// The difference where a value is missing in some samples, and of ratios and weights.
    fn of_means(
        metric: &Metric,
        [first, second]: [&Tally; 2],
        paired: &Paired,
        confidence: Confidence,
    ) -> Self {
        let watched = matches!(confidence.looks, Looks::Many { .. });
        let each = if watched {
            confidence.at(confidence.level.shared_by(2))
        } else {
            confidence
        };
        let [x, y] = [first, second].map(|tally| estimate(metric, tally, each));
        let moments = resolved(first).zip(resolved(second));
        let cautious = (moments.as_ref())
            .filter(|_| !watched)
            .and_then(|(a, b)| paired.cautious_correlation(a, b, confidence.level));
        let dependence = cautious.map_or(Dependence::Unknown, Dependence::Correlation);
        let difference = subtracted(&x, &y, dependence, watched);
        let correlation = moments.and_then(|(a, b)| paired.correlation_of_means(&a, &b));
        let mcse = correlation.and_then(|r| standard_error(&x, &y, r));
        let apart = || Some(x.mcse?.powi(2) + y.mcse?.powi(2));
        Self {
            estimate: match confidence.looks {
                Looks::Exhaustive => difference.exact(),
                _ => Estimate { mcse, ..difference },
            },
            correlation,
            variance_reduction: apart()
                .zip(mcse.filter(|&error| error > 0.0))
                .map(|(apart, error)| apart / error.powi(2)),
            mcnemar: None,
        }
    }
}

/// The sums of a metric of numbers, all of whose samples are resolved.
fn resolved(tally: &Tally) -> Option<Moments> {
    match tally {
        Tally::Counts(counts) if counts.unresolved() == 0 => Some(counts.resolved().moments()),
        Tally::Sums(sums) if sums.unresolved() == 0 => Some(sums.resolved().clone()),
        _ => None,
    }
}

/// The standard error of the difference of two estimates with this correlation.
fn standard_error(x: &Estimate, y: &Estimate, correlation: f64) -> Option<f64> {
    let (a, b) = x.mcse.zip(y.mcse)?;
    Some((a * a + b * b - 2.0 * correlation * a * b).max(0.0).sqrt())
}

/// Returns the estimate of `metric` from its tally, in the metric's unit. Quantities without bounds
/// have no interval where samples are looked at more than once. With
/// [`Looks::Exhaustive`] the value is exact.
pub fn estimate(metric: &Metric, tally: &Tally, confidence: Confidence) -> Estimate {
    let (level, is_flag) = (confidence.level, metric.kind == MetricKind::Flag);
    let estimate = match (tally, confidence.looks) {
        (Tally::Counts(counts), Looks::Many { planned }) if is_flag => {
            share_estimate(counts, |share| share.sequence(level, planned))
        }
        (Tally::Counts(counts), looks) if is_flag => {
            share_estimate(counts, |share| share.clopper_pearson(level)).seen(looks)
        }
        (Tally::Counts(counts), _) => mean(counts, confidence, metric.limits()),
        (Tally::Sums(sums), _) => mean(sums, confidence, metric.limits()),
        (Tally::Ratio(ratio), looks) => ratio.estimate(level, metric.range()).seen(looks),
        (Tally::Weights(weights), looks) => weights.estimate(level).seen(looks),
    };
    let estimate = estimate.rounded_by(metric.rounding());
    (estimate.within(metric.range())).divided_by(metric.denominator)
}

/// The mean paired difference of `metric`, in its unit.
fn paired_difference(metric: &Metric, paired: &Paired, confidence: Confidence) -> Estimate {
    let estimate = match (metric.kind, confidence.looks) {
        (MetricKind::Flag, Looks::Once) => paired.flag_estimate(confidence.level),
        _ => mean(paired.differences(), confidence, metric.difference_limits()),
    };
    let estimate = estimate.rounded_by(2.0 * metric.rounding());
    estimate.divided_by(metric.denominator)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, RngSeed};

    use super::*;
    use stats::Level;
    use task::Value;

    /// The same integers, counted and rounded to them: Student's interval with half a unit more at either
    /// end, a difference with a whole one, also where the sides are independent.
    #[test]
    fn intervals_of_rounded_numbers_allow_for_their_rounding() {
        let [counted, rounded] = [
            Metric::total("n", "", "").signed(),
            Metric::number("x", "", 3, ""),
        ];
        let values = |shift: i64| (0..60).map(move |i: i64| Value::Exact(shift + i * i % 11));
        let pairs: Vec<_> = values(400)
            .zip(values(90).skip(1).chain(values(90).take(1)))
            .collect();
        let confidence = Level::DEFAULT.into();
        let found = |metric: &Metric| {
            let ([first, second], paired) = super::tests::counted(metric, &pairs);
            let [x, y] = [&first, &second].map(|tally| estimate(metric, tally, confidence));
            let apart = subtracted(&x, &y, Dependence::Correlation(0.0), false);
            [x, paired_difference(metric, &paired, confidence), apart]
                .map(|estimate| estimate.interval.unwrap())
        };
        for (of_counts, of_rounded, more) in found(&counted)
            .into_iter()
            .zip(found(&rounded))
            .zip([0.5, 1.0, 1.0])
            .map(|((a, b), more)| (a, b, more))
        {
            let [lo, hi] = [of_counts.lo - more, of_counts.hi + more].map(|end| end / 1e3);
            assert!(
                (of_rounded.lo - lo).abs() < 1e-12,
                "{of_counts:?} {of_rounded:?}"
            );
            assert!(
                (of_rounded.hi - hi).abs() < 1e-12,
                "{of_counts:?} {of_rounded:?}"
            );
        }
    }

    fn fixed() -> ProptestConfig {
        ProptestConfig {
            cases: 256,
            rng_algorithm: RngAlgorithm::ChaCha,
            rng_seed: RngSeed::Fixed(1978),
            failure_persistence: None,
            ..ProptestConfig::default()
        }
    }

    /// The values of some samples in two cells, in the same order.
    fn pairs() -> impl Strategy<Value = Vec<(Value, Value)>> {
        let value = || {
            prop_oneof![
                6 => (0i64..=1).prop_map(Value::Exact),
                2 => Just(Value::Missing),
            ]
        };
        prop::collection::vec((value(), value()), 1..40)
    }

    fn counted(metric: &Metric, pairs: &[(Value, Value)]) -> ([Tally; 2], Paired) {
        let (mut cells, mut paired) = ([(); 2].map(|()| Tally::new(metric)), Paired::default());
        for &(first, second) in pairs {
            cells[0].push(first);
            cells[1].push(second);
            match first.ends().zip(second.ends()) {
                Some((first, second)) => paired.push_bounds(first, second),
                None => paired.push_missing(),
            }
        }
        (cells, paired)
    }

    fn differ(metric: &Metric, pairs: &[(Value, Value)], looks: Looks) -> Difference {
        let ([first, second], paired) = counted(metric, pairs);
        let level = Level::DEFAULT;
        Difference::of(
            metric,
            [&first, &second],
            &paired,
            Confidence { level, looks },
        )
    }

    const LOOKS: [Looks; 3] = [Looks::Once, Looks::Many { planned: 40 }, Looks::Exhaustive];

    fn metrics() -> [Metric; 3] {
        [
            Metric::flag("flag", ""),
            Metric::integer("integer", "", (0, 1), "").with_denominator(4),
            Metric::total("total", "", ""),
        ]
    }

    fn near(a: Option<f64>, b: Option<f64>) -> bool {
        a.is_some() == b.is_some() && a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-9)
    }

    proptest! {
        #![proptest_config(fixed())]

        #[test]
        fn a_difference_of_means_is_the_difference_of_the_means(
            mut pairs in pairs(),
            open in any::<bool>(),
        ) {
            if open {
                pairs[0] = (Value::Bounds { lower: 0, upper: 1 }, Value::Exact(1));
            }
            for (metric, looks) in metrics().iter().flat_map(|m| LOOKS.map(|looks| (m, looks))) {
                let ([first, second], _) = counted(metric, &pairs);
                let [a, b] = [&first, &second].map(|tally| estimate(metric, tally, Level::DEFAULT.into()));
                let difference = differ(metric, &pairs, looks).estimate;
                let subtract = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
                prop_assert!(near(difference.value, subtract(a.value, b.value)), "{:?}", difference);
                prop_assert!(near(difference.lower, subtract(a.lower, b.upper)), "{:?}", difference);
                prop_assert!(near(difference.upper, subtract(a.upper, b.lower)), "{:?}", difference);
                let within = difference.interval.zip(difference.value);
                prop_assert!(within.is_none_or(|(interval, value)| interval.contains(value)));
            }
        }

        #[test]
        fn a_difference_the_other_way_round_has_the_other_sign(pairs in pairs()) {
            let turned: Vec<(Value, Value)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
            for (metric, looks) in metrics().iter().flat_map(|m| LOOKS.map(|looks| (m, looks))) {
                let (one, other) = (differ(metric, &pairs, looks), differ(metric, &turned, looks));
                let mirrored = other.estimate.interval.map(|interval| interval.mirrored());
                let ends = |interval: Option<stats::Interval>| {
                    (interval.map(|i| i.lo), interval.map(|i| i.hi))
                };
                let (here, there) = (ends(one.estimate.interval), ends(mirrored));
                prop_assert!(near(here.0, there.0) && near(here.1, there.1), "{:?} {:?}", here, there);
                prop_assert!(near(one.estimate.value, other.estimate.value.map(|value| -value)));
                prop_assert!(near(one.correlation, other.correlation));
                prop_assert!(near(one.estimate.mcse, other.estimate.mcse));
            }
        }
    }

    /// Of 40 counts one is large: its mean is uncertain, and not below nothing all the same.
    #[test]
    fn an_interval_stays_within_a_limit_on_one_side() {
        let total = Metric::total("nodes", "nodes", "").with_denominator(2);
        let mut tally = Tally::new(&total);
        (0..40).for_each(|sample| tally.push(Value::Exact(i64::from(sample == 7) * 90)));
        let estimate = estimate(&total, &tally, Level::DEFAULT.into());
        let interval = estimate.interval.unwrap();
        assert_eq!((estimate.value, interval.lo), (Some(1.125), 0.0));
        assert!(interval.hi > 3.0, "{interval:?}");
    }

    /// Beside 2^53 a number of the machine is even: an interval of odd numbers holds them all the same.
    #[test]
    fn the_mean_of_large_numbers_is_within_its_interval_as_written() {
        let total = Metric::total("id", "", "");
        let mut tally = Tally::new(&total);
        (0..1_000_000).for_each(|at| tally.push(Value::Exact((1 << 53) + 2 * (at % 2))));
        let written = estimate(&total, &tally, Level::DEFAULT.into()).written();
        let interval = written.interval.unwrap();
        assert!(interval.lo < 9_007_199_254_740_992.0 && interval.hi > 9_007_199_254_740_993.0);
        assert!(interval.hi - interval.lo < 20.0, "{interval:?}");
    }

    /// Equal values, of which the second cell lacks the low ones: the pairs that both have do not
    /// differ at all, and yet the means do.
    #[test]
    fn missing_values_do_not_hide_a_difference() {
        let metric = Metric::integer("grade", "", (0, 9), "");
        let pairs: Vec<(Value, Value)> = (0..400)
            .map(|sample| Value::Exact(sample % 10))
            .map(|value| {
                (
                    value,
                    if value.ends() < Some((3, 3)) {
                        Value::Missing
                    } else {
                        value
                    },
                )
            })
            .collect();
        let difference = differ(&metric, &pairs, Looks::Once);
        assert_eq!(difference.estimate.value, Some(-1.5));
        let interval = difference.estimate.interval.unwrap();
        assert!(interval.lo < -1.5 && interval.hi < -1.0, "{interval:?}");
        assert!(difference.correlation.unwrap() > 0.5 && difference.mcnemar.is_none());
        // Half as wide again as with independent cells would be too wide.
        let apart = difference.variance_reduction.unwrap();
        assert!(apart > 1.5, "{apart}");
        let watched = differ(&metric, &pairs, Looks::Many { planned: 400 }).estimate;
        assert!(watched.interval.unwrap().hi < 0.0, "{watched:?}");
    }

    /// The samples that are resolved do not say how those vary of which one is open.
    #[test]
    fn an_open_sample_leaves_the_correlation_of_two_means_unknown() {
        // The open one is of the second cell alone, as some of the others are of the first.
        let known = |open: Option<i64>| -> Vec<(Value, Value)> {
            let first = |sample: i64| match sample {
                5 => Value::Missing,
                _ => Value::Exact(sample % 10),
            };
            let second = |sample: i64| match sample {
                _ if Some(sample) == open => Value::bounds(0, 9),
                _ if sample % 10 == 3 => Value::Missing,
                _ => Value::Exact(sample % 7),
            };
            let samples = 0..60;
            samples
                .map(|sample| (first(sample), second(sample)))
                .collect()
        };
        for metric in [
            Metric::integer("grade", "", (0, 9), ""),
            Metric::total("nodes", "nodes", ""),
        ] {
            let found = |open| differ(&metric, &known(open), Looks::Once);
            let (resolved, open) = (found(None), found(Some(5)));
            assert!(resolved.correlation.is_some() && resolved.estimate.mcse.is_some());
            assert_eq!((open.correlation, open.estimate.mcse), (None, None));
            assert!(open.variance_reduction.is_none());
        }
    }
}
