//! The facts that the tables of a run are made of.

use super::metric_in_cell::MetricInCell;
use crate::run::{ClaimOutcome, CompiledExperiment, Outcome, StopReason, Stopped};
use experiment::{Experiment, Precision};
use stats::Estimate;
use task::Tally;

/// An experiment and all that its run has found, of which tables are made.
pub struct RunFacts<'run> {
    /// The experiment.
    pub(crate) experiment: &'run Experiment,
    /// The experiment, ready to be run.
    pub(crate) compiled: &'run CompiledExperiment,
    /// The estimates.
    pub(crate) outcome: &'run Outcome,
    /// The claims, as they were decided.
    pub(crate) claims: &'run [ClaimOutcome],
    /// True if the exact values of tasks are to be shown: they may take long to count.
    pub(crate) has_truths: bool,
    /// The reason why sampling stopped.
    pub(crate) stopped: Stopped,
}

impl<'run> RunFacts<'run> {
    /// All facts, the exact values of tasks among them.
    pub fn of(
        experiment: &'run Experiment,
        compiled: &'run CompiledExperiment,
        outcome: &'run Outcome,
        (claims, stopped): (&'run [ClaimOutcome], Stopped),
    ) -> Self {
        Self {
            experiment,
            compiled,
            outcome,
            claims,
            has_truths: true,
            stopped,
        }
    }

    /// The reason why a cell was sampled no further: of a run that came to its cap, some may have stopped by themselves.
    pub(super) fn stopped_in(&self, cell: usize) -> Stopped {
        let rule = self.experiment.stop.cell_target();
        let is_narrow = |(metric, target): (usize, Precision)| {
            target.is_reached(&self.outcome.cells[cell][metric])
        };
        match self.stopped {
            Stopped::Complete(StopReason::MaxSamples) if rule.is_some_and(is_narrow) => {
                Stopped::Complete(StopReason::HalfWidth)
            }
            stopped => stopped,
        }
    }

    /// Every metric of every cell, with its estimate and its tally.
    pub(super) fn metrics(
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
