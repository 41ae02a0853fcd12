//! The input of verbs: integers within limits; files with their lists and the columns of their tables.

use std::io;
use std::ops::RangeInclusive;

use base::{Failure, files, parse_integer, visible_line};

/// A reader of integers within limits, written as [`parse_integer`] reads them.
pub fn integer_within(
    limits: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let (least, most) = (limits.start(), limits.end());
        let integer = parse_integer(text)
            .ok()
            .filter(|integer| limits.contains(integer));
        integer.ok_or_else(|| format!("expected an integer from {least} to {most}"))
    }
}

/// A file named on the command line, already read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The file's path as given.
    pub path: String,
    /// The file's contents.
    pub text: String,
}

impl InputFile {
    /// Reads the file of a path, or standard input for `-`, without the byte order mark that some editors write.
    ///
    /// # Errors
    /// The errors of [`files::read_named`].
    pub fn read(path: &str) -> io::Result<Self> {
        let text = files::read_named(path)?;
        let text = text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text);
        Ok(Self {
            path: path.to_owned(),
            text,
        })
    }
}

/// Reads the named columns of a CSV file with a header; other columns are ignored. Fields are parted by commas,
/// semicolons or tabs.
///
/// Returns one entry a record: its line in the file and its fields in the order of `columns`.
///
/// # Errors
/// If a column is missing or a record cannot be read, with its line.
pub fn read_csv_columns(
    file: &InputFile,
    columns: &[&str],
) -> Result<Vec<(u64, Vec<String>)>, Failure> {
    if file.text.matches('"').count() % 2 == 1 {
        return Err(Failure::input(
            file.path.clone(),
            "a quotation mark has no partner",
            "put a quotation mark at both ends of a field, or at none",
        ));
    }
    let mut reader = csv_reader(file);
    let header = reader.headers().map_err(|error| broken(file, &error))?;
    let positions = columns
        .iter()
        .map(|column| position(file, header, column, columns));
    let positions = positions.collect::<Result<Vec<_>, _>>()?;
    let read = |record: csv::Result<csv::StringRecord>| {
        let record = record.map_err(|error| broken(file, &error))?;
        let line = record.position().map_or(0, |start| line(&file.text, start));
        let field = |&position: &usize| record.get(position).unwrap_or_default().to_owned();
        Ok((line, positions.iter().map(field).collect()))
    };
    reader.records().map(read).collect()
}

/// The lines of a list with their numbers, without those that are blank or begin with `#`; `None` of
/// a file in which the first of them is no item.
pub fn list_lines(
    file: &InputFile,
    is_item: impl FnOnce(&str) -> bool,
) -> Option<impl Iterator<Item = (u64, &str)>> {
    let lines = (1..).zip(file.text.lines().map(str::trim));
    let is_plain = |(_, line): &(u64, &str)| !line.is_empty() && !line.starts_with('#');
    let mut lines = lines.filter(is_plain).peekable();
    let is_list = lines.peek().is_some_and(|&(_, line)| is_item(line));
    is_list.then_some(lines)
}

/// Returns whether the first line of a CSV file names a column.
pub fn has_csv_column(file: &InputFile, column: &str) -> bool {
    let mut reader = csv_reader(file);
    let header = reader.headers();
    header.is_ok_and(|header| header.iter().any(|name| name == column))
}

fn csv_reader(file: &InputFile) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter(&file.text))
        .trim(csv::Trim::All)
        .from_reader(file.text.as_bytes())
}

/// The delimiter of a table: the one that its first line has most often outside quotation marks; a comma if it has
/// none.
fn delimiter(text: &str) -> u8 {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let head = lines.next().unwrap_or_default();
    let plain = || head.split('"').step_by(2);
    let count = |&sign: &u8| {
        plain()
            .map(|part| part.matches(char::from(sign)).count())
            .sum::<usize>()
    };
    // The last of equals is taken.
    b"\t;,".iter().copied().max_by_key(count).unwrap_or(b',')
}

/// The line of a record, whose start lies before the blank lines above it.
fn line(text: &str, start: &csv::Position) -> u64 {
    let rest = text.bytes().skip(start.byte() as usize);
    let blank = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
    start.line() + blank.filter(|&byte| byte == b'\n').count() as u64
}

/// Returns the index of the only column of a name.
fn position(
    file: &InputFile,
    header: &csv::StringRecord,
    column: &str,
    columns: &[&str],
) -> Result<usize, Failure> {
    let mut positions = (0..header.len()).filter(|&position| &header[position] == column);
    let fault = |what: &str| {
        Failure::input(
            format!("{}:1", file.path),
            format!("the file has {what} `{column}`"),
            format!(
                "its first line must name once: {}; it names: {}",
                columns.join(", "),
                visible_line(&header.iter().collect::<Vec<_>>().join(", "))
            ),
        )
    };
    match (positions.next(), positions.next()) {
        (Some(position), None) => Ok(position),
        (None, _) => Err(fault("no column")),
        (Some(_), Some(_)) => Err(fault("two columns")),
    }
}

fn broken(file: &InputFile, error: &csv::Error) -> Failure {
    let line = error.position().map_or(1, csv::Position::line);
    Failure::input(
        format!("{}:{line}", file.path),
        format!("not a readable CSV file: {error}"),
        "expected a header line and records with the same number of fields",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> InputFile {
        InputFile {
            path: "deals.csv".into(),
            text: text.into(),
        }
    }

    #[test]
    fn an_integer_keeps_within_its_limits() {
        let side = integer_within(1..=28);
        assert_eq!(side("28"), Ok(28));
        let refused = Err("expected an integer from 1 to 28".to_owned());
        assert_eq!(side("29"), refused);
        assert_eq!(side("0"), refused);
    }

    #[test]
    fn named_columns_are_found_wherever_they_stand() {
        let rows = read_csv_columns(&file("x,deal\n1,AC\r\n\r\n\n2,KD\n"), &["deal"]).unwrap();
        assert_eq!(
            rows,
            [(2, vec!["AC".to_owned()]), (5, vec!["KD".to_owned()])]
        );
    }

    /// As spreadsheets write tables where the comma parts decimals, and as they are copied from one.
    #[test]
    fn fields_are_parted_by_commas_semicolons_or_tabs() {
        let read = |text: &str| read_csv_columns(&file(text), &["deal", "name"]).unwrap();
        let expected = [(2, vec!["AC, 2D | 3H".to_owned(), "x;y\tz".to_owned()])];
        for sign in [",", ";", "\t"] {
            let table =
                format!("name{sign}\"de,al;s\"{sign}deal\n\"x;y\tz\"{sign}{sign}\"AC, 2D | 3H\"\n");
            assert_eq!(read(&table), expected, "{table}");
        }
        let missing = read_csv_columns(&file("name:deal\n"), &["deal"]).unwrap_err();
        assert!(
            missing.help.ends_with("it names: name:deal"),
            "{}",
            missing.help
        );
    }

    #[test]
    fn a_missing_column_and_a_ragged_record_name_their_line() {
        let missing = read_csv_columns(&file("x\n1\n"), &["deal"]).unwrap_err();
        assert_eq!(missing.place, "deals.csv:1");
        let ragged = read_csv_columns(&file("x,deal\n1\n"), &["deal"]).unwrap_err();
        assert_eq!(ragged.place, "deals.csv:2");
    }
}
