//! `pairs.csv`: paired differences, first minus second, on the same instances.

use crate::config::Experiment;
use crate::harness::PairOutcome;

use super::fields::{ESTIMATE, estimate_fields};
use super::number::number;
use super::table::Table;

/// If an experiment compares more pairs of cells than this, only those with its first cell are
/// listed. The differences that claims need are in `claims.csv` all the same.
const MOST_PAIRS: usize = 48;

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
    for outcome in listed(pairs) {
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
