//! `repeats.csv`: cells whose samples are one another's copies.

use super::facts::RunFacts;
use super::row::table_row;
use super::table::Table;

table_row! {
    /// A row of `repeats.csv`: a cell with samples that repeat others.
    pub struct RepeatRow in "repeats", keys ["cell"] {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Number of the first samples that were compared.
        compared: u64,
        /// Number of compared samples that differ from each other.
        different: u64,
        /// True if all samples are the same, so that they count as one.
        one_sample: bool,
    }
}

/// The table: cells whose samples are one, and those most of whose first samples repeat an earlier one;
/// `None` if there are none.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let (experiment, tally) = (facts.experiment, &facts.outcome.tally);
    let row = |(cell, name): (usize, &str)| {
        let (compared, different) = tally.compared(cell);
        RepeatRow {
            experiment: experiment.name().to_owned(),
            cell: name.to_owned(),
            compared,
            different,
            one_sample: tally.is_one_sample(cell),
        }
    };
    let rows = (0..).zip(experiment.cell_names()).map(row);
    let mut rows = rows.filter(RepeatRow::is_told).peekable();
    rows.peek().is_some().then(|| Table::of(rows))
}

impl RepeatRow {
    /// Returns whether most samples that were compared repeat an earlier one, or all of them are one.
    fn is_told(&self) -> bool {
        self.one_sample || 2 * self.different < self.compared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than half of them are copies, or all of them.
    #[test]
    fn cells_are_told_whose_samples_mostly_repeat_others() {
        let is_told = |compared, different, one_sample| {
            let row = RepeatRow {
                experiment: String::new(),
                cell: String::new(),
                compared,
                different,
                one_sample,
            };
            row.is_told()
        };
        assert!(is_told(5, 2, false) && !is_told(4, 2, false) && !is_told(0, 0, false));
        assert!(is_told(0, 0, true));
    }
}
