//! The parameters and metrics that a program declares in an experiment file.

use std::borrow::Cow;

use toml::Spanned;

use crate::config::error::Problem;
use crate::config::value::texts;
use crate::config::wire::{Item, MetricTable, ParamTable, Scalar, TomlTable};
use crate::config::{suggest, truth, value};
use crate::external::declaration::DeclaredMetric;
use crate::task::decimal::{self, MAX_DECIMALS};
use crate::task::{Metric, MetricKind, ParamKind, ParamSpec, UNITLESS, Words};

/// The words of a metric's `kind`.
const METRIC_KINDS: [&str; 7] = [
    "flag", "integer", "number", "total", "ratio", "weight", "pair",
];

/// The words of a parameter's `kind`.
const PARAM_KINDS: [&str; 5] = ["integer", "number", "flag", "text", "choice"];

/// A named table's entry.
type NamedEntry<T> = (Spanned<String>, Spanned<TomlTable<T>>);

/// The name of a table.
pub fn checked_name(key: &Spanned<String>) -> Result<String, Problem> {
    let name = key.get_ref();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts && name.chars().all(fits) {
        Ok(name.clone())
    } else {
        Err(
            Problem::at(key.span(), format!("`{name}` cannot be a name"))
                .expected("expected letters, digits, hyphens and underscores, a letter first"),
        )
    }
}

fn word<'a>(
    item: &Option<Item>,
    key: &Spanned<String>,
    words: &[&'a str],
) -> Result<&'a str, Problem> {
    let list = || suggest::list(words.iter().copied());
    let Some(item) = item else {
        return Err(
            Problem::at(key.span(), format!("`{}` has no `kind`", key.get_ref()))
                .help(format!("add `kind = ...`, one of {}", list())),
        );
    };
    let text = value::text("kind", item)?;
    let found = words.iter().find(|word| **word == text);
    found
        .copied()
        .ok_or_else(|| value::mismatch("kind", item, &format!("one of {}", list())))
}

fn summary(item: &Option<Item>) -> Result<Cow<'static, str>, Problem> {
    let text = item.as_ref().map(|item| value::text("summary", item));
    Ok(Cow::Owned(text.transpose()?.unwrap_or_default()))
}

/// Reads a parameter of a program.
pub fn param((key, table): &NamedEntry<ParamTable>) -> Result<ParamSpec, Problem> {
    let name = checked_name(key)?;
    let table = table.get_ref();
    let real = |item: &Option<Item>, key: &str, otherwise: f64| {
        item.as_ref().map_or(Ok(otherwise), |item| {
            value::real(item.get_ref()).ok_or_else(|| value::mismatch(key, item, "a number"))
        })
    };
    let whole = |item: &Option<Item>, key: &str, otherwise: i64| {
        item.as_ref()
            .map_or(Ok(otherwise), |item| integer(key, item))
    };
    let kind = match word(&table.kind, key, &PARAM_KINDS)? {
        "integer" => ParamKind::Integer {
            min: whole(&table.min, "min", i64::MIN)?,
            max: whole(&table.max, "max", i64::MAX)?,
        },
        "number" => ParamKind::Number {
            min: real(&table.min, "min", f64::MIN)?,
            max: real(&table.max, "max", f64::MAX)?,
        },
        "flag" => ParamKind::Flag,
        "text" => ParamKind::Text,
        _ => ParamKind::Choice(Words::Read(choices(&table.choices, key)?)),
    };
    let mut spec = ParamSpec {
        name: Cow::Owned(name),
        summary: summary(&table.summary)?,
        kind,
        default: None,
    };
    if let Some(item) = &table.default {
        spec.default = Some(value::param(&spec, item)?);
    }
    Ok(spec)
}

fn choices(item: &Option<Item>, key: &Spanned<String>) -> Result<Vec<String>, Problem> {
    let Some(item) = item else {
        let message = format!("`{}` has no `choices`", key.get_ref());
        return Err(Problem::at(key.span(), message).help("add `choices = [\"a\", \"b\"]`"));
    };
    match texts("choices", item)? {
        words if words.is_empty() => Err(value::mismatch("choices", item, "at least one word")),
        words => Ok(words),
    }
}

fn integer(key: &str, item: &Item) -> Result<i64, Problem> {
    let integer = match *item.get_ref() {
        Scalar::Integer(integer) => i64::try_from(integer).ok(),
        _ => None,
    };
    integer.ok_or_else(|| value::mismatch(key, item, "an integer"))
}

