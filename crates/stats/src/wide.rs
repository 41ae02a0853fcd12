//! Signed 256-bit integers, as far as exact sums of squares need them.
//!
//! The squares of 2^64 values of 64 bits sum to 190 bits, and `n * sum of squares - sum^2` needs
//! 254. Doing that subtraction in integers, before the one rounding to `f64`, is what keeps a
//! variance exact at any offset (Chan, Golub, LeVeque 1983 on what goes wrong otherwise).

use std::fmt;
use std::ops::{AddAssign, Sub};

use ethnum::I256;

use super::encoding::EncodeWords;

/// A 256-bit integer. Sums of fewer than 2^64 products never wrap; those of a damaged file may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide(I256);

/// Decimal digits a parsed number may have: below 2^233, far above any sum.
const MAX_DIGITS: usize = 70;

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

    /// The number written by [`fmt::Display`]; `None` of anything else.
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.len() > MAX_DIGITS {
            return None;
        }
        let value = Self(text.parse().ok()?);
        (value.to_string() == text).then_some(value)
    }
}

impl EncodeWords for Wide {
    fn write(&self, words: &mut Vec<String>) {
        words.push(self.to_string());
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        Self::parse(words.next()?)
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

impl fmt::Display for Wide {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
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
    fn decimal_text_comes_back() {
        let ten_40 = Wide::product(10i128.pow(20), 10i128.pow(20));
        assert_eq!(ten_40.to_string(), format!("1{}", "0".repeat(40)));
        for value in [
            ten_40,
            Wide::from(0) - ten_40,
            Wide::from(0),
            Wide::from(-1),
            Wide::from(i128::MIN),
        ] {
            assert_eq!(Wide::parse(&value.to_string()), Some(value));
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "",
            "-",
            "1x",
            "+1",
            " 1",
            "--1",
            "-0",
            "01",
            &"9".repeat(71),
        ] {
            assert_eq!(Wide::parse(text), None, "{text}");
        }
    }
}
