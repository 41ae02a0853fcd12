//! Decimal numbers as exact integers: 12.345 with three decimals is 12,345 thousandths.
//!
//! Binary floating point never enters: what a program wrote is what is tallied. Rounding is half
//! to even (IEEE 754-2019, 4.3.1), so it has no bias.

/// The most digits after the point.
pub const MAX_DECIMALS: u8 = 18;

/// Exponents beyond this are refused; no number that fits has one.
const MAX_EXPONENT: i64 = 10_000;

/// An error: a text is no exact decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// The text is no finite decimal number.
    #[error("not a decimal number")]
    NotANumber,
    /// The number does not fit into 64 bits in units of the last decimal.
    #[error("too large for its decimals")]
    TooLarge,
    /// Rounding leaves fewer than [`LEAST_DIGITS`] digits of a number that has more.
    #[error("too small for its decimals")]
    TooSmall {
        /// The decimals that keep all its digits, or, where it has more than any 64-bit float, as many as there
        /// can be; `None` where even those leave too few.
        needed: Option<u8>,
    },
}

/// The digits, from the first that is not zero, that rounding leaves of a measured number at least: what it takes
/// away is less than half a per cent.
pub const LEAST_DIGITS: u32 = 3;

/// Units of the last decimal in one: `10^decimals`.
pub const fn scale(decimals: u8) -> u64 {
    10_u64.pow(if decimals < MAX_DECIMALS {
        decimals
    } else {
        MAX_DECIMALS
    } as u32)
}

/// The number that `text` stands for in units of its last decimal, rounded half to even:
/// `-12.5e-1` with 2 decimals is -125.
///
/// # Errors
/// [`DecimalError`] if it is no decimal number, or does not fit.
pub fn scaled(text: &str, decimals: u8) -> Result<i64, DecimalError> {
    rounded(text, decimals).map(|(value, _)| value)
}

/// The measured number that `text` stands for in units of its last decimal, rounded half to even: `0.3333333` with 6
/// decimals is 333,333. A number that keeps fewer than [`LEAST_DIGITS`] of its digits is refused: rounding is a bias
/// that grows as numbers get smaller.
///
/// # Errors
/// [`DecimalError`] if it is no decimal number, does not fit, or is too small.
pub fn resolved(text: &str, decimals: u8) -> Result<i64, DecimalError> {
    let is_kept = |(value, is_exact): (i64, bool)| {
        is_exact || value.unsigned_abs() >= 10_u64.pow(LEAST_DIGITS - 1)
    };
    let found = rounded(text, decimals)?;
    if is_kept(found) {
        return Ok(found.0);
    }
    let last = significant(text).map_or(0, |(_, power)| -power);
    let needed = last.clamp(0, i64::from(MAX_DECIMALS)) as u8;
    let needed = rounded(text, needed).is_ok_and(is_kept).then_some(needed);
    Err(DecimalError::TooSmall { needed })
}

/// The exact decimal text of an integer of units of the last decimal: -125 with 2 decimals is
/// `-1.25`.
pub fn text(value: i64, decimals: u8) -> String {
    let decimals = usize::from(decimals.min(MAX_DECIMALS));
    if decimals == 0 {
        return value.to_string();
    }
    let sign = if value < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    format!("{sign}{whole}.{fraction}")
}

/// The integer that `text` stands for: `12`, `12.0` and `1.2e1` are one. `None` where it has a
/// fraction.
///
/// # Errors
/// [`DecimalError`] if it is no decimal number, or does not fit.
pub fn integer(text: &str) -> Result<Option<i64>, DecimalError> {
    if let Ok(integer) = text.parse() {
        return Ok(Some(integer));
    }
    let (value, is_exact) = rounded(text, 0)?;
    Ok(is_exact.then_some(value))
}

/// The number of the machine that a decimal text stands for; `None` where it has no such number, or says more than
/// one holds: an integer is held exactly, and of a fraction 17 digits.
///
/// ```
/// use etude_base::decimal;
/// assert_eq!(decimal::real("0.10"), Some(0.1));
/// assert_eq!(decimal::real("9007199254740993"), None);
/// ```
pub fn real(text: &str) -> Option<f64> {
    const DIGITS: usize = 17;
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let (digits, power) = significant(text)?;
    let is_fraction = power < 0 && value != 0.0 && value.abs() < 2f64.powi(53);
    let is_short = is_fraction && digits.trim_start_matches('-').len() <= DIGITS;
    let is_held = is_short || significant(&format!("{value:e}"))? == (digits, power);
    is_held.then_some(value)
}

