//! Numbers in CSV files.

/// Significant digits kept: beyond them, platforms' mathematical libraries may differ.
const DIGITS: i32 = 12;

/// A finite number with at most twelve significant digits, shortest form; empty where undefined.
pub fn number(value: Option<f64>) -> String {
    match value {
        Some(value) if value.is_finite() => shortest(value),
        _ => String::new(),
    }
}

fn shortest(value: f64) -> String {
    let rounded: f64 = format!("{value:.*e}", DIGITS as usize - 1)
        .parse()
        .unwrap_or(value);
    // Negative zero would differ from zero by the order of operations alone.
    let text = format!("{:?}", rounded + 0.0);
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
