//! `weights.csv`: how concentrated the weights behind each estimate of a size are.
//!
//! For untrusted weights, `summary.csv` has no interval. The one-sided bound of Markov's
//! inequality in `at_least` holds at any concentration.

use crate::config::Experiment;
use crate::harness::{Outcome, Tally};
use crate::stats::{Estimate, Looks, WeightSums};
use crate::task::MetricKind;

use super::fields::{MetricPlace, SAMPLE_SIZE, places};
use super::table::Table;

/// The weights of a metric in a cell, and what was estimated from them.
type CellWeights<'run> = (MetricPlace<'run>, &'run WeightSums, &'run Estimate);

/// The table; `None` if no metric is a weight, or if the weights are no samples.
pub(super) fn weights_table(experiment: &Experiment, outcome: &Outcome) -> Option<Table> {
    let confidence = experiment.confidence();
    let mut metrics = experiment.task.metrics.iter();
    let has_weights = metrics.any(|metric| metric.kind == MetricKind::Weight);
    if !has_weights || confidence.looks == Looks::Exhaustive {
        return None;
    }
    let tallies = places(experiment, |cell| outcome.tally.cell(cell));
    let estimates = places(experiment, |cell| &outcome.cells[cell]);
    let rows = tallies
        .zip(estimates)
        .filter_map(|((place, tally), (_, estimate))| match tally {
            Tally::Weights(sums) => Some((place, sums, estimate)),
            _ => None,
        });
    // Markov's inequality speaks of one look.
    let level = (confidence.looks == Looks::Once).then_some(confidence.level);
    let bound = move |sums: &WeightSums| sums.lower_bound(level?);
    let concentration = |row: &CellWeights| row.1.concentration();
    let table = Table::of("weights", &["cell", "metric"], rows)
        .refers(&["cell", "metric"], "summary")
        .place(experiment, |row| row.0)
        .integer("n", SAMPLE_SIZE, move |row| concentration(row).n)
        .number(
            "effective_n",
            "Kish's effective sample size of the weights.",
            move |row| Some(concentration(row).effective_size),
        )
        .number(
            "largest_share",
            "Share of the largest weight in the sum of the weights.",
            move |row| concentration(row).largest_share,
        )
        .number(
            "spread_share",
            "Share of the largest weight in the sum of squared deviations.",
            move |row| concentration(row).spread_share,
        )
        .text(
            "trusted",
            "Whether the weights are even enough for an interval.",
            move |row| concentration(row).is_trusted() && !row.2.untrusted,
        )
        .number(
            "log10_mean",
            "Decimal logarithm of the mean weight.",
            |(_, sums, _)| sums.log10_mean(),
        )
        .number(
            "at_least",
            "The true value is greater than this, however uneven the weights are.",
            move |(_, sums, _)| bound(sums),
        )
        .number(
            "at_least_level",
            "Probability that the true value is greater than at_least.",
            move |(_, sums, _)| bound(sums).and(level).map(|level| level.get()),
        );
    Some(table.build())
}
