//! The parser of a file's text to the mirror of its keys, with readable messages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::error::Problem;
use super::suggest;
use super::wire::ExperimentFile;

/// The smallest file, for users who have none yet.
const SMALLEST: &str = "an experiment needs at least
    question = \"What is asked?\"
    task = \"game/task\"
    seed = 1
    [stop]
    samples = 1000";

/// The shape that a key of the file takes.
#[derive(Clone, Copy, PartialEq)]
enum KeyShape {
    Value,
    Table,
    Tables,
}

/// The shape of every key, and of every key of `[stop]`, as the mirror declares them.
static SHAPES: LazyLock<[BTreeMap<String, KeyShape>; 2]> = LazyLock::new(|| {
    let schema = schemars::schema_for!(ExperimentFile).to_value();
    ["", "/properties/stop"].map(|path| shapes(schema.pointer(path)))
});

fn shapes(schema: Option<&Value>) -> BTreeMap<String, KeyShape> {
    let keys = schema.and_then(|schema| schema["properties"].as_object());
    let is_table = |schema: &Value| schema["type"] == "object" || schema.get("$ref").is_some();
    let shape = |schema: &Value| match schema.get("items") {
        Some(items) if is_table(items) => KeyShape::Tables,
        _ if is_table(schema) => KeyShape::Table,
        _ => KeyShape::Value,
    };
    let keys = keys.into_iter().flatten();
    keys.map(|(key, schema)| (key.clone(), shape(schema)))
        .collect()
}

/// Parses the text of a file.
pub(super) fn parse(text: &str) -> Result<ExperimentFile, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::nowhere("the file is empty").help(SMALLEST));
    }
    let table = DeTable::parse(text).map_err(|error| malformed(&error))?;
    check_tables(table.get_ref())?;
    ExperimentFile::deserialize(Deserializer::from(table)).map_err(|error| explain(text, &error))
}

fn malformed(error: &toml::de::Error) -> Problem {
    let is_empty = error.span().is_none_or(|span| span.is_empty());
    let message = match error.message() {
        "string values must be quoted, expected literal string" if is_empty => "a value is missing",
        "string values must be quoted, expected literal string" => "a text must be quoted",
        message => message,
    };
    Problem {
        span: error.span(),
        ..Problem::nowhere(format!("not valid TOML: {message}"))
    }
}

/// Checks that every key that takes a table or a list of tables has one.
fn check_tables(file: &DeTable) -> Result<(), Problem> {
    let [keys, rules] = &*SHAPES;
    for (key, value) in file {
        let name = key.get_ref().as_ref();
        let header = match keys.get(name) {
            Some(KeyShape::Table) if !value.get_ref().is_table() => format!("[{name}]"),
            Some(KeyShape::Tables) if !is_list_of_tables(value) => format!("[[{name}]] for each"),
            _ => continue,
        };
        let message = format!("`{name}` has the wrong shape");
        return Err(Problem::at(value.span(), message)
            .expected(format!("expected a table, written {header}")));
    }
    let stop = file.get("stop").and_then(|stop| stop.get_ref().as_table());
    stop.map_or(Ok(()), |stop| check_rules(stop, rules))
}

fn is_list_of_tables(value: &Spanned<DeValue>) -> bool {
    let items = value.get_ref().as_array();
    items.is_some_and(|items| items.iter().all(|item| item.get_ref().is_table()))
}

/// A rule for when to stop that is no table.
fn check_rules(stop: &DeTable, rules: &BTreeMap<String, KeyShape>) -> Result<(), Problem> {
    let wrong = stop.iter().find(|(key, value)| {
        rules.get(key.get_ref().as_ref()) == Some(&KeyShape::Table) && !value.get_ref().is_table()
    });
    let Some((key, value)) = wrong else {
        return Ok(());
    };
    let key = key.get_ref();
    let example = match key.as_ref() {
        "half-width" => "metric = \"score\"\n    target = 0.1\n    max-samples = 1_000_000",
        "sprt" => "metric = \"score\"\n    elo = [0, 10]\n    max-samples = 1_000_000",
        _ => "max-samples = 1_000_000",
    };
    Err(
        Problem::at(value.span(), format!("`{key}` has the wrong shape"))
            .expected(format!("expected a table, written [stop.{key}]"))
            .help(format!("write\n    [stop.{key}]\n    {example}")),
    )
}

/// The place of a key that belongs above the tables, if `key` is one.
pub(super) fn misplaced(key: &str) -> Option<String> {
    let shape = SHAPES[0].get(key);
    (shape == Some(&KeyShape::Value))
        .then(|| format!("`{key}` belongs above the first [table] of the file"))
}

/// A key that is unknown, or a number that no type holds.
fn explain(text: &str, error: &toml::de::Error) -> Problem {
    let message = error.message();
    let problem = Problem {
        span: error.span(),
        ..Problem::nowhere(format!("this value cannot be read: {message}"))
    };
    if !message.starts_with("unknown field") {
        return problem;
    }
    let span = error.span().and_then(|span| text.get(span));
    let key = span.unwrap_or_default().trim_matches(['"', '\'']);
    let expected = message.rsplit_once("expected ").map(|(_, names)| names);
    let known = expected.unwrap_or_default().split('`').skip(1).step_by(2);
    let help = misplaced(key)
        .filter(|_| known.clone().all(|name| name != "question"))
        .unwrap_or_else(|| suggest::help(key, known));
    Problem {
        message: format!("unknown key `{key}`"),
        ..problem
    }
    .help(help)
}
