//! `variance.csv`: the gain from variance reduction, metric by metric.
//!
//! The plain columns treat the same samples as independent and unadjusted.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::ReducedMean;

table_row! {
    /// A row of `variance.csv`: a mean whose variance was reduced.
    pub struct VarianceRow in "variance", keys ["cell", "metric"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// Sample size: samples that count for the estimate.
        n: u64,
        /// The mean without variance reduction.
        plain_mean: Option<Exact>,
        /// The standard error without the control.
        plain_mcse: Option<f64>,
        /// The mean with variance reduction.
        mean: Option<Exact>,
        /// Monte Carlo standard error of the estimate.
        mcse: Option<f64>,
        /// The factor by which plain samples would have to be more for the same error.
        variance_reduction: Option<f64>,
        /// The correction for each unit that the control's average is off.
        coefficient: Option<f64>,
    }
}

/// The table; `None` if no variance was to be reduced.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    facts.compiled.control()?;
    let row = |reduced: &ReducedMean| {
        let subject = MetricInCell::new(facts.experiment, reduced.cell, reduced.metric);
        VarianceRow {
            experiment: subject.experiment(),
            cell: subject.cell(),
            metric: subject.metric(),
            unit: subject.unit(),
            n: reduced.plain.n,
            plain_mean: reduced.plain.written().value.map(Exact),
            plain_mcse: reduced.plain.mcse,
            mean: reduced.estimate.written().value.map(Exact),
            mcse: reduced.estimate.mcse,
            variance_reduction: reduced.factor(),
            coefficient: Some(reduced.coefficient),
        }
    };
    Some(Table::of(facts.outcome.reduced.iter().map(row)))
}
