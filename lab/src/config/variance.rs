//! The key `[variance]`: a control variate reduces the variance of the estimates.
//!
//! The task declares the control, and the file gives its mean, as another run has found it. A name
//! that the task does not know is an error at its place in the file.

use toml::Spanned;

use crate::task::{Control, TaskSpec};

use super::error::Problem;
use super::grid::Grid;
use super::value::required;
use super::wire::{Item, TomlTable, VarianceTable};
use super::{StopRule, suggest, value};

/// The control variate that the estimates are adjusted by.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownControl {
    /// Its name.
    pub name: String,
    /// Its mean, as another run found it.
    pub mean: f64,
    /// The standard error of that mean.
    pub error: f64,
}

/// Reads the table for the tasks of a grid's cells.
pub(super) fn read(
    table: Option<&Spanned<TomlTable<VarianceTable>>>,
    task: &TaskSpec,
    grid: &Grid,
    stop: StopRule,
) -> Result<Option<KnownControl>, Problem> {
    let Some(table) = table else {
        return Ok(None);
    };
    let (place, table) = (table.span(), table.get_ref());
    if stop.looks() {
        let message = "variance reduction cannot be combined with a rule that looks repeatedly";
        return Err(Problem::at(place, message).help("stop after a number of samples"));
    }
    let tasks = grid.cells.iter().filter_map(|cell| cell.build(task).ok());
    let offered: Vec<Option<Control>> = tasks.map(|task| task.control()).collect();
    let name = |key: &str, item: &Item| control(key, item, &offered);
    let mean = |key: &str, item: &Item| {
        let mean = value::real(item.get_ref());
        mean.ok_or_else(|| value::mismatch(key, item, "a number"))
    };
    let control = required("control", &table.control, Some(place.clone()), name)?;
    let found_by = |help: String| format!("{help}, as another run has found it: {}", control.over);
    let known = |problem: Problem| Problem {
        help: problem.help.map(found_by),
        ..problem
    };
    Ok(Some(KnownControl {
        name: control.name.to_owned(),
        mean: required("mean", &table.mean, Some(place.clone()), mean).map_err(known)?,
        error: required("error", &table.error, Some(place), value::positive).map_err(known)?,
    }))
}

/// The control of that name, if every cell has it and one mean fits all cells.
fn control<'a>(
    key: &str,
    item: &Item,
    offered: &'a [Option<Control>],
) -> Result<&'a Control, Problem> {
    let fault = |message: String| Problem::at(item.span(), message);
    let name = value::text(key, item)?;
    let Some(first) = offered.iter().flatten().next() else {
        return Err(fault("this task declares no control".to_owned()));
    };
    if name != first.name {
        let help = suggest::help(&name, [first.name].into_iter());
        return Err(fault(format!("there is no control `{name}`")).help(help));
    }
    if offered.iter().any(|other| other.as_ref() != Some(first)) {
        let message = format!("no one mean of `{name}` fits all cells: their instances differ");
        return Err(fault(message));
    }
    Ok(first)
}
