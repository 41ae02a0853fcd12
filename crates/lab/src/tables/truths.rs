//! `truths.csv`: exact values beside their estimates.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::KnownTruth;
use stats::Estimate;

table_row! {
    /// A row of `truths.csv`: a metric in a cell whose value is known.
    pub struct TruthRow in "truths", keys ["cell", "metric"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// The estimate.
        estimate: Estimate,
        /// The exact value.
        truth: Option<Exact>,
        /// Whether the interval covers the exact value.
        covered: Option<bool>,
        /// The source of the exact value.
        source: String,
    }
}

/// The table; `None` if no exact value is known.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let row = |known: &KnownTruth| {
        let subject = MetricInCell::new(facts.experiment, known.cell, known.metric);
        TruthRow {
            experiment: subject.experiment(),
            cell: subject.cell(),
            metric: subject.metric(),
            unit: subject.unit(),
            estimate: facts.outcome.cells[known.cell][known.metric],
            truth: Some(Exact(known.truth.value)),
            covered: known.covered,
            source: known.truth.source.to_string(),
        }
    };
    (!facts.truths.is_empty()).then(|| Table::of(facts.truths.iter().map(row)))
}
