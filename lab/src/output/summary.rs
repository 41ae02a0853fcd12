//! `summary.csv`: an estimate of every metric in every cell.

use crate::config::Experiment;
use crate::harness::Outcome;
use crate::stats::Estimate;
use crate::task::{ParamKind, ParamSpec};

use super::fields::{MetricPlace, places};
use super::table::{ColumnKind, Table, TableBuilder};

/// The prefix of a parameter whose name, such as `n`, is that of a column of every summary.
pub const PARAM_PREFIX: &str = "param_";

/// The beginning of the description of a parameter's column.
pub(super) const PARAMETER: &str = "Parameter of the task: ";

/// The table.
pub(super) fn summary_table(
    experiment: &Experiment,
    outcome: &Outcome,
    stop_reason: &str,
) -> Table {
    let own = declared(experiment, outcome, stop_reason, Vec::new()).names();
    let params = experiment.task.params.iter();
    let params = params.map(|param| (param_column(&own, &param.name), param));
    declared(experiment, outcome, stop_reason, params.collect()).build()
}

/// The column of a parameter beside those that every summary has.
fn param_column(own: &[String], name: &str) -> String {
    if own.iter().any(|column| column == name) {
        format!("{PARAM_PREFIX}{name}")
    } else {
        name.to_owned()
    }
}

/// Returns the kind of a parameter's column.
fn held_by(kind: &ParamKind) -> ColumnKind {
    match kind {
        ParamKind::Text | ParamKind::Choice(_) => ColumnKind::Text,
        ParamKind::Integer { .. } => ColumnKind::Integer,
        ParamKind::Number { .. } => ColumnKind::Number,
        ParamKind::Flag => ColumnKind::Flag,
    }
}

/// A metric of a cell and its estimate.
type EstimatedMetric<'run> = (MetricPlace<'run>, &'run Estimate);

/// The table with a column of this name for each parameter.
fn declared<'run>(
    experiment: &'run Experiment,
    outcome: &'run Outcome,
    stop_reason: &'run str,
    params: Vec<(String, &'run ParamSpec)>,
) -> TableBuilder<'run, impl Iterator<Item = EstimatedMetric<'run>>> {
    let rows = places(experiment, |cell| &outcome.cells[cell]);
    let mut table = Table::of("summary", &["cell", "metric"], rows)
        .refers(&["metric"], "metrics")
        .experiment(experiment)
        .cell(experiment, |(place, _)| place.cell);
    for (column, param) in params {
        let meaning = format!("{PARAMETER}{}", param.summary);
        let value = |cell: usize| experiment.cells[cell].params.get(&param.name);
        table = table.verbatim(
            held_by(&param.kind),
            &column,
            &meaning,
            move |(place, _)| value(place.cell).map_or(String::new(), ToString::to_string),
        );
    }
    table
        .metric(|(place, _)| place.metric)
        .unit(|(place, _)| place.metric)
        .estimate(|(_, estimate)| **estimate)
        .stop_reason(stop_reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_named_as_a_column_is_told_from_it() {
        let own = ["n", "unit"].map(String::from);
        assert_eq!(param_column(&own, "n"), "param_n");
        assert_eq!(param_column(&own, "unit"), "param_unit");
        assert_eq!(param_column(&own, "layout"), "layout");
    }
}
