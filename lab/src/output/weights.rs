//! `weights.csv`: how concentrated the weights behind each estimate of a size are.
//!
//! For untrusted weights, `summary.csv` has no interval. The one-sided bound of Markov's
//! inequality in `at_least` holds at any concentration.

use crate::config::Experiment;
use crate::harness::{Outcome, Tally};
use crate::stats::{Estimate, Looks, WeightSums};
use crate::task::{Metric, MetricKind};

use super::fields::{PLACE, place_fields};
use super::number::number;
use super::table::Table;

/// After [`PLACE`].
const COLUMNS: [&str; 8] = [
    "n:integer",
    "effective_n:number",
    "largest_share:number",
    "spread_share:number",
    "trusted",
    "log10_mean:number",
    "at_least:number",
    "at_least_level:number",
];

/// The table; `None` if no metric is a weight, or if the weights are no samples.
pub(super) fn weights_table(experiment: &Experiment, outcome: &Outcome) -> Option<Table> {
    if experiment.confidence().looks == Looks::Exhaustive {
        return None;
    }
    let metrics = &experiment.task.metrics;
    let is_weight = |metric: &Metric| metric.kind == MetricKind::Weight;
    let mut table = Table::new("weights", PLACE.into_iter().chain(COLUMNS));
    for cell in 0..experiment.cells.len() {
        let counted = outcome.tally.cell(cell).iter().zip(&outcome.cells[cell]);
        for (metric, (tally, estimate)) in metrics.iter().zip(counted) {
            let Tally::Weights(sums) = tally else {
                continue;
            };
            let mut row = place_fields(experiment, cell, metric);
            row.extend(fields(experiment, sums, estimate));
            table.push(row);
        }
    }
    metrics.iter().any(is_weight).then_some(table)
}

fn fields(experiment: &Experiment, sums: &WeightSums, estimate: &Estimate) -> Vec<String> {
    let concentration = sums.concentration();
    let is_trusted = concentration.is_trusted() && !estimate.untrusted;
    let confidence = experiment.confidence();
    // Markov's inequality speaks of one look.
    let level = (confidence.looks == Looks::Once).then_some(confidence.level);
    let bound = level.and_then(|level| Some((sums.lower_bound(level)?, level)));
    vec![
        concentration.n.to_string(),
        number(Some(concentration.effective_size)),
        number(concentration.largest_share),
        number(concentration.spread_share),
        is_trusted.to_string(),
        number(sums.log10_mean()),
        number(bound.map(|(bound, _)| bound)),
        number(bound.map(|(_, level)| level.get())),
    ]
}
