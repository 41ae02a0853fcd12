//! `pairs.csv`: differences of means, first minus second, on the same instances.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::row::table_row;
use super::table::Table;
use crate::run::{CellPair, Difference, PairOutcome};
use crate::stats::Estimate;
use crate::task::{Metric, MetricKind};

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
        /// How many times more independent samples the same error needs.
        variance_reduction: Option<f64>,
        /// P-value of McNemar's exact test, for shares.
        mcnemar_p: Option<f64>,
    }
}

/// If an experiment compares more pairs of cells than this, only those with its first cell are
/// listed. The differences that claims need are in `claims.csv` all the same.
const MOST_PAIRS: usize = 48;

/// The table; `None` if no cells are compared.
pub(super) fn table(facts: &RunFacts<'_>) -> Option<Table> {
    let (experiment, pairs) = (facts.experiment, &facts.outcome.pairs);
    let rows = listed(pairs).flat_map(|outcome| {
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

fn listed(pairs: &[PairOutcome]) -> impl Iterator<Item = &PairOutcome> {
    let all = pairs.len() <= MOST_PAIRS;
    pairs
        .iter()
        .filter(move |outcome| all || outcome.pair.has(0))
}

#[cfg(test)]
mod tests {
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
