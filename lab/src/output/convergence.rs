//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use crate::config::Experiment;
use crate::harness::Checkpoint;
use crate::stats::{Estimate, Interval};

use super::fields::MetricPlace;
use super::table::Table;

/// The estimate of a metric at a checkpoint.
struct Approached<'run> {
    place: MetricPlace<'run>,
    samples: u64,
    estimate: Estimate,
    /// Valid at all checkpoints at once, at the level of the estimate's interval.
    sequence: Option<Interval>,
}

/// The table.
pub fn convergence_table(experiment: &Experiment, checkpoints: &[Checkpoint]) -> Table {
    let rows = checkpoints.iter().flat_map(|checkpoint| {
        let found = checkpoint.estimates.iter().zip(&checkpoint.sequences);
        let metrics = experiment.task.metrics.iter().zip(found);
        metrics.map(|(metric, (estimate, sequence))| Approached {
            place: MetricPlace { cell: 0, metric },
            samples: checkpoint.samples,
            estimate: *estimate,
            sequence: *sequence,
        })
    });
    Table::of("convergence", &["metric", "samples"], rows)
        .refers(&["metric"], "metrics")
        .place(experiment, |row| row.place)
        .integer("samples", "Samples of the cell so far.", |row| row.samples)
        .estimate(|row| row.estimate)
        .number(
            "cs_lo",
            "Lower end of the confidence sequence, valid at all rows at once.",
            |row| row.sequence.map(|interval| interval.lo),
        )
        .number(
            "cs_hi",
            "Upper end of the confidence sequence, valid at all rows at once.",
            |row| row.sequence.map(|interval| interval.hi),
        )
        .text("cs_method", "Method of the confidence sequence.", |row| {
            (row.sequence).map_or("", |interval| interval.method.name())
        })
        .build()
}
