//! Signed 256-bit integers, as far as exact sums of squares need them.
//!
//! The squares of 2^64 values of 64 bits sum to 190 bits, and `n * sum of squares - sum^2` needs
//! 254. Doing that subtraction in integers, before the one rounding to `f64`, is what keeps a
//! variance exact at any offset (Chan, Golub, LeVeque 1983 on what goes wrong otherwise).

use std::fmt;
use std::ops::{AddAssign, Sub};

/// A 256-bit integer in two's complement. Sums of fewer than 2^64 products never wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide {
    high: i128,
    low: u128,
}

/// The largest power of ten below 2^64, and its exponent.
const GROUP: u128 = 10_000_000_000_000_000_000;
const GROUP_DIGITS: usize = 19;
/// Decimal digits a parsed number may have: below 2^233, far above any sum.
const MAX_DIGITS: usize = 70;

impl Wide {
    /// The exact product of two integers.
    pub(super) fn product(a: i128, b: i128) -> Self {
        let magnitude = multiply(a.unsigned_abs(), b.unsigned_abs());
        if (a < 0) == (b < 0) {
            magnitude
        } else {
            magnitude.negated()
        }
    }

    /// `self * factor`.
    pub(super) fn times(self, factor: u64) -> Self {
        let low = multiply(self.low, u128::from(factor));
        let high = self.high.wrapping_mul(i128::from(factor));
        Self {
            high: high.wrapping_add(low.high),
            low: low.low,
        }
    }

    /// The nearest `f64`, within two units in the last place.
    pub(super) fn to_f64(self) -> f64 {
        const TWO_128: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
        if self.high < 0 {
            return -self.negated().to_f64();
        }
        self.high as f64 * TWO_128 + self.low as f64
    }

    /// The number, if it fits.
    pub(super) fn narrow(self) -> Option<i128> {
        let narrow = self.low as i128;
        (Wide::from(narrow) == self).then_some(narrow)
    }

    /// The number written by [`fmt::Display`]; `None` of anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || digits.len() > MAX_DIGITS {
            return None;
        }
        let mut magnitude = Wide::default();
        for byte in digits.bytes() {
            let digit = char::from(byte).to_digit(10)?;
            magnitude = magnitude.times(10);
            magnitude += Wide::from(i128::from(digit));
        }
        let value = match digits.len() < text.len() {
            true => magnitude.negated(),
            false => magnitude,
        };
        (value.to_string() == text).then_some(value)
    }

    fn negated(self) -> Self {
        Wide::default() - self
    }
}

impl From<i128> for Wide {
    fn from(value: i128) -> Self {
        Self {
            high: value >> 127,
            low: value as u128,
        }
    }
}

impl AddAssign for Wide {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high);
        *self = Self {
            high: high.wrapping_add(i128::from(carry)),
            low,
        };
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.wrapping_sub(other.high);
        Self {
            high: high.wrapping_sub(i128::from(borrow)),
            low,
        }
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = if self.high < 0 {
            out.write_str("-")?;
            self.negated()
        } else {
            *self
        };
        let mut groups = decimal_groups(magnitude);
        write!(out, "{}", groups.pop().unwrap_or(0))?;
        for group in groups.iter().rev() {
            write!(out, "{group:0GROUP_DIGITS$}")?;
        }
        Ok(())
    }
}

/// Schoolbook multiplication in 64-bit halves.
fn multiply(a: u128, b: u128) -> Wide {
    let halves = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
    let (carry, low) = halves(a0 * b0);
    let (carry, middle) = halves(a1 * b0 + carry);
    let (more, middle) = halves(a0 * b1 + middle);
    Wide {
        high: (a1 * b1 + carry + more) as i128,
        low: (middle << 64) | low,
    }
}

/// The base-10^19 digits of a non-negative number, least first, at least one.
fn decimal_groups(magnitude: Wide) -> Vec<u128> {
    let (high, low) = (magnitude.high as u128, magnitude.low);
    let mut limbs = [high >> 64, high, low >> 64, low].map(|limb| limb as u64);
    let mut groups = Vec::new();
    loop {
        let mut rest = 0u128;
        for limb in &mut limbs {
            let value = (rest << 64) | u128::from(*limb);
            *limb = (value / GROUP) as u64;
            rest = value % GROUP;
        }
        groups.push(rest);
        if limbs == [0; 4] {
            return groups;
        }
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
