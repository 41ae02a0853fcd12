//! The rows of tables: one declaration of a row writes it, reads it and describes its columns.

use std::str::FromStr;

use stats::speed::SpeedVerdict;
use stats::{ClaimVerdict, PairStatistic, Validity};

use super::number::Exact;
use super::race::GrowthStatistic;
use super::ratings::RatingMethod;
use super::record_fields::RecordFields;
use crate::run::Stopped;
use task::{TableCell, TimingState};

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The column's name.
    pub name: String,
    /// The kind of its fields.
    pub kind: ColumnKind,
    /// The column's meaning, in a sentence.
    pub meaning: String,
    /// True of a parameter or a metric, whose meaning no other run shares.
    pub(crate) is_of_task: bool,
}

impl Column {
    /// Columns of these names, kinds and meanings.
    pub(super) fn list(columns: &[(&str, ColumnKind, &str)]) -> Vec<Self> {
        let column = |&(name, kind, meaning): &(&str, _, &str)| Self::new(name, kind, meaning);
        columns.iter().map(column).collect()
    }

    /// A column of this name, kind and meaning.
    pub(crate) fn new(name: &str, kind: ColumnKind, meaning: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            meaning: meaning.to_owned(),
            is_of_task: false,
        }
    }

    /// A column of a parameter or a metric.
    pub(super) fn of_task(name: &str, kind: ColumnKind, meaning: &str) -> Self {
        Self {
            is_of_task: true,
            ..Self::new(name, kind, meaning)
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

    /// The contents of a field, for messages.
    pub(super) fn expected(self) -> &'static str {
        match self {
            ColumnKind::Text => "a text",
            ColumnKind::Integer => "a count",
            ColumnKind::Number => "a number",
            ColumnKind::Flag => "`true` or `false`",
        }
    }
}

/// Columns of a table, by name.
pub(crate) type ColumnNames = &'static [&'static str];

/// The columns that identify a row, and those that refer to a row of another table.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The columns that identify a row.
    pub(crate) primary: ColumnNames,
    /// Columns with the values that the columns of these names have in another table.
    pub(crate) foreign: &'static [(ColumnNames, &'static str)],
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
pub(crate) trait RowValue: Sized {
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
        $vis:vis struct $row:ident in $table:literal,
        keys [$($key:literal),*] $(refers [$($column:literal),*] to $other:literal)?
        {
            $($(#[doc = $meaning:literal])* $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $vis struct $row {
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

/// A value that stands in one column.
trait Field: Clone + Default + FromStr + Into<TableCell> {
    /// The kind of the column.
    const KIND: ColumnKind;
}

impl Field for u64 {
    const KIND: ColumnKind = ColumnKind::Integer;
}

impl Field for f64 {
    const KIND: ColumnKind = ColumnKind::Number;
}

impl Field for Exact {
    const KIND: ColumnKind = ColumnKind::Number;
}

impl Field for bool {
    const KIND: ColumnKind = ColumnKind::Flag;
}

/// A value that every row has.
impl<F: Field> RowValue for F {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        vec![Column::new(name, F::KIND, meaning)]
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        cells.push(self.clone().into());
    }

    fn read(fields: &RecordFields<'_>, name: &str) -> Self {
        let value = fields.parsed(name, F::KIND);
        value.unwrap_or_else(|| {
            let expected = F::KIND.expected();
            fields.note(name, &format!("it is empty, and should be {expected}"));
            F::default()
        })
    }
}

/// A value that some rows have; a table may lack its column where none has.
impl<F: Field> RowValue for Option<F> {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        F::columns(name, meaning)
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        cells.push(self.clone().map_or(TableCell::Empty, Into::into));
    }

    fn read(fields: &RecordFields<'_>, name: &str) -> Self {
        fields.optional(name, |fields, name| fields.parsed(name, F::KIND))
    }
}

/// Gives values that are one of a few words, each under its word, a column of text.
macro_rules! word_columns {
    ($($type:ident::$unread:ident),* $(,)?) => {$(
        impl RowValue for $type {
            fn columns(name: &str, meaning: &str) -> Vec<Column> {
                String::columns(name, meaning)
            }

            fn write(&self, cells: &mut Vec<TableCell>) {
                cells.push(self.as_ref().into());
            }

            fn read(fields: &RecordFields<'_>, name: &str) -> Self {
                let known = fields.known(name, |word| word.parse().ok());
                known.unwrap_or($type::$unread)
            }
        }

        impl RowValue for Option<$type> {
            fn columns(name: &str, meaning: &str) -> Vec<Column> {
                String::columns(name, meaning)
            }

            fn write(&self, cells: &mut Vec<TableCell>) {
                cells.push(self.as_ref().map_or(TableCell::Empty, |word| word.as_ref().into()));
            }

            fn read(fields: &RecordFields<'_>, name: &str) -> Self {
                fields.optional(name, |fields, name| {
                    fields.known(name, |word| match word {
                        "" => Some(None),
                        word => word.parse().ok().map(Some),
                    })?
                })
            }
        }
    )*};
}

word_columns!(
    ClaimVerdict::Undecided,
    GrowthStatistic::Factor,
    PairStatistic::Median,
    RatingMethod::OneSample,
    SpeedVerdict::Open,
    Stopped::Unstored,
    TimingState::Failed,
    Validity::AnyTime
);

/// A text, which may be empty, and so may lack its column.
impl RowValue for String {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        vec![Column::new(name, ColumnKind::Text, meaning)]
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        cells.push(self.as_str().into());
    }

    fn read(fields: &RecordFields<'_>, name: &str) -> Self {
        fields.optional(name, RecordFields::text)
    }
}

#[cfg(test)]
mod tests {
    use csv::StringRecord;

    use super::*;

    /// A rating without an interval has no validity, and a table may lack the column.
    #[test]
    fn a_word_may_be_absent_and_must_be_known() {
        let read = |columns: [&str; 2], word: &str| {
            let header = StringRecord::from(columns.to_vec());
            let record = StringRecord::from(vec!["ada", word]);
            let fields = RecordFields::new(&header, &record);
            let read = Option::<Validity>::read(&fields, "valid_under");
            (read, fields.fault())
        };
        let own = ["player", "valid_under"];
        assert_eq!(read(own, "any-time"), (Some(Validity::AnyTime), None));
        assert_eq!(read(own, ""), (None, None));
        assert_eq!(read(["player", "points"], "7"), (None, None));
        let (unread, fault) = read(own, "sometimes");
        assert_eq!(unread, None);
        assert!(fault.is_some_and(|fault| fault.contains("`sometimes` is not known")));
        let mut cells = Vec::new();
        Some(Validity::FixedN).write(&mut cells);
        None::<Validity>.write(&mut cells);
        assert_eq!(cells, [TableCell::from("fixed-n"), TableCell::Empty]);
    }
}
