//! One value of an answer: a number, true or false, bounds, a ratio, a weight, or nothing.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::declaration::Column;

use crate::search::Weight;
use crate::task::decimal::{self, DecimalError};
use crate::task::{MetricKind, Value};

/// The value that `text`, JSON of one value, gives a metric.
///
/// # Errors
/// A sentence without its subject: "is 700, above its bound 600".
pub fn read(column: &Column, text: &str) -> Result<Value, String> {
    match text.as_bytes() {
        b"null" => Ok(Value::Missing),
        [b'{', ..] => structured(column, text),
        _ => plain(column, text),
    }
}

fn plain(column: &Column, text: &str) -> Result<Value, String> {
    match column.metric.kind {
        MetricKind::Weight => weight(unquoted(text), "0", text),
        MetricKind::Ratio => Err(format!("is {text}, not {{\"ratio\":[n,d]}}")),
        _ => whole(column, text).map(Value::Exact),
    }
}

/// The integer that holds a value of the metric, within its bounds.
fn whole(column: &Column, text: &str) -> Result<i64, String> {
    let bare = unquoted(text);
    let value = match column.kind {
        "flag" => flag(bare)?,
        "number" => number(bare, column.decimals)?,
        _ => integer(bare)?,
    };
    let bound = |bound: i64| super::command::shown(column, Value::Exact(bound));
    match (column.min, column.max) {
        (Some(min), _) if value < min => Err(format!("is {bare}, below its bound {}", bound(min))),
        (_, Some(max)) if value > max => Err(format!("is {bare}, above its bound {}", bound(max))),
        _ => Ok(value),
    }
}

fn number(text: &str, decimals: u8) -> Result<i64, String> {
    decimal::scaled(text, decimals).map_err(|error| match error {
        DecimalError::TooLarge => format!("is {text}, too large for {decimals} decimals"),
        _ => format!("is {text}, which is no number"),
    })
}

fn flag(text: &str) -> Result<i64, String> {
    match text {
        "true" | "1" => Ok(1),
        "false" | "0" => Ok(0),
        _ => Err(format!("is {text}, not true or false")),
    }
}

fn integer(text: &str) -> Result<i64, String> {
    match decimal::integer(text) {
        Ok(Some(integer)) => Ok(integer),
        Ok(None) => Err(format!("is {text}, not an integer; declare it as a number")),
        Err(DecimalError::NotANumber) => Err(format!("is {text}, not an integer")),
        Err(DecimalError::TooLarge) => Err(format!("is {text}, beyond 64 bits")),
    }
}

/// A text's inside; large integers go as text.
fn unquoted(text: &str) -> &str {
    let inside = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inside.unwrap_or(text)
}

/// What a value in braces may be.
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

fn structured(column: &Column, text: &str) -> Result<Value, String> {
    let unknown = || {
        format!("is {text}, not {{\"lo\":a,\"hi\":b}}, {{\"ratio\":[n,d]}} or {{\"weight\":[m,e]}}")
    };
    let parts: Structured = serde_json::from_str(text).map_err(|_| unknown())?;
    match (parts, column.metric.kind) {
        (
            Structured {
                lo: Some(lo),
                hi: Some(hi),
                ratio: None,
                weight: None,
            },
            kind,
        ) if !matches!(kind, MetricKind::Ratio | MetricKind::Weight) => {
            bounds(whole(column, lo.get())?, whole(column, hi.get())?, text)
        }
        (
            Structured {
                ratio: Some([n, d]),
                ..
            },
            MetricKind::Ratio,
        ) => Ok(Value::Ratio {
            numerator: integer(unquoted(n.get()))?,
            denominator: integer(unquoted(d.get()))?,
        }),
        (
            Structured {
                weight: Some([m, e]),
                ..
            },
            MetricKind::Weight,
        ) => weight(unquoted(m.get()), unquoted(e.get()), text),
        _ => Err(format!("is {text}, which is no value of its kind")),
    }
}

fn bounds(lower: i64, upper: i64, text: &str) -> Result<Value, String> {
    match lower <= upper {
        true => Ok(Value::bounds(lower, upper)),
        false => Err(format!("is {text}, whose lower end is above its upper end")),
    }
}

/// `mantissa` times two to the `exponent`.
fn weight(mantissa: &str, exponent: &str, text: &str) -> Result<Value, String> {
    let number: Option<f64> = mantissa
        .parse()
        .ok()
        .filter(|m: &f64| m.is_finite() && *m >= 0.0);
    let exponent = decimal::integer(exponent).ok().flatten();
    let weight = number
        .zip(exponent.filter(|e| e.unsigned_abs() < 1 << 31))
        .map(|(mantissa, exponent)| Weight::from_parts(mantissa, exponent));
    weight
        .map(Value::Weight)
        .ok_or_else(|| format!("is {text}, not a non-negative m and an integer e of m * 2^e"))
}
