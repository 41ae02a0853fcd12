//! The trait of tallies of integers, and the smallest of them: exact sums of integers of any size,
//! for node counts and other wide quantities.
//!
//! Knows only `i64` values. Everything is kept in integers and rounded once, at the end, so a
//! variance is as good at an offset of 10^18 as at zero.

use serde::{Deserialize, Serialize};

use super::Histogram;
use super::skew::Reach;
use super::storable::{MAX_COUNT, Storable};
use super::wide::Wide;

/// An exact tally of 64-bit integers.
///
/// Merging is associative and commutative to the last bit, so a result does not depend on how the
/// samples were divided among threads or shards.
pub trait Accumulator: Clone + Default + Storable {
    /// Counts one value.
    fn push(&mut self, value: i64);

    /// Adds everything another tally counted.
    fn merge(&mut self, other: &Self);

    /// Returns the number of values counted.
    fn count(&self) -> u64;

    /// Count, sum, sum of squares and extremes.
    fn moments(&self) -> Moments;

    /// The counts of the values, where they are kept.
    fn histogram(&self) -> Option<&Histogram> {
        None
    }

    /// Returns whether nothing was counted.
    fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

/// Count, sum, sum of squares, minimum and maximum of a multiset of integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredMoments", from = "StoredMoments")]
pub struct Moments {
    count: u64,
    sum: i128,
    squares: Wide,
    min: i64,
    max: i64,
}

impl Moments {
    /// Counts `value` `times` times.
    #[inline]
    pub(crate) fn push_repeated(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        let wide = i128::from(value);
        self.count += times;
        self.sum += wide * i128::from(times);
        self.squares += Wide::from(wide * wide).times(times);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// The sum of all values.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// The sum of all squares; `None` if it does not fit.
    pub(crate) fn sum_of_squares(&self) -> Option<i128> {
        self.squares.narrow()
    }

    /// The smallest value; `None` if there is none.
    pub fn min(&self) -> Option<i64> {
        (self.count > 0).then_some(self.min)
    }

    /// The largest value; `None` if there is none.
    pub fn max(&self) -> Option<i64> {
        (self.count > 0).then_some(self.max)
    }

    /// The mean; `None` if there are no values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sample variance, with divisor n - 1; `None` below two values.
    pub(crate) fn variance(&self) -> Option<f64> {
        let pairs = i128::from(self.count) * (i128::from(self.count) - 1);
        (pairs > 0).then(|| self.spread().to_f64() / pairs as f64)
    }

    /// The sample standard deviation; `None` below two values.
    pub(crate) fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The standard error of the mean; `None` below two values or where all are equal, since
    /// equal values say nothing about how far the mean may be off.
    pub fn standard_error(&self) -> Option<f64> {
        let variance = self.variance().filter(|variance| *variance > 0.0)?;
        Some((variance / self.count as f64).sqrt())
    }

    /// Returns the reach of the values to either side of their mean; none where all are equal.
    pub(super) fn reach(&self) -> Reach {
        let total = self.standard_error().map(|error| error * self.count as f64);
        let (Some(mean), Some(total)) = (self.mean(), total) else {
            return Reach::default();
        };
        Reach {
            below: (mean - self.min as f64) / total,
            above: (self.max as f64 - mean) / total,
        }
    }

    /// `n * sum of squares - sum^2`, exactly.
    fn spread(&self) -> Wide {
        self.squares.times(self.count) - Wide::product(self.sum, self.sum)
    }

    /// The sums of the negative values; `None` where one has no negative, as it may where values
    /// are held at the limit of 64 bits.
    pub(super) fn negated(&self) -> Option<Self> {
        if self.count == 0 {
            return Some(self.clone());
        }
        let is_held = self.max == i64::MAX;
        Some(Self {
            count: self.count,
            sum: -self.sum,
            squares: self.squares,
            min: self.max.checked_neg().filter(|_| !is_held)?,
            max: self.min.checked_neg()?,
        })
    }
}

/// The fields in order; of a tally without values the extremes would be its longest.
type StoredMoments = Option<(u64, i128, Wide, i64, i64)>;

impl From<Moments> for StoredMoments {
    fn from(own: Moments) -> Self {
        (own.count > 0).then_some((own.count, own.sum, own.squares, own.min, own.max))
    }
}

impl From<StoredMoments> for Moments {
    fn from(stored: StoredMoments) -> Self {
        stored.map_or_else(Self::default, |(count, sum, squares, min, max)| Self {
            count,
            sum,
            squares,
            min,
            max,
        })
    }
}

impl Storable for Moments {
    fn is_consistent(&self) -> bool {
        let n = i128::from(self.count);
        let (min, max) = (i128::from(self.min), i128::from(self.max));
        let largest = min.unsigned_abs().max(max.unsigned_abs()) as i128;
        let is_sound = || {
            min <= max
                && (n * min..=n * max).contains(&self.sum)
                && self.squares <= Wide::product(n, largest * largest)
                && self.spread() >= Wide::default()
        };
        *self == Self::default() || ((1..=MAX_COUNT).contains(&self.count) && is_sound())
    }
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            count: 0,
            sum: 0,
            squares: Wide::default(),
            min: i64::MAX,
            max: i64::MIN,
        }
    }
}

impl Accumulator for Moments {
    #[inline]
    fn push(&mut self, value: i64) {
        let wide = i128::from(value);
        self.count += 1;
        self.sum += wide;
        self.squares += Wide::from(wide * wide);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn moments(&self) -> Moments {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.push(value));
        moments
    }

    #[test]
    fn an_empty_tally_has_no_mean_and_no_extremes() {
        let empty = Moments::default();
        assert_eq!((empty.mean(), empty.variance()), (None, None));
        assert_eq!((empty.min(), empty.max()), (None, None));
        assert_eq!(of(&[5]).variance(), None);
    }

    #[test]
    fn variance_is_exact_at_the_ends_of_the_range() {
        for offset in [0, i64::MIN, i64::MAX - 16] {
            let moments = of(&[offset + 4, offset + 7, offset + 13, offset + 16]);
            assert_eq!(moments.variance(), Some(30.0), "offset {offset}");
        }
        let widest = of(&[i64::MIN, i64::MAX]).variance();
        assert_eq!(widest, Some(2f64.powi(127)));
    }

    #[test]
    fn repeated_pushes_equal_single_ones() {
        let mut repeated = Moments::default();
        repeated.push_repeated(i64::MIN, 3);
        repeated.push_repeated(9, 0);
        assert_eq!(repeated, of(&[i64::MIN; 3]));
    }

    #[test]
    fn equal_values_have_no_standard_error() {
        assert_eq!(of(&[3, 3, 3]).variance(), Some(0.0));
        assert_eq!(of(&[3, 3, 3]).standard_error(), None);
    }

    #[test]
    fn impossible_sums_are_refused() {
        let stored = |count, sum, squares: i128, (min, max)| {
            let fields = (count, sum, Wide::from(squares), min, max);
            Moments::from(Some(fields)).is_consistent()
        };
        assert!(stored(2, 3, 5, (1, 2)) && Moments::default().is_consistent());
        assert!(!stored(0, 0, 0, (0, 0)));
        assert!(!stored(2, 9, 1, (1, 2)));
        assert!(!stored(2, 3, 1, (1, 2)));
        assert!(!stored(2, 3, 99, (1, 2)));
        assert!(!stored(2, 3, 5, (2, 1)));
        assert!(!stored(u64::MAX, 0, 0, (0, 0)));
    }
}
