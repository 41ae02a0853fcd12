//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use crate::config::Experiment;
use crate::harness::Checkpoint;

use super::fields::{ESTIMATE, PLACE, estimate_fields, place_fields};
use super::number::number;
use super::table::Table;

/// The columns of a confidence sequence: valid at all checkpoints at once, at the level of the
/// estimate's interval.
const SEQUENCE: [&str; 3] = ["cs_lo:number", "cs_hi:number", "cs_method"];

/// The table.
pub fn convergence_table(experiment: &Experiment, checkpoints: &[Checkpoint]) -> Table {
    let columns = PLACE.into_iter().chain(["samples:integer"]);
    let columns = columns.chain(ESTIMATE).chain(SEQUENCE);
    let mut table = Table::new("convergence", columns);
    for checkpoint in checkpoints {
        let found = checkpoint.estimates.iter().zip(&checkpoint.sequences);
        for (metric, (estimate, sequence)) in experiment.task.metrics.iter().zip(found) {
            let mut row = place_fields(experiment, 0, metric);
            row.push(checkpoint.samples.to_string());
            row.extend(estimate_fields(estimate));
            row.extend([
                number(sequence.map(|interval| interval.lo)),
                number(sequence.map(|interval| interval.hi)),
                sequence
                    .map_or("", |interval| interval.method.name())
                    .to_owned(),
            ]);
            table.push(row);
        }
    }
    table
}
