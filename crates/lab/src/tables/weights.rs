//! `weights.csv`: how concentrated the weights behind each estimate of a size are.
//!
//! For untrusted weights, `summary.csv` has no interval. The one-sided bound of Markov's
//! inequality in `at_least` holds at any concentration.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use stats::{Confidence, Estimate, Level, Looks, Span, WeightSums, outwards};
use task::{MetricKind, Tally};

table_row! {
    /// A row of `weights.csv`: the weights of a metric in a cell.
    pub struct WeightRow in "weights", keys ["cell", "metric"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// Sample size: samples that count for the estimate.
        n: u64,
        /// Kish's effective sample size of the weights.
        effective_n: Option<f64>,
        /// Share of the largest weight in the sum of the weights.
        largest_share: Option<f64>,
        /// Share of the largest weight in the sum of squared deviations.
        spread_share: Option<f64>,
        /// Index of the tail of the largest weights (the k of Pareto-smoothed importance sampling): above 0.5
        /// their variance is infinite.
        tail_index: Option<f64>,
        /// True if the weights are even enough for an interval.
        trusted: bool,
        /// Decimal logarithm of the mean weight.
        log10_mean: Option<f64>,
        /// The true value is greater than this, however uneven the weights are.
        at_least: Option<Exact>,
        /// Probability that the true value is greater than at_least.
        at_least_level: Option<f64>,
    }
}

/// The table; `None` if no metric is a weight, or if the weights are no samples.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let Confidence { level, looks } = facts.experiment.confidence();
    let mut metrics = facts.experiment.task.metrics.iter();
    let has_weights = metrics.any(|metric| metric.kind == MetricKind::Weight);
    if !has_weights || looks == Looks::Exhaustive {
        return None;
    }
    // Markov's inequality speaks of one look.
    let level = (looks == Looks::Once).then_some(level);
    let rows = facts
        .metrics()
        .filter_map(move |(subject, estimate, tally)| match tally {
            Tally::Weights(sums) => Some(row(subject, sums, estimate, level)),
            _ => None,
        });
    Some(Table::of(rows))
}

fn row(
    subject: MetricInCell,
    sums: &WeightSums,
    estimate: &Estimate,
    level: Option<Level>,
) -> WeightRow {
    let concentration = sums.concentration();
    let bound = level.and_then(|level| sums.lower_bound(level));
    let is_trusted = concentration.is_trusted() && estimate.withheld.is_none();
    WeightRow {
        experiment: subject.experiment(),
        cell: subject.cell(),
        metric: subject.metric(),
        unit: subject.unit(),
        n: concentration.n,
        effective_n: Some(concentration.effective_size),
        largest_share: concentration.largest_share,
        spread_share: concentration.spread_share,
        tail_index: concentration.tail_index,
        trusted: is_trusted,
        log10_mean: sums.log10_mean(),
        at_least: bound.map(|bound| Exact(outwards(Span::new(bound, f64::INFINITY)).lo)),
        at_least_level: bound.and(level).map(Level::get),
    }
}
