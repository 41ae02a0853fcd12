//! `variance.csv`: the gain from variance reduction, metric by metric.
//!
//! The plain columns treat the same samples as independent and unadjusted.

use crate::config::Experiment;
use crate::harness::{Laboratory, Outcome, ReducedMean};

use super::fields::{MetricPlace, SAMPLE_SIZE};
use super::number::number;
use super::table::Table;

/// What a reduction of variance is worth.
pub(super) const REDUCTION: &str = "How many times more independent samples the same error needs.";

/// The table; `None` if no variance was to be reduced.
pub(super) fn variance_table(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
) -> Option<Table> {
    let strata = laboratory.reduction()?.strata();
    let place = |found: &&ReducedMean| MetricPlace {
        cell: found.cell,
        metric: &experiment.task.metrics[found.metric],
    };
    let table = Table::of("variance", &["cell", "metric"], &outcome.reduced)
        .refers(&["cell", "metric"], "summary")
        .place(experiment, place)
        .integer("n", SAMPLE_SIZE, |found| found.plain.n)
        .integer(
            "strata",
            "Strata that the samples were drawn from.",
            move |_| strata,
        )
        .number(
            "plain_mean",
            "The mean without variance reduction.",
            |found| found.plain.value,
        )
        .number("plain_mcse", "Its standard error.", |found| {
            found.plain.mcse
        })
        .number("mean", "The mean with variance reduction.", |found| {
            found.estimate.value
        })
        .number(
            "mcse",
            "Monte Carlo standard error of the estimate.",
            |found| found.estimate.mcse,
        )
        .number("variance_reduction", REDUCTION, |found| found.factor())
        .text(
            "coefficients",
            "Coefficients of the control variates, by name.",
            |found| coefficients(laboratory, found),
        );
    Some(table.build())
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
