//! The text of a file as a tree of TOML values, each with its place; what serde refuses in it is said in
//! words for people.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::error::{Checked, Problem};
use super::file::ExperimentFile;
use super::typed::{FaultKind, TypedTable, held};
use super::{schema, setting, stop, suggest};

/// The smallest file, for users who have none yet.
const SMALLEST: &str = "an experiment needs at least
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
    pub(crate) fn parse(text: &'a str) -> Checked<Self> {
        Self::parse_first(text, text.len())
    }

    /// Parses the first bytes of a text.
    pub(crate) fn parse_first(whole: &'a str, length: usize) -> Checked<Self> {
        let text = &whole[..length];
        if text.trim().is_empty() {
            return Err(Problem::nowhere("the file is empty").help(SMALLEST));
        }
        Ok(Self {
            text: whole,
            root: DeTable::parse(text).map_err(|error| malformed(&error, text))?,
        })
    }

    /// Puts values in place of those of the file; the text goes on with them.
    ///
    /// # Errors
    /// If a key leads into what is no table.
    pub(crate) fn set(&mut self, lines: &'a [String]) -> Checked {
        setting::apply(self.root.get_mut(), lines)
    }

    /// The typed file.
    ///
    /// # Errors
    /// The first fault that serde finds, in words for people.
    pub(crate) fn file(&self) -> Checked<ExperimentFile> {
        let file = ExperimentFile::deserialize(TypedTable::of(self.root.get_ref()));
        file.map_err(|fault| {
            let path = KeyPath {
                document: self,
                path: fault.steps.into_iter().rev().collect(),
            };
            path.refused(fault.kind)
        })
    }

    /// The path of a value, such as `stop.half-width.metric`.
    pub(crate) fn at(&self, path: &str) -> KeyPath<'_> {
        KeyPath {
            document: self,
            path: path.split('.').map(str::to_owned).collect(),
        }
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
    pub(crate) fn at(&self, step: impl ToString) -> Self {
        let mut inner = self.clone();
        inner.path.push(step.to_string());
        inner
    }

    /// A fault of the value here, or of the closest table around it.
    pub(crate) fn fault(&self, message: impl Into<String>) -> Problem {
        Problem::at(self.span(), message)
    }

    /// A fault of the key here, or of the closest table around it.
    pub(crate) fn fault_of_key(&self, message: impl Into<String>) -> Problem {
        let key = self.find(&self.path).and_then(|(key, _)| Some(key?.span()));
        Problem::at(key.or_else(|| self.span()), message)
    }

    /// A fault of the value here, which is not what its key expects.
    pub(crate) fn mismatch(&self, expected: &str) -> Problem {
        match self.find(&self.path) {
            Some((_, value)) => mismatch(self.key(), value, expected),
            None => self.fault(format!("expected {expected}")),
        }
    }

    /// A fault that serde found in the value here, in words for people.
    fn refused(&self, kind: FaultKind) -> Problem {
        match kind {
            FaultKind::Unknown(name, known) => {
                let help = misplaced(&name).filter(|_| !self.path.is_empty());
                let help = help.unwrap_or_else(|| suggest::help(&name, known.iter().copied()));
                let problem = self.at(&name).fault_of_key(format!("unknown key `{name}`"));
                problem.help(help)
            }
            FaultKind::Missing(name) => {
                let place = match self.path.as_slice() {
                    [] => "above the first [table]",
                    _ => "to this table",
                };
                let problem = self.fault(format!("the key `{name}` is missing"));
                problem.help(format!("add `{name} = ...` {place}"))
            }
            FaultKind::NoTable => {
                let steps = self.path.iter().filter(|step| !is_index(step));
                let steps: Vec<&str> = steps.map(String::as_str).collect();
                self.unfit(&format!("a table, written [{}]", steps.join(".")))
            }
            FaultKind::NoList if self.path == ["claims"] => {
                self.unfit("a table, written [[claims]] for each")
            }
            FaultKind::NoList => self.unfit("a list"),
            FaultKind::Unfit(words) => self.unfit(&words),
            FaultKind::NoneOf => self.fault(stop::NO_RULE).help(stop::ADD_RULE),
            FaultKind::Second(key) => {
                let problem = self.at(key).fault("a second rule for when to stop");
                problem.expected(
                    "expected one of `samples`, `half-width`, `sprt`, `claims` and `ratio`",
                )
            }
            FaultKind::Rounded(text, near) => {
                let problem = rounded(self.key(), &text, near);
                Problem {
                    span: self.span(),
                    ..problem
                }
            }
            FaultKind::Said(message) => self.fault(format!("this value cannot be read: {message}")),
        }
    }

    /// The fault of a value that is not what serde expects, with advice on what is often meant.
    fn unfit(&self, expected: &str) -> Problem {
        let (problem, key) = (self.mismatch(expected), self.key());
        let (_, value) = self.find(&self.path).unzip();
        let value = value.map(|value| value.get_ref());
        match (self.path.first().map_or("", String::as_str), value) {
            ("params", Some(DeValue::Array(_))) => problem.help(format!(
                "to compare several values, move `{key}` to [sweep]"
            )),
            ("sweep", _) if expected == "a list" => problem.help(format!(
                "write `{key} = [...]`, or give one value under [params] alone"
            )),
            (_, Some(DeValue::String(text))) if expected == "a list" => {
                let words: Vec<&str> = text.split_whitespace().collect();
                problem.help(format!("write `{key} = {words:?}`"))
            }
            _ if key == "cap" => {
                problem.help("write `cap = { cpu = 10 }` or `cap = { nodes = 1_000_000 }`")
            }
            _ => problem,
        }
    }

    /// The last key of the path.
    fn key(&self) -> &str {
        let mut keys = self.path.iter().rev().filter(|step| !is_index(step));
        keys.next().map_or("", String::as_str)
    }

    /// Returns whether the file has a value here.
    pub(crate) fn is_filled(&self) -> bool {
        self.find(&self.path).is_some()
    }

    /// Moves a fault within the text here to its place in the file.
    pub(crate) fn within(&self, text: &str, problem: Problem) -> Problem {
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
        Some(value.span())
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

/// Returns whether a step of a path is the index of an item.
fn is_index(step: &str) -> bool {
    step.bytes().all(|byte| byte.is_ascii_digit())
}

/// The place of a key that belongs above the tables, if `key` is one.
pub(super) fn misplaced(key: &str) -> Option<String> {
    let schema = schema::KEYS["properties"].get(key)?;
    let is_value = !["object", "array"]
        .iter()
        .any(|kind| schema["type"] == *kind);
    let is_above = is_value && schema.get("$ref").is_none();
    is_above.then(|| format!("`{key}` belongs above the first [table] of the file"))
}

/// The fault of a number that would be held as another one.
pub(super) fn rounded(key: &str, text: &str, near: f64) -> Problem {
    let problem = Problem::nowhere(format!(
        "`{key}` cannot be `{text}`, which would be rounded"
    ));
    let problem = problem.expected("expected a number of at most 17 digits that is held exactly");
    problem.help(format!("the nearest is `{near}`"))
}

fn malformed(error: &toml::de::Error, text: &str) -> Problem {
    if let Some(at) = escape(error, text) {
        let sign: String = text[at..].chars().take(2).collect();
        let message = format!("not valid TOML: `{sign}` is no escape sequence");
        return Problem::at(Some(at..at + sign.len()), message).help(
            "between double quotes a backslash begins one: write single quotes, as in 'C:\\Users\\me', or each \
             backslash twice",
        );
    }
    let is_empty = error.span().is_none_or(|span| span.is_empty());
    let message = match error.message() {
        "string values must be quoted, expected literal string" if is_empty => "a value is missing",
        "string values must be quoted, expected literal string" => "a text must be quoted",
        message => message,
    };
    Problem::at(error.span(), format!("not valid TOML: {message}"))
}

/// The backslash at which a text has an escape sequence that TOML does not know.
fn escape(error: &toml::de::Error, text: &str) -> Option<usize> {
    let is_escape = ["escape", "unicode"]
        .iter()
        .any(|word| error.message().contains(word));
    let before = text.get(..error.span().filter(|_| is_escape)?.start)?;
    let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    start.ends_with('\\').then(|| start.len() - 1)
}

/// A fault of a key's value.
fn mismatch(key: &str, value: &Spanned<DeValue>, expected: &str) -> Problem {
    let (span, value) = (value.span(), value.get_ref());
    let message = match value {
        DeValue::Integer(_) if held(value).is_none() => {
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
        DeValue::Integer(_) => format!("`{}`", held(value).unwrap_or_default()),
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(number) => format!("`{number:?}`"),
            Err(_) => format!("`{}`", float.as_str()),
        },
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) | DeValue::Datetime(_) => "a table or a date".to_owned(),
    }
}

/// Returns whether a value is a text that says nothing.
fn is_blank(value: &DeValue) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}
