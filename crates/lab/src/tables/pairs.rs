//! `pairs.csv`: differences of means, first minus second, on the same instances.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::row::table_row;
use super::table::Table;
use crate::run::Difference;
use experiment::CellPair;
use stats::Estimate;
use task::{Metric, MetricKind};

table_row! {
    /// A row of `pairs.csv`: the difference of a metric between two cells.
    pub struct PairRow in "pairs", keys ["first", "second", "metric"]
    refers ["metric"] to "metrics" {
        /// Name of the experiment.
        experiment: String,
        /// The cell that counts positive.
        first: String,
        /// The cell that is subtracted.
        second: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// The difference.
        estimate: Estimate,
        /// Correlation of the two cells on the same instances.
        correlation: Option<f64>,
        /// The factor by which independent samples would have to be more for the same error.
        variance_reduction: Option<f64>,
        /// P-value of McNemar's exact test, for shares.
        mcnemar_p: Option<f64>,
    }
}

/// The table; `None` if no cells are compared.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let (experiment, pairs) = (facts.experiment, &facts.outcome.pairs);
    let rows = pairs.iter().flat_map(|outcome| {
        (0..)
            .zip(&outcome.differences)
            .filter_map(|(metric, difference)| {
                let CellPair { first, second } = outcome.pair;
                let both = [first, second].map(|cell| MetricInCell::new(experiment, cell, metric));
                is_compared(both[0].metric, difference).then(|| row(both, difference))
            })
    });
    (!facts.compiled.pairs().is_empty()).then(|| Table::of(rows))
}

/// Returns whether the metric is one of numbers, whose samples were compared, and has any in both
/// cells.
fn is_compared(metric: &Metric, difference: &Difference) -> bool {
    let is_number = !matches!(metric.kind, MetricKind::Ratio | MetricKind::Weight);
    is_number && difference.estimate.n > 0
}

fn row([first, second]: [MetricInCell; 2], difference: &Difference) -> PairRow {
    PairRow {
        experiment: first.experiment(),
        first: first.cell(),
        second: second.cell(),
        metric: first.metric(),
        unit: first.unit(),
        estimate: difference.estimate,
        correlation: difference.correlation,
        variance_reduction: difference.variance_reduction,
        mcnemar_p: difference.mcnemar,
    }
}
