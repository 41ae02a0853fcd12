//! The key `[variance]`: a control variate reduces the variance of the estimates.
//!
//! The task declares the control, and the file gives its mean, as another run has found it. A name
//! that the task does not know is an error at its place in the file.

use crate::task::{Control, TaskSpec};

use super::document::Document;
use super::error::Problem;
use super::file::VarianceTable;
use super::grid::Grid;
use super::{StopRule, suggest};

/// Checks the table for the tasks of a grid's cells. If its shape is not sound, a person learns
/// which mean to find.
pub(super) fn check(
    (table, is_sound): (Option<&VarianceTable>, bool),
    document: &Document,
    task: &TaskSpec,
    grid: &Grid,
    stop: StopRule,
) -> Result<(), Problem> {
    let Some(table) = table else {
        return Ok(());
    };
    if stop.looks() {
        let message = "variance reduction cannot be combined with a rule that looks repeatedly";
        let problem = document.fault("variance", message);
        return Err(problem.help("stop after a number of samples"));
    }
    let fault = |message: &str| document.fault("variance.control", message);
    let tasks = grid.cells.iter().filter_map(|cell| cell.build(task).ok());
    let offered: Vec<Option<Control>> = tasks.map(|task| task.control()).collect();
    let name = &table.control;
    let Some(first) = offered.iter().flatten().next() else {
        return Err(fault("this task declares no control"));
    };
    if name != first.name {
        let help = suggest::help(name, [first.name].into_iter());
        return Err(fault(&format!("there is no control `{name}`")).help(help));
    }
    if offered.iter().any(|other| other.as_ref() != Some(first)) {
        return Err(fault(&format!(
            "no one mean of `{name}` fits all cells: their instances differ"
        )));
    }
    if !is_sound {
        let message =
            format!("`{name}` needs its `mean` and `error`, as another run has found them");
        return Err(fault(&message).help(format!("find the mean of {}", first.over)));
    }
    Ok(())
}
