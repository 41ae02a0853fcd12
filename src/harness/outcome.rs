//! What an experiment has found: an estimate for every cell and metric, and a difference for
//! every compared pair.

use crate::stats::{
    Bounded, Confidence, Estimate, Grouping, Histogram, Interval, Looks, Moments, Paired,
    mean_estimate, mean_sequence, moments_sequence, proportion_estimate, proportion_sequence,
};
use crate::task::{Metric, MetricKind};

use super::laboratory::{CellPair, Laboratory};
use super::tally::{BlockTally, Tally};

/// The estimates of an experiment at its level, one claim at a time.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// For every cell, an estimate of every metric.
    pub cells: Vec<Vec<Estimate>>,
    /// The compared pairs of cells.
    pub pairs: Vec<PairOutcome>,
    /// What became of the means whose variance was reduced.
    pub reduced: Vec<ReducedMean>,
    /// Everything counted.
    pub tally: BlockTally,
}

/// A mean with and without what reduces its variance.
#[derive(Clone, Debug)]
pub struct ReducedMean {
    /// The cell's number.
    pub cell: usize,
    /// The metric's place among the task's.
    pub metric: usize,
    /// The average of the samples, with the interval of independent ones.
    pub plain: Estimate,
    /// The estimate that is reported.
    pub estimate: Estimate,
    /// What is subtracted for each unit that a control's average is off, in the metric's unit.
    pub coefficients: Vec<f64>,
}

impl ReducedMean {
    /// How many times more independent samples would be needed for the same standard error.
    pub fn factor(&self) -> Option<f64> {
        let (plain, reduced) = self.plain.mcse.zip(self.estimate.mcse)?;
        (reduced > 0.0).then(|| (plain / reduced).powi(2))
    }
}

/// Two cells compared on the same instances.
#[derive(Clone, Debug)]
pub struct PairOutcome {
    /// Which cells.
    pub pair: CellPair,
    /// First minus second, for every metric.
    pub differences: Vec<Difference>,
}

/// A mean difference on the same instances.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// The difference.
    pub estimate: Estimate,
    /// Correlation of the two.
    pub correlation: Option<f64>,
    /// How many times more samples separate instances would need.
    pub variance_reduction: Option<f64>,
    /// The exact p-value of McNemar's test, for flags.
    pub mcnemar: Option<f64>,
}

impl Outcome {
    /// Estimates everything in `tally` with `confidence`.
    pub fn of(laboratory: &Laboratory, tally: BlockTally, confidence: Confidence) -> Self {
        let metrics = laboratory.metrics();
        let of_cell = |cell| estimates(laboratory, &tally, cell, confidence);
        let reduced = |cell| {
            let places = 0..metrics.len();
            places.filter_map({
                let tally = &tally;
                move |metric| reduced_mean(laboratory, tally, (cell, metric), confidence)
            })
        };
        let pair = |(index, &pair)| PairOutcome {
            pair,
            differences: (metrics.iter().zip(tally.pair(index)))
                .map(|(metric, paired)| Difference::of(metric, paired, confidence))
                .collect(),
        };
        Self {
            cells: (0..laboratory.cells()).map(of_cell).collect(),
            reduced: (0..laboratory.cells()).flat_map(reduced).collect(),
            pairs: laboratory.pairs().iter().enumerate().map(pair).collect(),
            tally,
        }
    }
}

impl Difference {
    /// The difference of `metric` in its unit.
    pub fn of(metric: &Metric, paired: &Paired, confidence: Confidence) -> Self {
        Self {
            estimate: difference(metric, paired, confidence),
            correlation: paired.correlation(),
            variance_reduction: paired.variance_reduction(),
            mcnemar: paired
                .mcnemar()
                .filter(|_| matches!(metric.kind, MetricKind::Flag)),
        }
    }
}

/// The estimate of every metric in one cell, its variance reduced where the experiment says so.
pub fn estimates(
    laboratory: &Laboratory,
    tally: &BlockTally,
    cell: usize,
    confidence: Confidence,
) -> Vec<Estimate> {
    let places = 0..laboratory.metrics().len();
    let one = |metric| estimate_at(laboratory, tally, (cell, metric), confidence);
    places.map(one).collect()
}

/// The estimate of one metric, given by its place, in one cell.
pub fn estimate_at(
    laboratory: &Laboratory,
    tally: &BlockTally,
    (cell, metric): (usize, usize),
    confidence: Confidence,
) -> Estimate {
    let plain = || {
        let tally = &tally.cell(cell)[metric];
        estimate(&laboratory.metrics()[metric], tally, confidence)
    };
    let reduced = reduced_mean(laboratory, tally, (cell, metric), confidence);
    reduced.map_or_else(plain, |reduced| reduced.estimate)
}

/// Samples of the rarer answer from which on a flag's adjusted interval is that of a mean.
const ENOUGH: u64 = 30;

