//! `variance.csv`: the gain from variance reduction, metric by metric.
//!
//! The plain columns treat the same samples as independent and unadjusted.

use crate::config::Experiment;
use crate::harness::{Laboratory, Outcome, ReducedMean};

use super::fields::{PLACE, place_fields};
use super::number::number;
use super::table::Table;

/// After [`PLACE`].
const COLUMNS: [&str; 8] = [
    "n:integer",
    "strata:integer",
    "plain_mean:number",
    "plain_mcse:number",
    "mean:number",
    "mcse:number",
    "variance_reduction:number",
    "coefficients",
];

/// The table; `None` if no variance was to be reduced.
pub(super) fn variance_table(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
) -> Option<Table> {
    let reduction = laboratory.reduction()?;
    let mut table = Table::new("variance", PLACE.into_iter().chain(COLUMNS));
    for found in &outcome.reduced {
        let metric = &experiment.task.metrics[found.metric];
        let mut row = place_fields(experiment, found.cell, metric);
        row.extend([
            found.plain.n.to_string(),
            reduction.strata().to_string(),
            number(found.plain.value),
            number(found.plain.mcse),
            number(found.estimate.value),
            number(found.estimate.mcse),
            number(found.factor()),
            coefficients(laboratory, found),
        ]);
        table.push(row);
    }
    Some(table)
}

/// The coefficients by the names of their controls: `aces-out=0.71 buried=-0.2`.
fn coefficients(laboratory: &Laboratory, found: &ReducedMean) -> String {
    let controls = laboratory
        .reduction()
        .map_or(&[][..], |reduction| reduction.controls(found.cell));
    let named = controls.iter().zip(&found.coefficients);
    let parts = named.map(|(control, slope)| format!("{}={}", control.name, number(Some(*slope))));
    parts.collect::<Vec<_>>().join(" ")
}
