//! Estimates: of a cell, of a difference, along the way, and the values they are made of.

use std::collections::BTreeMap;

use super::RecordFields;
use crate::report::figures::Figure;
use crate::report::plot::Bin;

/// A row of `summary.csv`.
#[derive(Clone, Debug)]
pub struct SummaryRow {
    /// The cell.
    pub cell: String,
    /// Its parameters, by name.
    pub params: BTreeMap<String, String>,
    /// The metric.
    pub metric: String,
    /// Its unit; empty for a share.
    pub unit: String,
    /// The reason for which sampling stopped.
    pub stop_reason: String,
    /// The estimate.
    pub figure: Figure,
}

impl SummaryRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            params: fields.between("cell", "metric"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            stop_reason: fields.text("stop_reason"),
            figure: Figure::read(fields),
        }
    }
}

/// A row of `pairs.csv`.
#[derive(Clone, Debug)]
pub struct PairRow {
    /// The cell that counts positive.
    pub first: String,
    /// The cell that counts negative.
    pub second: String,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// The difference.
    pub figure: Figure,
    /// Correlation on the same instances.
    pub correlation: Option<f64>,
    /// The ratio of the samples that separate instances would need for the same error to those
    /// drawn.
    pub variance_reduction: Option<f64>,
    /// The label of the difference that people read.
    pub label: String,
}

impl PairRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            first: fields.text("first"),
            second: fields.text("second"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            correlation: fields.number("correlation"),
            variance_reduction: fields.number("variance_reduction"),
            figure: Figure::read(fields),
            label: String::new(),
        }
    }
}

/// A row of `metrics.csv`.
#[derive(Clone, Debug)]
pub struct MetricRow {
    /// The metric.
    pub metric: String,
    /// Its unit; empty for a share.
    pub unit: String,
    /// Its meaning.
    pub summary: String,
}

impl MetricRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            summary: fields.text("summary"),
        }
    }
}

/// A row of `convergence.csv`.
#[derive(Clone, Debug)]
pub struct ConvergenceRow {
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// Samples so far.
    pub samples: u64,
    /// The estimate from them.
    pub figure: Figure,
    /// The ends of the confidence sequence, which hold at all rows at once.
    pub sequence: Option<(f64, f64)>,
}

impl ConvergenceRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            samples: fields.count("samples"),
            figure: Figure::read(fields),
            sequence: fields.number("cs_lo").zip(fields.number("cs_hi")),
        }
    }
}

/// A row of `histograms.csv`.
#[derive(Clone, Debug)]
pub struct HistogramRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// A value and how often it was seen.
    pub bin: Bin,
}

impl HistogramRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            bin: Bin {
                value: fields.required("value"),
                count: fields.count("count"),
                open: fields.count("unresolved_from"),
            },
        }
    }
}
