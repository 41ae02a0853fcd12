//! The verbs for one instance of a game: solve it, make one, play it.
//!
//! A game declares its verbs as data; the command line is built from them, so a new game's
//! commands need no change outside its folder. A verb computes and reports through a
//! [`Console`]; it never prints.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::cell::TableCell;
use super::params::{ParamSpec, ParamValue};

/// A command of the form `etude VERB GAME`.
#[derive(Debug)]
pub struct Verb {
    /// `solve`, `make`, `play`, `perft`, `prove`.
    pub name: &'static str,
    /// One sentence for `--help`.
    pub summary: &'static str,
    /// Example command lines with a remark each, for `--help`.
    pub examples: &'static [(&'static str, &'static str)],
    /// The options it accepts.
    pub options: &'static [VerbOption],
    /// Does it.
    pub run: fn(&Arguments, &mut dyn Console) -> Result<(), VerbError>,
}

/// An option of a verb: a parameter as tasks have them, and how it is given.
#[derive(Debug)]
pub struct VerbOption {
    /// Its name, what it is, the values it takes and its default; required only of an operand.
    pub param: ParamSpec,
    /// The placeholder in `--help`: `FILE`, `N`, `DEAL`; empty for the name.
    pub value: &'static str,
    /// The way in which it is given.
    pub given: Given,
}

/// The ways in which an option is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// `--name VALUE`, or `--name` for a flag.
    Named,
    /// The value alone, without the option's name; it must be there.
    Alone,
    /// `--name PATH`: the file is read before the verb runs.
    File,
}

impl VerbOption {
    /// The option `--name VALUE` for this parameter.
    pub const fn of(param: ParamSpec) -> Self {
        Self {
            param,
            value: "",
            given: Given::Named,
        }
    }

    /// A text.
    pub const fn text(name: &'static str, value: &'static str, summary: &'static str) -> Self {
        Self::of(ParamSpec::text(name, summary)).shown_as(value)
    }

    /// One of a list of words, which help and completion show.
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> Self {
        Self::of(ParamSpec::choice(name, words, summary))
    }

    /// A non-negative integer; `10_000` and `1e6` are understood.
    pub const fn integer(name: &'static str, value: &'static str, summary: &'static str) -> Self {
        Self::of(ParamSpec::integer(name, (0, i64::MAX), summary)).shown_as(value)
    }

    /// A flag: on when present.
    pub const fn flag(name: &'static str, summary: &'static str) -> Self {
        Self::of(ParamSpec::flag(name, summary))
    }

    /// A file, which is read before the verb runs.
    pub const fn file(name: &'static str, value: &'static str, summary: &'static str) -> Self {
        Self::text(name, value, summary).given(Given::File)
    }

    /// A text that stands alone and must be there.
    pub const fn operand(name: &'static str, value: &'static str, summary: &'static str) -> Self {
        Self::text(name, value, summary).given(Given::Alone)
    }

    /// Returns the option with this text as its default.
    pub const fn or_text(mut self, text: &'static str) -> Self {
        self.param
            .set_default(ParamValue::Text(Cow::Borrowed(text)));
        self
    }

    /// Returns the option with this integer as its default.
    pub const fn or_integer(mut self, integer: i64) -> Self {
        self.param.set_default(ParamValue::Integer(integer));
        self
    }

    const fn shown_as(mut self, value: &'static str) -> Self {
        self.value = value;
        self
    }

    const fn given(mut self, given: Given) -> Self {
        self.given = given;
        self
    }
}

/// A file named on the command line, already read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its path as given.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// The options given to a verb; those with a default are always there.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    texts: BTreeMap<String, String>,
    integers: BTreeMap<String, u64>,
    flags: BTreeMap<String, bool>,
    files: BTreeMap<String, InputFile>,
}

impl Arguments {
    /// Returns the defaults of these options.
    pub fn defaults(options: &[VerbOption]) -> Self {
        let with_default = |arguments: Self, option: &VerbOption| {
            let name = &option.param.name;
            match &option.param.default {
                Some(ParamValue::Text(text)) => arguments.with_text(name, text),
                Some(ParamValue::Integer(integer)) => {
                    arguments.with_integer(name, integer.unsigned_abs())
                }
                _ => arguments,
            }
        };
        options.iter().fold(Self::default(), with_default)
    }

    /// Adds a text.
    pub fn with_text(mut self, name: &str, text: &str) -> Self {
        self.texts.insert(name.to_owned(), text.to_owned());
        self
    }

    /// Adds an integer.
    pub fn with_integer(mut self, name: &str, integer: u64) -> Self {
        self.integers.insert(name.to_owned(), integer);
        self
    }

    /// Turns a flag on.
    pub fn with_flag(mut self, name: &str) -> Self {
        self.flags.insert(name.to_owned(), true);
        self
    }

    /// Adds a file.
    pub fn with_file(mut self, name: &str, file: InputFile) -> Self {
        self.files.insert(name.to_owned(), file);
        self
    }

