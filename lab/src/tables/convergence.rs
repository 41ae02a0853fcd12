//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use super::places::MetricPlace;
use super::row::table_row;
use super::table::Table;
use crate::experiment::Experiment;
use crate::run::Checkpoint;
use crate::stats::{Estimate, Interval};

table_row! {
    /// A row of `convergence.csv`: the estimate of a metric at a checkpoint.
    pub struct ConvergenceRow in "convergence", keys ["metric", "samples"]
    refers ["metric"] to "metrics" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// Samples of the cell so far.
        samples: u64,
        /// The estimate from them.
        estimate: Estimate,
        /// Lower end of the confidence sequence, valid at all rows at once.
        cs_lo: Option<f64>,
        /// Upper end of the confidence sequence, valid at all rows at once.
        cs_hi: Option<f64>,
        /// Method of the confidence sequence.
        cs_method: String,
    }
}

/// The table.
pub fn convergence_table(experiment: &Experiment, checkpoints: &[Checkpoint]) -> Table {
    Table::of(checkpoints.iter().flat_map(|checkpoint| {
        let found = checkpoint.estimates.iter().zip(&checkpoint.sequences);
        found.enumerate().map(|(metric, found)| {
            let place = MetricPlace::new(experiment, 0, metric);
            approached(place, checkpoint.samples, found)
        })
    }))
}

fn approached(
    place: MetricPlace,
    samples: u64,
    (estimate, sequence): (&Estimate, &Option<Interval>),
) -> ConvergenceRow {
    ConvergenceRow {
        experiment: place.experiment(),
        cell: place.cell(),
        metric: place.metric(),
        unit: place.unit(),
        samples,
        estimate: *estimate,
        cs_lo: sequence.map(|interval| interval.lo),
        cs_hi: sequence.map(|interval| interval.hi),
        cs_method: sequence
            .map_or("", |interval| interval.method.name())
            .to_owned(),
    }
}
