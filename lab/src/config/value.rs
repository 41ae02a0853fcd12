//! Values of keys: the kind and range each must have.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use crate::stats::Level;
use crate::task::{ParamKind, ParamSpec, ParamValue};

use super::error::Problem;
use super::suggest;
use super::wire::{Item, Scalar};

/// The most samples of a cell: more would not end.
pub(super) const MAX_SAMPLES: u64 = 10_000_000_000_000;

/// A key that must be there; `table` is the place of its table, `None` for the file's own keys.
pub(super) fn required<T>(
    key: &str,
    item: &Option<Item>,
    table: Option<Range<usize>>,
    read: impl Fn(&str, &Item) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let where_to = match table {
        Some(_) => "to this table",
        None => "above the first [table]",
    };
    item.as_ref()
        .map(|item| read(key, item))
        .unwrap_or_else(|| {
            let problem = Problem::nowhere(format!("the key `{key}` is missing"));
            let problem = problem.help(format!("add `{key} = ...` {where_to}"));
            Err(Problem {
                span: table,
                ..problem
            })
        })
}

/// A key that may be left out.
pub(super) fn optional<T>(
    key: &str,
    item: &Option<Item>,
    default: T,
    read: impl Fn(&str, &Item) -> Result<T, Problem>,
) -> Result<T, Problem> {
    item.as_ref().map_or(Ok(default), |item| read(key, item))
}

/// A text that says something.
pub(super) fn text(key: &str, item: &Item) -> Result<String, Problem> {
    match item.get_ref() {
        Scalar::Text(text) if !text.trim().is_empty() => Ok(text.clone()),
        _ => Err(mismatch(key, item, "a text")),
    }
}

/// A whole number in a range.
pub(super) fn whole(key: &str, item: &Item, range: RangeInclusive<u64>) -> Result<u64, Problem> {
    if let Scalar::Integer(integer) = *item.get_ref()
        && let Ok(value) = u64::try_from(integer)
        && range.contains(&value)
    {
        return Ok(value);
    }
    let (min, max) = (grouped(*range.start()), grouped(*range.end()));
    let problem = mismatch(key, item, &format!("a whole number from {min} to {max}"));
    Err(match *item.get_ref() {
        Scalar::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => problem.help(
            format!("write it without fraction or exponent: `{key} = {number}`"),
        ),
        _ => problem,
    })
}

/// A confidence level, strictly between 0 and 1; beyond six nines it would be written as 1 once many
/// claims share it.
pub(super) fn level(key: &str, item: &Item) -> Result<Level, Problem> {
    let level = Some(share(key, item)?).filter(|level| (1e-6..=1.0 - 1e-6).contains(level));
    level
        .and_then(Level::new)
        .ok_or_else(|| mismatch(key, item, "a level from 0.000001 to 0.999999"))
}

/// A number strictly between 0 and 1.
pub(super) fn share(key: &str, item: &Item) -> Result<f64, Problem> {
    match *item.get_ref() {
        Scalar::Number(number) if number > 0.0 && number < 1.0 => Ok(number),
        _ => Err(mismatch(
            key,
            item,
            "a number between 0 and 1, such as 0.95",
        )),
    }
}

/// A number above 0.
pub(super) fn positive(key: &str, item: &Item) -> Result<f64, Problem> {
    let number = real(item.get_ref()).filter(|number| *number > 0.0);
    number.ok_or_else(|| mismatch(key, item, "a number above 0"))
}

/// A number that is 0 or above it.
pub(super) fn not_negative(key: &str, item: &Item) -> Result<f64, Problem> {
    let number = real(item.get_ref()).filter(|number| *number >= 0.0);
    number.ok_or_else(|| mismatch(key, item, "0 or a number above it"))
}

/// The number, if it is one and finite.
pub(super) fn real(scalar: &Scalar) -> Option<f64> {
    number(scalar, f64::MIN..=f64::MAX)
}

/// One or more increasing whole numbers.
pub(super) fn increasing(key: &str, item: &Item) -> Result<Vec<u64>, Problem> {
    let one = |item: &Item| whole(key, item, 1..=u64::MAX);
    let Scalar::List(items) = item.get_ref() else {
        return Ok(vec![one(item)?]);
    };
    let numbers: Vec<u64> = items.iter().map(one).collect::<Result<_, _>>()?;
    if !numbers.is_empty() && numbers.is_sorted_by(|a, b| a < b) {
        Ok(numbers)
    } else {
        Err(mismatch(key, item, "increasing whole numbers"))
    }
}

