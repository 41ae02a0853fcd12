//! How an experiment reduces the variance of its estimates: `[variance]`.
//!
//! The task declares controls and strata. A name or number that it does not support is an error at
//! its place in the file.

use toml::Spanned;

use crate::task::{Control, Expectation, Task, TaskSpec};

use super::error::Problem;
use super::grid::Grid;
use super::value::required;
use super::wire::{Item, KnownTable, Scalar, TomlTable, VarianceTable};
use super::{StopRule, suggest, value};

/// What is done to reduce the variance of the estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct Variance {
    /// The control variates' names, in file order.
    pub controls: Vec<String>,
    /// The means of those of them that are not known exactly, in file order.
    pub known: Vec<KnownMean>,
    /// Strata of the first draw of an instance; 1 where it is not stratified.
    pub strata: u64,
}

/// The mean of a control, as another run found it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMean {
    /// The control's name.
    pub control: String,
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Variance {
    /// Nothing.
    pub const NONE: Variance = Variance {
        controls: Vec::new(),
        known: Vec::new(),
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
    let offered: Vec<Vec<Control>> = tasks.iter().map(|task| task.controls()).collect();
    let known = table.known.0.iter().map(known);
    let known: Vec<KnownMean> = known.collect::<Result<_, _>>()?;
    let controls = table.control.as_ref();
    let controls = controls.map(|item| controls_of(item, &offered, &known));
    let controls: Vec<String> = controls.transpose()?.unwrap_or_default();
    check_known(table, &offered, &controls)?;
    let strata = table.strata.as_ref();
    let strata = strata.map(|item| strata_of(item, &tasks, stop.max_samples()));
    Ok(Variance {
        controls,
        known,
        strata: strata.transpose()?.unwrap_or(1),
    })
}

fn controls_of(
    item: &Item,
    offered: &[Vec<Control>],
    known: &[KnownMean],
) -> Result<Vec<String>, Problem> {
    let Scalar::List(items) = item.get_ref() else {
        return Err(value::mismatch("control", item, "a list of names"));
    };
    let mut names: Vec<String> = Vec::new();
    for item in items {
        let name = value::text("control", item)?;
        if names.contains(&name) {
            return Err(Problem::at(item.span(), format!("`{name}` is given twice")));
        }
        check_control(&name, item, offered, known)?;
        names.push(name);
    }
    Ok(names)
}

/// Whether every cell has the control, and one mean that fits all cells.
fn check_control(
    name: &str,
    item: &Item,
    offered: &[Vec<Control>],
    known: &[KnownMean],
) -> Result<(), Problem> {
    let fault = |message: String| Err(Problem::at(item.span(), message));
    let first = offered.first().map_or(&[][..], Vec::as_slice);
    if first.is_empty() {
        return fault("this task declares no controls".to_owned());
    }
    let of_cells: Option<Vec<&Control>> = offered.iter().map(|cell| named(cell, name)).collect();
    let Some(of_cells) = of_cells else {
        let help = suggest::help(name, first.iter().map(|control| control.name));
        let message = format!("there is no control `{name}`");
        return Err(Problem::at(item.span(), message).help(help));
    };
    let Expectation::Estimated { over } = &of_cells[0].expectation else {
        return Ok(());
    };
    if of_cells
        .iter()
        .any(|other| other.expectation != of_cells[0].expectation)
    {
        return fault(format!(
            "no one mean of `{name}` fits all cells: their instances differ"
        ));
    }
    if !known.iter().any(|known| known.control == name) {
        let message = format!("the mean of `{name}` is not known exactly");
        let help = format!(
            "give what another run has found ({over}):\n    [variance.known.{name}]\n    \
             mean = ...\n    error = ..."
        );
        return Err(Problem::at(item.span(), message).help(help));
    }
    Ok(())
}

fn named<'a>(controls: &'a [Control], name: &str) -> Option<&'a Control> {
    controls.iter().find(|control| control.name == name)
}

fn known(
    (name, table): &(Spanned<String>, Spanned<TomlTable<KnownTable>>),
) -> Result<KnownMean, Problem> {
    let (place, table) = (table.span(), table.get_ref());
    let mean = |key: &str, item: &Item| {
        let mean = value::real(item.get_ref());
        mean.ok_or_else(|| value::mismatch(key, item, "a number"))
    };
    Ok(KnownMean {
        control: name.get_ref().clone(),
        mean: required("mean", &table.mean, Some(place.clone()), mean)?,
        error: required("error", &table.error, Some(place), value::positive)?,
    })
}

/// Whether every mean that is given is of a control that is used and has no exact mean.
fn check_known(
    table: &VarianceTable,
    offered: &[Vec<Control>],
    controls: &[String],
) -> Result<(), Problem> {
    for (key, _) in &table.known.0 {
        let name = key.get_ref();
        if !controls.contains(name) {
            let message = format!("`{name}` is none of the controls");
            let help = format!("add it: control = [\"{name}\"]");
            return Err(Problem::at(key.span(), message).help(help));
        }
        let first = offered.first().and_then(|cell| named(cell, name));
        if first.is_some_and(|control| control.mean().is_some()) {
            let message = format!("the mean of `{name}` is known exactly");
            return Err(Problem::at(key.span(), message).help("leave this table out"));
        }
    }
    Ok(())
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
