//! The text of a file as a tree of TOML values, each with its place; what serde refuses in it is said in
//! words for people.

use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer};

use super::error::{Checked, Problem};
use super::file::ExperimentFile;
use super::{schema, suggest};
use base::decimal;

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
    pub fn parse(text: &'a str) -> Checked<Self> {
        if text.trim().is_empty() {
            return Err(Problem::nowhere("the file is empty").help(SMALLEST));
        }
        Ok(Self {
            text,
            root: DeTable::parse(text).map_err(|error| malformed(&error, text))?,
        })
    }

    /// The typed file.
    ///
    /// # Errors
    /// The first fault that serde finds, in words for people.
    pub fn file(&self) -> Checked<ExperimentFile> {
        self.root
            .get_ref()
            .iter()
            .try_for_each(|(key, value)| check_held(key.get_ref(), value))?;
        if let Some((path, list)) = list_for_table(self.root.get_ref(), &schema::KEYS) {
            return Err(unfit(&path, list, "struct"));
        }
        let file = ExperimentFile::deserialize(Deserializer::from(self.root.clone()));
        file.map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &toml::de::Error) -> Problem {
        let span = error.span().filter(|span| *span != self.root.span());
        let found = span.as_ref();
        let found = found.and_then(|span| find_in(self.root.get_ref(), span));
        let (path, value) = found.unzip();
        let path: Vec<String> = path.unwrap_or_default();
        let message = error.message();
        let (fault, expected) = message.split_once(", expected ").unwrap_or((message, ""));
        let mut names = message.split('`').skip(1).step_by(2);
        let mut first = || names.next().unwrap_or_default();
        match value {
            _ if fault.starts_with("unknown field") => {
                let name = first();
                let help = misplaced(name).filter(|_| path.len() > 1);
                let help = help.unwrap_or_else(|| suggest::help(name, names));
                Problem::at(span, format!("unknown key `{name}`")).help(help)
            }
            _ if fault.starts_with("missing field") => {
                let name = first();
                let place = match span {
                    Some(_) => "to this table",
                    None => "above the first [table]",
                };
                let problem = Problem::at(span, format!("the key `{name}` is missing"));
                problem.help(format!("add `{name} = ...` {place}"))
            }
            // Of a fault in a contender serde knows the table alone.
            Some(value)
                if !expected.is_empty() && fault.contains("map") >= value.get_ref().is_table() =>
            {
                unfit(&path, value, expected)
            }
            _ => Problem::at(span, format!("this value cannot be read: {message}")),
        }
    }

    /// The path of a value, such as `stop.half-width.metric`.
    pub fn at(&self, path: &str) -> KeyPath<'_> {
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

/// A value of the document, with the keys on the way to it.
type PathTo<'a> = (Vec<String>, &'a Spanned<DeValue<'a>>);

/// The value whose bytes, or whose key's, these are, with the path to it.
fn find_in<'a>(table: &'a DeTable<'a>, span: &Range<usize>) -> Option<PathTo<'a>> {
    table.iter().find_map(|(key, value)| {
        let found = if key.span() == *span {
            Some((Vec::new(), value))
        } else {
            find_at(value, span)
        };
        found.map(|found| below(key.get_ref(), found))
    })
}

/// The first list of a table's values where the schema has a table, with the path to it: serde would take
/// them in the order of the table's keys.
fn list_for_table<'a>(table: &'a DeTable<'a>, schema: &Value) -> Option<PathTo<'a>> {
    table.iter().find_map(|(key, value)| {
        let key = key.get_ref();
        let schema = referred(
            schema["properties"]
                .get(&**key)
                .unwrap_or(&schema["additionalProperties"]),
        );
        let found = match value.get_ref() {
            DeValue::Array(_) if schema["type"] == "object" => Some((Vec::new(), value)),
            DeValue::Table(table) => list_for_table(table, schema),
            DeValue::Array(items) => {
                let mut tables = items.iter().filter_map(|item| item.get_ref().as_table());
                let of_item = referred(&schema["items"]);
                tables.find_map(|table| list_for_table(table, of_item))
            }
            _ => None,
        };
        found.map(|found| below(key, found))
    })
}

/// Returns what was found in the value of a key, with its path from the table of the key.
fn below<'a>(key: &str, (mut path, value): PathTo<'a>) -> PathTo<'a> {
    path.insert(0, key.to_owned());
    (path, value)
}

/// The schema that a schema refers to, or itself.
fn referred(schema: &Value) -> &Value {
    let name = schema["$ref"].as_str();
    let name = name.and_then(|name| name.strip_prefix('#'));
    name.and_then(|name| schema::KEYS.pointer(name))
        .unwrap_or(schema)
}

fn find_at<'a>(value: &'a Spanned<DeValue<'a>>, span: &Range<usize>) -> Option<PathTo<'a>> {
    match value.get_ref() {
        _ if value.span() == *span => Some((Vec::new(), value)),
        DeValue::Table(table) => find_in(table, span),
        DeValue::Array(items) => items.iter().find_map(|item| find_at(item, span)),
        _ => None,
    }
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

/// Refuses numbers with more digits than the machine's hold: serde would round them without a word.
fn check_held(key: &str, value: &Spanned<DeValue>) -> Checked {
    match value.get_ref() {
        DeValue::Table(table) => {
            let mut entries = table.iter();
            entries.try_for_each(|(key, value)| check_held(key.get_ref(), value))
        }
        DeValue::Array(items) => items.iter().try_for_each(|item| check_held(key, item)),
        DeValue::Float(float) => {
            let text = float.as_str().replace('_', "");
            let near = text.parse::<f64>().ok().filter(|near| near.is_finite());
            match near.filter(|_| decimal::real(&text).is_none()) {
                Some(near) => Err(rounded(key, &text, near).placed(value.span())),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// The fault of a number that would be held as another one.
pub(super) fn rounded(key: &str, text: &str, near: f64) -> Problem {
    let problem = Problem::nowhere(format!(
        "`{key}` cannot be `{text}`, which would be rounded"
    ));
    let problem = problem.expected("expected a number of at most 17 digits that is held exactly");
    problem.help(format!("the nearest is `{near}`"))
}

/// The fault of a value that is not what serde `expected`, in words for people.
fn unfit(path: &[String], value: &Spanned<DeValue>, expected: &str) -> Problem {
    let (whole, key) = (path.join("."), path.last().map_or("", String::as_str));
    let expected = match expected {
        "a string" => "a text".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "f64" => "a number".to_owned(),
        "a sequence" if whole == "claims" => "a table, written [[claims]] for each".to_owned(),
        "a sequence" => "a list".to_owned(),
        "an array of length 2" => "two numbers, the smaller first".to_owned(),
        table if table == "a map" || table.starts_with("struct") => {
            format!("a table, written [{whole}]")
        }
        words => words.to_owned(),
    };
    let problem = mismatch(key, value, &expected);
    match (path.first().map_or("", String::as_str), value.get_ref()) {
        ("params", DeValue::Array(_)) => problem.help(format!(
            "to compare several values, move `{key}` to [sweep]"
        )),
        ("sweep", _) if expected == "a list" => {
            problem.help("a single value belongs under [params]")
        }
        (_, DeValue::String(text)) if expected == "a list" => {
            let words: Vec<&str> = text.split_whitespace().collect();
            problem.help(format!("write `{key} = {words:?}`"))
        }
        _ => problem,
    }
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
fn integer(value: &DeValue) -> Option<i128> {
    let integer = value.as_integer()?;
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Returns whether a value is a text that says nothing.
fn is_blank(value: &DeValue) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}
