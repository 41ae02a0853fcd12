//! Laws of what other programs say: what holds of any line. The fuzz targets call them, and the tests on the corpus that
//! those left.

use super::hello::Hello;
use super::ugi::EngineOption;
use super::wire;
use task::laws::ensure;
use task::{Metric, Row};

/// Checks an answer to hello or to a question for samples, of which each row that is read has a value for every metric;
/// returns whether it is one.
///
/// # Errors
/// The broken law.
pub fn check_answer(line: &[u8], metrics: &[Metric]) -> Result<bool, String> {
    let mut rows = vec![Row::new(); 3];
    let answer = wire::read(line, metrics, &mut rows);
    if let Ok(answer) = &answer {
        let whole = answer.rows.unwrap_or(0).min(rows.len());
        let is_wide = |row: &Row| row.values().len() == metrics.len();
        ensure(rows[..whole].iter().all(is_wide), "a row lacks values")?;
    }
    let hello = Hello::read(line);
    let is_sound = |hello: &Hello| hello.protocol.is_some() || !hello.speaks_protocol();
    let law = "a program speaks a protocol that it did not name";
    ensure(hello.as_ref().is_none_or(is_sound), law)?;
    Ok(hello.is_some() || answer.is_ok())
}

/// Checks a line of an engine that plays by UGI, where an option that it offers has a name; returns whether it offers one.
///
/// # Errors
/// The broken law.
pub fn check_engine_line(line: &str) -> Result<bool, String> {
    let Some(option) = EngineOption::read(line) else {
        return Ok(false);
    };
    ensure(!option.name.is_empty(), "an option has no name")?;
    Ok(true)
}
