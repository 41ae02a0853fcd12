//! Non-negative numbers beyond the range of `f64`.

use std::ops::{Add, Mul};

/// A non-negative number `mantissa * 2^exponent`, with the mantissa 0 or in `[1, 2)`.
///
/// Products of branching factors leave the range of `f64` at a few hundred levels; carrying the
/// binary exponent apart keeps them, using only operations that IEEE 754 rounds exactly, so a
/// weight is the same on every platform.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    mantissa: f64,
    exponent: i64,
}

/// Bits kept of a mantissa when a weight is tallied exactly.
const PART_BITS: i64 = 40;

impl Weight {
    /// The weight 0.
    pub const ZERO: Weight = Weight {
        mantissa: 0.0,
        exponent: 0,
    };

    /// The weight 1.
    pub const ONE: Weight = Weight {
        mantissa: 1.0,
        exponent: 0,
    };

    /// The weight of a finite non-negative number; zero of anything else.
    pub fn new(value: f64) -> Self {
        if !value.is_finite() || value <= 0.0 {
            return Self::ZERO;
        }
        // Subnormals are lifted into the normal range first.
        let (value, lift) = if value < f64::MIN_POSITIVE {
            (value * (1u64 << 54) as f64, -54)
        } else {
            (value, 0)
        };
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
        let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
        Self {
            mantissa,
            exponent: exponent + lift,
        }
    }

    /// `mantissa * 2^exponent`; zero where the mantissa is not a finite positive number.
    pub fn from_parts(mantissa: f64, exponent: i64) -> Self {
        let weight = Self::new(mantissa);
        if weight.is_zero() {
            weight
        } else {
            Self {
                exponent: weight.exponent + exponent,
                ..weight
            }
        }
    }

    /// Returns whether the weight is zero.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// The ratio `self / other`, as `f64` (0 or infinite past its range). `other` is not zero.
    pub fn ratio(self, other: Weight) -> f64 {
        scale(
            self.mantissa / other.mantissa,
            self.exponent - other.exponent,
        )
    }

    /// The value as `f64`; infinite past its range.
    pub fn to_f64(self) -> f64 {
        scale(self.mantissa, self.exponent)
    }

    /// The decimal logarithm; negative infinity of zero.
    pub fn log10(self) -> f64 {
        libm::log10(self.mantissa) + self.exponent as f64 * std::f64::consts::LOG10_2
    }

    /// The weight as an integer of at most 41 bits times a power of two, for exact tallies.
    /// Relative rounding error below 2^-40.
    pub fn parts(self) -> (u64, i64) {
        let scaled = (self.mantissa * (1u64 << PART_BITS) as f64).round();
        (scaled as u64, self.exponent - PART_BITS)
    }
}

/// `value * 2^exponent` with saturation at both ends of the range of `f64`.
fn scale(value: f64, exponent: i64) -> f64 {
    let half = exponent.clamp(-2200, 2200) / 2;
    let rest = exponent.clamp(-2200, 2200) - half;
    value * power(half) * power(rest)
}

fn power(exponent: i64) -> f64 {
    match exponent {
        e if e > 1023 => f64::INFINITY,
        e if e < -1022 => 0.0,
        e => f64::from_bits(((e + 1023) as u64) << 52),
    }
}

impl Mul for Weight {
    type Output = Weight;

    fn mul(self, other: Weight) -> Weight {
        let product = Weight::new(self.mantissa * other.mantissa);
        if product.is_zero() {
            return product;
        }
        Weight {
            mantissa: product.mantissa,
            exponent: product.exponent + self.exponent + other.exponent,
        }
    }
}

impl Add for Weight {
    type Output = Weight;

