//! A record of a CSV file, field by field.

use std::cell::RefCell;
use std::str::FromStr;

use csv::StringRecord;

use super::formula::unguarded;
use super::row::{ColumnKind, RowValue};
use base::{visible, visible_line};

/// A record of a CSV file, by the names of its columns. A field that cannot be read, or is not
/// there, is read as empty; the first such field is remembered.
pub struct RecordFields<'row> {
    header: &'row StringRecord,
    record: &'row StringRecord,
    fault: RefCell<Option<String>>,
}

impl<'row> RecordFields<'row> {
    /// The fields of a record under a header.
    pub fn new(header: &'row StringRecord, record: &'row StringRecord) -> Self {
        Self {
            header,
            record,
            fault: RefCell::new(None),
        }
    }

    /// Returns the first fault of the record, if there is any, with its line.
    pub fn fault(self) -> Option<String> {
        self.fault.into_inner()
    }

    /// The line of the record.
    pub(crate) fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    /// Remembers what is wrong with a column, unless something was before.
    pub fn note(&self, column: &str, message: &str) {
        let line = self.line();
        self.note_at(line, column, message);
    }

    fn note_at(&self, line: u64, column: &str, message: &str) {
        let mut fault = self.fault.borrow_mut();
        fault.get_or_insert_with(|| format!("line {line}, column `{column}`: {message}"));
    }

    /// Reads a column that a table has only where some row has a value for it.
    pub(super) fn optional<T: Default>(&self, column: &str, read: fn(&Self, &str) -> T) -> T {
        match self.position(column) {
            Some(_) => read(self, column),
            None => T::default(),
        }
    }

    /// A text, safe to show in one line.
    pub fn text(&self, column: &str) -> String {
        visible_line(unguarded(self.field(column)))
    }

    /// A number; an empty field is none.
    pub(crate) fn number(&self, column: &str) -> Option<f64> {
        self.parsed(column, ColumnKind::Number)
    }

    /// A number of things, which every row has.
    pub fn count(&self, column: &str) -> u64 {
        u64::read(self, column)
    }

    /// A field of one of the forms that `parse` knows.
    pub(crate) fn known<T>(&self, column: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let field = self.field(column);
        let known = parse(field);
        if known.is_none() {
            let message = format!("`{}` is not known to this version", visible(field));
            self.note(column, &message);
        }
        known
    }

    /// The value in a field of this kind; an empty field is none.
    pub(super) fn parsed<T: FromStr>(&self, column: &str, kind: ColumnKind) -> Option<T> {
        let field = self.field(column);
        let parsed = field.parse().ok();
        if parsed.is_none() && !field.is_empty() {
            let (field, expected) = (visible(field), kind.expected());
            self.note(column, &format!("`{field}` is not {expected}"));
        }
        if field.parse().is_ok_and(|number: f64| !number.is_finite()) {
            self.note(column, "it is not finite");
        }
        parsed
    }

    /// The columns between two others, with their fields.
    pub(super) fn between<'name>(
        &self,
        after: &'name str,
        before: &'name str,
    ) -> impl Iterator<Item = (&'row str, String)> {
        let names = self.header.iter().skip_while(move |name| *name != after);
        let names = names.skip(1).take_while(move |name| *name != before);
        names.map(|column| (column, self.text(column)))
    }

    fn field(&self, column: &str) -> &str {
        let position = self.position(column);
        if position.is_none() {
            self.note_at(1, column, "there is no such column");
        }
        position
            .and_then(|position| self.record.get(position))
            .unwrap_or_default()
    }

    fn position(&self, column: &str) -> Option<usize> {
        self.header.iter().position(|name| name == column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_that_cannot_be_read_is_told_with_its_column() {
        let header = StringRecord::from(vec!["n", "mean", "sd"]);
        let record = StringRecord::from(vec!["12", "x", "y"]);
        let fields = RecordFields::new(&header, &record);
        assert_eq!((fields.count("n"), fields.number("mean")), (12, None));
        assert_eq!(fields.number("sd"), None);
        let fault = fields.fault();
        let told = "line 0, column `mean`: `x` is not a number";
        assert_eq!(fault.as_deref(), Some(told));
        let empty = StringRecord::from(vec!["", "", ""]);
        let fields = RecordFields::new(&header, &empty);
        assert_eq!(
            (fields.number("mean"), <Option<bool>>::read(&fields, "sd")),
            (None, None)
        );
        assert_eq!(fields.fault(), None);
    }

    #[test]
    fn what_must_be_there_and_is_not_is_told() {
        let header = StringRecord::from(vec!["n", "mean", "ci_hi"]);
        let record = StringRecord::from(vec!["", "1.5", "inf"]);
        let fields = || RecordFields::new(&header, &record);
        let (empty, missing, no_flag) = (fields(), fields(), fields());
        let read = (
            empty.count("n"),
            missing.number("sd"),
            <Option<bool>>::read(&no_flag, "mean"),
        );
        assert_eq!(read, (0, None, None));
        let told = [empty, missing, no_flag].map(|fields| fields.fault().unwrap_or_default());
        assert!(told[0].ends_with("column `n`: it is empty, and should be a count"));
        assert_eq!(told[1], "line 1, column `sd`: there is no such column");
        assert!(told[2].contains("`1.5` is not `true`"), "{}", told[2]);
        let endless = fields();
        let undecided = fields();
        assert!(!bool::read(&undecided, "n"));
        assert!(
            undecided
                .fault()
                .is_some_and(|fault| fault.contains("`true` or `false`"))
        );
        assert_eq!(endless.number("ci_hi"), Some(f64::INFINITY));
        assert!(
            endless
                .fault()
                .is_some_and(|fault| fault.contains("not finite"))
        );
    }
}
