//! The shape of a file: every key is known, is where it must be, and has a value of its kind.
//!
//! The file is held against the JSON Schema of its types, the one that editors use. Every fault is
//! found, and a value at fault is replaced by one of its kind, so that the rest of the file can be
//! read and its other faults be found, too.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Document, NOWHERE, integer, is_blank, mismatch};
use super::error::Problem;
use super::{schema, suggest};
use crate::task::decimal;

static SCHEMA: LazyLock<Value> = LazyLock::new(schema::keys);

/// The shape of a file.
#[derive(Default)]
pub(super) struct FileShape {
    problems: Vec<Problem>,
    /// True if some keys have no meaning, so that the others cannot be understood, either.
    pub is_broken: bool,
    /// The keys that the file needs and has not, each with the tables that it should stand in:
    /// `variance.mean`.
    pub missing: BTreeSet<String>,
    /// The keys of the file with faults.
    pub faulty: BTreeSet<String>,
    path: Vec<String>,
}

/// The place of a key that belongs above the tables, if `key` is one.
pub(super) fn misplaced(key: &str) -> Option<String> {
    let key_schema = SCHEMA["properties"].get(key)?;
    let is_table = !properties(key_schema).is_null() || key_schema["type"] == "object";
    (!is_table).then(|| format!("`{key}` belongs above the first [table] of the file"))
}

/// Checks the shape of a file, and mends it.
pub(super) fn check(document: &mut Document) -> FileShape {
    let mut shape = FileShape::default();
    let (root, schema) = (document.root_mut(), &*SCHEMA);
    shape.keys(root, schema);
    for (key, key_schema) in required(schema) {
        if root.get(key).is_none() {
            shape.missing.insert(key.to_owned());
            root.insert(absent(key), mended(NOWHERE, key_schema));
        }
    }
    document.set_unsound(std::mem::take(&mut shape.problems));
    shape
}

impl FileShape {
    fn fault(&mut self, problem: Problem) {
        self.faulty.extend(self.path.first().cloned());
        self.problems.push(problem);
    }

    /// Checks a table within the file.
    fn table(&mut self, span: Range<usize>, table: &mut DeTable, schema: &'static Value) {
        if self.keys(table, schema) {
            self.required(span, table, schema);
        }
    }

    /// Checks the keys of a table, and drops those that are unknown; returns whether none was.
    fn keys(&mut self, table: &mut DeTable, schema: &'static Value) -> bool {
        let mut unknown = Vec::new();
        for (key, value) in table.iter_mut() {
            let name = key.get_ref().to_string();
            let entry = schema["properties"].get(&name);
            match entry.or(Some(&schema["additionalProperties"])) {
                Some(entry) if entry.is_object() => {
                    self.path.push(name);
                    self.value(value, entry);
                    self.path.pop();
                }
                _ => unknown.push((name, key.span())),
            }
        }
        let is_known = unknown.is_empty();
        for (name, span) in unknown {
            table.remove(name.as_str());
            self.is_broken = true;
            let known = schema["properties"].as_object().into_iter().flatten();
            let known = known.map(|(key, _)| key.as_str());
            let help = misplaced(&name).filter(|_| !self.path.is_empty());
            let help = help.unwrap_or_else(|| suggest::help(&name, known));
            self.fault(Problem::at(span, format!("unknown key `{name}`")).help(help));
        }
        is_known
    }

    /// Checks that a table has the keys that it needs.
    fn required(&mut self, span: Range<usize>, table: &mut DeTable, schema: &'static Value) {
        let lacking = required(schema).filter(|(key, _)| table.get(*key).is_none());
        let lacking: Vec<_> = lacking.collect();
        let names = suggest::list(lacking.iter().map(|(key, _)| *key));
        let message = match lacking.len() {
            0 => return,
            1 => format!("the key {names} is missing"),
            _ => format!("the keys {names} are missing"),
        };
        let lines = lacking.iter().map(|(key, schema)| match words(schema) {
            Some(words) => {
                let words = suggest::list(words.into_iter());
                format!("`{key} = ...` with one of {words}")
            }
            None => format!("`{key} = ...`"),
        });
        let lines: Vec<String> = lines.collect();
        let help = format!("add {} to this table", lines.join(" and "));
        self.fault(Problem::at(span.clone(), message).help(help));
        for (key, schema) in lacking {
            let path = self.path.iter().map(String::as_str).chain([key]);
            self.missing.insert(path.collect::<Vec<_>>().join("."));
            table.insert(absent(key), mended(span.clone(), schema));
        }
    }

