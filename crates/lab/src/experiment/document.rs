//! The text of a file as a tree of TOML values, each with its place.

use std::cell::RefCell;
use std::ops::Range;

use indexmap::IndexSet;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer};

use super::error::{Checked, Problem};
use super::file::ExperimentFile;

/// The smallest file, for users who have none yet.
const SMALLEST: &str = "an experiment needs at least
    task = \"game/task\"
    seed = 1
    [stop]
    samples = 1000";

/// A file that is TOML, and the faults that are found in it.
pub(super) struct Document<'a> {
    text: &'a str,
    root: Spanned<DeTable<'a>>,
    /// The faults, each once.
    problems: RefCell<IndexSet<Problem>>,
    /// The places whose values are wrong in themselves: what else is said of them follows from that.
    unsound: Vec<Range<usize>>,
}

impl<'a> Document<'a> {
    /// Parses a text.
    pub fn parse(text: &'a str) -> Checked<Self> {
        if text.trim().is_empty() {
            return Err(Problem::nowhere("the file is empty").help(SMALLEST));
        }
        Ok(Self {
            text,
            root: DeTable::parse(text).map_err(|error| malformed(&error))?,
            problems: RefCell::default(),
            unsound: Vec::new(),
        })
    }

    /// The table of the whole file.
    pub fn root_mut(&mut self) -> &mut DeTable<'a> {
        self.root.get_mut()
    }

    /// Notes the faults of the file's shape.
    pub fn set_unsound(&mut self, problems: Vec<Problem>) {
        let spans = problems.iter().filter_map(|problem| problem.span.clone());
        self.unsound = spans.collect();
        self.problems.get_mut().extend(problems);
    }

    /// The typed file; its shape was checked before.
    pub fn file(&self) -> Checked<ExperimentFile> {
        let file = ExperimentFile::deserialize(Deserializer::from(self.root.clone()));
        file.map_err(|error| {
            let message = format!("this value cannot be read: {}", error.message());
            Problem::at(error.span(), message)
        })
    }

    /// The path of a value, such as `stop.half-width.metric`.
    pub fn at(&self, path: &str) -> KeyPath<'_> {
        KeyPath {
            document: self,
            path: path.split('.').map(str::to_owned).collect(),
        }
    }

    /// Notes a fault.
    pub fn add(&self, problem: Problem) {
        let is_consequence =
            (problem.span.as_ref()).is_some_and(|span| self.unsound.contains(span));
        if !is_consequence {
            self.problems.borrow_mut().insert(problem);
        }
    }

    /// The value, or its fault noted.
    pub fn keep<T>(&self, checked: Checked<T>) -> Option<T> {
        checked.map_err(|problem| self.add(problem)).ok()
    }

    /// The values, or all of their faults noted.
    pub fn keep_all<T>(&self, checked: impl IntoIterator<Item = Checked<T>>) -> Option<Vec<T>> {
        let kept: Vec<Option<T>> = checked.into_iter().map(|one| self.keep(one)).collect();
        kept.into_iter().collect()
    }

    /// The faults noted.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner().into_iter().collect()
    }
}

/// The path of a value in a file, whether it is there or not.
#[derive(Clone)]
pub(super) struct KeyPath<'a> {
    document: &'a Document<'a>,
    path: Vec<String>,
}

impl<'a> KeyPath<'a> {
    /// The path of a key of this table, or of an item of this list.
    pub fn at(&self, step: impl ToString) -> Self {
        let mut inner = self.clone();
        inner.path.push(step.to_string());
        inner
    }

    /// A fault of the value here, or of the closest table around it.
    pub fn fault(&self, message: impl Into<String>) -> Problem {
        Problem::at(self.span(), message)
    }

    /// A fault of the key here, or of the closest table around it.
    pub fn fault_of_key(&self, message: impl Into<String>) -> Problem {
        let key = self.find(&self.path).and_then(|(key, _)| Some(key?.span()));
        Problem::at(key.or_else(|| self.span()), message)
    }

    /// A fault of the value here, which is not what its key expects.
    pub fn mismatch(&self, expected: &str) -> Problem {
        let mut steps = self.path.iter().rev();
        let key = steps.find(|step| step.parse::<usize>().is_err());
        match self.find(&self.path) {
            Some((_, value)) => mismatch(key.map_or("", String::as_str), value, expected),
            None => self.fault(format!("expected {expected}")),
        }
    }

    /// Returns whether the file has a value here.
    pub fn is_filled(&self) -> bool {
        self.find(&self.path).is_some()
    }

    /// Moves a fault within the text here to its place in the file.
    pub fn within(&self, text: &str, problem: Problem) -> Problem {
        let Some(span) = self.span() else {
            return problem;
        };
        // With escapes the text does not stand in the file as it is; then all of it is at fault.
        let raw = self.document.text.get(span.clone());
        let raw = raw.filter(|_| !text.is_empty());
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

    /// The bytes of the value here, or of the closest table around it.
    fn span(&self) -> Option<Range<usize>> {
        let mut lengths = (1..=self.path.len()).rev();
        let (_, value) = lengths.find_map(|length| self.find(&self.path[..length]))?;
        Some(value.span()).filter(|span| *span != NOWHERE)
    }

    fn find(&self, path: &[String]) -> Option<Entry<'a>> {
        let (first, steps) = path.split_first()?;
        let root = self.document.root.get_ref();
        let (key, mut value) = root.get_key_value(first.as_str())?;
        let mut key = Some(key);
        for step in steps {
            (key, value) = match value.get_ref() {
                DeValue::Table(table) => {
                    let (key, value) = table.get_key_value(step.as_str())?;
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
type Entry<'a> = (Option<&'a Spanned<DeString<'a>>>, &'a Spanned<DeValue<'a>>);

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