/// A mean with its variance reduced; `None` where that is not asked for, for quantities that are
/// no means, and with too few samples. Where the groups do not vary or a flag is rare, the
/// interval is that of independent samples, which is wider, made to hold the estimate.
fn reduced_mean(
    laboratory: &Laboratory,
    tally: &BlockTally,
    (cell, metric): (usize, usize),
    confidence: Confidence,
) -> Option<ReducedMean> {
    let reduction = laboratory.reduction()?;
    let spec = &laboratory.metrics()[metric];
    let counted = &tally.cell(cell)[metric];
    if confidence.looks != Looks::Once || !matches!(counted, Tally::Counts(_) | Tally::Sums(_)) {
        return None;
    }
    let controls = reduction.controls(cell).iter();
    let means: Vec<f64> = controls.map(|(_, control)| control.mean()).collect();
    let grouping = Grouping {
        samples: reduction.strata(),
        means: &means,
        limits: limits(spec),
    };
    let adjusted = tally.adjusted(cell, metric)?;
    let adjusted = adjusted.estimate(&grouping, confidence.level)?;
    let plain = estimate(spec, counted, confidence);
    let found = adjusted.estimate.per(spec.per);
    let interval = match is_rare(spec, counted) {
        true => None,
        false => found.interval,
    };
    let centre = found.lower.zip(found.upper);
    let wider = plain
        .interval
        .zip(centre)
        .map(|(interval, (lower, upper))| Interval {
            lo: interval.lo.min(lower),
            hi: interval.hi.max(upper),
            ..interval
        });
    Some(ReducedMean {
        cell,
        metric,
        estimate: Estimate {
            sd: plain.sd,
            unresolved: plain.unresolved,
            interval: interval.or(wider),
            ..found
        },
        plain,
        coefficients: (adjusted.coefficients.iter())
            .map(|slope| slope / f64::from(spec.per))
            .collect(),
    })
}

/// Whether a flag has too few of one answer for the interval of a mean.
fn is_rare(metric: &Metric, tally: &Tally) -> bool {
    match (metric.kind, tally) {
        (MetricKind::Flag, Tally::Counts(counts)) => {
            let (low, high) = (counts.low_end(), counts.high_end());
            low.count_of(1) < ENOUGH || high.count_of(0) < ENOUGH
        }
        _ => false,
    }
}

/// The estimate of `metric` from its tally, in the metric's unit. Quantities without bounds have
/// no interval where samples are looked at more than once.
pub fn estimate(metric: &Metric, tally: &Tally, confidence: Confidence) -> Estimate {
    let level = confidence.level;
    let estimate = match (tally, confidence.looks) {
        (Tally::Counts(counts), _) => counted(metric, counts, confidence),
        (Tally::Sums(sums), _) => bounded_mean(sums, confidence, None),
        (Tally::Ratio(ratio), looks) => once(looks, ratio.estimate(level)),
        (Tally::Weights(weights), looks) => once(looks, weights.estimate(level)),
    };
    estimate.per(metric.per)
}

/// The mean paired difference of `metric`, in its unit.
pub fn difference(metric: &Metric, paired: &Paired, confidence: Confidence) -> Estimate {
    let limits = limits(metric).map(|(min, max)| (min - max, max - min));
    bounded_mean(paired.differences(), confidence, limits).per(metric.per)
}

/// The least and the greatest value a metric can have, before division by its `per`.
pub fn limits(metric: &Metric) -> Option<(i64, i64)> {
    match metric.kind {
        MetricKind::Flag => Some((0, 1)),
        MetricKind::Integer { min, max } => Some((min, max)),
        MetricKind::Pair => Some((0, 4)),
        MetricKind::Total | MetricKind::Ratio | MetricKind::Weight => None,
    }
}

fn counted(metric: &Metric, counts: &Bounded<Histogram>, confidence: Confidence) -> Estimate {
    let level = confidence.level;
    match (metric.kind, confidence.looks, limits(metric)) {
        (MetricKind::Flag, Looks::Once, _) => proportion_estimate(counts, level),
        (MetricKind::Flag, Looks::Many { planned }, _) => {
            proportion_sequence(counts, level, planned)
        }
        (_, Looks::Many { planned }, Some(limits)) => mean_sequence(counts, level, limits, planned),
        (_, looks, limits) => once(looks, mean_estimate(counts, level, limits)),
    }
}

fn bounded_mean(
    sums: &Bounded<Moments>,
    confidence: Confidence,
    limits: Option<(i64, i64)>,
) -> Estimate {
    let level = confidence.level;
    match (confidence.looks, limits) {
        (Looks::Many { planned }, Some(limits)) => moments_sequence(sums, level, limits, planned),
        (looks, limits) => once(looks, mean_estimate(sums, level, limits)),
    }
}

/// The estimate without an interval where it would be looked at more than once.
fn once(looks: Looks, estimate: Estimate) -> Estimate {
    Estimate {
        interval: estimate.interval.filter(|_| looks == Looks::Once),
        ..estimate
    }
}
