//! The text of a file as a tree of TOML values, each with its place.
//!
//! A path names a value: `stop.half-width.metric`, `claims.0.holds`.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer};

use super::error::Problem;
use super::file::ExperimentFile;

/// The smallest file, for users who have none yet.
const SMALLEST: &str = "an experiment needs at least
    question = \"What is asked?\"
    task = \"game/task\"
    seed = 1
    [stop]
    samples = 1000";

/// A file that is TOML.
pub(super) struct Document<'a> {
    text: &'a str,
    root: Spanned<DeTable<'a>>,
}

impl<'a> Document<'a> {
    /// Parses a text.
    pub fn parse(text: &'a str) -> Result<Self, Problem> {
        if text.trim().is_empty() {
            return Err(Problem::nowhere("the file is empty").help(SMALLEST));
        }
        let root = DeTable::parse(text).map_err(|error| malformed(&error))?;
        Ok(Self { text, root })
    }

    /// The table of the whole file.
    pub fn root_mut(&mut self) -> &mut DeTable<'a> {
        self.root.get_mut()
    }

    /// The typed file; its shape was checked before.
    pub fn file(&self) -> Result<ExperimentFile, Problem> {
        let file = ExperimentFile::deserialize(Deserializer::from(self.root.clone()));
        file.map_err(|error| {
            let message = format!("this value cannot be read: {}", error.message());
            Problem::at(error.span(), message)
        })
    }

    /// A fault of the value at a path, or of the closest table around it.
    pub fn fault(&self, path: &str, message: impl Into<String>) -> Problem {
        Problem::at(self.span(path), message)
    }

    /// A fault of the key at a path, or of the closest table around it.
    pub fn fault_of_key(&self, path: &str, message: impl Into<String>) -> Problem {
        let key = self.find(path).and_then(|(key, _)| Some(key?.span()));
        Problem::at(key.or_else(|| self.span(path)), message)
    }

    /// A fault of the value at a path, which is not what its key expects.
    pub fn mismatch(&self, path: &str, expected: &str) -> Problem {
        let mut steps = path.rsplit('.');
        let key = steps.find(|step| step.parse::<usize>().is_err());
        match self.find(path) {
            Some((_, value)) => mismatch(key.unwrap_or_default(), value, expected),
            None => self.fault(path, format!("expected {expected}")),
        }
    }

    /// Returns whether there is a value at a path.
    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// Moves a fault within a text to the place of that text in the file.
    pub fn within(&self, path: &str, text: &str, problem: Problem) -> Problem {
        let Some(span) = self.span(path) else {
            return problem;
        };
        // With escapes the text does not stand in the file as it is; then all of it is at fault.
        let raw = self.text.get(span.clone()).filter(|_| !text.is_empty());
        let start = raw.and_then(|raw| raw.find(text));
        let place = match (start, &problem.span) {
            (Some(start), Some(within)) => {
                let start = span.start + start;
                start + within.start..start + within.end
            }
            _ => span,
        };
        Problem {
            span: Some(place),
            ..problem
        }
    }

    fn span(&self, path: &str) -> Option<Range<usize>> {
        match (self.find(path), path.rsplit_once('.')) {
            (Some((_, value)), _) => Some(value.span()).filter(|span| *span != NOWHERE),
            (None, Some((outer, _))) => self.span(outer),
            (None, None) => None,
        }
    }

    fn find(&self, path: &str) -> Option<Entry<'_, 'a>> {
        let mut steps = path.split('.');
        let (key, mut value) = self.root.get_ref().get_key_value(steps.next()?)?;
        let mut key = Some(key);
        for step in steps {
            (key, value) = match value.get_ref() {
                DeValue::Table(table) => {
                    let (key, value) = table.get_key_value(step)?;
                    (Some(key), value)
                }
                DeValue::Array(items) => (None, items.get(step.parse::<usize>().ok()?)?),
                _ => return None,
            };
        }
        Some((key, value))
    }
}

/// A value with its key; an item of a list has none.
type Entry<'document, 'text> = (
    Option<&'document Spanned<DeString<'text>>>,
    &'document Spanned<DeValue<'text>>,
);

/// The span of a value that does not stand in the file.
pub(super) const NOWHERE: Range<usize> = 0..0;

fn malformed(error: &toml::de::Error) -> Problem {
    let is_empty = error.span().is_none_or(|span| span.is_empty());
    let message = match error.message() {
        "string values must be quoted, expected literal string" if is_empty => "a value is missing",
        "string values must be quoted, expected literal string" => "a text must be quoted",
        message => message,
    };
    Problem::at(error.span(), format!("not valid TOML: {message}"))
}

/// A fault of a key's value.
pub(super) fn mismatch(key: &str, value: &Spanned<DeValue>, expected: &str) -> Problem {
    let (span, value) = (value.span(), value.get_ref());
    let message = match value {
        DeValue::Integer(_) if integer(value).is_none() => {
            let message = "this value cannot be read: integer number overflowed";
            return Problem::at(span, message);
        }
        _ if is_blank(value) => format!("`{key}` is empty"),
        _ => format!("`{key}` cannot be {}", described(value)),
    };
    Problem::at(span, message).expected(format!("expected {expected}"))
}

/// A value in words.
fn described(value: &DeValue) -> String {
    match value {
        DeValue::String(text) if text.chars().count() > 40 => "this text".to_owned(),
        DeValue::String(text) => format!("the text `{}`", text.escape_debug()),
        DeValue::Integer(_) => format!("`{}`", integer(value).unwrap_or_default()),
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(number) => format!("`{number:?}`"),
            Err(_) => format!("`{}`", float.as_str()),
        },
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) | DeValue::Datetime(_) => "a table or a date".to_owned(),
    }
}

/// The integer, unless no type holds it.
pub(super) fn integer(value: &DeValue) -> Option<i128> {
    let integer = value.as_integer()?;
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Returns whether a value is a text that says nothing.
pub(super) fn is_blank(value: &DeValue) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}
