//! The sentences of an experiment file that are shown with its numbers: answer and analysis.

use crate::task::TaskSpec;

use super::error::Problem;
use super::grid::Grid;
use super::wire::{ExperimentFile, Item};
use super::{suggest, value};

/// The answer, whose every place is a metric's. Cells have their names there, however the file
/// names them.
pub(super) fn answer(
    file: &ExperimentFile,
    task: &TaskSpec,
    grid: &Grid,
) -> Result<Option<String>, Problem> {
    let Some(item) = &file.answer else {
        return Ok(None);
    };
    let text = value::text("answer", item)?;
    let mut parts = text.split('{');
    let mut answer = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, after) = part.split_at(part.find('}').unwrap_or(part.len()));
        let named = named(place, task, grid).map_err(|help| misplaced(item, place, help))?;
        answer.push_str(&format!("{{{named}{after}"));
    }
    Ok(Some(answer))
}

/// A place with its cell's name, if it has a cell.
///
/// # Errors
/// What it may have meant.
fn named(place: &str, task: &TaskSpec, grid: &Grid) -> Result<String, String> {
    let (cell, metric) = match place.rsplit_once(':') {
        Some((cell, metric)) => (Some(cell), metric),
        None => (None, place),
    };
    let metrics = task.metrics.iter().map(|metric| &*metric.name);
    if !metrics.clone().any(|name| name == metric) {
        return Err(suggest::help(metric, metrics));
    }
    let Some(cell) = cell else {
        return Ok(metric.to_owned());
    };
    let found = grid.scope(&task.metrics).cell(&grid.cells, cell);
    let names = grid.cells.iter().map(|cell| cell.name.as_str());
    let found = found.ok_or_else(|| suggest::help(cell, names))?;
    Ok(format!("{}:{metric}", grid.cells[found].name))
}

/// The analysis stands at the top or below the last claim.
pub(super) fn analysis(file: &ExperimentFile) -> Result<Option<String>, Problem> {
    let claims = file.claims.iter().map(|claim| claim.get_ref());
    let mut below = claims.rev().map(|claim| claim.analysis.as_ref());
    let last = below.next().flatten();
    if let Some(stray) = below.flatten().next() {
        return Err(Problem::at(stray.span(), "an analysis is between claims")
            .help("move it above the first [table] or below the last claim"));
    }
    match (&file.analysis, last) {
        (Some(_), Some(second)) => Err(Problem::at(second.span(), "a second analysis")
            .expected("expected one analysis; there is one above already")),
        (item, last) => {
            let item = item.as_ref().or(last);
            item.map(|item| value::text("analysis", item)).transpose()
        }
    }
}

fn misplaced(item: &Item, place: &str, help: String) -> Problem {
    Problem::at(item.span(), format!("the answer asks for `{place}`"))
        .expected("expected `{METRIC}` or `{CELL:METRIC}`")
        .help(help)
}
