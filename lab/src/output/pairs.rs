//! `pairs.csv`: paired differences, first minus second, on the same instances.

use crate::config::Experiment;
use crate::harness::PairOutcome;

use super::fields::{ESTIMATE, estimate_fields};
use super::number::number;
use super::table::Table;

/// The table.
pub(super) fn pairs_table(experiment: &Experiment, pairs: &[PairOutcome]) -> Table {
    let columns = ["experiment", "first", "second", "metric", "unit"];
    let columns = columns.into_iter().chain(ESTIMATE);
    let last = [
        "correlation:number",
        "variance_reduction:number",
        "mcnemar_p:number",
    ];
    let mut table = Table::new("pairs", columns.chain(last));
    for outcome in pairs {
        let name = |cell: usize| experiment.cells[cell].name.clone();
        for (metric, difference) in experiment.task.metrics.iter().zip(&outcome.differences) {
            if difference.estimate.n == 0 {
                continue;
            }
            let mut row = vec![
                experiment.name.clone(),
                name(outcome.pair.first),
                name(outcome.pair.second),
                metric.name.to_string(),
                metric.unit.to_string(),
            ];
            row.extend(estimate_fields(&difference.estimate));
            row.extend([
                number(difference.correlation),
                number(difference.variance_reduction),
                number(difference.mcnemar),
            ]);
            table.push(row);
        }
    }
    table
}