/// Reads a metric of a program.
pub fn column((key, table): &NamedEntry<MetricTable>) -> Result<DeclaredMetric, Problem> {
    let name = checked_name(key)?;
    let table = table.get_ref();
    let kind = word(&table.kind, key, &METRIC_KINDS)?;
    let decimals = decimals(kind, &table.decimals)?;
    let bound = |key: &str, item: &Option<Item>| {
        item.as_ref()
            .map(|item| limit(kind, (key, item), decimals))
            .transpose()
    };
    let (min, max) = (bound("min", &table.min)?, bound("max", &table.max)?);
    let (min, max) = match kind {
        "flag" => (Some(0), Some(1)),
        "pair" => (Some(0), Some(4)),
        _ => (min, max),
    };
    let metric = Metric {
        name: Cow::Owned(name),
        unit: Cow::Owned(unit(kind, &table.unit)?),
        summary: summary(&table.summary)?,
        kind: metric_kind(kind, decimals, (min, max), key)?,
        per: match kind {
            "pair" => 4,
            _ => decimal::scale(decimals),
        },
        counts: kind == "ratio" && min.is_some_and(|min| min >= 0),
    };
    Ok(DeclaredMetric {
        truth: truth(&metric, &table.truth)?,
        metric,
        kind,
        decimals,
        min,
        max,
    })
}

/// The decimals of a number; other kinds have none.
fn decimals(kind: &str, item: &Option<Item>) -> Result<u8, Problem> {
    match item {
        Some(item) if kind != "number" => Err(Problem::at(
            item.span(),
            format!("a {kind} has no decimals"),
        )
        .help("remove it, or make it `kind = \"number\"`")),
        Some(item) => Ok(value::whole("decimals", item, 0..=u64::from(MAX_DECIMALS))? as u8),
        None if kind == "number" => Ok(6),
        None => Ok(0),
    }
}

/// The unit that is given. Without one, a flag's mean is a share, and all else is a plain number.
fn unit(kind: &str, item: &Option<Item>) -> Result<String, Problem> {
    match item {
        Some(item) => value::text("unit", item),
        None if kind == "flag" => Ok(String::new()),
        None => Ok(UNITLESS.to_owned()),
    }
}

fn truth(metric: &Metric, item: &Option<Item>) -> Result<Option<f64>, Problem> {
    let Some(item) = item else {
        return Ok(None);
    };
    let value = value::real(item.get_ref());
    let value = value.ok_or_else(|| value::mismatch("truth", item, "a number"))?;
    truth::check(metric, value, item.span())?;
    Ok(Some(value))
}

fn metric_kind(
    kind: &str,
    decimals: u8,
    bounds: (Option<i64>, Option<i64>),
    key: &Spanned<String>,
) -> Result<MetricKind, Problem> {
    if let (Some(min), Some(max)) = bounds
        && min > max
    {
        let message = format!("`{}` has its `min` above its `max`", key.get_ref());
        return Err(Problem::at(key.span(), message));
    }
    Ok(match (kind, bounds) {
        ("flag", _) => MetricKind::Flag,
        ("integer", (Some(min), Some(max))) => MetricKind::Integer { min, max },
        ("integer", _) => {
            let message = format!("the integer `{}` has no bounds", key.get_ref());
            return Err(Problem::at(key.span(), message)
                .help("add `min` and `max`, or make it a `total`, which has none"));
        }
        ("number", (min, max)) => MetricKind::Number {
            decimals,
            limits: min.zip(max),
        },
        ("ratio", _) => MetricKind::Ratio,
        ("weight", _) => MetricKind::Weight,
        ("pair", _) => MetricKind::Pair,
        _ => MetricKind::Total,
    })
}

/// A bound of a metric that has bounds.
fn limit(kind: &str, (key, item): (&str, &Item), decimals: u8) -> Result<i64, Problem> {
    if ["ratio", "weight"].contains(&kind) {
        let message = format!("a {kind} has no bounds");
        return Err(Problem::at(item.span(), message).help("remove it"));
    }
    scaled(key, item, decimals)
}

/// A bound in units of the last decimal.
fn scaled(key: &str, item: &Item, decimals: u8) -> Result<i64, Problem> {
    let text = match item.get_ref() {
        Scalar::Integer(integer) => integer.to_string(),
        Scalar::Number(number) => number.to_string(),
        _ => return Err(value::mismatch(key, item, "a number")),
    };
    // A bound is written out again, and must then read as the same.
    let fits = |bound: &i64| decimals == 0 || bound.unsigned_abs() < 1 << 53;
    let is_exact = |bound: &i64| match *item.get_ref() {
        Scalar::Number(number) => *bound as f64 / decimal::scale(decimals) as f64 == number,
        _ => true,
    };
    let bound = decimal::scaled(&text, decimals).ok();
    let bound = bound.filter(fits).filter(is_exact);
    bound.ok_or_else(|| match decimals {
        0 => value::mismatch(key, item, "a whole number of at most 64 bits"),
        _ => value::mismatch(
            key,
            item,
            &format!("a number of at most {decimals} decimals"),
        )
        .help("round it, or raise `decimals`"),
    })
}
