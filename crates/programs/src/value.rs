//! The values of an answer: each a number, true or false, bounds, a ratio, a weight, or nothing.

use serde::Deserialize;
use serde_json::value::RawValue;

use base::decimal::{self, DecimalError};
use kit::search::Weight;
use task::{Metric, MetricKind, Value};

/// The value that `text`, JSON of one value, gives a metric.
///
/// # Errors
/// A sentence without its subject: "is 700, outside its bounds 0 to 600".
pub(crate) fn read(column: &Metric, text: &str) -> Result<Value, String> {
    match text.as_bytes() {
        b"null" => Ok(Value::Missing),
        [b'{', ..] => structured(column, text),
        _ => plain(column, text),
    }
}

fn plain(column: &Metric, text: &str) -> Result<Value, String> {
    match column.kind {
        MetricKind::Weight => weight(unquoted(text), "0", text),
        MetricKind::Ratio => Err(format!("is {text}, not {{\"ratio\":[n,d]}}")),
        _ => whole(column, text).map(Value::Exact),
    }
}

/// The integer that holds a value of the metric, within its bounds.
fn whole(column: &Metric, text: &str) -> Result<i64, String> {
    let bare = unquoted(text);
    let value = match column.kind {
        MetricKind::Flag => flag(bare)?,
        MetricKind::Number => number(column, bare)?,
        _ => integer(bare)?,
    };
    let below = column.min.is_some_and(|min| value < min);
    let above = column.max.is_some_and(|max| value > max);
    if below || above {
        Err(format!("is {bare}, {}", limits(column)))
    } else {
        Ok(value)
    }
}

/// The bounds that a value is outside of, as they are declared.
fn limits(column: &Metric) -> String {
    let shown = |bound| shown(column, Value::Exact(bound));
    match (column.min.map(shown), column.max.map(shown)) {
        (Some(min), Some(max)) => format!("outside its bounds {min} to {max}"),
        (Some(min), None) => format!("below its bound {min}"),
        (None, max) => format!("above its bound {}", max.unwrap_or_default()),
    }
}

/// The power of ten, a multiple of three, by which a small number becomes one of at least 1.
fn thousands(text: &str) -> i32 {
    let size: f64 = text.parse().map_or(1.0, f64::abs);
    let mut powers = (0..=108).map(|third| 3 * third);
    let is_enough = |power: &i32| size * 10f64.powi(*power) >= 1.0;
    powers.find(is_enough).unwrap_or(324)
}

fn number(column: &Metric, text: &str) -> Result<i64, String> {
    let decimals = column.decimals;
    decimal::resolved(text, decimals).map_err(|error| match error {
        DecimalError::TooLarge => format!(
            "is {text}, too large for {decimals} decimals: declare it with fewer `decimals`"
        ),
        DecimalError::TooSmall { needed } => {
            let help = match needed.filter(|needed| column.is_held_with(*needed)) {
                Some(needed) => format!("declare it with `decimals = {needed}`"),
                None => format!(
                    "write it in a smaller unit, such as times 1e{}",
                    thousands(text)
                ),
            };
            format!(
                "is {text}, of which {decimals} decimals keep fewer than {} digits: {help}",
                decimal::LEAST_DIGITS
            )
        }
        DecimalError::NotANumber => format!("is {text}, which is not a number"),
    })
}

fn flag(text: &str) -> Result<i64, String> {
    let number = decimal::integer(text).ok().flatten();
    match (text, number) {
        ("true", _) | (_, Some(1)) => Ok(1),
        ("false", _) | (_, Some(0)) => Ok(0),
        _ => Err(format!("is {text}, not true or false")),
    }
}

fn integer(text: &str) -> Result<i64, String> {
    match decimal::integer(text) {
        Ok(Some(integer)) => Ok(integer),
        Ok(None) => Err(format!("is {text}, not an integer; declare it as a number")),
        Err(DecimalError::TooLarge) => Err(format!("is {text}, beyond 64 bits")),
        Err(_) => Err(format!("is {text}, not an integer")),
    }
}

/// A text's inside; large integers go as text.
fn unquoted(text: &str) -> &str {
    let inside = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inside.unwrap_or(text)
}

