//! `metrics.csv`: a description of each metric, so that reports need not know the game.

use crate::config::Experiment;

use super::table::Table;

/// The table.
pub(super) fn metrics_table(experiment: &Experiment) -> Table {
    let mut table = Table::new("metrics", ["metric", "unit", "summary"]);
    for metric in experiment.task.metrics.iter() {
        table.push(
            [&metric.name, &metric.unit, &metric.summary]
                .map(ToString::to_string)
                .into(),
        );
    }
    table
}
