//! The extremes of the samples of a ratio: their own ratios, and the largest denominator.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{Margins, Span, Storable};

/// The least and the greatest quotient among samples with a positive denominator, and the largest denominator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Quotients {
    least: Quotient,
    greatest: Quotient,
    largest: i64,
}

/// A numerator over a denominator that is not negative; over zero it is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Quotient {
    numerator: i64,
    denominator: i64,
}

impl Default for Quotients {
    /// No samples: the least is infinite, the greatest minus infinite.
    fn default() -> Self {
        let infinite = |numerator| Quotient {
            numerator,
            denominator: 0,
        };
        Self {
            least: infinite(1),
            greatest: infinite(-1),
            largest: 0,
        }
    }
}

impl Quotients {
    /// Counts a sample; one whose denominator is not positive tells nothing.
    #[inline]
    pub(crate) fn push(&mut self, numerator: i64, denominator: i64) {
        if denominator > 0 {
            let quotient = Quotient {
                numerator,
                denominator,
            };
            self.take(quotient, quotient, denominator);
        }
    }

    /// Adds everything another tally counted.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.take(other.least, other.greatest, other.largest);
    }

    /// Returns how far below and above its expectation, `ratio` times the denominator, a numerator can be
    /// whose denominator is the largest. A quotient lies within the `limits`; on a side without one, as far
    /// away as any that was met, and at least at zero or at three times the ratio: that no large denominator
    /// came with another quotient is no evidence.
    pub(crate) fn residuals(&self, ratio: f64, limits: Span) -> Margins {
        let largest = self.largest as f64;
        if largest <= 0.0 {
            return Margins::default();
        }
        let [toward_zero, away] = [ratio.abs(), 2.0 * ratio.abs()];
        let floors = if ratio < 0.0 {
            [away, toward_zero]
        } else {
            [toward_zero, away]
        };
        let met = [ratio - self.least.to_f64(), self.greatest.to_f64() - ratio];
        let limited = [ratio - limits.lo, limits.hi - ratio];
        let gap = |side: usize| match limited[side] {
            gap if gap.is_finite() => gap.max(0.0),
            _ => met[side].max(floors[side]),
        };
        Margins {
            below: largest * gap(0),
            above: largest * gap(1),
        }
    }

    fn take(&mut self, least: Quotient, greatest: Quotient, largest: i64) {
        self.least = self.least.min(least);
        self.greatest = self.greatest.max(greatest);
        self.largest = self.largest.max(largest);
    }
}

impl Storable for Quotients {
    fn is_consistent(&self) -> bool {
        let (least, greatest) = (self.least, self.greatest);
        let within = |quotient: Quotient| (1..=self.largest).contains(&quotient.denominator);
        *self == Self::default()
            || (within(least) && within(greatest) && least.size(&greatest) != Ordering::Greater)
    }
}

impl Quotient {
    fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    fn size(&self, other: &Self) -> Ordering {
        let cross = |a: &Self, b: &Self| i128::from(a.numerator) * i128::from(b.denominator);
        cross(self, other).cmp(&cross(other, self))
    }
}

/// By size; equal ones by their denominators, so that the extremes do not depend on the order of samples.
impl Ord for Quotient {
    fn cmp(&self, other: &Self) -> Ordering {
        let written = self.denominator.cmp(&other.denominator);
        self.size(other).then(written)
    }
}

impl PartialOrd for Quotient {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(samples: &[(i64, i64)]) -> Quotients {
        let mut quotients = Quotients::default();
        samples.iter().for_each(|&(x, y)| quotients.push(x, y));
        quotients
    }

    #[test]
    fn a_residual_reaches_to_a_limit_or_as_far_as_quotients_met_and_zero() {
        // The quotients are 1/2 to 3; a sample without a denominator tells nothing.
        let met = of(&[(3, 1), (5, 0), (40, 50), (1, 2), (-7, -1)]);
        let reach = |below, above| Margins { below, above };
        let none = Span::OPEN;
        assert_eq!(met.residuals(0.75, none), reach(37.5, 112.5));
        let [least, most] = [Span::new(0.5, f64::INFINITY), Span::new(-2.0, 4.0)];
        assert_eq!(met.residuals(0.75, least), reach(12.5, 112.5));
        assert_eq!(met.residuals(0.75, most), reach(137.5, 162.5));
        // Though all quotients are equal.
        assert_eq!(of(&[(40, 20)]).residuals(2.0, none), reach(40.0, 80.0));
        assert_eq!(of(&[(-40, 20)]).residuals(-2.0, none), reach(80.0, 40.0));
        assert_eq!(
            Quotients::default().residuals(0.75, none),
            Margins::default()
        );
    }

    #[test]
    fn equal_quotients_are_told_by_the_larger_denominator_in_any_order() {
        let samples = [(1, 2), (3, 6), (2, 4), (5, 6), (10, 12)];
        let mut turned = samples;
        turned.reverse();
        assert_eq!(of(&samples), of(&turned));
        let expected = quotients([1, 2, 10, 12, 12]);
        assert_eq!(of(&samples), expected);
    }

    #[test]
    fn impossible_quotients_are_refused() {
        assert!(quotients([1, 2, 5, 6, 6]).is_consistent());
        assert!(Quotients::default().is_consistent());
        for bad in [
            [1, 2, 5, 6, 5],
            [5, 6, 1, 2, 6],
            [1, 0, 5, 6, 6],
            [1, 2, -1, 0, 6],
        ] {
            assert!(!quotients(bad).is_consistent(), "{bad:?}");
        }
    }

    fn quotients(numbers: [i64; 5]) -> Quotients {
        let quotient = |at: usize| Quotient {
            numerator: numbers[at],
            denominator: numbers[at + 1],
        };
        Quotients {
            least: quotient(0),
            greatest: quotient(2),
            largest: numbers[4],
        }
    }
}
