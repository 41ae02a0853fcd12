//! Estimates held against something: a source's claims, and what is known exactly.

use super::RecordFields;
use crate::report::figures::Figure;
use crate::report::format::of_difference;

/// A row of `claims.csv`.
#[derive(Clone, Debug)]
pub struct ClaimRow {
    /// The person or text that makes the claim.
    pub source: String,
    /// The sentence.
    pub text: String,
    /// The relation that is true where the sentence is.
    pub holds: String,
    /// The cell, or `first - second`.
    pub cell: String,
    /// The label of the cell that people read.
    pub place: String,
    /// The unit of the metric it speaks of.
    pub unit: String,
    /// The statistic.
    pub figure: Figure,
    /// `supported`, `refuted` or `undecided`.
    pub verdict: String,
    /// A remark on the verdict for the reader.
    pub note: String,
}

impl ClaimRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            source: fields.text("source"),
            text: fields.text("text"),
            holds: fields.text("holds"),
            cell: fields.text("cell"),
            place: fields.text("cell"),
            unit: fields.text("unit"),
            verdict: fields.text("verdict"),
            note: fields.text("note"),
            figure: Figure::read(fields),
        }
    }

    /// The unit that its figure is shown in.
    pub fn shown_unit(&self) -> &str {
        if self.holds.starts_with("diff(") {
            of_difference(&self.unit)
        } else {
            &self.unit
        }
    }

    /// Returns whether both rows are of one claim, tested in two places.
    pub fn is_of_claim(&self, other: &ClaimRow) -> bool {
        let claim = |row: &ClaimRow| [&row.source, &row.text, &row.holds].map(String::clone);
        claim(self) == claim(other)
    }
}

/// A row of `truths.csv`.
#[derive(Clone, Debug)]
pub struct TruthRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// The estimate.
    pub figure: Figure,
    /// The exact value.
    pub truth: Option<f64>,
    /// True if the interval covers it; none without an interval.
    pub covered: Option<bool>,
    /// The source of the knowledge.
    pub source: String,
}

impl TruthRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            figure: Figure::read(fields),
            truth: fields.number("truth"),
            covered: fields.flag("covered"),
            source: fields.text("source"),
        }
    }

    /// The exact value, as precise as the estimate beside it.
    pub fn exact(&self) -> String {
        let shown = |truth| self.figure.beside(truth, &self.unit);
        self.truth.map_or(String::new(), shown)
    }

    /// Returns whether the interval covers it, in a word.
    pub fn verdict(&self) -> &'static str {
        match self.covered {
            Some(true) => "covered",
            Some(false) => "missed",
            None => "no interval",
        }
    }

    /// Returns the number of intervals that cover the exact value: `19 of 20 intervals cover them`.
    pub fn tally(rows: &[TruthRow]) -> String {
        let decided = rows.iter().filter_map(|row| row.covered);
        let covering = decided.clone().filter(|covered| *covered).count();
        match (covering, decided.count()) {
            (1, 1) => "the interval covers the exact value".to_owned(),
            (_, 1) => "the interval misses the exact value".to_owned(),
            (some, all) => format!("{some} of {all} intervals cover them"),
        }
    }
}
