//! Estimates as columns: sample size, value, error, and the interval with its level, its method and
//! when it is valid.

use super::record::RecordFields;
use super::row::{Column, ColumnKind, RowValue};
use crate::stats::{Estimate, Interval, Level, Method, Validity};
use crate::task::TableCell;

/// The value of `ci_method` for weights that cannot be trusted.
pub const UNTRUSTED: &str = "untrusted";

/// Columns of a kind, each with its meaning.
fn columns(kind: ColumnKind, columns: &[(&str, &str)]) -> Vec<Column> {
    let column = |&(name, meaning): &(&str, &str)| Column::new(name, kind, meaning);
    columns.iter().map(column).collect()
}

impl RowValue for Estimate {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        let counts = [
            ("n", "Sample size: samples that count for the estimate."),
            (
                "n_unresolved",
                "Samples whose value is only bounded, because their budget ran out.",
            ),
        ];
        let numbers = [
            (
                "mean",
                "The estimate; empty while unresolved samples leave it open.",
            ),
            (
                "mean_lo",
                "The estimate with every unresolved sample at its least.",
            ),
            (
                "mean_hi",
                "The estimate with every unresolved sample at its greatest.",
            ),
            ("sd", "Standard deviation of a sample."),
            ("mcse", "Monte Carlo standard error of the estimate."),
        ];
        [
            columns(ColumnKind::Integer, &counts),
            columns(ColumnKind::Number, &numbers),
            Option::<Interval>::columns(name, meaning),
        ]
        .concat()
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        cells.extend([self.n, self.unresolved].map(TableCell::from));
        cells.extend([self.value, self.lower, self.upper, self.sd, self.mcse].map(TableCell::from));
        let reason = if self.untrusted { UNTRUSTED } else { "" };
        write_interval(self.interval, reason, cells);
    }

    fn read(fields: &RecordFields<'_>, name: &str) -> Self {
        Self {
            n: fields.count("n"),
            unresolved: fields.count("n_unresolved"),
            value: fields.number("mean"),
            lower: fields.number("mean_lo"),
            upper: fields.number("mean_hi"),
            sd: fields.number("sd"),
            mcse: fields.number("mcse"),
            interval: RowValue::read(fields, name),
            untrusted: fields.text("ci_method") == UNTRUSTED,
        }
    }
}

impl RowValue for Option<Interval> {
    fn columns(_: &str, _: &str) -> Vec<Column> {
        let numbers = [
            ("ci_lo", "Lower end of the confidence interval."),
            ("ci_hi", "Upper end of the confidence interval."),
            ("ci_level", "Confidence level of the interval."),
        ];
        let texts = [
            ("ci_method", "Method of the interval."),
            (
                "valid_under",
                "Sampling scheme under which the interval has its level.",
            ),
        ];
        [
            columns(ColumnKind::Number, &numbers),
            columns(ColumnKind::Text, &texts),
        ]
        .concat()
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        write_interval(*self, "", cells);
    }

    fn read(fields: &RecordFields<'_>, _: &str) -> Self {
        let (lo, hi) = fields.number("ci_lo").zip(fields.number("ci_hi"))?;
        if lo > hi {
            fields.note("ci_lo", "the lower limit is above the upper one");
        }
        let level = fields.known("ci_level", |level| Level::stated(level.parse().ok()?));
        let method = fields.known("ci_method", Method::from_name);
        let validity = fields.known("valid_under", Validity::from_name);
        Interval::new((lo, hi), level?, method?, validity?)
    }
}

/// Adds the cells of an interval, or of the reason why there is none.
fn write_interval(interval: Option<Interval>, reason: &'static str, cells: &mut Vec<TableCell>) {
    let ends = interval.map(|found| [found.lo, found.hi, found.level.get()]);
    let words = interval.map(|found| [found.method.name(), found.validity.name()]);
    match ends {
        Some(ends) => cells.extend(ends.map(TableCell::from)),
        None => cells.extend([const { TableCell::Empty }; 3]),
    }
    cells.extend(words.unwrap_or([reason, ""]).map(TableCell::from));
}