    fn add(self, other: Weight) -> Weight {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let shifted = scale(small.mantissa, small.exponent - large.exponent);
        let sum = Weight::new(large.mantissa + shifted);
        Weight {
            mantissa: sum.mantissa,
            exponent: sum.exponent + large.exponent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_sums_agree_with_f64_inside_its_range() {
        for (a, b) in [
            (3.0, 7.5),
            (1e-300, 1e-8),
            (1e-310, 2.0),
            (0.0, 5.0),
            (1e200, 1e100),
        ] {
            let (x, y) = (Weight::new(a), Weight::new(b));
            assert_eq!((x * y).to_f64(), a * b);
            assert_eq!((x + y).to_f64(), a + b);
        }
    }

    #[test]
    fn weights_survive_far_beyond_f64() {
        let huge = (0..2_000).fold(Weight::ONE, |product, _| product * Weight::new(10.0));
        assert!((huge.log10() - 2_000.0).abs() < 1e-9);
        assert_eq!(huge.ratio(huge), 1.0);
        assert_eq!(huge.to_f64(), f64::INFINITY);
    }

    #[test]
    fn parts_keep_twelve_digits() {
        let (mantissa, exponent) = Weight::new(12345.678).parts();
        let back = Weight::new(mantissa as f64) * Weight::new(2f64.powi(exponent as i32));
        assert!((back.to_f64() / 12345.678 - 1.0).abs() < 1e-12);
    }

    /// Every weight is a mantissa from 1 to 2 and an exponent, the smallest numbers and the ends of the range too.
    #[test]
    fn weights_are_exact_to_the_ends_of_the_range() {
        let tiny = f64::from_bits(1);
        for value in [
            1.0,
            1.5,
            0.75,
            12.0,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::MIN_POSITIVE / 2.0,
            tiny,
        ] {
            let weight = Weight::new(value);
            assert!((1.0..2.0).contains(&weight.mantissa), "{value}");
            assert_eq!(weight.to_f64(), value);
            assert_eq!(weight, Weight::from_parts(weight.mantissa, weight.exponent));
        }
        for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Weight::new(none).is_zero() && Weight::from_parts(none, 3) == Weight::ZERO);
        }
        assert!(!Weight::ONE.is_zero());
        assert_eq!(Weight::from_parts(3.0, 5).to_f64(), 96.0);
        assert_eq!(Weight::from_parts(3.0, -5).to_f64(), 0.09375);
        assert_eq!(Weight::from_parts(1.0, -1_200).to_f64(), 0.0);
        assert_eq!(Weight::from_parts(1.0, 1_024).to_f64(), f64::INFINITY);
        assert_eq!(
            (power(1_023), power(-1_022)),
            (2f64.powi(1_023), f64::MIN_POSITIVE)
        );
    }

    #[test]
    fn ratios_and_sums_hold_beyond_the_range_of_a_float() {
        let at = Weight::from_parts;
        let (large, small) = (at(3.0, 5_000), at(1.5, 4_998));
        assert_eq!((large.ratio(small), small.ratio(large)), (8.0, 0.125));
        assert_eq!(at(1.0, 9_000).ratio(at(1.0, 1_000)), f64::INFINITY);
        assert_eq!(at(1.0, 1_000).ratio(at(1.0, 9_000)), 0.0);
        assert_eq!((power(1_024), power(-1_100)), (f64::INFINITY, 0.0));
        let sum = at(3.375, 5_000);
        assert_eq!((large + small, small + large), (sum, sum));
        assert_eq!((large + Weight::ZERO, Weight::ZERO + large), (large, large));
        assert_eq!(large * at(5.0, -7_000), at(15.0, -2_000));
        assert_eq!(large * Weight::ZERO, Weight::ZERO);
        assert_eq!(at(3.0, 5).parts(), (3 << 39, 5 - 39));
        assert_eq!(Weight::ZERO.parts().0, 0);
        assert!((Weight::new(1_000.0).log10() - 3.0).abs() < 1e-12);
        assert!((Weight::new(0.001).log10() + 3.0).abs() < 1e-12);
    }
}
