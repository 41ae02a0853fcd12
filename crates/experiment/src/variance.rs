//! `[variance]`: the control variate that the estimates of a run are adjusted by.

use super::real;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use task::Control;

use super::document::{Document, KeyPath};
use super::error::{Checked, position_of};
use super::grid::TriedTask;
use super::{Cell, StopRule};

/// A control variate, which reduces the variance of the estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VarianceTable {
    /// The feature of an instance that the estimates are adjusted by.
    pub control: String,
    /// The mean, as another run has estimated it.
    #[serde(deserialize_with = "real::one")]
    pub mean: f64,
    /// The standard error of that mean, which becomes part of the error of every adjusted estimate.
    #[serde(deserialize_with = "real::above::<0, _>")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub error: f64,
}

/// Checks the mean of a control for the tasks of all cells.
pub(super) fn check(
    table: &VarianceTable,
    document: &Document,
    tried: &TriedTask,
    cells: &[Cell],
    stop: StopRule,
) -> Checked {
    let path = document.at("variance");
    if stop.looks() {
        let message = "variance reduction cannot be combined with a rule that looks repeatedly";
        return Err(path.fault(message).help("stop after a number of samples"));
    }
    let fault = |message: &str| path.at("control").fault(message);
    let offered: Vec<Option<Control>> = tried.all(cells).map(|task| task.control()).collect();
    let name = &table.control;
    let Some(first) = offered.iter().flatten().next() else {
        return Err(fault("this task declares no control"));
    };
    let unknown = || fault(&format!("there is no control `{name}`"));
    position_of(name, [first.name].into_iter(), unknown)?;
    if offered.iter().any(|other| other.as_ref() != Some(first)) {
        return Err(fault(&format!(
            "no one mean of `{name}` fits all cells: their instances differ"
        )));
    }
    check_mean(table, first, &path)
}

/// Refuses a mean that the control cannot have, and an error that no mean of its can have.
fn check_mean(table: &VarianceTable, control: &Control, path: &KeyPath) -> Checked {
    let (least, most) = control.limits;
    let [lower, upper] = [least, most].map(|limit| limit as f64);
    let largest = (upper - lower) / 2.0;
    if !(lower..=upper).contains(&table.mean) {
        let expected = format!("a number from {least} to {most}, as `{}` is", control.name);
        let help = format!("it is the mean of {}", control.over);
        return Err(path.at("mean").mismatch(&expected).help(help));
    }
    if table.error > largest {
        let expected = format!("a number up to {largest}, the largest a standard error can be");
        return Err(path.at("error").mismatch(&expected));
    }
    Ok(())
}
