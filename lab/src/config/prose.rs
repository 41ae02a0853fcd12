//! The sentences of an experiment file that are shown with its numbers: answer and analysis.

use crate::task::TaskSpec;

use super::error::Problem;
use super::grid::Grid;
use super::wire::{ExperimentFile, Item};
use super::{suggest, value};

/// The answer, whose every place is a metric's.
pub(super) fn answer(
    file: &ExperimentFile,
    task: &TaskSpec,
    grid: &Grid,
) -> Result<Option<String>, Problem> {
    let Some(item) = &file.answer else {
        return Ok(None);
    };
    let answer = value::text("answer", item)?;
    let places = answer.split('{').skip(1);
    for place in places.map(|rest| rest.split('}').next().unwrap_or_default()) {
        let (cell, metric) = match place.rsplit_once(':') {
            Some((cell, metric)) => (Some(cell), metric),
            None => (None, place),
        };
        let metrics = task.metrics.iter().map(|metric| &*metric.name);
        if !metrics.clone().any(|name| name == metric) {
            return Err(misplaced(item, place, suggest::help(metric, metrics)));
        }
        let cells = grid.cells.iter().map(|cell| cell.name.as_str());
        if cell.is_some_and(|cell| !cells.clone().any(|name| name == cell)) {
            return Err(misplaced(
                item,
                place,
                suggest::help(cell.unwrap_or(place), cells),
            ));
        }
    }
    Ok(Some(answer))
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
