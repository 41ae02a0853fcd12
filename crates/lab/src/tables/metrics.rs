//! `metrics.csv`: a description of each metric, so that reports need not know the game.

use super::facts::RunFacts;
use super::row::table_row;
use super::table::Table;
use task::Metric;

table_row! {
    /// A row of `metrics.csv`: a metric.
    #[derive(serde::Serialize)]
    pub struct MetricRow in "metrics", keys ["metric"] {
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// A description of the metric, in a sentence.
        summary: String,
    }
}

/// The table.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let row = |metric: &Metric| MetricRow {
        metric: metric.name.to_string(),
        unit: metric.unit.to_string(),
        summary: metric.summary.to_string(),
    };
    Some(Table::of(facts.experiment.task.metrics.iter().map(row)))
}
