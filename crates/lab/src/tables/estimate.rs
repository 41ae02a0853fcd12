//! Estimates as columns: sample size, value, error, and the interval with its level, its method and
//! when it is valid.

use super::record_fields::RecordFields;
use super::row::ColumnKind::{Integer, Number, Text};
use super::row::{Column, RowValue};
use stats::{Estimate, Interval, Level, Span};
use task::TableCell;

impl RowValue for Estimate {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        let mut columns = Column::list(&[
            (
                "n",
                Integer,
                "Sample size: samples that count for the estimate.",
            ),
            (
                "n_unresolved",
                Integer,
                "Samples whose value is only bounded, because their budget ran out.",
            ),
            (
                "mean",
                Number,
                "The estimate; empty while unresolved samples leave it open.",
            ),
            (
                "mean_lo",
                Number,
                "The estimate with every unresolved sample at its least.",
            ),
            (
                "mean_hi",
                Number,
                "The estimate with every unresolved sample at its greatest.",
            ),
            ("sd", Number, "Standard deviation of a sample."),
            (
                "mcse",
                Number,
                "Monte Carlo standard error of the estimate.",
            ),
        ]);
        columns.extend(Option::<Interval>::columns(name, meaning));
        columns
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        cells.extend([self.n, self.unresolved].map(TableCell::from));
        let written = self.written();
        let ends = [written.value, written.lower, written.upper];
        cells.extend(ends.map(TableCell::exact));
        cells.extend([self.sd, self.mcse].map(TableCell::from));
        write_interval(self.interval, self.withheld.map_or("", Into::into), cells);
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
            withheld: fields.text("ci_method").parse().ok(),
            ..Self::default()
        }
    }
}

impl RowValue for Option<Interval> {
    fn columns(_: &str, _: &str) -> Vec<Column> {
        Column::list(&[
            ("ci_lo", Number, "Lower end of the confidence interval."),
            ("ci_hi", Number, "Upper end of the confidence interval."),
            ("ci_level", Number, "Confidence level of the interval."),
            ("ci_method", Text, "Method of the interval."),
            (
                "valid_under",
                Text,
                "Sampling scheme under which the interval has its level.",
            ),
        ])
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
        let method = fields.known("ci_method", |name| name.parse().ok());
        let validity = fields.known("valid_under", |name| name.parse().ok());
        Interval::new(Span::new(lo, hi), level?, method?, validity?)
    }
}

/// Adds the cells of an interval, or of the reason why there is none.
fn write_interval(interval: Option<Interval>, reason: &'static str, cells: &mut Vec<TableCell>) {
    let interval = interval.map(Interval::written);
    let ends = interval.map(|interval| [interval.lo, interval.hi, interval.level.get()]);
    let words = interval.map(|interval| [interval.method.into(), interval.validity.into()]);
    match ends {
        Some([lo, hi, level]) => {
            cells.extend([TableCell::Exact(lo), TableCell::Exact(hi), level.into()])
        }
        None => cells.extend([const { TableCell::Empty }; 3]),
    }
    cells.extend(words.unwrap_or([reason, ""]).map(TableCell::from));
}
