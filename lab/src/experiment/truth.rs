//! Truths: exact expectations that an experiment file declares, so that estimates are held against
//! them.

use crate::task::Metric;

use super::Selector;
use super::claims::selector;
use super::document::Document;
use super::error::{Faults, Problem};
use super::file::{CommandTable, ExperimentFile, TruthTable};
use super::relation::Scope;

/// The metric and the cells that a truth of the file is about.
#[derive(Clone, Debug, PartialEq)]
pub struct TruthSpec {
    /// The metric's index in the task.
    pub metric: usize,
    /// The cells it is true in.
    pub selector: Selector,
}

/// Compiles `[[truths]]`. Of each metric and cell there is one at most, and none of a metric that
/// has one beside it: that speaks of all cells.
pub(super) fn compile(
    file: &mut ExperimentFile,
    document: &Document,
    scope: Scope,
    faults: &mut Faults,
) -> Option<Vec<TruthSpec>> {
    let ExperimentFile {
        truths, command, ..
    } = file;
    let command = command.as_ref();
    let compiled = (truths.iter_mut().enumerate()).map(|(index, table)| {
        let truth = truth(&format!("truths.{index}"), table, document, scope)?;
        match beside(command, &table.metric) {
            Some(_) => Err(told_twice(index, &table.metric, document)),
            None => Ok(truth),
        }
    });
    let truths = faults.keep_all(compiled)?;
    let overlaps = |later: usize| (0..later).any(|at| overlap(&truths[at], &truths[later]));
    let Some(later) = (1..truths.len()).find(|&later| overlaps(later)) else {
        return Some(truths);
    };
    let name = &scope.metrics[truths[later].metric].name;
    let message = format!("a second truth of `{name}` in the same cell");
    let problem = document.fault(&format!("truths.{later}"), message);
    faults.add(problem.help("tell them apart by `where`, such as `where = \"load=0.5\"`"));
    None
}

/// The expectation that stands beside a command's metric.
pub(super) fn beside(command: Option<&CommandTable>, metric: &str) -> Option<f64> {
    command?.metrics.get(metric)?.truth
}

fn told_twice(index: usize, name: &str, document: &Document) -> Problem {
    document
        .fault(
            &format!("truths.{index}"),
            format!("`{name}` has its `truth` beside it, for all cells"),
        )
        .help("keep one of them: `truth` where all cells share it, else `[[truths]]` for each cell")
}

fn truth(
    path: &str,
    table: &mut TruthTable,
    document: &Document,
    scope: Scope,
) -> Result<TruthSpec, Problem> {
    let metric = scope
        .metric_named(&table.metric)
        .map_err(|problem| document.within(&format!("{path}.metric"), &table.metric, problem))?;
    let selector = selector(&mut table.selector, path, document, scope)?;
    check(&scope.metrics[metric], table.value).map_err(|(message, expected)| {
        let problem = document.fault(&format!("{path}.value"), message);
        problem.expected(expected)
    })?;
    Ok(TruthSpec { metric, selector })
}

/// Refuses an expectation that the metric's values cannot have, with the values that it has.
pub(super) fn check(metric: &Metric, value: f64) -> Result<(), (String, String)> {
    match metric.unit_limits() {
        Some((min, max)) if !(min..=max).contains(&value) => Err((
            format!("`{}` cannot be {value} on average", metric.name),
            format!("its values lie between {min} and {max}"),
        )),
        _ => Ok(()),
    }
}

/// Returns whether there is a cell that both speak of: no parameter has two values.
fn overlap(a: &TruthSpec, b: &TruthSpec) -> bool {
    let other = |axis: usize| b.selector.terms.iter().find(|term| term.0 == axis);
    let differs =
        |&(axis, value): &(usize, usize)| other(axis).is_some_and(|other| other.1 != value);
    a.metric == b.metric && !a.selector.terms.iter().any(differs)
}
