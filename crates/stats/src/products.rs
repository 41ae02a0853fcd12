//! Exact sums of products of several integers that each sample has, for their covariances.
//!
//! The integers are joined by a one, so the sums hold the number of samples and the sums of each
//! integer too. They merge exactly in any order.

use serde::{Deserialize, Serialize};

use super::storable::{MAX_COUNT, Storable};

/// Sums over samples of the products of every two of their integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Products {
    /// Integers of a sample.
    size: usize,
    /// Row by row up to the diagonal; the first row is that of the one.
    sums: Vec<i128>,
}

impl Storable for Products {
    fn is_consistent(&self) -> bool {
        let counted = self.sums.first().copied().map(u64::try_from);
        let length = self.size.checked_add(1).zip(self.size.checked_add(2));
        let length = length.and_then(|(rows, columns)| rows.checked_mul(columns));
        length == Some(2 * self.sums.len())
            && counted.is_some_and(|n| n.is_ok_and(|n| n <= MAX_COUNT))
    }
}

impl Products {
    /// Returns an empty tally of samples of this many integers.
    pub fn new(size: usize) -> Self {
        let sums = vec![0; (size + 1) * (size + 2) / 2];
        Self { size, sums }
    }

    /// Counts the integers of a sample; others than `size` of them do not count.
    pub fn push(&mut self, values: &[i64]) {
        if values.len() != self.size {
            return;
        }
        let value = |index: usize| {
            index
                .checked_sub(1)
                .map_or(1, |index| i128::from(values[index]))
        };
        let places = (0..=self.size).flat_map(|row| (0..=row).map(move |column| (row, column)));
        for (sum, (row, column)) in self.sums.iter_mut().zip(places) {
            *sum += value(row) * value(column);
        }
    }

    /// The tally of some of the integers alone, in this order.
    pub fn of(&self, some: &[usize]) -> Self {
        let place = |index: usize| index.checked_sub(1).map_or(0, |index| some[index] + 1);
        let entry = |row: usize, column: usize| {
            let (low, high) = (place(row).min(place(column)), place(row).max(place(column)));
            self.sums[high * (high + 1) / 2 + low]
        };
        let places = (0..=some.len()).flat_map(|row| (0..=row).map(move |column| (row, column)));
        Self {
            size: some.len(),
            sums: places.map(|(row, column)| entry(row, column)).collect(),
        }
    }

    /// Merges another tally of the same number of integers.
    pub fn merge(&mut self, other: &Self) {
        let both = self.sums.iter_mut().zip(&other.sums);
        both.for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Integers of a sample.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Samples.
    pub fn samples(&self) -> u64 {
        u64::try_from(self.sums[0]).unwrap_or_default()
    }

    /// The covariance of the sums of two integers over all samples, estimated from how they vary
    /// between samples; `None` below two samples.
    pub(crate) fn covariance(&self, one: usize, other: usize) -> Option<f64> {
        let n = self.sums[0];
        let (low, high) = (one.min(other) + 1, one.max(other) + 1);
        let at = |row: usize, column: usize| self.sums[row * (row + 1) / 2 + column];
        let centred = n
            .checked_mul(at(high, low))?
            .checked_sub(at(high, 0).checked_mul(at(low, 0))?)?;
        (n > 1).then(|| centred as f64 / (n - 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of (0, 2), (1, 1), (2, 6): variances 1 and 7, covariance 2; three samples.
    #[test]
    fn covariances_are_those_of_sums_and_merge_in_any_order() {
        let rows = [[0, 2], [1, 1], [2, 6]];
        let tally = |rows: &[[i64; 2]]| {
            let mut products = Products::new(2);
            rows.iter().for_each(|row| products.push(row));
            products
        };
        let all = tally(&rows);
        let found = [(0, 0), (1, 1), (0, 1), (1, 0)].map(|(a, b)| all.covariance(a, b));
        assert_eq!(found, [Some(3.0), Some(21.0), Some(6.0), Some(6.0)]);
        let mut merged = tally(&rows[2..]);
        merged.merge(&tally(&rows[..2]));
        assert_eq!((merged.samples(), &merged), (3, &all));
        assert_eq!(tally(&rows[..1]).covariance(0, 0), None);
        let second = all.of(&[1]);
        assert_eq!((second.samples(), second.covariance(0, 0)), (3, Some(21.0)));
        assert_eq!((all.size(), second.size()), (2, 1));
        assert_eq!(all.of(&[1, 0]).of(&[1, 0]), all);
    }
}
