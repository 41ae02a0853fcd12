//! Laws of what other programs say: what holds of any line. The fuzz targets call them, and the tests on the corpus that
//! those left.

use super::hello::Hello;
use super::ugi::EngineOption;
use super::wire;
use task::{Metric, Row};

/// Checks an answer to hello or to a question for samples: each row that is read has a value for every metric.
///
/// # Errors
/// The broken law.
pub fn check_answer(line: &[u8], metrics: &[Metric]) -> Result<(), String> {
    let mut rows = vec![Row::new(); 3];
    if let Ok(answer) = wire::read(line, metrics, &mut rows) {
        let whole = answer.rows.unwrap_or(0).min(rows.len());
        let is_wide = |row: &Row| row.values().len() == metrics.len();
        ensure(rows[..whole].iter().all(is_wide), "a row lacks values")?;
    }
    let hello = Hello::read(line);
    let is_sound = hello.is_none_or(|hello| hello.protocol.is_some() || !hello.speaks_protocol());
    ensure(is_sound, "a program speaks a protocol that it did not name")
}

/// Checks a line of an engine that plays by UGI: an option that it offers has a name.
///
/// # Errors
/// The broken law.
pub fn check_engine_line(line: &str) -> Result<(), String> {
    let option = EngineOption::read(line);
    ensure(
        option.is_none_or(|option| !option.name.is_empty()),
        "an option has no name",
    )
}

fn ensure(holds: bool, law: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(law.to_owned()) }
}
