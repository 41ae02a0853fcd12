//! `metrics.csv`: a description of each metric, so that reports need not know the game.

use crate::config::Experiment;

use super::table::Table;

/// The table.
pub(super) fn metrics_table(experiment: &Experiment) -> Table {
    Table::of("metrics", &["metric"], experiment.task.metrics.iter())
        .metric(|metric| metric)
        .unit(|metric| metric)
        .text("summary", "What the metric is.", |metric| &metric.summary)
        .build()
}
