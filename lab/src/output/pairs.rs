//! `pairs.csv`: paired differences, first minus second, on the same instances.

use crate::config::Experiment;
use crate::harness::{CellPair, Difference, PairOutcome};
use crate::task::Metric;

use super::table::Table;

/// The difference of one metric between two cells.
struct PairedMetric<'run> {
    pair: CellPair,
    metric: &'run Metric,
    difference: &'run Difference,
}

/// The table.
pub(super) fn pairs_table(experiment: &Experiment, pairs: &[PairOutcome]) -> Table {
    let name = |cell: usize| &experiment.cells[cell].name;
    let rows = pairs.iter().flat_map(|outcome| {
        let metrics = experiment.task.metrics.iter().zip(&outcome.differences);
        metrics.map(|(metric, difference)| PairedMetric {
            pair: outcome.pair,
            metric,
            difference,
        })
    });
    let rows = rows.filter(|row| row.difference.estimate.n > 0);
    Table::of("pairs", &["first", "second", "metric"], rows)
        .refers(&["metric"], "metrics")
        .experiment(experiment)
        .text("first", "The cell that counts positive.", |row| {
            name(row.pair.first)
        })
        .text("second", "The cell that is subtracted.", |row| {
            name(row.pair.second)
        })
        .metric(|row| row.metric)
        .unit(|row| row.metric)
        .estimate(|row| row.difference.estimate)
        .number(
            "correlation",
            "Correlation of the two cells on the same instances.",
            |row| row.difference.correlation,
        )
        .number("variance_reduction", super::variance::REDUCTION, |row| {
            row.difference.variance_reduction
        })
        .number(
            "mcnemar_p",
            "P-value of McNemar's exact test, for shares.",
            |row| row.difference.mcnemar,
        )
        .build()
}
