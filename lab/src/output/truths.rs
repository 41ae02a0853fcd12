//! `truths.csv`: exact values beside their estimates.

use crate::config::Experiment;
use crate::harness::{KnownTruth, Outcome};

use super::fields::{ESTIMATE, PLACE, estimate_fields, place_fields};
use super::number::number;
use super::table::Table;

/// The table.
pub(super) fn truths_table(
    experiment: &Experiment,
    outcome: &Outcome,
    known: &[KnownTruth],
) -> Table {
    let columns = PLACE.into_iter().chain(ESTIMATE);
    let last = ["truth:number", "covered:flag", "source"];
    let mut table = Table::new("truths", columns.chain(last));
    for known in known {
        let metric = &experiment.task.metrics[known.metric];
        let mut row = place_fields(experiment, known.cell, metric);
        row.extend(estimate_fields(&outcome.cells[known.cell][known.metric]));
        row.extend([
            number(Some(known.truth.value)),
            known
                .covered
                .map_or(String::new(), |covered| covered.to_string()),
            known.truth.source.clone(),
        ]);
        table.push(row);
    }
    table
}
