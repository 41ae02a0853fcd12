//! `samples.csv`: every sample of every cell, on request.
//!
//! A bounded value keeps both ends, so each metric has a `_lo` and a `_hi` column (ratios a
//! numerator and a denominator, weights their decimal logarithm), in the metric's unit. Rows are
//! ordered by sample, then by cell, so the rows of a block are consecutive lines.

use crate::run::Block;
use crate::task::{Metric, MetricKind, Row, Value};

use super::formula::guarded;
use super::number::{Exact, decimal, exact, number};
use super::row::{Column, ColumnKind, columns};

/// The first line of the file.
pub fn header(metrics: &[Metric]) -> String {
    let columns = sample_columns(metrics).into_iter();
    let names: Vec<String> = columns.map(|column| column.name).collect();
    names.join(",") + "\n"
}

/// The columns of the file.
pub fn sample_columns(metrics: &[Metric]) -> Vec<Column> {
    let mut columns = columns! {
        /// Index of the sample, from 0.
        sample: Integer,
        /// One combination of the swept parameters.
        cell: Text,
    };
    columns.extend(metrics.iter().flat_map(ends));
    columns
}

/// The rows of a block: of cells with these names and metrics, given the samples of every cell.
pub fn rows(
    (cells, metrics): (&[String], &[Metric]),
    block: &Block,
    samples: &[Vec<Row>],
) -> String {
    let mut text = String::new();
    for (offset, sample) in block.range().enumerate() {
        for (cell, rows) in cells.iter().zip(samples) {
            text.push_str(&format!("{sample},{}", quoted(cell)));
            for (metric, value) in metrics.iter().zip(rows[offset].values()) {
                text.push(',');
                text.push_str(&field(metric, *value));
            }
            text.push('\n');
        }
    }
    text
}

fn ends(metric: &Metric) -> Vec<Column> {
    let whole = match metric.denominator {
        1 => ColumnKind::Integer,
        _ => ColumnKind::Number,
    };
    let columns: &[(&str, &str, ColumnKind)] = match metric.kind {
        MetricKind::Ratio => &[
            ("numerator", "numerator", whole),
            ("denominator", "denominator", ColumnKind::Integer),
        ],
        MetricKind::Weight => &[("log10", "Decimal logarithm", ColumnKind::Number)],
        _ => &[("lo", "At least", whole), ("hi", "At most", whole)],
    };
    let column = |&(end, words, kind): &(&str, &str, _)| {
        let meaning = format!("{} ({words})", metric.summary);
        Column::new(&format!("{}_{end}", metric.name), kind, &meaning)
    };
    columns.iter().map(column).collect()
}

fn quoted(cell: &str) -> String {
    let cell = guarded(cell);
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

fn field(metric: &Metric, value: Value) -> String {
    let in_unit = |value: i64| match (metric.kind, metric.denominator) {
        (MetricKind::Number, _) => metric.write(value),
        (_, 1) => value.to_string(),
        (_, denominator) => decimal(&exact(Exact::of_steps(value, denominator).0)),
    };
    match value {
        Value::Exact(value) => format!("{0},{0}", in_unit(value)),
        Value::Bounds { lower, upper } => format!("{},{}", in_unit(lower), in_unit(upper)),
        Value::Ratio {
            numerator,
            denominator,
        } => format!("{},{denominator}", in_unit(numerator)),
        Value::Weight(weight) => decimal(&number(Some(weight.log10()))),
        Value::Missing if metric.kind == MetricKind::Weight => String::new(),
        Value::Missing => ",".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_in_the_unit_of_the_metric() {
        let whole = Metric::integer("moves", "moves", (0, 9), "");
        let half = whole.clone().with_denominator(2);
        let bounds = Value::Bounds { lower: 3, upper: 4 };
        assert_eq!(field(&whole, bounds), "3,4");
        assert_eq!(field(&half, bounds), "1.5,2.0");
        assert_eq!(field(&half, Value::Exact(5)), "2.5,2.5");
        assert_eq!(field(&whole, Value::Missing), ",");
        let kinds: Vec<ColumnKind> = ends(&half).iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [ColumnKind::Number; 2]);
    }
}