/// The keys that a value in braces may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Structured<'a> {
    #[serde(borrow)]
    lo: Option<&'a RawValue>,
    #[serde(borrow)]
    hi: Option<&'a RawValue>,
    #[serde(borrow)]
    ratio: Option<[&'a RawValue; 2]>,
    #[serde(borrow)]
    weight: Option<[&'a RawValue; 2]>,
}

fn structured(column: &Metric, text: &str) -> Result<Value, String> {
    let unknown = || {
        format!("is {text}, not {{\"lo\":a,\"hi\":b}}, {{\"ratio\":[n,d]}} or {{\"weight\":[m,e]}}")
    };
    let parts: Structured = serde_json::from_str(text).map_err(|_| unknown())?;
    let ends = parts.lo.zip(parts.hi);
    match (ends, parts.ratio, parts.weight, column.kind) {
        (_, Some([n, d]), _, MetricKind::Ratio) => match integer(unquoted(d.get()))? {
            ..0 => Err(format!("is {text}, whose denominator is negative")),
            denominator => {
                let numerator = integer(unquoted(n.get()))?;
                let ratio = Value::Ratio {
                    numerator,
                    denominator,
                };
                let outside = || format!("is {text}, {}", limits(column));
                column.admits(ratio).then_some(ratio).ok_or_else(outside)
            }
        },
        (_, _, Some([m, e]), MetricKind::Weight) => {
            weight(unquoted(m.get()), unquoted(e.get()), text)
        }
        (Some((lo, hi)), None, None, kind)
            if !matches!(kind, MetricKind::Ratio | MetricKind::Weight) =>
        {
            match (whole(column, lo.get())?, whole(column, hi.get())?) {
                (lower, upper) if lower <= upper => Ok(Value::bounds(lower, upper)),
                _ => Err(format!("is {text}, whose lower end is above its upper end")),
            }
        }
        _ => Err(format!("is {text}, which is not a value of its kind")),
    }
}

/// `mantissa` times two to the `exponent`.
fn weight(mantissa: &str, exponent: &str, text: &str) -> Result<Value, String> {
    let number = mantissa.parse::<f64>().ok();
    let number = number.filter(|m| m.is_finite() && *m >= 0.0);
    let exponent = decimal::integer(exponent).ok().flatten();
    let parts = number.zip(exponent.filter(|e| e.unsigned_abs() < 1 << 31));
    let weight = parts.map(|(mantissa, exponent)| Weight::from_parts(mantissa, exponent));
    let fault = || format!("is {text}, not a non-negative m and an integer e of m * 2^e");
    weight.map(Value::Weight).ok_or_else(fault)
}

/// A value as the program wrote it.
pub(crate) fn shown(column: &Metric, value: Value) -> String {
    match (value, column.kind) {
        (Value::Exact(value), MetricKind::Pair) => value.to_string(),
        (Value::Bounds { lower, upper }, MetricKind::Pair) => format!("{lower} to {upper}"),
        _ => column.show(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn numbers_are_exact_and_halves_go_to_the_even_neighbour() {
        let wait = Metric::number("wait", "min", 3, "").within(0, 600_000);
        let cases = [
            ("12.345", Ok(Value::Exact(12_345))),
            ("0.1005", Ok(Value::Exact(100))),
            ("0.1015", Ok(Value::Exact(102))),
            ("1e-3", Ok(Value::Exact(1))),
            ("600", Ok(Value::Exact(600_000))),
            ("null", Ok(Value::Missing)),
            (
                "{\"lo\":1,\"hi\":2.5}",
                Ok(Value::Bounds {
                    lower: 1_000,
                    upper: 2_500,
                }),
            ),
            ("{\"lo\":2,\"hi\":2}", Ok(Value::Exact(2_000))),
            (
                "600.001",
                Err("is 600.001, outside its bounds 0.000 to 600.000"),
            ),
            ("true", Err("is true, which is not a number")),
            (
                "{\"lo\":1,\"hi\":600.001}",
                Err("is 600.001, outside its bounds 0.000 to 600.000"),
            ),
            (
                "{\"lo\":-0.001,\"hi\":2}",
                Err("is -0.001, outside its bounds 0.000 to 600.000"),
            ),
            (
                "{\"lo\":3,\"hi\":2}",
                Err("is {\"lo\":3,\"hi\":2}, whose lower end is above its upper end"),
            ),
            (
                "{\"ratio\":[1,2]}",
                Err("is {\"ratio\":[1,2]}, which is not a value of its kind"),
            ),
        ];
        for (text, value) in cases {
            assert_eq!(read(&wait, text), value.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn a_number_that_its_decimals_would_change_by_much_says_which_would_not() {
        let refused = |metric: &Metric, text| read(metric, text).unwrap_err();
        let rare = Metric::number("p", "", 6, "");
        let wide = Metric::number("p", "", 3, "").within(0, 9_007_199_000_000);
        for (metric, text, said) in [
            (
                &rare,
                "2.5e-7",
                "is 2.5e-7, of which 6 decimals keep fewer than 3 digits: declare it with `decimals = 8`",
            ),
            (
                &rare,
                "{\"lo\":0,\"hi\":1.5e-6}",
                "declare it with `decimals = 7`",
            ),
            (
                &rare,
                "0.0000123456789012345",
                "declare it with `decimals = 18`",
            ),
            (&rare, "3e-14", "declare it with `decimals = 14`"),
            (
                &rare,
                "-3.33e-20",
                "write it in a smaller unit, such as times 1e21",
            ),
            // Of so large a limit, six decimals are the most that the file may declare.
            (&wide, "0.0123", "declare it with `decimals = 4`"),
            (
                &wide,
                "0.01234567",
                "write it in a smaller unit, such as times 1e3",
            ),
        ] {
            assert!(
                refused(metric, text).contains(said),
                "{}",
                refused(metric, text)
            );
        }
    }

    #[test]
    fn integers_beyond_2_to_the_53_go_as_text() {
        let nodes = Metric::total("nodes", "", "");
        let exact = |value| Ok(Value::Exact(value));
        assert_eq!(
            read(&nodes, "\"9007199254740993\""),
            exact(9_007_199_254_740_993)
        );
        assert_eq!(read(&nodes, "12.0"), exact(12));
        assert!(read(&nodes, "12.5").unwrap_err().contains("not an integer"));
        assert!(read(&nodes, "1e30").unwrap_err().contains("beyond 64 bits"));
        assert!(
            read(&nodes, "\"many\"")
                .unwrap_err()
                .contains("not an integer")
        );
    }

    #[test]
    fn flags_ratios_and_weights_have_their_own_forms() {
        let lost = Metric::flag("lost", "");
        for text in ["true", "1", "1.0", "\"1\""] {
            assert_eq!(read(&lost, text), Ok(Value::Exact(1)), "{text}");
        }
        assert_eq!(read(&lost, "0.0"), Ok(Value::Exact(0)));
        assert!(read(&lost, "0.5").is_err() && read(&lost, "\"yes\"").is_err());
        assert_eq!(
            read(&lost, "{\"lo\":false,\"hi\":true}"),
            Ok(Value::flag_bounds(false, true))
        );
        assert_eq!(read(&lost, "2"), Err("is 2, not true or false".to_owned()));
        let share = Metric::ratio("share", "", "");
        let third = Value::Ratio {
            numerator: 1,
            denominator: 3,
        };
        assert_eq!(read(&share, "{\"ratio\":[1,3]}"), Ok(third));
        assert!(read(&share, "0.3").is_err());
        let part = Metric::share("part", "");
        assert_eq!(read(&part, "{\"ratio\":[1,3]}"), Ok(third));
        let outside = "is {\"ratio\":[4,3]}, outside its bounds 0 to 1";
        assert_eq!(read(&part, "{\"ratio\":[4,3]}"), Err(outside.to_owned()));
        let size = Metric::weight("size", "", "");
        let huge = read(&size, "{\"weight\":[1.5,300]}");
        assert_eq!(huge, Ok(Value::Weight(Weight::from_parts(1.5, 300))));
        assert!(read(&size, "{\"weight\":[-1,3]}").is_err());
        assert!(read(&size, "{\"weight\":[1,0.5]}").is_err());
    }
}