    /// Checks a value; one of the wrong kind becomes another.
    fn value(&mut self, value: &mut Spanned<DeValue>, schema: &'static Value) {
        let span = value.span();
        let schema = resolved(schema, value.get_ref());
        match (schema["type"].as_str(), value.get_mut()) {
            (Some("object"), DeValue::Table(table)) => self.table(span, table, schema),
            (Some("array"), DeValue::Array(items))
                if !is_list_of_tables(schema)
                    || items.iter().all(|item| item.get_ref().is_table()) =>
            {
                // An item of a list may be an empty text.
                let said = items.iter_mut().filter(|item| !is_blank(item.get_ref()));
                said.for_each(|item| self.value(item, &schema["items"]));
                let length = schema["minItems"].as_u64();
                if length.is_some_and(|length| items.len() as u64 != length) {
                    self.unfit(value, schema);
                }
            }
            (Some("object"), _) => self.misshapen(span, format!("[{}]", self.path.join("."))),
            (Some("array"), _) if is_list_of_tables(schema) => {
                self.misshapen(span, format!("[[{}]] for each", self.path.join(".")));
            }
            (kind, one) => {
                let is_empty = kind == Some("string") && is_blank(one);
                if is_empty || !accepted(schema, one).fits {
                    self.unfit(value, schema);
                }
            }
        }
    }

    fn misshapen(&mut self, span: Range<usize>, header: String) {
        self.is_broken = true;
        let name = self.path.last().cloned().unwrap_or_default();
        let problem = Problem::at(span, format!("`{name}` has the wrong shape"))
            .expected(format!("expected a table, written {header}"));
        let example = match (self.path.first().map(String::as_str), name.as_str()) {
            (Some("stop"), "half-width") => "\n    metric = \"score\"\n    target = 0.1",
            (Some("stop"), "sprt") => "\n    metric = \"score\"\n    elo = [0, 10]",
            (Some("stop"), "ratio") => "\n    first = \"A\"\n    second = \"B\"\n    within = 1.05",
            (Some("stop"), "claims") => "",
            (Some("bench"), "cap") => {
                let help = "say of what: `cap = { cpu = 10 }` or `cap = { nodes = 1_000_000 }`";
                return self.fault(problem.help(help));
            }
            _ => return self.fault(problem),
        };
        let help = format!("write\n    {header}{example}\n    max-samples = 1_000_000");
        self.fault(problem.help(help));
    }

    /// Notes the fault of a key's value, which becomes one that fits.
    fn unfit(&mut self, value: &mut Spanned<DeValue>, schema: &'static Value) {
        let key = self.path.last().map_or("", String::as_str);
        let expected = accepted(schema, value.get_ref()).words;
        let mut problem = mismatch(key, value, &expected);
        problem.help = advice(key, value.get_ref(), schema);
        self.fault(problem);
        *value = mended(value.span(), schema);
    }
}

fn absent<'a>(key: &'a str) -> Spanned<toml::de::DeString<'a>> {
    Spanned::new(NOWHERE, key.into())
}

/// Any value of the kind that a schema asks for.
fn mended<'a>(span: Range<usize>, schema: &'static Value) -> Spanned<DeValue<'a>> {
    let none = DeValue::Boolean(false);
    let example = accepted(resolved(schema, &none), &none).example;
    // A word is no value of a file before it is quoted.
    let value = DeValue::parse(example).map(Spanned::into_inner);
    Spanned::new(span, value.unwrap_or(DeValue::String(example.into())))
}

