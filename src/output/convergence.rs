//! `convergence.csv`: the estimates of the first cell as its samples came in.

use crate::config::Experiment;
use crate::harness::Checkpoint;

use super::fields::{ESTIMATE, PLACE, estimate_fields, place_fields};
use super::table::Table;

/// The table.
pub fn convergence_table(experiment: &Experiment, checkpoints: &[Checkpoint]) -> Table {
    let columns = PLACE.into_iter().chain(["samples:integer"]).chain(ESTIMATE);
    let mut table = Table::new("convergence", columns);
    for checkpoint in checkpoints {
        for (metric, estimate) in experiment.task.metrics.iter().zip(&checkpoint.estimates) {
            let mut row = place_fields(experiment, 0, metric);
            row.push(checkpoint.samples.to_string());
            row.extend(estimate_fields(estimate));
            table.push(row);
        }
    }
    table
}