    /// A text, if given or by default.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// An integer, if given or by default.
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.integers.get(name).copied()
    }

    /// Returns whether a flag is on.
    pub fn flag(&self, name: &str) -> bool {
        self.flags.get(name).copied().unwrap_or(false)
    }

    /// A file, if given.
    pub fn file(&self, name: &str) -> Option<&InputFile> {
        self.files.get(name)
    }

    /// Refuses options that would do nothing: `reason` follows the option's name.
    ///
    /// # Errors
    /// If one of `names` is given or has a default.
    pub fn refuse(&self, names: &[&str], reason: &str, help: &str) -> Result<(), VerbError> {
        match names.iter().find(|name| self.has(name)) {
            Some(name) => {
                let option = format!("--{name}");
                let message = format!("`{option}` {reason}");
                Err(VerbError::usage(option, message, help))
            }
            None => Ok(()),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.texts.contains_key(name)
            || self.integers.contains_key(name)
            || self.flags.contains_key(name)
            || self.files.contains_key(name)
    }
}

/// The terminal of a verb: it reports there and asks there.
///
/// The data of a table and nothing else reaches standard output; notes and drawings are for the
/// person watching.
pub trait Console {
    /// Starts a table. Called once, before its first row.
    fn columns(&mut self, names: &[&str]);

    /// Adds a row of the table.
    fn row(&mut self, cells: &[TableCell]);

    /// Says what holds of all rows together. JSON puts it beside them; elsewhere a note says it.
    fn totals(&mut self, totals: &[(&'static str, TableCell)]) {
        let _ = totals;
    }

    /// Says something about the data: a total, a warning, what to do next.
    fn note(&mut self, text: &str);

    /// Shows a board or a list of moves. Only the text format shows drawings.
    fn draw(&mut self, text: &str);

    /// Whether drawings are shown.
    fn shows_drawings(&self) -> bool {
        false
    }

    /// Says a line on standard output at once, to a program that listens.
    fn answer(&mut self, text: &str) {
        self.note(text);
    }

    /// Asks for a line of input; `None` at its end.
    fn ask(&mut self, prompt: &str) -> Option<String>;

    /// Returns whether colours may be used in drawings.
    fn colour(&self) -> bool;

    /// From here on a request to stop is one that [`Console::is_interrupted`] tells of, for a verb
    /// that has something to bring to a safe end; before, and at the second request, the program
    /// ends at once.
    fn stop_when_asked(&mut self) {}

    /// Returns whether the person asked to stop.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// An error: a verb could not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct VerbError {
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The place of the fault: `--deal`, `deals.csv:17`; empty where it is nowhere in particular.
    pub place: String,
    /// The expected form, or advice.
    pub help: String,
    /// True if the command line or an input file is at fault (exit code 2) or the work failed (1).
    pub usage: bool,
    /// True if a person stopped it and it can go on (exit code 75).
    pub resumable: bool,
}

impl VerbError {
    /// The input at `place` is at fault.
    pub fn usage(
        place: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            message: message.into(),
            place: place.into(),
            help: help.into(),
            usage: true,
            resumable: false,
        }
    }

    /// The work failed.
    pub fn failed(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place: String::new(),
            help: help.into(),
            usage: false,
            resumable: false,
        }
    }

    /// A person stopped it; `help` says how to go on.
    pub fn interrupted(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            resumable: true,
            ..Self::failed(message, help)
        }
    }
}

/// Reads the named columns of a CSV file with a header; other columns are ignored.
///
/// Returns one entry a record: its line in the file and its fields in the order of `columns`.
///
/// # Errors
/// Where a column is missing or a record cannot be read, with its line.
pub fn read_csv_columns(
    file: &InputFile,
    columns: &[&str],
) -> Result<Vec<(u64, Vec<String>)>, VerbError> {
    if file.text.matches('"').count() % 2 == 1 {
        return Err(VerbError::usage(
            file.path.clone(),
            "a quotation mark has no partner",
            "put a quotation mark at both ends of a field, or at none",
        ));
    }
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(file.text.as_bytes());
    let header = reader.headers().map_err(|error| broken(file, &error))?;
    let places = columns
        .iter()
        .map(|column| place(file, header, column, columns))
        .collect::<Result<Vec<_>, _>>()?;
    reader
        .records()
        .map(|record| {
            let record = record.map_err(|error| broken(file, &error))?;
            let line = record.position().map_or(0, csv::Position::line);
            let field = |&place: &usize| record.get(place).unwrap_or_default().to_owned();
            Ok((line, places.iter().map(field).collect()))
        })
        .collect()
}

/// Returns the index of the only column of a name.
fn place(
    file: &InputFile,
    header: &csv::StringRecord,
    column: &str,
    columns: &[&str],
) -> Result<usize, VerbError> {
    let all = header.iter().enumerate();
    let mut places = all
        .filter(|(_, name)| *name == column)
        .map(|(place, _)| place);
    let fault = |what: &str| {
        VerbError::usage(
            format!("{}:1", file.path),
            format!("the file has {what} `{column}`"),
            format!("its first line must name once: {}", columns.join(", ")),
        )
    };
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (None, _) => Err(fault("no column")),
        (Some(_), Some(_)) => Err(fault("two columns")),
    }
}

fn broken(file: &InputFile, error: &csv::Error) -> VerbError {
    let line = error.position().map_or(1, csv::Position::line);
    VerbError::usage(
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
    fn named_columns_are_found_wherever_they_stand() {
        let rows = read_csv_columns(&file("x,deal\n1,AC\n2,KD\n"), &["deal"]).unwrap();
        assert_eq!(
            rows,
            [(2, vec!["AC".to_owned()]), (3, vec!["KD".to_owned()])]
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
