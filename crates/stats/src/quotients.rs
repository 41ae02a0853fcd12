//! The extremes of the samples of a ratio: their own ratios, and the largest denominator.

use std::cmp::Ordering;

use super::encoding::EncodeWords;

/// The least and the greatest quotient among samples with a positive denominator, and the largest denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quotients {
    least: Quotient,
    greatest: Quotient,
    largest: i64,
}

/// A numerator over a denominator that is not negative; over zero it is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub fn push(&mut self, numerator: i64, denominator: i64) {
        if denominator > 0 {
            let quotient = Quotient {
                numerator,
                denominator,
            };
            self.take(quotient, quotient, denominator);
        }
    }

    /// Adds everything another tally counted.
    pub fn merge(&mut self, other: &Self) {
        self.take(other.least, other.greatest, other.largest);
    }

    /// Returns how far below and above its expectation, `ratio` times the denominator, a numerator can be
    /// whose denominator is the largest and whose quotient any that was met.
    pub fn residuals(&self, ratio: f64) -> (f64, f64) {
        let largest = self.largest as f64;
        let times = |gap: f64| if largest > 0.0 { largest * gap } else { 0.0 };
        (
            times(ratio - self.least.to_f64()),
            times(self.greatest.to_f64() - ratio),
        )
    }

    fn take(&mut self, least: Quotient, greatest: Quotient, largest: i64) {
        self.least = self.least.min(least);
        self.greatest = self.greatest.max(greatest);
        self.largest = self.largest.max(largest);
    }

    /// Returns whether they can come from samples.
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

/// Numerator and denominator of the least, then of the greatest, then the largest denominator.
impl EncodeWords for Quotients {
    fn write(&self, words: &mut Vec<String>) {
        let Self {
            least,
            greatest,
            largest,
        } = self;
        let ends = [least, greatest].map(|end| [end.numerator, end.denominator]);
        ends.write(words);
        largest.write(words);
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let ends: [[i64; 2]; 2] = EncodeWords::read(words)?;
        let [least, greatest] = ends.map(|[numerator, denominator]| Quotient {
            numerator,
            denominator,
        });
        let quotients = Self {
            least,
            greatest,
            largest: EncodeWords::read(words)?,
        };
        quotients.is_consistent().then_some(quotients)
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
    fn a_residual_reaches_from_the_quotients_met_to_the_largest_denominator() {
        // The quotients are 1/2 to 3; a sample without a denominator tells nothing.
        let quotients = of(&[(3, 1), (5, 0), (40, 50), (1, 2), (-7, -1)]);
        assert_eq!(quotients.residuals(0.75), (12.5, 112.5));
        assert_eq!(Quotients::default().residuals(0.75), (0.0, 0.0));
    }

    #[test]
    fn equal_quotients_are_told_by_the_larger_denominator_in_any_order() {
        let samples = [(1, 2), (3, 6), (2, 4), (5, 6), (10, 12)];
        let mut turned = samples;
        turned.reverse();
        assert_eq!(of(&samples), of(&turned));
        let mut words = Vec::new();
        of(&samples).write(&mut words);
        assert_eq!(words, ["1", "2", "10", "12", "12"]);
    }

    #[test]
    fn impossible_quotients_are_refused() {
        let read = |text: &str| Quotients::read(&mut text.split(';'));
        assert_eq!(read("1;2;5;6;6"), Some(of(&[(1, 2), (5, 6)])));
        for bad in [
            "1;2;5;6;5",
            "5;6;1;2;6",
            "1;0;5;6;6",
            "1;2;-1;0;6",
            "1;2;5;6",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
