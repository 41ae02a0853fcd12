//! A record of a CSV file, field by field.

use std::collections::BTreeMap;

use csv::StringRecord;

use crate::output::{PARAM_PREFIX, unguarded, visible};

/// A record of a CSV file, by the names of its columns. A column that is not there is empty.
pub(in crate::report) struct Fields<'row> {
    pub header: &'row StringRecord,
    pub record: &'row StringRecord,
}

impl Fields<'_> {
    /// A text, safe to show.
    pub fn text(&self, column: &str) -> String {
        visible(unguarded(self.field(column)))
    }

    pub fn number(&self, column: &str) -> Option<f64> {
        self.field(column).parse().ok()
    }

    pub fn count(&self, column: &str) -> u64 {
        self.field(column).parse().unwrap_or_default()
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