/// The digits of a number from its first to its last that is not zero, as a text with its sign, and the power
/// of ten of the last one.
fn significant(text: &str) -> Option<(String, i64)> {
    let (digits, exponent) = exponent(text).ok()?;
    let unsigned = digits.trim_start_matches(['-', '+']);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let all = format!("{whole}{fraction}");
    let kept = all.trim_end_matches('0');
    let power = exponent + (all.len() - kept.len()) as i64 - fraction.len() as i64;
    let sign = if digits.starts_with('-') { "-" } else { "" };
    match kept.trim_start_matches('0') {
        "" => Some((String::new(), 0)),
        kept => Some((format!("{sign}{kept}"), power)),
    }
}

/// The number in units of its last decimal, rounded half to even, and whether it is exact.
fn rounded(text: &str, decimals: u8) -> Result<(i64, bool), DecimalError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, exponent) = exponent(digits)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_number(whole) || !is_number(fraction) {
        return Err(DecimalError::NotANumber);
    }
    let point = whole.len() as i64 + exponent + i64::from(decimals.min(MAX_DECIMALS));
    let (magnitude, is_exact) = magnitude(&format!("{whole}{fraction}"), point)?;
    let signed = if negative { -magnitude } else { magnitude };
    let value = i64::try_from(signed).map_err(|_| DecimalError::TooLarge)?;
    Ok((value, is_exact))
}

/// Splits off what follows an `e`.
fn exponent(digits: &str) -> Result<(&str, i64), DecimalError> {
    let Some((digits, exponent)) = digits.split_once(['e', 'E']) else {
        return Ok((digits, 0));
    };
    let exponent: i64 = exponent.parse().map_err(|_| DecimalError::NotANumber)?;
    Ok((digits, exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT)))
}

