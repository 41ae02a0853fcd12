//! Signed 256-bit integers, as far as exact sums of squares need them.
//!
//! The squares of 2^64 values of 64 bits sum to 190 bits, and `n * sum of squares - sum^2` needs
//! 254. Doing that subtraction in integers, before the one rounding to `f64`, is what keeps a
//! variance exact at any offset (Chan, Golub, LeVeque 1983 on what goes wrong otherwise).

use std::ops::{AddAssign, Sub};

use ethnum::{I256, U256};
use serde::{Deserialize, Serialize};

/// A 256-bit integer. Sums of fewer than 2^64 products never wrap; those of a damaged file may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "WideWords", from = "WideWords")]
pub(super) struct Wide(I256);

/// Two words, the lower one first, of the numbers in the order 0, -1, 1, -2, ...: small ones are short.
type WideWords = (u128, u128);

impl Wide {
    /// The exact product of two integers.
    pub(super) fn product(a: i128, b: i128) -> Self {
        Self(I256::from(a).wrapping_mul(I256::from(b)))
    }

    /// `self * factor`.
    pub(super) fn times(self, factor: u64) -> Self {
        Self(self.0.wrapping_mul(I256::from(factor)))
    }

    /// The nearest `f64`, within two units in the last place.
    pub(super) fn to_f64(self) -> f64 {
        const TWO_128: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
        let (high, low) = self.0.unsigned_abs().into_words();
        let magnitude = high as f64 * TWO_128 + low as f64;
        if self.0.is_negative() {
            -magnitude
        } else {
            magnitude
        }
    }

    /// The number, if it fits.
    pub(super) fn narrow(self) -> Option<i128> {
        self.0.try_into().ok()
    }
}

impl From<Wide> for WideWords {
    fn from(Wide(number): Wide) -> Self {
        let folded: I256 = (number << 1u32) ^ (number >> 255u32);
        let (high, low) = folded.as_u256().into_words();
        (low, high)
    }
}

impl From<WideWords> for Wide {
    fn from((low, high): WideWords) -> Self {
        let folded = U256::from_words(high, low);
        let sign = I256::from(i128::from(low & 1 == 1));
        Self((folded >> 1u32).as_i256() ^ -sign)
    }
}

impl From<i128> for Wide {
    fn from(value: i128) -> Self {
        Self(value.into())
    }
}

impl AddAssign for Wide {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_known_powers_of_two() {
        let top = Wide::product(i128::MIN, i128::MIN);
        assert_eq!(top.to_f64(), 2f64.powi(254));
        let mixed = Wide::product(i128::MIN, i128::MAX);
        assert_eq!(mixed.to_f64(), -2f64.powi(254));
        assert_eq!(Wide::product(-7, 6), Wide::from(-42));
        assert_eq!(Wide::from(-42).times(10), Wide::from(-420));
    }

    #[test]
    fn words_come_back_and_small_numbers_have_one() {
        let ten_40 = Wide::product(10i128.pow(20), 10i128.pow(20));
        let top = Wide::product(i128::MIN, i128::MIN);
        for value in [
            ten_40,
            Wide::from(0) - ten_40,
            Wide::from(0),
            Wide::from(-1),
            Wide::from(i128::MIN),
            top,
            Wide::from(0) - top,
        ] {
            assert_eq!(Wide::from(WideWords::from(value)), value);
        }
        let words = [0, -1, 1, -2].map(|small| WideWords::from(Wide::from(small)));
        assert_eq!(words, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    }
}
