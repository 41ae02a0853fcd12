//! Tables shown by both terminal and page: built once, drawn in both.

use serde::Serialize;

use super::format::count;
use super::results::Results;
use crate::tables::{EloRow, PurseRow, RatioRow, TruthRow, VarianceRow};

/// A titled table of text.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
    /// One line above it.
    pub title: String,
    /// Its columns.
    pub columns: Vec<SheetColumn>,
    /// Its rows, of one field for each column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a sheet.
#[derive(Clone, Debug, Serialize)]
pub struct SheetColumn {
    /// Its name.
    pub name: String,
    /// True if it is set to the right, as numbers are.
    pub number: bool,
}

/// The sheets of a run, those with nothing to show left out.
pub(super) fn all(results: &Results) -> Vec<Sheet> {
    let sheets = [
        purses(results),
        truths(results),
        variance(results),
        elo(results),
        work(results),
    ];
    let is_filled = |sheet: &Sheet| !sheet.rows.is_empty();
    sheets.into_iter().filter(is_filled).collect()
}

impl Sheet {
    /// A sheet of these columns; the names of those of numbers are spelled `=name`.
    pub fn of<const N: usize>(
        title: impl Into<String>,
        columns: [&'static str; N],
        rows: impl Iterator<Item = [String; N]>,
    ) -> Self {
        let column = |name: &'static str| SheetColumn {
            name: name.trim_start_matches('=').to_owned(),
            number: name.starts_with('='),
        };
        Self {
            title: title.into(),
            columns: columns.map(column).into(),
            rows: rows.map(Vec::from).collect(),
        }
    }
}

/// Returns the sheet of the gains of players after many games.
fn purses(results: &Results) -> Sheet {
    let title = "After many games: the chance to be ahead, the median gain and the middle 90 %";
    let columns = ["cell", "=games", "=ahead", "=median gain", "=middle 90 %"];
    let row = |row: &PurseRow| {
        let cell = results.sweep.label(&row.cell);
        [
            cell,
            count(row.games),
            row.chance(),
            row.median(),
            row.middle(),
        ]
    };
    Sheet::of(title, columns, results.purses.iter().map(row))
}

/// Returns the sheet of exact values beside their estimates.
fn truths(results: &Results) -> Sheet {
    let title = format!("Exact values: {}", TruthRow::tally(&results.truths));
    let columns = ["cell", "metric", "=estimate", "=interval", "=exact", ""];
    let row = |row: &TruthRow| {
        let (cell, figure) = (results.sweep.label(&row.cell), row.figure());
        let interval = figure.interval().unwrap_or_default();
        let verdict = row.verdict().to_owned();
        [
            cell,
            row.metric.clone(),
            figure.value(),
            interval,
            row.exact(),
            verdict,
        ]
    };
    Sheet::of(title, columns, results.truths.iter().map(row))
}

/// Returns the sheet of standard errors with and without variance reduction.
fn variance(results: &Results) -> Sheet {
    let columns = ["cell", "metric", "=plain", "=reduced", "=samples saved"];
    let row = |row: &VarianceRow| {
        let cell = results.sweep.label(&row.cell);
        let error =
            |error: Option<f64>| error.map_or(String::new(), |error| format!("{error:.3e}"));
        let factor = row
            .variance_reduction
            .map(|factor| format!("{factor:.2} x"));
        let [plain, reduced] = [row.plain_mcse, row.mcse].map(error);
        [
            cell,
            row.metric.clone(),
            plain,
            reduced,
            factor.unwrap_or_default(),
        ]
    };
    let title = "Standard errors with and without variance reduction";
    Sheet::of(title, columns, results.variance.iter().map(row))
}

/// Returns the sheet of the rating differences of pairs of games.
fn elo(results: &Results) -> Sheet {
    let columns = [
        "cell",
        "metric",
        "=Elo",
        "=interval",
        "=normalised",
        "=pairs",
    ];
    let row = |row: &EloRow| {
        let (cell, metric) = (results.sweep.label(&row.cell), row.metric.clone());
        let pairs = row.n.to_string();
        [
            cell,
            metric,
            row.value(),
            row.interval(),
            row.normalised(),
            pairs,
        ]
    };
    let title = "Elo difference: first side minus second";
    Sheet::of(title, columns, results.elo.iter().map(row))
}

/// Returns the sheet of ratios between the work of two cells, instance by instance.
fn work(results: &Results) -> Sheet {
    let columns = [
        "cells",
        "metric",
        "=ratio",
        "=interval",
        "=samples",
        "=less",
        "=equal",
        "=more",
    ];
    let row = |row: &RatioRow| {
        let cells = results.sweep.ratio(&row.first, &row.second);
        let (ratio, interval) = (row.figure().short(), row.figure().interval());
        let samples = match row.left_out {
            0 => count(row.n),
            left_out => format!("{} ({} left out)", count(row.n), count(left_out)),
        };
        let interval = interval.unwrap_or_default();
        let [less, equal, more] = [row.less, row.equal, row.more].map(count);
        [
            cells,
            row.metric.clone(),
            ratio,
            interval,
            samples,
            less,
            equal,
            more,
        ]
    };
    let title = "Work, paired sample by sample: geometric mean of the ratio";
    let defined = results.ratios.iter().filter(|row| row.ratio.is_some());
    Sheet::of(title, columns, defined.map(row))
}