/// The digits, with the decimal point after the first `point` of them, rounded to an integer, and
/// whether that is exact.
fn magnitude(digits: &str, point: i64) -> Result<(i128, bool), DecimalError> {
    /// More digits than any 64-bit integer has.
    const MOST: i64 = 20;
    let significant = digits.trim_start_matches('0');
    let point = point - (digits.len() - significant.len()) as i64;
    if significant.is_empty() || point < 0 {
        return Ok((0, significant.is_empty()));
    }
    if point > MOST {
        return Err(DecimalError::TooLarge);
    }
    let kept = significant.len().min(point as usize);
    let (whole, rest) = significant.split_at(kept);
    let digits = whole.bytes().map(|digit| i128::from(digit - b'0'));
    let whole = digits.fold(0, |sum, digit| sum * 10 + digit);
    let whole = whole * 10_i128.pow(point as u32 - kept as u32);
    // Above a half, or a half after an odd digit.
    let rest = rest.trim_end_matches('0');
    let rounds_up = rest > "5" || rest == "5" && whole % 2 != 0;
    Ok((whole + i128::from(rounds_up), rest.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_texts_become_exact_integers() {
        let cases = [
            ("0", 3, 0),
            ("12.345", 3, 12_345),
            ("-12.345", 3, -12_345),
            ("+1", 0, 1),
            (".5", 1, 5),
            ("5.", 1, 50),
            ("1e3", 2, 100_000),
            ("-12.5E-1", 2, -125),
            ("000123.4500", 1, 1_234),
            ("1e-400", 12, 0),
            ("9223372036854775807", 0, i64::MAX),
            ("-9223372036854775808", 0, i64::MIN),
        ];
        for (text, decimals, value) in cases {
            assert_eq!(scaled(text, decimals), Ok(value), "{text}");
        }
    }

    #[test]
    fn the_text_of_an_integer_is_read_as_that_integer() {
        let cases = [
            (0, 2, "0.00"),
            (-125, 2, "-1.25"),
            (7, 3, "0.007"),
            (-7, 0, "-7"),
            (i64::MIN, 12, "-9223372.036854775808"),
            (i64::MAX, 18, "9.223372036854775807"),
        ];
        for (value, decimals, expected) in cases {
            assert_eq!(text(value, decimals), expected);
            assert_eq!(scaled(expected, decimals), Ok(value));
        }
    }

    #[test]
    fn halves_go_to_the_even_neighbour_and_all_else_to_the_nearest() {
        let cases = [
            ("0.5", 0),
            ("1.5", 2),
            ("2.5", 2),
            ("-0.5", 0),
            ("-1.5", -2),
            ("2.500000000000000000000000000000001", 3),
            ("2.4999999999999999999999999999999999", 2),
            ("0.05", 0),
            ("0.049e1", 0),
            ("0.051e1", 1),
            ("0.9", 1),
        ];
        for (text, value) in cases {
            assert_eq!(scaled(text, 0), Ok(value), "{text}");
        }
    }

    #[test]
    fn a_measured_number_keeps_three_of_its_digits_or_all_that_it_has() {
        let kept = [
            ("0.333333333", 333_333),
            ("0.00012345", 123),
            ("-0.0000996", -100),
            ("4e-6", 4),
            ("-1.20e-5", -12),
            ("0.0", 0),
            ("0e-30", 0),
        ];
        for (text, value) in kept {
            assert_eq!(resolved(text, 6), Ok(value), "{text}");
        }
        let lost = [
            ("2.5e-7", Some(8)),
            ("4.1e-6", Some(7)),
            ("-1.234e-5", Some(8)),
            ("0.0000333333333333333", Some(18)),
            ("1e-13", Some(13)),
            ("1e-19", None),
            ("-4.444e-17", None),
        ];
        for (text, needed) in lost {
            let error = Err(DecimalError::TooSmall { needed });
            assert_eq!(resolved(text, 6), error, "{text}");
            let again = needed.map(|decimals| resolved(text, decimals));
            assert!(again.is_none_or(|again| again.is_ok()), "{text}");
        }
        assert_eq!(
            resolved("2.5", 0),
            Err(DecimalError::TooSmall { needed: Some(1) })
        );
    }

    #[test]
    fn integers_are_told_from_fractions() {
        let whole = [
            ("12", 12),
            ("12.000", 12),
            ("1.2e1", 12),
            ("-120e-1", -12),
            ("0e-9", 0),
        ];
        for (text, value) in whole {
            assert_eq!(integer(text), Ok(Some(value)), "{text}");
        }
        for text in [
            "12.5",
            "0.001",
            "1e-5",
            "12e-1",
            "1.00000000000000000000001",
        ] {
            assert_eq!(integer(text), Ok(None), "{text}");
        }
        assert_eq!(integer("x"), Err(DecimalError::NotANumber));
    }

    #[test]
    fn numbers_that_the_machine_would_round_are_none() {
        let held = [
            ("0.1", 0.1),
            ("-10e-1", -1.0),
            ("00.50", 0.5),
            ("-0.0", 0.0),
            ("1e23", 1e23),
            ("9007199254740992", 9_007_199_254_740_992.0),
            ("9007199254740994.000", 9_007_199_254_740_994.0),
            ("1700000000.2503", 1_700_000_000.250_3),
            ("0.10826822658929016", 0.108_268_226_589_290_15),
            ("5e-324", 5e-324),
        ]
        .map(|(text, value)| (real(text), Some(value)));
        held.into_iter()
            .for_each(|(read, value)| assert_eq!(read, value));
        for text in [
            "9007199254740993",
            "-9007199254740993",
            "9007199254740993.5",
            "3.14159265358979323846",
            "0.99999999999999999999",
            "1e-400",
            "1e400",
            "nan",
            "inf",
            "",
            "x",
        ] {
            assert_eq!(real(text), None, "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_numbers_or_do_not_fit_are_refused() {
        for text in [
            "", ".", "-", "nan", "inf", "1,5", "0x1", "1e", "1e1.5", "--1", "1 ", "٣",
        ] {
            assert_eq!(scaled(text, 2), Err(DecimalError::NotANumber), "{text}");
        }
        for text in [
            "9223372036854775808",
            "1e19",
            "1e99999999",
            "-9223372036854775809",
        ] {
            assert_eq!(scaled(text, 0), Err(DecimalError::TooLarge), "{text}");
        }
        assert_eq!(scaled("9223373", 12), Err(DecimalError::TooLarge));
    }
}
