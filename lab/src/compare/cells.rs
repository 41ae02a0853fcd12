//! The correspondence between the cells of two runs: cells with equal parameters belong together,
//! except for the parameters in which the runs differ as a whole.

use std::collections::BTreeSet;

use crate::experiment::{Cell, Experiment};
use crate::failure::Failure;
use crate::run::Observer;
use crate::task::counted;

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
        let value = |name: &&str| {
            cell.params
                .get(name)
                .map_or(String::new(), ToString::to_string)
        };
        shared.iter().map(value).collect()
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
    let both = names.filter(|name| second.task.params.iter().any(|param| param.name == *name));
    let differs = |name: &str| match (values(first, name), values(second, name)) {
        (a, b) if a.len() == 1 && b.len() == 1 => a != b,
        _ => false,
    };
    both.filter(|name| !differs(name)).collect()
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
        a.is_disjoint(&b).then(|| {
            format!(
                "`{name}` is {} in one run and {} in the other",
                list(a),
                list(b)
            )
        })
    });
    let reason = apart.unwrap_or_else(|| "no combination of parameters occurs in both".to_owned());
    Failure::usage(format!("the runs have no cells in common: {reason}"))
        .with_help("compare runs that differ in one value, or whose sweeps have values in common")
}