/// The schema that a key refers to, for a value such as this.
fn resolved(schema: &'static Value, value: &DeValue) -> &'static Value {
    if let Some(name) = schema["$ref"].as_str() {
        let definition = SCHEMA.pointer(name.trim_start_matches('#'));
        return definition.map_or(schema, |definition| resolved(definition, value));
    }
    let Some(choices) = schema["anyOf"].as_array() else {
        return schema;
    };
    let fit = |choice: &&Value| (choice["type"] == "array") == value.is_array();
    choices.iter().find(fit).unwrap_or(schema)
}

/// The keys of the table that a schema describes, or of each table of a list.
fn properties(schema: &'static Value) -> &'static Value {
    let schema = match &schema["items"] {
        Value::Null => schema,
        items => items,
    };
    &resolved(schema, &DeValue::Boolean(false))["properties"]
}

fn is_list_of_tables(schema: &'static Value) -> bool {
    schema["type"] == "array" && !properties(schema).is_null()
}

fn required(schema: &'static Value) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let keys = schema["required"].as_array().into_iter().flatten();
    keys.filter_map(|key| Some((key.as_str()?, &schema["properties"][key.as_str()?])))
}

/// The words that a text must be one of, if it must.
fn words(schema: &'static Value) -> Option<Vec<&'static str>> {
    let choices = schema["oneOf"].as_array()?.iter();
    choices.map(|choice| choice["const"].as_str()).collect()
}

/// The values that a schema accepts.
struct Accepted {
    /// True if the value at hand is one of them.
    fits: bool,
    /// The values in words.
    words: String,
    /// Any of them, as a file has it.
    example: &'static str,
}

impl Accepted {
    fn new(fits: bool, words: impl Into<String>, example: &'static str) -> Self {
        let words = words.into();
        Self {
            fits,
            words,
            example,
        }
    }
}

/// The values that a schema accepts, beside the value at hand.
fn accepted(schema: &'static Value, value: &DeValue) -> Accepted {
    if let Some(words) = words(schema) {
        let list = suggest::list(words.iter().copied());
        let list = if words.len() == 1 {
            list
        } else {
            format!("one of {list}")
        };
        let fits = value.as_str().is_some_and(|text| words.contains(&text));
        return Accepted::new(fits, list, words[0]);
    }
    match schema["type"].as_str() {
        Some("string") => Accepted::new(value.is_str(), "a text", "''"),
        Some("boolean") => Accepted::new(value.is_bool(), "`true` or `false`", "false"),
        Some("integer") => {
            let limit = |key: &str| schema[key].as_u64().map(i128::from);
            let least = limit("minimum").unwrap_or_default();
            let most = limit("maximum").unwrap_or(u64::MAX.into());
            let fits = whole(value).is_some_and(|value| (least..=most).contains(&value));
            let (least, most) = (grouped(least), grouped(most));
            Accepted::new(fits, format!("a whole number from {least} to {most}"), "1")
        }
        Some("number") => {
            let fits = number(value).is_some_and(|value| is_within(schema, value));
            Accepted::new(fits, numbers(schema), "0.5")
        }
        Some("array") if schema["minItems"] == 2 => {
            Accepted::new(false, "two numbers, the smaller first", "[0.5, 0.5]")
        }
        Some("array") => {
            let items = match schema["items"]["type"].as_str() {
                Some("string") => "a list of texts",
                Some(_) => "a list of whole numbers",
                None => "a list of values",
            };
            Accepted::new(false, items, "[]")
        }
        Some(_) => Accepted::new(true, "a table", "{}"),
        None => {
            let fits = match value {
                DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_) => false,
                DeValue::Integer(_) => {
                    let known = i128::from(i64::MIN)..=u64::MAX.into();
                    integer(value).is_some_and(|integer| known.contains(&integer))
                }
                _ => true,
            };
            Accepted::new(fits, "a text, a number, `true` or `false`", "''")
        }
    }
}

/// The whole number, however it is written.
fn whole(value: &DeValue) -> Option<i128> {
    match value {
        DeValue::Float(number) => decimal::integer(number.as_str()).ok()?.map(i128::from),
        _ => integer(value),
    }
}

/// The number, if it is finite.
fn number(value: &DeValue) -> Option<f64> {
    let number = match value {
        DeValue::Float(number) => number.as_str().parse().ok()?,
        _ => integer(value)? as f64,
    };
    Some(number).filter(|number: &f64| number.is_finite())
}

fn is_within(schema: &Value, number: f64) -> bool {
    let limit = |key: &str| schema[key].as_f64();
    limit("minimum").is_none_or(|limit| number >= limit)
        && limit("exclusiveMinimum").is_none_or(|limit| number > limit)
        && limit("exclusiveMaximum").is_none_or(|limit| number < limit)
}

/// The numbers that a schema accepts, in words.
fn numbers(schema: &Value) -> String {
    let has = |key: &str| schema.get(key).is_some();
    if has("exclusiveMaximum") {
        "a number between 0 and 1, such as 0.95".to_owned()
    } else if has("exclusiveMinimum") {
        format!("a number above {}", schema["exclusiveMinimum"])
    } else if has("minimum") {
        "0 or a number above it".to_owned()
    } else {
        "a number".to_owned()
    }
}

/// Advice on a likely mistake.
fn advice(key: &str, value: &DeValue, schema: &'static Value) -> Option<String> {
    let item = schema["items"]["type"].as_str();
    match (schema["type"].as_str(), value) {
        (Some("array"), DeValue::String(text)) if item == Some("string") => {
            let words = text.split_whitespace().map(|word| format!("{word:?}"));
            let words: Vec<String> = words.collect();
            Some(format!("write `{key} = [{}]`", words.join(", ")))
        }
        (Some("array"), _) if item.is_none() && schema["minItems"].is_null() => {
            Some("a single value belongs under [params]".to_owned())
        }
        (None, DeValue::Integer(_)) if schema["type"].is_array() => {
            Some("write a number of more than 64 bits with a point and an exponent".to_owned())
        }
        (None, DeValue::Array(_)) if schema["type"].is_array() => Some(format!(
            "to compare several values, move `{key}` to [sweep]"
        )),
        _ => None,
    }
}

/// The digits in groups of three, as TOML allows them.
pub(super) fn grouped(number: i128) -> String {
    crate::task::grouped(&number.to_string()).replace(',', "_")
}