/// `true` or `false`.
pub(super) fn flag(key: &str, item: &Item) -> Result<bool, Problem> {
    match *item.get_ref() {
        Scalar::Flag(flag) => Ok(flag),
        _ => Err(mismatch(key, item, "`true` or `false`")),
    }
}

/// A value of a task's parameter.
pub(super) fn param(spec: &ParamSpec, item: &Item) -> Result<ParamValue, Problem> {
    match (&spec.kind, item.get_ref()) {
        (ParamKind::Text, Scalar::Text(text)) => Some(ParamValue::Text(text.clone().into())),
        // `passes = 3` means the text `3`, as it does on a command line.
        (ParamKind::Text, Scalar::Integer(integer)) => {
            Some(ParamValue::Text(integer.to_string().into()))
        }
        (ParamKind::Choice(words), Scalar::Text(text)) => words
            .contains(text)
            .then(|| ParamValue::Text(text.clone().into())),
        (ParamKind::Integer { min, max }, Scalar::Integer(integer)) => i64::try_from(*integer)
            .ok()
            .filter(|integer| (*min..=*max).contains(integer))
            .map(ParamValue::Integer),
        (ParamKind::Number { min, max }, Scalar::Integer(_) | Scalar::Number(_)) => {
            number(item.get_ref(), *min..=*max).map(ParamValue::Number)
        }
        (ParamKind::Flag, Scalar::Flag(flag)) => Some(ParamValue::Flag(*flag)),
        _ => None,
    }
    .ok_or_else(|| unfit(spec, item))
}

/// A fault of a key's value.
pub(super) fn mismatch(key: &str, item: &Item, expected: &str) -> Problem {
    let message = match item.get_ref() {
        Scalar::Text(text) if text.trim().is_empty() => format!("`{key}` is empty"),
        other => format!("`{key}` cannot be {}", other.describe()),
    };
    Problem::at(item.span(), message).expected(format!("expected {expected}"))
}

/// Describes the values that a parameter takes.
pub(super) fn accepted(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Text => "a text".to_owned(),
        ParamKind::Choice(words) => format!("one of {}", suggest::list(words.iter())),
        ParamKind::Integer { min, max } => {
            format!("an integer {}", bounds(min, max, *max == i64::MAX))
        }
        ParamKind::Number { min, max } => {
            format!("a number {}", bounds(min, max, *max >= f64::MAX))
        }
        ParamKind::Flag => "`true` or `false`".to_owned(),
    }
}

fn unfit(spec: &ParamSpec, item: &Item) -> Problem {
    let problem = mismatch(&spec.name, item, &accepted(&spec.kind));
    match (&spec.kind, item.get_ref()) {
        (ParamKind::Choice(words), Scalar::Text(text)) => {
            let help = suggest::did_you_mean(text, words.iter());
            Problem { help, ..problem }
        }
        (_, Scalar::List(_)) => problem.help(format!(
            "to compare several values, move `{}` to [sweep]",
            spec.name
        )),
        _ => problem,
    }
}

fn number(scalar: &Scalar, range: RangeInclusive<f64>) -> Option<f64> {
    let number = match *scalar {
        Scalar::Number(number) => number,
        Scalar::Integer(integer) => integer as f64,
        _ => return None,
    };
    // Adding zero turns -0 into 0, so that equal values have one name.
    (number.is_finite() && range.contains(&number)).then_some(number + 0.0)
}

fn bounds<T: Display>(min: &T, max: &T, endless: bool) -> String {
    if endless {
        format!("of at least {min}")
    } else {
        format!("from {min} to {max}")
    }
}

/// The digits in groups of three, as TOML allows them.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let starts_group = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if starts_group(at) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}

/// A list of texts.
pub(super) fn texts(key: &str, item: &Item) -> Result<Vec<String>, Problem> {
    let Scalar::List(items) = item.get_ref() else {
        return Err(mismatch(key, item, "a list of texts"));
    };
    let text = |item: &Item| match item.get_ref() {
        Scalar::Text(text) => Ok(text.clone()),
        _ => Err(mismatch(key, item, "a text")),
    };
    items.iter().map(text).collect()
}
