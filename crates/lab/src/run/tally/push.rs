//! Samples counted into the tallies of cells, of pairs and of what is adjusted.

use stats::{Paired, Regression};
use task::{Row, Tally};

/// Counts the samples of a cell, with a tally for each metric.
pub(super) fn push_rows(tallies: &mut [Tally], rows: &[Row]) {
    rows.iter().for_each(|row| Tally::push_row(tallies, row));
}

/// Counts the differences between two cells in the same samples; ratios and weights have none.
pub(super) fn push_pairs(tallies: &mut [Paired], first: &[Row], second: &[Row]) {
    for (first, second) in first.iter().zip(second) {
        let both = first.values().iter().zip(second.values());
        for (tally, (first, second)) in tallies.iter_mut().zip(both) {
            match (first.ends(), second.ends()) {
                (Some(first), Some(second)) => tally.push_bounds(first, second),
                _ => tally.push_missing(),
            }
        }
    }
}

/// Counts the samples of a cell from `first` on beside their control variates; a value that is missing makes
/// the tally useless.
pub(super) fn push_adjusted(tallies: &mut [Regression], first: u64, rows: &[Row]) {
    for (index, row) in (first..).zip(rows) {
        for (tally, value) in tallies.iter_mut().zip(row.values()) {
            match value.ends().zip(row.control) {
                Some((ends, control)) => tally.push(index, ends, control),
                None => tally.push_missing(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::{Metric, Value};

    fn row(values: &[Value]) -> Row {
        let mut row = Row::new();
        values.iter().for_each(|&value| row.push(value));
        row
    }

    /// Two samples of two metrics in two cells, the second with a gap in the second cell.
    #[test]
    fn pairs_count_the_first_less_the_second_where_both_have_a_value() {
        let first = [
            row(&[Value::Exact(9), Value::Exact(1)]),
            row(&[Value::Exact(4), Value::bounds(2, 7)]),
        ];
        let second = [
            row(&[Value::Exact(2), Value::ratio(1, 2)]),
            row(&[Value::Missing, Value::Exact(1)]),
        ];
        let mut found = [Paired::default(), Paired::default()];
        push_pairs(&mut found, &first, &second);
        let [mut whole, mut open] = [Paired::default(), Paired::default()];
        whole.push(9, 2);
        whole.push_missing();
        open.push_missing();
        open.push_bounds((2, 7), (1, 1));
        assert_eq!(found, [whole, open]);
    }

    #[test]
    fn rows_are_counted_metric_by_metric() {
        let metrics = [
            Metric::integer("grade", "", (0, 20), ""),
            Metric::total("total", "", ""),
        ];
        let mut found = metrics.each_ref().map(Tally::new);
        let rows = [[1, 7], [2, 9]].map(|values| row(&values.map(Value::Exact)));
        push_rows(&mut found, &rows);
        let expected = [[1, 2], [7, 9]].map(|values| values.map(Value::Exact));
        let expected = [0, 1].map(|at| {
            let mut tally = Tally::new(&metrics[at]);
            expected[at].iter().for_each(|&value| tally.push(value));
            tally
        });
        assert_eq!(found, expected);
    }

    /// Samples 5 to 7: even and odd ones are kept apart, and one without a control or a value is missing.
    #[test]
    fn a_control_is_counted_beside_its_own_sample() {
        let with = |value: Value, control| {
            let mut row = row(&[value]);
            row.control = control;
            row
        };
        let rows = [
            with(Value::Exact(3), Some(10)),
            with(Value::bounds(1, 4), Some(20)),
            with(Value::Exact(8), None),
            with(Value::Missing, Some(7)),
        ];
        let mut found = [Regression::default()];
        push_adjusted(&mut found, 5, &rows);
        let mut expected = Regression::default();
        expected.push(5, (3, 3), 10);
        expected.push(6, (1, 4), 20);
        expected.push_missing();
        expected.push_missing();
        assert_eq!(found, [expected]);
        assert_eq!(found[0].count(), 4);
    }
}
