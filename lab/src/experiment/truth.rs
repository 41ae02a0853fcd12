//! Truths: exact expectations that an experiment file declares, so that estimates are held against
//! them.

use crate::task::Metric;

use super::Selector;
use super::document::{Document, KeyPath};
use super::error::Checked;
use super::file::{CommandTable, TruthTable};
use super::relation::{Scope, metric_at};

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
    tables: &mut [TruthTable],
    command: Option<&CommandTable>,
    document: &Document,
    scope: Scope,
) -> Option<Vec<TruthSpec>> {
    let paths = (0..).map(|index| document.at("truths").at(index));
    let compiled = tables.iter_mut().zip(paths).map(|(table, path)| {
        let truth = truth(table, &path, scope)?;
        if beside(command, &table.metric).is_none() {
            return Ok(truth);
        }
        let message = format!(
            "`{}` has its `truth` beside it, for all cells",
            table.metric
        );
        Err(path.fault(message).help(
            "keep one of them: `truth` where all cells share it, else `[[truths]]` for each cell",
        ))
    });
    let truths = document.keep_all(compiled)?;
    let overlaps = |later: usize| (0..later).any(|at| overlap(&truths[at], &truths[later]));
    let Some(later) = (1..truths.len()).find(|&later| overlaps(later)) else {
        return Some(truths);
    };
    let name = &scope.metrics[truths[later].metric].name;
    let message = format!("a second truth of `{name}` in the same cell");
    let problem = document.at("truths").at(later).fault(message);
    document.add(problem.help("tell them apart by `where`, such as `where = \"load=0.5\"`"));
    None
}

/// The expectation that stands beside a command's metric.
pub(super) fn beside(command: Option<&CommandTable>, metric: &str) -> Option<f64> {
    command?.metrics.get(metric)?.truth
}

fn truth(table: &mut TruthTable, path: &KeyPath, scope: Scope) -> Checked<TruthSpec> {
    let metric = metric_at(scope.metrics, &table.metric, &path.at("metric"))?;
    let selector = scope.selector_at(&mut table.selector, &path.at("where"))?;
    check(&scope.metrics[metric], table.value, &path.at("value"))?;
    Ok(TruthSpec { metric, selector })
}

/// Refuses an expectation that the metric's values cannot have.
pub(super) fn check(metric: &Metric, value: f64, path: &KeyPath) -> Checked {
    match metric.unit_limits() {
        Some((min, max)) if !(min..=max).contains(&value) => {
            let message = format!("`{}` cannot be {value} on average", metric.name);
            let problem = path.fault(message);
            Err(problem.expected(format!("its values lie between {min} and {max}")))
        }
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
