//! `pairs.csv`: differences of means, first minus second, on the same instances.

use crate::config::Experiment;
use crate::harness::{CellPair, Difference, PairOutcome};
use crate::task::{Metric, MetricKind};

use super::table::Table;

/// The difference of one metric between two cells.
struct PairedMetric<'run> {
    pair: CellPair,
    metric: &'run Metric,
    difference: &'run Difference,
}

impl PairedMetric<'_> {
    /// Returns whether the metric is one of numbers, whose samples were compared, and has any in both cells.
    fn is_listed(&self) -> bool {
        let is_number = !matches!(self.metric.kind, MetricKind::Ratio | MetricKind::Weight);
        is_number && self.difference.estimate.n > 0
    }
}

/// If an experiment compares more pairs of cells than this, only those with its first cell are
/// listed. The differences that claims need are in `claims.csv` all the same.
const MOST_PAIRS: usize = 48;

/// The table.
pub(super) fn pairs_table(experiment: &Experiment, pairs: &[PairOutcome]) -> Table {
    let name = |cell: usize| &experiment.cells[cell].name;
    let rows = listed(pairs).flat_map(|outcome| {
        let metrics = experiment.task.metrics.iter().zip(&outcome.differences);
        metrics.map(|(metric, difference)| PairedMetric {
            pair: outcome.pair,
            metric,
            difference,
        })
    });
    let rows = rows.filter(|row| row.is_listed());
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

fn listed(pairs: &[PairOutcome]) -> impl Iterator<Item = &PairOutcome> {
    let all = pairs.len() <= MOST_PAIRS;
    pairs
        .iter()
        .filter(move |outcome| all || outcome.pair.has(0))
}

#[cfg(test)]
mod tests {
    use crate::harness::CellPair;

    use super::*;

    fn pair((first, second): (usize, usize)) -> PairOutcome {
        PairOutcome {
            pair: CellPair { first, second },
            differences: Vec::new(),
        }
    }

    #[test]
    fn of_many_pairs_those_with_the_first_cell_are_listed() {
        let places = (1..=MOST_PAIRS).map(|cell| (cell, cell / 3));
        let few: Vec<_> = places.map(pair).collect();
        assert_eq!(listed(&few).count(), MOST_PAIRS);
        let many: Vec<_> = few.into_iter().chain([pair((0, 49))]).collect();
        let listed = listed(&many).map(|outcome| (outcome.pair.first, outcome.pair.second));
        assert_eq!(listed.collect::<Vec<_>>(), [(1, 0), (2, 0), (0, 49)]);
    }
}
