//! `summary.csv`: an estimate of every metric in every cell.

use crate::config::Experiment;
use crate::harness::Outcome;

use super::fields::{ESTIMATE, estimate_fields};
use super::table::{Table, column};

/// The table.
pub(super) fn summary_table(
    experiment: &Experiment,
    outcome: &Outcome,
    stop_reason: &str,
) -> Table {
    let params = experiment.task.params.iter();
    let params: Vec<String> = params.map(|param| param_column(&param.name)).collect();
    let params = params.iter().map(String::as_str);
    let columns = ["experiment", "cell"].into_iter().chain(params);
    let columns = columns.chain(["metric", "unit"]).chain(ESTIMATE);
    let mut table = Table::new("summary", columns.chain(["stop_reason"]));
    for (cell, estimates) in experiment.cells.iter().zip(&outcome.cells) {
        let params = experiment.task.params.iter().map(|param| {
            let value = cell.params.get(&param.name);
            value.map_or(String::new(), ToString::to_string)
        });
        let head: Vec<String> = [experiment.name.clone(), cell.name.clone()]
            .into_iter()
            .chain(params)
            .collect();
        for (metric, estimate) in experiment.task.metrics.iter().zip(estimates) {
            let mut row = head.clone();
            row.extend([metric.name.to_string(), metric.unit.to_string()]);
            row.extend(estimate_fields(estimate));
            row.push(stop_reason.to_owned());
            table.push(row);
        }
    }
    table
}

/// What comes before the name of a parameter that a column of every summary has already, as `n`.
pub const PARAM_PREFIX: &str = "param_";

fn param_column(name: &str) -> String {
    let own = ESTIMATE.iter().map(|spelled| column(spelled).name);
    let own = own.chain(["experiment", "cell", "metric", "unit", "stop_reason"].map(String::from));
    if own.into_iter().any(|column| column == name) {
        format!("{PARAM_PREFIX}{name}")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_named_as_a_column_is_told_from_it() {
        assert_eq!(param_column("n"), "param_n");
        assert_eq!(param_column("unit"), "param_unit");
        assert_eq!(param_column("layout"), "layout");
    }
}
