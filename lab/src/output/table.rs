//! A table of a run folder: columns with types, and rows of text.
//!
//! One declaration of a table gives its header, its fields, their types and the description of
//! both in `datapackage.json`. A missing value is an empty field. A number has a point or an
//! exponent and an integer has neither, so programs that guess a column's type from its first rows
//! guess right.

use super::formula::guarded;
use super::number::{decimal, number};

/// A table of a run folder.
#[derive(Debug)]
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
    keys: Keys,
    // Rows are encoded as they come: as texts they would take ten times the memory.
    csv: csv::Writer<Vec<u8>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The kind of its fields.
    pub kind: ColumnKind,
    /// Its meaning, in a sentence.
    pub meaning: String,
}

/// The kind of a column's fields.
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

/// The columns that identify a row, and those that refer to a row of another table.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The columns that identify a row.
    pub primary: &'static [&'static str],
    /// Columns with the same values as the columns of these names in another table.
    pub foreign: Option<(&'static [&'static str], &'static str)>,
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

    /// Returns the columns that identify a row, and those that refer to another table.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// The file's bytes.
    pub fn to_csv(&self) -> &[u8] {
        self.csv.get_ref()
    }

    /// The file's bytes.
    pub fn into_csv(self) -> Vec<u8> {
        self.csv.into_inner().unwrap_or_default()
    }

    /// A table to be declared, with a row for each of `rows`, identified by the columns `primary`.
    pub(super) fn of<'run, I: IntoIterator>(
        name: &'static str,
        primary: &'static [&'static str],
        rows: I,
    ) -> TableBuilder<'run, I> {
        TableBuilder {
            name,
            columns: Vec::new(),
            fields: Vec::new(),
            keys: Keys {
                primary,
                foreign: None,
            },
            rows,
        }
    }

    fn write(&mut self, row: impl IntoIterator<Item = String>) {
        // Writing to memory cannot fail.
        let _ = self.csv.write_record(row);
        let _ = self.csv.flush();
    }
}

/// A function that converts a row to the field of a column.
type FieldOf<'run, R> = Box<dyn Fn(&R) -> String + 'run>;

/// The declaration of a table. Columns stand in the order of the calls.
pub(super) struct TableBuilder<'run, I: IntoIterator> {
    name: &'static str,
    columns: Vec<Column>,
    fields: Vec<FieldOf<'run, I::Item>>,
    keys: Keys,
    rows: I,
}

impl<'run, I: IntoIterator> TableBuilder<'run, I> {
    /// These columns have the same values as those of the same names in another table.
    pub fn refers(mut self, columns: &'static [&'static str], table: &'static str) -> Self {
        self.keys.foreign = Some((columns, table));
        self
    }

    /// A column of texts.
    pub fn text<T: ToString>(
        self,
        name: &str,
        meaning: &str,
        field: impl Fn(&I::Item) -> T + 'run,
    ) -> Self {
        self.verbatim(ColumnKind::Text, name, meaning, field)
    }

    /// A column of this kind whose fields are written as they are.
    pub fn verbatim<T: ToString>(
        self,
        kind: ColumnKind,
        name: &str,
        meaning: &str,
        field: impl Fn(&I::Item) -> T + 'run,
    ) -> Self {
        let field = move |row: &I::Item| guarded(&field(row).to_string());
        self.column(kind, (name, meaning), field)
    }

    /// A column of integers.
    pub fn integer<T: ToString>(
        self,
        name: &str,
        meaning: &str,
        field: impl Fn(&I::Item) -> T + 'run,
    ) -> Self {
        let field = move |row: &I::Item| field(row).to_string();
        self.column(ColumnKind::Integer, (name, meaning), field)
    }

    /// A column of numbers, empty where there is none.
    pub fn number(
        self,
        name: &str,
        meaning: &str,
        field: impl Fn(&I::Item) -> Option<f64> + 'run,
    ) -> Self {
        let field = move |row: &I::Item| decimal(&number(field(row)));
        self.column(ColumnKind::Number, (name, meaning), field)
    }

    /// A column of `true` and `false`, empty where it is neither.
    pub fn flag(
        self,
        name: &str,
        meaning: &str,
        field: impl Fn(&I::Item) -> Option<bool> + 'run,
    ) -> Self {
        let field = move |row: &I::Item| field(row).map_or(String::new(), |flag| flag.to_string());
        self.column(ColumnKind::Flag, (name, meaning), field)
    }

    fn column(
        mut self,
        kind: ColumnKind,
        (name, meaning): (&str, &str),
        field: impl Fn(&I::Item) -> String + 'run,
    ) -> Self {
        self.columns.push(Column {
            name: name.to_owned(),
            kind,
            meaning: meaning.to_owned(),
        });
        self.fields.push(Box::new(field));
        self
    }

    /// The columns' names so far.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|one| one.name.clone()).collect()
    }

    /// The table with all rows.
    pub fn build(self) -> Table {
        let names = self.names();
        let mut table = Table {
            name: self.name,
            csv: csv::Writer::from_writer(Vec::new()),
            columns: self.columns,
            keys: self.keys,
        };
        table.write(names);
        for row in self.rows {
            table.write(self.fields.iter().map(|field| field(&row)));
        }
        table
    }
}
