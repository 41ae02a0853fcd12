//! Numbers in CSV files.

use std::num::ParseFloatError;
use std::str::FromStr;

use stats::{USUAL_DIGITS, rounded, to_width};
use task::TableCell;

/// A number that is written with all of its digits: a value, not a sum of roundings, or one that has
/// been rounded to its uncertainty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exact(pub f64);

impl From<Exact> for f64 {
    fn from(Exact(value): Exact) -> Self {
        value
    }
}

impl FromStr for Exact {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Exact {
    /// A value of steps of one over `denominator`.
    pub(super) fn of_steps(value: i64, denominator: u64) -> Self {
        let step = 1.0 / denominator as f64;
        Self(to_width(value as f64 / denominator as f64, step))
    }
}

impl From<Exact> for TableCell {
    fn from(Exact(value): Exact) -> Self {
        Self::Exact(value)
    }
}

/// A finite number with at most twelve significant digits, shortest form; empty where undefined.
pub fn number(value: Option<f64>) -> String {
    match value {
        Some(value) if value.is_finite() => exact(rounded(value, USUAL_DIGITS)),
        _ => String::new(),
    }
}

/// A finite number in the shortest form that is read as that number.
pub fn exact(value: f64) -> String {
    // Negative zero would differ from zero by the order of operations alone.
    let text = format!("{:?}", value + 0.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Returns the number with a point or an exponent, so that a column of numbers cannot be taken for
/// one of integers by its first rows.
pub(super) fn decimal(number: &str) -> String {
    if number.is_empty() || number.contains(['.', 'e']) {
        number.to_owned()
    } else {
        format!("{number}.0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_missing_ones_are_empty() {
        assert_eq!(number(Some(5.0)), "5");
        assert_eq!(number(Some(0.1 + 0.2)), "0.3");
        assert_eq!(number(Some(-0.0)), "0");
        assert_eq!(number(Some(2.4e117)), "2.4e117");
        assert_eq!(number(Some(f64::NAN)), "");
        assert_eq!(number(None), "");
    }

    #[test]
    fn decimals_have_a_point() {
        let decimals = ["5", "-3", "0.5", "2.4e117", ""].map(decimal);
        assert_eq!(decimals, ["5.0", "-3.0", "0.5", "2.4e117", ""]);
    }
}
