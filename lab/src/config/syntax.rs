//! From text to the mirror of its keys, and readable messages for a parser's complaints.

use serde::Deserialize;
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

/// The keys that stand above the first table.
const TOP: [&str; 7] = [
    "question", "task", "seed", "level", "name", "answer", "analysis",
];

/// The keys that are tables, and one that is a list of tables.
const TABLES: [&str; 9] = [
    "params", "budget", "variance", "stop", "sweep", "output", "wager", "command", "players",
];
/// The tables within `[stop]`.
const RULES: [&str; 3] = ["half-width", "sprt", "claims"];
const CLAIMS: &str = "claims";

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

/// The mirror would take a list for a table, field by field.
fn check_tables(file: &DeTable) -> Result<(), Problem> {
    let misshapen = |name: &str, value: &Spanned<DeValue>, header: String| {
        Problem::at(value.span(), format!("`{name}` has the wrong shape"))
            .expected(format!("expected a table, written {header}"))
    };
    for (key, value) in file {
        let name = key.get_ref().as_ref();
        if TABLES.contains(&name) && !value.get_ref().is_table() {
            return Err(misshapen(name, value, format!("[{name}]")));
        }
        if let ("stop", Some(rules)) = (name, value.get_ref().as_table()) {
            check_rules(rules)?;
        }
        let items = value.get_ref().as_array();
        let is_list = items.is_some_and(|items| items.iter().all(|item| item.get_ref().is_table()));
        if name == CLAIMS && !is_list {
            return Err(misshapen(name, value, format!("[[{name}]] for each")));
        }
    }
    Ok(())
}

/// A rule for when to stop that is no table.
fn check_rules(rules: &DeTable) -> Result<(), Problem> {
    let wrong = rules.iter().find(|(key, value)| {
        RULES.contains(&key.get_ref().as_ref()) && !value.get_ref().is_table()
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
    TOP.contains(&key)
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
        .filter(|_| known.clone().all(|name| name != TOP[0]))
        .unwrap_or_else(|| suggest::help(key, known));
    Problem {
        message: format!("unknown key `{key}`"),
        ..problem
    }
    .help(help)
}
