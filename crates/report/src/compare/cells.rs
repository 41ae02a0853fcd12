//! The correspondence between the cells of two runs: cells with equal parameters belong together,
//! except for the parameters in which the runs differ as a whole.

use std::collections::BTreeSet;

use lab::Failure;
use lab::experiment::{Cell, Experiment};
use lab::run::Observer;
use lab::task::{ParamValue, counted};

/// The cells of both runs that are compared, by number. Notes how many are not.
pub fn matching_cells(
    first: &Experiment,
    second: &Experiment,
    observer: &mut dyn Observer,
) -> Result<Vec<(usize, usize)>, Failure> {
    if first.cells.len() == 1 && second.cells.len() == 1 {
        return Ok(vec![(0, 0)]);
    }
    let shared = shared_params(first, second);
    let key = |cell: &Cell| -> Vec<String> {
        let values = shared.iter().map(|name| cell.params.get(name));
        let text = |value: Option<&ParamValue>| value.map(ToString::to_string);
        values
            .map(|value| text(value).unwrap_or_default())
            .collect()
    };
    let only = |cells: &[Cell], wanted: &[String]| {
        let mut matching = (0..cells.len()).filter(|&cell| key(&cells[cell]) == wanted);
        matching.next().filter(|_| matching.next().is_none())
    };
    let pairs: Vec<(usize, usize)> = (first.cells.iter())
        .filter_map(|cell| {
            let wanted = key(cell);
            Some((only(&first.cells, &wanted)?, only(&second.cells, &wanted)?))
        })
        .collect();
    if pairs.is_empty() {
        return Err(no_pairs(first, second));
    }
    let unpaired = first.cells.len().max(second.cells.len()) - pairs.len();
    if unpaired > 0 {
        let cells = counted(unpaired as u64, "cell");
        observer.note(&format!(
            "{cells} without a counterpart of the same parameters"
        ));
    }
    Ok(pairs)
}

/// The parameters of both tasks, but for those that have one value throughout each run and differ
/// between them: these are what is compared.
fn shared_params<'a>(first: &'a Experiment, second: &Experiment) -> Vec<&'a str> {
    let names = first.task.params.iter().map(|param| &*param.name);
    let is_shared = |name: &&str| {
        let (a, b) = (values(first, name), values(second, name));
        let is_compared = a.len() == 1 && b.len() == 1 && a != b;
        !is_compared && second.task.params.iter().any(|param| param.name == **name)
    };
    names.filter(is_shared).collect()
}

/// The values of a parameter throughout a run.
fn values(experiment: &Experiment, name: &str) -> BTreeSet<String> {
    let cells = experiment.cells.iter();
    let values = cells.filter_map(|cell| cell.params.get(name));
    values.map(ToString::to_string).collect()
}

/// Two runs of which no cells have the same parameters: the first parameter that tells them apart.
fn no_pairs(first: &Experiment, second: &Experiment) -> Failure {
    let list = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(", ");
    let apart = shared_params(first, second).into_iter().find_map(|name| {
        let (a, b) = (values(first, name), values(second, name));
        let is_apart = a.is_disjoint(&b);
        let (a, b) = (list(a), list(b));
        is_apart.then(|| format!("`{name}` is {a} in one run and {b} in the other"))
    });
    let reason = apart.unwrap_or_else(|| "no combination of parameters occurs in both".to_owned());
    Failure::usage(format!("the runs have no cells in common: {reason}"))
        .with_help("compare runs that differ in one value, or whose sweeps have values in common")
}
