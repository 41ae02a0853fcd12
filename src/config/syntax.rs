//! From text to the mirror of its keys, and what a parser's complaint means for a person.

use serde::Deserialize;
use toml::de::{DeTable, Deserializer};

use super::error::Problem;
use super::suggest;
use super::wire::ExperimentFile;

/// The smallest file, for who has none yet.
const SMALLEST: &str = "an experiment needs at least
    question = \"What is asked?\"
    task = \"game/task\"
    seed = 1
    [stop]
    samples = 1000";

/// The keys that stand above the first table.
const TOP: [&str; 6] = ["question", "task", "seed", "level", "name", "analysis"];

/// Parses the text of a file.
pub(super) fn parse(text: &str) -> Result<ExperimentFile, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::nowhere("the file is empty").help(SMALLEST));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let problem = Problem::nowhere(format!("not valid TOML: {}", error.message()));
        Problem {
            span: error.span(),
            ..problem
        }
    })?;
    ExperimentFile::deserialize(Deserializer::from(table)).map_err(|error| explain(text, &error))
}

/// The place of a key that belongs above the tables, if `key` is one.
pub(super) fn misplaced(key: &str) -> Option<String> {
    TOP.contains(&key)
        .then(|| format!("`{key}` belongs above the first [table] of the file"))
}

/// A key that is unknown, or a value where a table is due.
fn explain(text: &str, error: &toml::de::Error) -> Problem {
    let (what, expected) = error
        .message()
        .rsplit_once("expected ")
        .unwrap_or((error.message(), ""));
    let problem = Problem {
        span: error.span(),
        ..Problem::nowhere("this has the wrong shape")
    };
    if !what.starts_with("unknown field") {
        return problem.expected(format!("expected {expected}"));
    }
    let span = error.span().and_then(|span| text.get(span));
    let key = span.unwrap_or_default().trim_matches(['"', '\'']);
    let known = expected.split('`').skip(1).step_by(2);
    let help = misplaced(key)
        .filter(|_| known.clone().all(|name| name != TOP[0]))
        .unwrap_or_else(|| suggest::help(key, known));
    Problem {
        message: format!("unknown key `{key}`"),
        ..problem
    }
    .help(help)
}
