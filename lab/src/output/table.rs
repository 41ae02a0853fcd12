//! A table of a run folder: columns with types, and rows of text.
//!
//! A missing value is an empty field. A number has a point or an exponent and an integer has
//! neither, so programs that guess a column's type from its first rows guess right.

use super::number::decimal;
use super::text::guarded;

/// A table of a run folder.
#[derive(Debug)]
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
    // Rows are encoded as they come: as texts they would take ten times the memory.
    csv: csv::Writer<Vec<u8>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its fields hold.
    pub kind: ColumnKind,
}

/// What the fields of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Integers.
    Integer,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Flag,
}

impl ColumnKind {
    /// The type's name in a Frictionless table schema.
    pub fn frictionless(self) -> &'static str {
        match self {
            ColumnKind::Text => "string",
            ColumnKind::Integer => "integer",
            ColumnKind::Number => "number",
            ColumnKind::Flag => "boolean",
        }
    }
}

impl Table {
    /// The file's name without `.csv`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The file's bytes.
    pub fn to_csv(&self) -> &[u8] {
        self.csv.get_ref()
    }

    /// The file's bytes.
    pub fn into_csv(self) -> Vec<u8> {
        self.csv.into_inner().unwrap_or_default()
    }

    /// Adds a row, of one field for each column.
    pub(super) fn push(&mut self, mut row: Vec<String>) {
        for (field, column) in row.iter_mut().zip(&self.columns) {
            match column.kind {
                ColumnKind::Number => *field = decimal(field),
                ColumnKind::Text => *field = guarded(field),
                ColumnKind::Integer | ColumnKind::Flag => {}
            }
        }
        // Writing to memory cannot fail.
        let _ = self.csv.write_record(row);
        let _ = self.csv.flush();
    }

    /// A table whose columns are spelled `name`, `name:integer`, `name:number` or `name:flag`.
    pub(super) fn new<'a>(name: &'static str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        let columns: Vec<Column> = columns.into_iter().map(column).collect();
        let mut table = Self {
            name,
            csv: csv::Writer::from_writer(Vec::new()),
            columns: Vec::new(),
        };
        table.push(columns.iter().map(|column| column.name.clone()).collect());
        table.columns = columns;
        table
    }
}

/// The column spelled `name`, `name:integer`, `name:number` or `name:flag`.
pub(super) fn column(spelled: &str) -> Column {
    let (name, kind) = match spelled.split_once(':') {
        Some((name, "integer")) => (name, ColumnKind::Integer),
        Some((name, "flag")) => (name, ColumnKind::Flag),
        Some((name, _)) => (name, ColumnKind::Number),
        None => (spelled, ColumnKind::Text),
    };
    Column {
        name: name.to_owned(),
        kind,
    }
}
