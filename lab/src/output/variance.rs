//! `variance.csv`: the gain from variance reduction, metric by metric.
//!
//! The plain columns treat the same samples as independent and unadjusted.

use crate::config::Experiment;
use crate::harness::{Laboratory, Outcome, ReducedMean};

use super::fields::{MetricPlace, SAMPLE_SIZE};
use super::table::Table;

/// The meaning of a column of variance reductions.
pub(super) const REDUCTION: &str = "How many times more independent samples the same error needs.";

/// The table; `None` if no variance was to be reduced.
pub(super) fn variance_table(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
) -> Option<Table> {
    laboratory.control()?;
    let place = |found: &&ReducedMean| MetricPlace {
        cell: found.cell,
        metric: &experiment.task.metrics[found.metric],
    };
    let table = Table::of("variance", &["cell", "metric"], &outcome.reduced)
        .refers(&["cell", "metric"], "summary")
        .place(experiment, place)
        .integer("n", SAMPLE_SIZE, |found| found.plain.n)
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
        .number(
            "coefficient",
            "What is subtracted for each unit that the control's average is off.",
            |found| Some(found.coefficient),
        );
    Some(table.build())
}
