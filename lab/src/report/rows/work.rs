//! The work of instances: the numbers solved within growing amounts, and ratios between two cells.

use super::RecordFields;
use crate::report::figures::Figure;

/// A row of `cumulative.csv`.
#[derive(Clone, Debug)]
pub struct CumulativeRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// The amount of work.
    pub value: f64,
    /// Instances solved within it.
    pub solved: u64,
    /// All instances.
    pub n: u64,
}

impl CumulativeRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            value: fields.required("value"),
            solved: fields.count("solved"),
            n: fields.count("n"),
        }
    }

    /// The share of the instances that are solved.
    pub fn share(&self) -> f64 {
        self.solved as f64 / self.n as f64
    }
}

/// A row of `ratios.csv`.
#[derive(Clone, Debug)]
pub struct RatioRow {
    /// The cell whose value is divided.
    pub first: String,
    /// The cell whose value is divided by.
    pub second: String,
    /// The metric.
    pub metric: String,
    /// The geometric mean of the ratio.
    pub figure: Figure,
    /// Instances that do not count for it.
    pub left_out: u64,
    /// Instances on which the first value is smaller, equal, and greater.
    pub compared: [u64; 3],
    /// The label of the ratio that people read.
    pub label: String,
}

impl RatioRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            first: fields.text("first"),
            second: fields.text("second"),
            metric: fields.text("metric"),
            figure: Figure {
                n: fields.count("n"),
                mean: fields.number("ratio"),
                ci_lo: fields.number("ci_lo"),
                ci_hi: fields.number("ci_hi"),
                ci_level: fields.number("ci_level"),
                ci_method: fields.text("ci_method"),
                valid_under: fields.text("valid_under"),
                ..Figure::default()
            },
            left_out: fields.count("left_out"),
            compared: ["less", "equal", "more"].map(|column| fields.count(column)),
            label: String::new(),
        }
    }
}

/// A row of `points.csv`.
#[derive(Clone, Debug)]
pub struct PointRow {
    /// The sample.
    pub sample: u64,
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// Its work; `None` if that is not defined.
    pub value: Option<f64>,
    /// True if it was solved.
    pub solved: bool,
}

impl PointRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            sample: fields.count("sample"),
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            value: fields.number("value"),
            solved: fields.flag("solved") == Some(true),
        }
    }
}
