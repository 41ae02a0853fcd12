//! How an experiment reduces the variance of its estimates: `[variance]`.
//!
//! The task declares controls and strata. A name or number that it does not support is an error at
//! its place in the file.

use crate::task::{Control, Task, TaskSpec};

use super::error::Problem;
use super::grid::Grid;
use super::wire::{Item, Scalar, VarianceTable};
use super::{StopRule, suggest, value};

/// What is done to reduce the variance of the estimates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variance {
    /// The control variates' names, in file order.
    pub controls: Vec<String>,
    /// Strata of the first draw of an instance; 1 where it is not stratified.
    pub strata: u64,
}

impl Variance {
    /// Nothing.
    pub const NONE: Variance = Variance {
        controls: Vec::new(),
        strata: 1,
    };
}

/// The least and the most strata.
const STRATA: std::ops::RangeInclusive<u64> = 2..=64;

/// Reads the table for the tasks of a grid's cells.
pub(super) fn read(
    table: Option<&VarianceTable>,
    task: &TaskSpec,
    grid: &Grid,
    stop: StopRule,
) -> Result<Variance, Problem> {
    let Some(table) = table else {
        return Ok(Variance::NONE);
    };
    let items = [&table.control, &table.strata];
    if let (true, Some(item)) = (stop.looks(), items.into_iter().flatten().next()) {
        let message = "variance reduction cannot be combined with a rule that looks repeatedly";
        return Err(Problem::at(item.span(), message).help("stop after a number of samples"));
    }
    let tasks = grid.cells.iter().filter_map(|cell| cell.build(task).ok());
    let tasks: Vec<Box<dyn Task>> = tasks.collect();
    let controls = table.control.as_ref().map(|item| controls(item, &tasks));
    let strata = table.strata.as_ref();
    let strata = strata.map(|item| strata_of(item, &tasks, stop.max_samples()));
    Ok(Variance {
        controls: controls.transpose()?.unwrap_or_default(),
        strata: strata.transpose()?.unwrap_or(1),
    })
}

fn controls(item: &Item, tasks: &[Box<dyn Task>]) -> Result<Vec<String>, Problem> {
    let Scalar::List(items) = item.get_ref() else {
        return Err(value::mismatch("control", item, "a list of names"));
    };
    let known: Vec<Vec<Control>> = tasks.iter().map(|task| task.controls()).collect();
    let offered = known.first().map_or(&[][..], Vec::as_slice);
    let mut names: Vec<String> = Vec::new();
    for item in items {
        let name = value::text("control", item)?;
        let is_known = |cell: &Vec<Control>| cell.iter().any(|control| control.name == name);
        if offered.is_empty() {
            return Err(Problem::at(item.span(), "this task declares no controls"));
        }
        if !known.iter().all(is_known) {
            let message = format!("there is no control `{name}`");
            let names = offered.iter().map(|control| control.name);
            return Err(Problem::at(item.span(), message).help(suggest::help(&name, names)));
        }
        if names.contains(&name) {
            return Err(Problem::at(item.span(), format!("`{name}` is given twice")));
        }
        names.push(name);
    }
    Ok(names)
}

fn strata_of(item: &Item, tasks: &[Box<dyn Task>], samples: u64) -> Result<u64, Problem> {
    let strata = value::whole("strata", item, STRATA)?;
    if !strata.is_power_of_two() {
        return Err(value::mismatch("strata", item, "2, 4, 8, 16, 32 or 64"));
    }
    if !tasks.iter().all(|task| task.instance_stream().is_some()) {
        return Err(Problem::at(
            item.span(),
            "this task has no draw that can be stratified",
        ));
    }
    if !samples.is_multiple_of(strata) {
        let message = format!("{samples} samples are not a multiple of {strata} strata");
        let next = samples.next_multiple_of(strata);
        return Err(Problem::at(item.span(), message).help(format!("draw {next} samples")));
    }
    Ok(strata)
}
