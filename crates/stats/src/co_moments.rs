//! Exact sums of two quantities and of their products.

use serde::{Deserialize, Serialize};

use super::storable::{MAX_COUNT, Storable};
use super::wide::Wide;

/// Sums and sums of products of two quantities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CoMoments {
    pub(crate) count: u64,
    pub(crate) sums: [i128; 2],
    /// The first one's square, the product of both, the second one's square.
    pub(crate) products: [Wide; 3],
}

impl CoMoments {
    #[inline]
    pub(crate) fn push(&mut self, first: i64, second: i64) {
        let (first, second) = (i128::from(first), i128::from(second));
        self.count += 1;
        self.sums[0] += first;
        self.sums[1] += second;
        self.products[0] += Wide::from(first * first);
        self.products[1] += Wide::from(first * second);
        self.products[2] += Wide::from(second * second);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        let sums = self.sums.iter_mut().zip(other.sums);
        sums.for_each(|(mine, theirs)| *mine += theirs);
        let products = self.products.iter_mut().zip(other.products);
        products.for_each(|(mine, theirs)| *mine += theirs);
    }

    /// `n * sum of products - product of sums` of two of the quantities, exactly.
    pub(crate) fn spread(&self, one: usize, other: usize) -> Wide {
        let products = self.products[one + other].times(self.count);
        products - Wide::product(self.sums[one], self.sums[other])
    }

    /// The sample covariance of two of the quantities, exact but for one rounding; `count >= 2`.
    pub(crate) fn covariance(&self, one: usize, other: usize) -> f64 {
        let pairs = self.count as f64 * (self.count as f64 - 1.0);
        self.spread(one, other).to_f64() / pairs
    }

    pub(crate) fn mean(&self, quantity: usize) -> f64 {
        self.sums[quantity] as f64 / self.count as f64
    }

    /// The regression of the first quantity on the second; 0 where that does not vary, or the samples
    /// are too few.
    pub(crate) fn slope(&self) -> f64 {
        if self.count < 4 {
            return 0.0;
        }
        let sd = self.covariance(1, 1).sqrt();
        if sd > 0.0 {
            self.covariance(0, 1) / sd / sd
        } else {
            0.0
        }
    }

    /// The variance of the first quantity with the second taken off.
    pub(crate) fn residual_variance(&self, slope: f64) -> f64 {
        self.covariance(0, 0) - 2.0 * slope * self.covariance(0, 1)
            + slope * slope * self.covariance(1, 1)
    }
}

impl Storable for CoMoments {
    fn is_consistent(&self) -> bool {
        let fits = |sum: &i128| sum.unsigned_abs() < u128::from(MAX_COUNT) << 72;
        self.count <= MAX_COUNT && self.sums.iter().all(fits)
    }
}
