//! Truths: exact expectations that an experiment file declares, so that estimates are held against
//! them.

use std::ops::Range;

use toml::Spanned;

use crate::external::declaration::DeclaredMetric;
use crate::task::Metric;

use super::Selector;
use super::claims::inside;
use super::error::{Faults, Problem};
use super::relation::Scope;
use super::value::{self, optional, required};
use super::wire::{TomlTable, TruthTable};

/// An exact expectation of a metric in some cells.
#[derive(Clone, Debug, PartialEq)]
pub struct TruthSpec {
    /// The metric's index in the task.
    pub metric: usize,
    /// The cells it is true in.
    pub selector: Selector,
    /// The expectation, in the metric's unit.
    pub value: f64,
    /// The source of the value; empty if the file gives none.
    pub source: String,
}

/// Reads `[[truths]]`. Of each metric and cell there is one at most, and none of a metric that has
/// one `beside` it: that speaks of all cells.
pub(super) fn read(
    tables: &[Spanned<TomlTable<TruthTable>>],
    text: &str,
    scope: Scope,
    beside: &[DeclaredMetric],
    faults: &mut Faults,
) -> Option<Vec<TruthSpec>> {
    let truths = faults.keep_all(tables.iter().map(|table| {
        let found = truth(table, text, scope)?;
        match beside.get(found.metric).and_then(|column| column.truth) {
            Some(_) => Err(told_twice(table.span(), scope, found.metric)),
            None => Ok(found),
        }
    }))?;
    let clash = (1..truths.len()).find_map(|later| {
        let earlier = (0..later).find(|&earlier| overlap(&truths[earlier], &truths[later]))?;
        Some((earlier, later))
    });
    let Some((_, later)) = clash else {
        return Some(truths);
    };
    let name = &scope.metrics[truths[later].metric].name;
    let message = format!("a second truth of `{name}` in the same cell");
    let problem = Problem::at(tables[later].span(), message)
        .help("tell them apart by `where`, such as `where = \"load=0.5\"`");
    faults.keep(Err::<(), _>(problem));
    None
}

fn told_twice(place: Range<usize>, scope: Scope, metric: usize) -> Problem {
    let name = &scope.metrics[metric].name;
    Problem::at(
        place,
        format!("`{name}` has its `truth` beside it, for all cells"),
    )
    .help("keep one of them: `truth` where all cells share it, else `[[truths]]` for each cell")
}

fn truth(
    table: &Spanned<TomlTable<TruthTable>>,
    text: &str,
    scope: Scope,
) -> Result<TruthSpec, Problem> {
    let place = || Some(table.span());
    let table = table.get_ref();
    let metric = required("metric", &table.metric, place(), |key, item| {
        inside(text, key, item, |name| scope.metric_named(name))
    })?;
    let selector = optional(
        "where",
        &table.selector,
        Selector::default(),
        |key, item| inside(text, key, item, |selector| scope.selector(selector)),
    )?;
    let value = required("value", &table.value, place(), |key, item| {
        value::real(item.get_ref()).ok_or_else(|| value::mismatch(key, item, "a number"))
    })?;
    let span = table.value.as_ref().map_or(0..0, Spanned::span);
    check(&scope.metrics[metric], value, span)?;
    Ok(TruthSpec {
        metric,
        selector,
        value,
        source: optional("source", &table.source, String::new(), value::text)?,
    })
}

/// Refuses an expectation that the metric's values cannot have.
pub(super) fn check(metric: &Metric, value: f64, place: Range<usize>) -> Result<(), Problem> {
    let per = metric.per as f64;
    let limits = metric.limits();
    let Some((min, max)) = limits.map(|(min, max)| (min as f64 / per, max as f64 / per)) else {
        return Ok(());
    };
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        let message = format!("`{}` cannot be {value} on average", metric.name);
        Err(Problem::at(place, message).expected(format!("its values lie between {min} and {max}")))
    }
}

/// Returns whether there is a cell that both speak of: no parameter has two values.
fn overlap(a: &TruthSpec, b: &TruthSpec) -> bool {
    let other = |axis: usize| b.selector.terms.iter().find(|term| term.0 == axis);
    let differs =
        |&(axis, value): &(usize, usize)| other(axis).is_some_and(|other| other.1 != value);
    a.metric == b.metric && !a.selector.terms.iter().any(differs)
}
