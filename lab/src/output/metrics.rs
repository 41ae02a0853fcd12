//! `metrics.csv`: what each metric is, so that reports can say so without knowing the game.

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
