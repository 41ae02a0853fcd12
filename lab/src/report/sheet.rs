//! Tables shown by both terminal and page: built once, drawn in both.

use serde::Serialize;

use super::format::count;
use super::results::Results;
use super::rows::{EloRow, PurseRow, RatioRow, TruthRow, VarianceRow};

/// A titled table of text.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sheet {
    /// One line above it.
    pub title: String,
    /// Its columns.
    pub columns: Vec<SheetColumn>,
    /// Its rows, of one field for each column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a sheet.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct SheetColumn {
    /// Its name.
    pub name: &'static str,
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

/// Returns the sheet of the gains of players after many games.
fn purses(results: &Results) -> Sheet {
    Sheet {
        title: "After many games: the chance to be ahead, the median gain and the middle 90 %"
            .to_owned(),
        columns: columns(["cell", "=games", "=ahead", "=median gain", "=middle 90 %"]),
        rows: (results.purses.iter())
            .map(|row| purse(row, results))
            .collect(),
    }
}

fn purse(row: &PurseRow, results: &Results) -> Vec<String> {
    vec![
        results.sweep.label(&row.cell),
        count(row.games),
        row.chance(),
        row.median(),
        row.middle(),
    ]
}

/// Returns the sheet of exact values beside their estimates.
fn truths(results: &Results) -> Sheet {
    Sheet {
        title: format!("Exact values: {}", TruthRow::tally(&results.truths)),
        columns: columns(["cell", "metric", "=estimate", "=interval", "=exact", ""]),
        rows: (results.truths.iter())
            .map(|row| truth(row, results))
            .collect(),
    }
}

fn truth(row: &TruthRow, results: &Results) -> Vec<String> {
    vec![
        results.sweep.label(&row.cell),
        row.metric.clone(),
        row.figure.value(&row.unit),
        row.figure.interval(&row.unit).unwrap_or_default(),
        row.exact(),
        row.verdict().to_owned(),
    ]
}

/// Returns the sheet of standard errors with and without variance reduction.
fn variance(results: &Results) -> Sheet {
    Sheet {
        title: "Standard errors with and without variance reduction".to_owned(),
        columns: columns(["cell", "metric", "=plain", "=reduced", "=samples saved"]),
        rows: (results.variance.iter())
            .map(|row| reduced(row, results))
            .collect(),
    }
}

fn reduced(row: &VarianceRow, results: &Results) -> Vec<String> {
    let error = |error: Option<f64>| error.map_or(String::new(), |error| format!("{error:.3e}"));
    let factor = row.factor.map(|factor| format!("{factor:.2} x"));
    vec![
        results.sweep.label(&row.cell),
        row.metric.clone(),
        error(row.plain_error),
        error(row.error),
        factor.unwrap_or_default(),
    ]
}

fn elo(results: &Results) -> Sheet {
    Sheet {
        title: "Elo difference: first side minus second".to_owned(),
        columns: columns([
            "cell",
            "metric",
            "=Elo",
            "=interval",
            "=normalised",
            "=pairs",
        ]),
        rows: (results.elo.iter())
            .map(|row| rating(row, results))
            .collect(),
    }
}

fn rating(row: &EloRow, results: &Results) -> Vec<String> {
    vec![
        results.sweep.label(&row.cell),
        row.metric.clone(),
        row.value(),
        row.interval(),
        row.normalised(),
        row.pairs.to_string(),
    ]
}

/// Returns the sheet of ratios between the work of two cells, instance by instance.
fn work(results: &Results) -> Sheet {
    Sheet {
        title: "Work, paired sample by sample: geometric mean of the ratio".to_owned(),
        columns: columns([
            "cells",
            "metric",
            "=ratio",
            "=interval",
            "=samples",
            "=less",
            "=equal",
            "=more",
        ]),
        rows: (results.ratios.iter())
            .filter(|row| row.figure.mean.is_some())
            .map(compared)
            .collect(),
    }
}

fn compared(row: &RatioRow) -> Vec<String> {
    let instances = match row.left_out {
        0 => count(row.figure.n),
        left_out => format!("{} ({} left out)", count(row.figure.n), count(left_out)),
    };
    let head = [
        row.label.clone(),
        row.metric.clone(),
        row.figure.short("times"),
        row.figure.interval("times").unwrap_or_default(),
        instances,
    ];
    head.into_iter().chain(row.compared.map(count)).collect()
}

/// Columns by name; those of numbers are spelled `=name`.
fn columns<const N: usize>(names: [&'static str; N]) -> Vec<SheetColumn> {
    let column = |name: &'static str| match name.strip_prefix('=') {
        Some(name) => SheetColumn { name, number: true },
        None => SheetColumn {
            name,
            number: false,
        },
    };
    names.map(column).into()
}
