//! The rows of tables: one declaration of a row writes it, reads it and describes its columns.

use super::number::Exact;
use super::record::RecordFields;
use task::TableCell;

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The column's name.
    pub name: String,
    /// The kind of its fields.
    pub kind: ColumnKind,
    /// The column's meaning, in a sentence.
    pub meaning: String,
}

impl Column {
    /// A column of this name, kind and meaning.
    pub fn new(name: &str, kind: ColumnKind, meaning: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            meaning: meaning.to_owned(),
        }
    }
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

/// Columns of a table, by name.
pub type ColumnNames = &'static [&'static str];

/// The columns that identify a row, and those that refer to a row of another table.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The columns that identify a row.
    pub primary: ColumnNames,
    /// Columns with the values that the columns of these names have in another table.
    pub foreign: &'static [(ColumnNames, &'static str)],
}

/// A row of a table.
pub trait TableRow: Sized {
    /// The table's file without `.csv`.
    const TABLE: &'static str;
    /// The columns that identify a row, and those that refer to another table.
    const KEYS: Keys;

    /// The columns, in their order.
    fn columns() -> Vec<Column>;

    /// Adds the row's cells, one for each column.
    fn write(&self, cells: &mut Vec<TableCell>);

    /// Reads a row; `fields` remembers the first fault.
    fn read(fields: &RecordFields<'_>) -> Self;
}

/// A value of a row that stands in one column, or in several of its own.
pub trait RowValue: Sized {
    /// The columns of a value of this name and meaning.
    fn columns(name: &str, meaning: &str) -> Vec<Column>;

    /// Adds the value's cells.
    fn write(&self, cells: &mut Vec<TableCell>);

    /// Reads the value of this name.
    fn read(fields: &RecordFields<'_>, name: &str) -> Self;
}

/// Declares the row of a table. The name and the doc comment of each field are the name and the
/// meaning of its column.
#[macro_export]
macro_rules! table_row {
    (
        $(#[$about:meta])*
        pub struct $row:ident in $table:literal,
        keys [$($key:literal),*] $(refers [$($column:literal),*] to $other:literal)?
        {
            $($(#[doc = $meaning:literal])* $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $row {
            $($(#[doc = $meaning])* pub $field: $type,)*
        }

        impl $crate::tables::TableRow for $row {
            const TABLE: &'static str = $table;
            const KEYS: $crate::tables::Keys = $crate::tables::Keys {
                primary: &[$($key),*],
                foreign: &[$((&[$($column),*], $other))?],
            };

            fn columns() -> Vec<$crate::tables::Column> {
                [$((
                    <$type as $crate::tables::RowValue>::columns
                        as fn(&str, &str) -> Vec<$crate::tables::Column>,
                    stringify!($field),
                    concat!($($meaning),*),
                )),*]
                .into_iter()
                .flat_map(|(columns, name, meaning)| columns(name, meaning.trim()))
                .collect()
            }

            fn write(&self, cells: &mut Vec<::task::TableCell>) {
                $($crate::tables::RowValue::write(&self.$field, cells);)*
            }

            fn read(fields: &$crate::tables::RecordFields<'_>) -> Self {
                Self {
                    $($field: $crate::tables::RowValue::read(fields, stringify!($field)),)*
                }
            }
        }
    };
}

pub(super) use table_row;

/// Columns, each with its kind. The doc comment of each is its meaning.
macro_rules! columns {
    ($($(#[doc = $meaning:literal])* $name:ident: $kind:ident,)*) => {
        vec![$($crate::tables::Column::new(
            stringify!($name),
            $crate::tables::ColumnKind::$kind,
            concat!($($meaning),*).trim(),
        )),*]
    };
}

pub(super) use columns;

/// Implements [`RowValue`] for values of one column. A table may lack columns that are empty.
macro_rules! row_values {
    ($($type:ty: $kind:ident, $read:expr;)*) => {$(
        impl RowValue for $type {
            fn columns(name: &str, meaning: &str) -> Vec<Column> {
                vec![Column::new(name, ColumnKind::$kind, meaning)]
            }

            fn write(&self, cells: &mut Vec<TableCell>) {
                cells.push(self.to_owned().into());
            }

            fn read(fields: &RecordFields<'_>, name: &str) -> Self {
                ($read)(fields, name)
            }
        }
    )*};
}

row_values! {
    String: Text, |fields: &RecordFields<'_>, name| fields.optional(name, RecordFields::text);
    u64: Integer, RecordFields::count;
    f64: Number, RecordFields::required;
    Exact: Number, |fields: &RecordFields<'_>, name| Exact(fields.required(name));
    bool: Flag, RecordFields::decided;
    Option<u64>: Integer, |fields: &RecordFields<'_>, name| fields.optional(name, RecordFields::counted);
    Option<f64>: Number, |fields: &RecordFields<'_>, name| fields.optional(name, RecordFields::number);
    Option<Exact>: Number, |fields: &RecordFields<'_>, name| fields.optional(name, RecordFields::number).map(Exact);
    Option<bool>: Flag, |fields: &RecordFields<'_>, name| fields.optional(name, RecordFields::flag);
}
