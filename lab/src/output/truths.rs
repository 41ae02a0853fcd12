//! `truths.csv`: exact values beside their estimates.

use crate::config::Experiment;
use crate::harness::{KnownTruth, Outcome};

use super::fields::MetricPlace;
use super::table::Table;

/// The table.
pub(super) fn truths_table(
    experiment: &Experiment,
    outcome: &Outcome,
    known: &[KnownTruth],
) -> Table {
    let place = |known: &&KnownTruth| MetricPlace {
        cell: known.cell,
        metric: &experiment.task.metrics[known.metric],
    };
    Table::of("truths", &["cell", "metric"], known)
        .refers(&["cell", "metric"], "summary")
        .place(experiment, place)
        .estimate(|known| outcome.cells[known.cell][known.metric])
        .number("truth", "The exact value.", |known| Some(known.truth.value))
        .flag(
            "covered",
            "Whether the interval covers the exact value.",
            |known| known.covered,
        )
        .text("source", "Where the exact value is known from.", |known| {
            &known.truth.source
        })
        .build()
}
