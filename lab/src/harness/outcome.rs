//! What an experiment has found: an estimate for every cell and metric, and a difference for
//! every compared pair.

use crate::stats::{
    Bounded, Confidence, Estimate, Histogram, Looks, Moments, Paired, exact_proportion,
    mean_estimate, mean_sequence, moments_sequence, proportion_estimate, proportion_sequence,
};
use crate::task::{Metric, MetricKind};

use super::laboratory::{CellPair, Laboratory};
use super::reduced::{ReducedMean, reduced_mean};
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
    /// What the intervals hold with.
    pub confidence: Confidence,
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
        let places = 0..metrics.len();
        let of_cell = |cell| -> (Vec<_>, Vec<_>) {
            let one = |metric| measured(laboratory, &tally, (cell, metric), confidence, estimate);
            places.clone().map(one).unzip()
        };
        let (cells, reduced): (_, Vec<_>) = (0..laboratory.cells()).map(of_cell).unzip();
        let pair = |(index, &pair)| PairOutcome {
            pair,
            differences: (metrics.iter().zip(tally.pair(index)))
                .map(|(metric, paired)| Difference::of(metric, paired, confidence))
                .collect(),
        };
        Self {
            cells,
            reduced: reduced.into_iter().flatten().flatten().collect(),
            pairs: laboratory.pairs().iter().enumerate().map(pair).collect(),
            tally,
            confidence,
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
fn estimate_at(
    laboratory: &Laboratory,
    tally: &BlockTally,
    place: (usize, usize),
    confidence: Confidence,
) -> Estimate {
    measured(laboratory, tally, place, confidence, estimate).0
}

/// The same to decide a claim by: the tails of a flag's interval are exact at any level.
pub fn claimed_at(
    laboratory: &Laboratory,
    tally: &BlockTally,
    place: (usize, usize),
    confidence: Confidence,
) -> Estimate {
    measured(laboratory, tally, place, confidence, exact_estimate).0
}

/// How the estimate of a metric is made of its tally where its variance is not reduced.
type PlainEstimate = fn(&Metric, &Tally, Confidence) -> Estimate;

/// The estimate of one metric in one cell, and how its variance was reduced, if it was.
fn measured(
    laboratory: &Laboratory,
    tally: &BlockTally,
    (cell, metric): (usize, usize),
    confidence: Confidence,
    plain: PlainEstimate,
) -> (Estimate, Option<ReducedMean>) {
    let counted = &tally.cell(cell)[metric];
    let plain = plain(&laboratory.metrics()[metric], counted, confidence);
    let reduced = reduced_mean(laboratory, tally, (cell, metric), plain, confidence);
    let estimate = reduced.as_ref().map_or(plain, |reduced| reduced.estimate);
    let is_sample = confidence.looks != Looks::Exhaustive;
    let is_hidden = matches!(counted, Tally::Weights(_)) && laboratory.hides(cell, metric);
    if is_sample && is_hidden {
        return (estimate.distrusted(), reduced);
    }
    (estimate, reduced)
}

/// The estimate of `metric` from its tally, in the metric's unit. Quantities without bounds have
/// no interval where samples are looked at more than once. What is known exactly is no estimate.
pub fn estimate(metric: &Metric, tally: &Tally, confidence: Confidence) -> Estimate {
    let level = confidence.level;
    let floor = if metric.counts {
        0.0
    } else {
        f64::NEG_INFINITY
    };
    let estimate = match (tally, confidence.looks) {
        (Tally::Counts(counts), _) => counted(metric, counts, confidence),
        (Tally::Sums(sums), _) => bounded_mean(sums, confidence, metric.limits()),
        (Tally::Ratio(ratio), looks) => seen(looks, ratio.estimate(level)).above(floor),
        (Tally::Weights(weights), looks) => seen(looks, weights.estimate(level)),
    };
    estimate.per(metric.per)
}

fn exact_estimate(metric: &Metric, tally: &Tally, confidence: Confidence) -> Estimate {
    match (metric.kind, tally, confidence.looks) {
        (MetricKind::Flag, Tally::Counts(counts), Looks::Once) => {
            exact_proportion(counts, confidence.level)
        }
        _ => estimate(metric, tally, confidence),
    }
}

/// The mean paired difference of `metric`, in its unit.
pub fn difference(metric: &Metric, paired: &Paired, confidence: Confidence) -> Estimate {
    let limits = metric.limits();
    let limits = limits.map(|(min, max)| (min.saturating_sub(max), max.saturating_sub(min)));
    let estimate = match (metric.kind, confidence.looks) {
        (MetricKind::Flag, Looks::Once) => paired.flag_estimate(confidence.level),
        _ => bounded_mean(paired.differences(), confidence, limits),
    };
    estimate.per(metric.per)
}

fn counted(metric: &Metric, counts: &Bounded<Histogram>, confidence: Confidence) -> Estimate {
    let level = confidence.level;
    let sequence = |limits, planned| mean_sequence(counts, level, limits, planned);
    match (metric.kind, confidence.looks, metric.limits()) {
        (MetricKind::Flag, Looks::Many { planned }, _) => {
            proportion_sequence(counts, level, planned)
        }
        (MetricKind::Flag, looks, _) => seen(looks, proportion_estimate(counts, level)),
        (_, Looks::Many { planned }, Some(limits)) => sequence(limits, planned),
        (_, looks, limits) => {
            let found = seen(looks, mean_estimate(counts, level, limits));
            found.or_else(|| sequence(limits?, counts.count()).interval)
        }
    }
}

/// The mean of a quantity whose sums alone are kept. Where the samples are too few for how skewed
/// they are, it has the interval of a sequence, which needs limits and no more.
fn bounded_mean(
    sums: &Bounded<Moments>,
    confidence: Confidence,
    limits: Option<(i64, i64)>,
) -> Estimate {
    let level = confidence.level;
    let sequence = |limits, planned| moments_sequence(sums, level, limits, planned);
    match (confidence.looks, limits) {
        (Looks::Many { planned }, Some(limits)) => sequence(limits, planned),
        (looks, limits) => {
            let found = seen(looks, mean_estimate(sums, level, limits));
            found.or_else(|| sequence(limits?, sums.count()).interval)
        }
    }
}

/// An estimate for one look, as these looks leave it: without an interval where there are more, and
/// no estimate at all where the samples are all there is.
fn seen(looks: Looks, estimate: Estimate) -> Estimate {
    match looks {
        Looks::Once => estimate,
        Looks::Many { .. } => Estimate {
            interval: None,
            ..estimate
        },
        Looks::Exhaustive => estimate.exact(),
    }
}
