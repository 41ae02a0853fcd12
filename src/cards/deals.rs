//! The deals of a file: a table's column `deal`, as CSV or in JSON, one a line, or one JSON object after another.

use crate::input::{InputFile, list_lines, read_csv_columns};
use base::Failure;
use cards::text::{DealError, FORMAT};
use serde::Deserialize;
use serde_json::value::RawValue;

/// An error in a deal, at its place.
pub fn refuse(place: &str) -> impl Fn(DealError) -> Failure + '_ {
    move |error| {
        let help = match error {
            DealError::Hidden(_) => "name them, or ask for advice with --hidden".to_owned(),
            _ => format!("write the cards: {FORMAT}"),
        };
        Failure::input(place, error.to_string(), help)
    }
}

/// The texts of a file's deals, each with its line. A file that begins with a deal, or with digits,
/// has one a line; in `#` comments it may say more.
///
/// # Errors
/// If there is no such column, or something is no JSON, with its line.
pub fn read(
    file: &InputFile,
    is_deal: impl Fn(&str) -> bool,
) -> Result<Vec<(u64, String)>, Failure> {
    match file.text.trim_start().chars().next() {
        Some('{') => return objects(file),
        Some('[') => return members(file),
        _ => (),
    }
    let begins_list = |line: &str| line.bytes().all(|byte| byte.is_ascii_digit()) || is_deal(line);
    if let Some(lines) = list_lines(file, begins_list) {
        return Ok(lines.map(|(line, text)| (line, text.to_owned())).collect());
    }
    let records = read_csv_columns(file, &["deal"])?.into_iter();
    Ok(records
        .map(|(line, fields)| (line, fields.concat()))
        .collect())
}

fn objects(file: &InputFile) -> Result<Vec<(u64, String)>, Failure> {
    let mut rest = serde_json::Deserializer::from_str(&file.text).into_iter::<&RawValue>();
    let mut found = Vec::new();
    loop {
        let before = rest.byte_offset();
        let Some(object) = rest.next() else {
            return Ok(found);
        };
        let object = object.map_err(|error| {
            let help = "write one object after another";
            not_json(file, error.line() as u64, &error, help)
        })?;
        let blank = file.text[before..].len() - file.text[before..].trim_start().len();
        let line = 1 + file.text[..before + blank].matches('\n').count();
        found.push((line as u64, object.get().to_owned()));
    }
}

/// The members `deal` of an array of objects, which is a table in JSON.
fn members(file: &InputFile) -> Result<Vec<(u64, String)>, Failure> {
    #[derive(Deserialize)]
    struct TableRow<'text> {
        #[serde(borrow)]
        deal: &'text RawValue,
    }
    let help = "write an array of objects, each with a text `deal`";
    let rows: Vec<TableRow<'_>> = serde_json::from_str(&file.text)
        .map_err(|error| not_json(file, error.line() as u64, &error, help))?;
    let (mut read, mut line) = (0, 1);
    let member = |row: TableRow<'_>| {
        let start = row.deal.get().as_ptr() as usize - file.text.as_ptr() as usize;
        line += file.text[read..start].matches('\n').count() as u64;
        read = start;
        let deal = serde_json::from_str(row.deal.get());
        Ok((
            line,
            deal.map_err(|error| not_json(file, line, &error, help))?,
        ))
    };
    rows.into_iter().map(member).collect()
}

fn not_json(file: &InputFile, line: u64, error: &serde_json::Error, help: &str) -> Failure {
    let place = format!("{}:{line}", file.path);
    Failure::input(place, format!("no deal in JSON: {error}"), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Result<Vec<(u64, String)>, Failure> {
        let file = InputFile {
            path: "deals".to_owned(),
            text: text.to_owned(),
        };
        read(&file, |line| line.starts_with("AC"))
    }

    fn found(text: &str) -> Vec<(u64, String)> {
        texts(text).unwrap()
    }

    #[test]
    fn deals_are_found_by_the_shape_of_their_file() {
        let at = |line, text: &str| (line, text.to_owned());
        assert_eq!(found("x,deal\n1,KD\n"), [at(2, "KD")]);
        assert_eq!(
            found("AC KD\n\n# two\n KD\n"),
            [at(1, "AC KD"), at(4, "KD")]
        );
        assert_eq!(found("# Draw one\n041\n014"), [at(2, "041"), at(3, "014")]);
        assert_eq!(
            found("\n{\"a\":\n 1}\n\n {}{}"),
            [at(2, "{\"a\":\n 1}"), at(5, "{}"), at(5, "{}")]
        );
        assert_eq!(
            found("[\n{\"x\": 1, \"deal\": \"KD\"},\n\n{\"deal\": \"AC\"}]\n"),
            [at(2, "KD"), at(4, "AC")]
        );
        assert_eq!(found("[]"), []);
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let place = |text: &str| texts(text).unwrap_err().place;
        assert_eq!(place("KD\nAC"), "deals:1");
        assert_eq!(place("{}\n{\"a\"\n"), "deals:3");
        assert_eq!(place("[\n{}]"), "deals:2");
        assert_eq!(place("[{\"deal\": \"KD\"},\n{\"deal\": 3}]"), "deals:2");
    }
}
