//! A record of a CSV file, field by field.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::str::FromStr;

use csv::StringRecord;

use crate::output::{PARAM_PREFIX, unguarded, visible};

/// A record of a CSV file, by the names of its columns. A column that is not there is empty; what
/// cannot be read is remembered, the first of it, and read as nothing.
pub(in crate::report) struct Fields<'row> {
    header: &'row StringRecord,
    record: &'row StringRecord,
    fault: RefCell<Option<String>>,
}

impl<'row> Fields<'row> {
    /// The fields of a record under a header.
    pub fn new(header: &'row StringRecord, record: &'row StringRecord) -> Self {
        Self {
            header,
            record,
            fault: RefCell::new(None),
        }
    }

    /// What is wrong with the record, if anything was.
    pub fn fault(self) -> Option<String> {
        self.fault.into_inner()
    }

    /// Remembers what is wrong with a column, unless something was before.
    pub fn note(&self, column: &str, message: &str) {
        let mut fault = self.fault.borrow_mut();
        fault.get_or_insert_with(|| format!("column `{column}`: {message}"));
    }

    /// A text, safe to show.
    pub fn text(&self, column: &str) -> String {
        visible(unguarded(self.field(column)))
    }

    /// A number; an empty field is none.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.parsed(column, "a number")
    }

    /// A number of things; an empty field is 0.
    pub fn count(&self, column: &str) -> u64 {
        self.parsed(column, "a count").unwrap_or_default()
    }

    fn parsed<T: FromStr>(&self, column: &str, what: &str) -> Option<T> {
        let field = self.field(column);
        let parsed = field.parse().ok();
        if parsed.is_none() && !field.is_empty() {
            self.note(column, &format!("`{}` is not {what}", visible(field)));
        }
        parsed
    }

    /// The fields of the columns between two others, by name.
    pub(super) fn between(&self, after: &str, before: &str) -> BTreeMap<String, String> {
        let names = self.header.iter().skip_while(|name| *name != after).skip(1);
        let names = names.take_while(|name| *name != before);
        names
            .map(|column| {
                let name = column.strip_prefix(PARAM_PREFIX).unwrap_or(column);
                (name.to_owned(), self.text(column))
            })
            .collect()
    }

    fn field(&self, column: &str) -> &str {
        let place = self.header.iter().position(|name| name == column);
        place
            .and_then(|place| self.record.get(place))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_that_cannot_be_read_is_told_with_its_column() {
        let header = StringRecord::from(vec!["n", "mean", "sd"]);
        let record = StringRecord::from(vec!["12", "x", "y"]);
        let fields = Fields::new(&header, &record);
        assert_eq!((fields.count("n"), fields.number("mean")), (12, None));
        assert_eq!(fields.number("sd"), None);
        let fault = fields.fault();
        assert_eq!(fault.as_deref(), Some("column `mean`: `x` is not a number"));
        let empty = StringRecord::from(vec!["", "", ""]);
        let fields = Fields::new(&header, &empty);
        assert_eq!((fields.count("n"), fields.number("mean")), (0, None));
        assert_eq!(fields.fault(), None);
    }
}
