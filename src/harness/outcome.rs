//! What an experiment has found: an estimate for every cell and metric, and a difference for
//! every compared pair.

use crate::stats::{
    Bounded, Estimate, Histogram, Level, Paired, mean_estimate, proportion_estimate,
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
    /// Everything counted.
    pub tally: BlockTally,
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
    /// Estimates everything in `tally` at `level`.
    pub fn of(laboratory: &Laboratory, tally: BlockTally, level: Level) -> Self {
        let metrics = laboratory.metrics();
        let cell = |cell| {
            let tallies = metrics.iter().zip(tally.cell(cell));
            tallies
                .map(|(metric, tally)| estimate(metric, tally, level))
                .collect()
        };
        let pair = |(index, &pair)| PairOutcome {
            pair,
            differences: (metrics.iter().zip(tally.pair(index)))
                .map(|(metric, paired)| Difference::of(metric, paired, level))
                .collect(),
        };
        Self {
            cells: (0..laboratory.cells()).map(cell).collect(),
            pairs: laboratory.pairs().iter().enumerate().map(pair).collect(),
            tally,
        }
    }
}

impl Difference {
    fn of(metric: &Metric, paired: &Paired, level: Level) -> Self {
        Self {
            estimate: difference(metric, paired, level),
            correlation: paired.correlation(),
            variance_reduction: paired.variance_reduction(),
            mcnemar: paired
                .mcnemar()
                .filter(|_| matches!(metric.kind, MetricKind::Flag)),
        }
    }
}

/// The estimate of `metric` from its tally, in the metric's unit.
pub fn estimate(metric: &Metric, tally: &Tally, level: Level) -> Estimate {
    let estimate = match tally {
        Tally::Counts(counts) => counted(metric, counts, level),
        Tally::Sums(sums) => mean_estimate(sums, level, None),
        Tally::Ratio(ratio) => ratio.estimate(level),
        Tally::Weights(weights) => weights.estimate(level),
    };
    estimate.per(metric.per)
}

/// The mean paired difference of `metric`, in its unit.
pub fn difference(metric: &Metric, paired: &Paired, level: Level) -> Estimate {
    let limits = limits(metric).map(|(min, max)| (min - max, max - min));
    paired.estimate(level, limits).per(metric.per)
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

fn counted(metric: &Metric, counts: &Bounded<Histogram>, level: Level) -> Estimate {
    match metric.kind {
        MetricKind::Flag => proportion_estimate(counts, level),
        _ => mean_estimate(counts, level, limits(metric)),
    }
}
