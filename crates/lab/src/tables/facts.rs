//! The facts that the tables of a run are made of.

use super::metric_in_cell::MetricInCell;
use crate::experiment::Experiment;
use crate::run::{ClaimOutcome, CompiledExperiment, KnownTruth, Outcome, Tally};
use stats::Estimate;

/// An experiment and all that its run has found, of which tables are made.
pub(super) struct RunFacts<'run> {
    pub experiment: &'run Experiment,
    pub compiled: &'run CompiledExperiment,
    pub outcome: &'run Outcome,
    pub claims: &'run [ClaimOutcome],
    /// The exact values of tasks, as far as they are to be shown.
    pub truths: Vec<KnownTruth>,
    /// The reason why sampling stopped.
    pub stop_reason: &'run str,
}

impl<'run> RunFacts<'run> {
    /// Every metric of every cell, with its estimate and its tally.
    pub fn metrics(
        &self,
    ) -> impl Iterator<Item = (MetricInCell<'run>, &'run Estimate, &'run Tally)> {
        let (experiment, outcome) = (self.experiment, self.outcome);
        (0..experiment.cells.len()).flat_map(move |cell| {
            let estimates = outcome.cells[cell].iter().zip(outcome.tally.cell(cell));
            let place = move |metric| MetricInCell::new(experiment, cell, metric);
            (0..)
                .zip(estimates)
                .map(move |(metric, (estimate, tally))| (place(metric), estimate, tally))
        })
    }
}
