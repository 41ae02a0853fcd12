//! Tables on standard output: aligned text, CSV or JSON.

use std::io::{self, Write};

use base::{visible, visible_json};
use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use serde_json::Value;
use task::TableCell;

use super::failure::Failure;
use super::terminal;
use figures::{cut, fitted};
use lab::tables::guarded;
use stats::Interval;

/// The format of a table on standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people.
    #[default]
    Text,
    /// Comma-separated values with a header.
    Csv,
    /// An array of objects; where a table has totals, an object with them and its rows.
    Json,
}

/// A table that is written in the end, whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Printed {
    columns: Vec<String>,
    rows: Vec<Vec<TableCell>>,
    /// Facts of all rows together, which only JSON has a place for.
    pub(crate) totals: Vec<(&'static str, TableCell)>,
}

impl Printed {
    /// An empty table.
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            ..Self::default()
        }
    }

    /// A table of these rows.
    pub(crate) fn of<const N: usize>(
        columns: [&str; N],
        rows: impl IntoIterator<Item = [TableCell; N]>,
    ) -> Self {
        let mut table = Self::new(&columns);
        rows.into_iter().for_each(|row| table.push(row));
        table
    }

    /// Adds a row of cells with the names of their columns, the same in every row.
    pub(crate) fn push_named<'name>(
        &mut self,
        row: impl IntoIterator<Item = (&'name str, TableCell)>,
    ) {
        let (columns, row): (Vec<&str>, Vec<TableCell>) = row.into_iter().unzip();
        self.columns = columns.into_iter().map(str::to_owned).collect();
        self.rows.push(row);
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = TableCell>) {
        self.rows.push(row.into_iter().collect());
    }

    /// Writes the table to standard output.
    pub(crate) fn print(&self, format: Format) -> Result<(), Failure> {
        let bytes = match format {
            Format::Text => fitted(&self.to_table(), terminal::width()).into_bytes(),
            Format::Csv => self.to_csv(),
            Format::Json => self.to_json(),
        };
        write_stdout(&bytes)
    }

    /// Writes the table to standard output; to a terminal with a line for each row, however long its
    /// last column is.
    pub(crate) fn print_lines(&self, format: Format) -> Result<(), Failure> {
        let Some(width) = terminal::width().filter(|_| format == Format::Text) else {
            return self.print(format);
        };
        let text = fitted(&self.to_table(), None);
        let cut = |line| cut(line, usize::from(width)) + "\n";
        write_stdout(text.lines().map(cut).collect::<String>().as_bytes())
    }

    fn to_table(&self) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(aligned));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        table
    }

    fn to_csv(&self) -> Vec<u8> {
        let mut bytes = csv_line(self.columns.iter().cloned());
        for row in &self.rows {
            bytes.extend(csv_line(row.iter().map(field)));
        }
        bytes
    }

    fn to_json(&self) -> Vec<u8> {
        let object = |row: &Vec<TableCell>| {
            let fields = self.columns.iter().cloned().zip(row.iter().map(json));
            Value::Object(fields.collect())
        };
        let mut value: Value = self.rows.iter().map(object).collect();
        if !self.totals.is_empty() {
            let totals = self.totals.iter();
            let totals = totals.map(|(name, cell)| ((*name).to_owned(), json(cell)));
            value = Value::Object(totals.chain([("rows".to_owned(), value)]).collect());
        }
        let text = serde_json::to_string_pretty(&value).unwrap_or_default();
        (visible_json(&text) + "\n").into_bytes()
    }
}

/// The ends, level, method and validity of an interval with their columns; empty where there is none.
pub(crate) fn interval_cells(interval: Option<Interval>) -> [(&'static str, TableCell); 5] {
    let interval = interval.map(Interval::written);
    let number = |part: fn(Interval) -> f64| TableCell::exact(interval.map(part));
    let word = |part: fn(Interval) -> &'static str| interval.map_or("", part).into();
    [
        ("ci_lo", number(|interval| interval.lo)),
        ("ci_hi", number(|interval| interval.hi)),
        ("ci_level", number(|interval| interval.level.get())),
        ("ci_method", word(|interval| interval.method.into())),
        ("valid_under", word(|interval| interval.validity.into())),
    ]
}

/// A line of CSV.
pub(crate) fn csv_line(fields: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(fields.map(String::into_bytes));
    writer.into_inner().unwrap_or_default()
}

/// Writes text to standard output as [`terminal::shown`] makes it safe; a reader that has gone away
/// is no error.
pub(crate) fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    offer_stdout(bytes).map(drop)
}

/// Like [`write_stdout`]; whether somebody still reads it.
pub(crate) fn offer_stdout(bytes: &[u8]) -> Result<bool, Failure> {
    let mut stdout = io::stdout().lock();
    let text = terminal::shown(&String::from_utf8_lossy(bytes), &stdout);
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::failed(format!(
            "standard output cannot be written: {error}"
        ))),
    }
}

fn aligned(cell: &TableCell) -> comfy_table::Cell {
    let alignment = match cell {
        TableCell::Integer(_) | TableCell::Number(_) | TableCell::Exact(_) => CellAlignment::Right,
        _ => CellAlignment::Left,
    };
    comfy_table::Cell::new(visible(&plain(cell))).set_alignment(alignment)
}

/// A cell as a field of a CSV file.
pub(crate) fn field(cell: &TableCell) -> String {
    match cell {
        TableCell::Text(text) => guarded(text),
        other => plain(other),
    }
}

/// A cell as a text.
fn plain(cell: &TableCell) -> String {
    match cell {
        TableCell::Text(text) => text.clone(),
        TableCell::Integer(integer) => integer.to_string(),
        TableCell::Number(value) => lab::tables::number(Some(*value)),
        TableCell::Exact(value) => lab::tables::exact(*value),
        TableCell::Flag(flag) => flag.to_string(),
        TableCell::Empty => String::new(),
    }
}

/// Integers beyond 64 bits become texts, for few JSON readers keep their digits.
fn json(cell: &TableCell) -> Value {
    match cell {
        TableCell::Text(text) => Value::from(text.as_str()),
        TableCell::Integer(integer) => {
            i64::try_from(*integer).map_or_else(|_| Value::from(integer.to_string()), Value::from)
        }
        TableCell::Number(value) | TableCell::Exact(value) => Value::from(*value),
        TableCell::Flag(flag) => Value::from(*flag),
        TableCell::Empty => Value::Null,
    }
}
