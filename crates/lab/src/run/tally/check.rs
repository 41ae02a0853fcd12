//! Checks whether a tally that was read is possible for so many samples of the experiment.
//!
//! A checksum proves that a row is as it was written, not that its writer was right.

use crate::run::compiled_experiment::CompiledExperiment;
use stats::{Paired, Regression, Stored};
use task::Tally;
use task::tally::is_possible;

use super::BlockTally;
use super::scores::Games;

impl BlockTally {
    /// Returns whether the tally counts `samples` samples of each cell that is there, with values
    /// within the limits of their metrics.
    pub fn is_possible(&self, compiled: &CompiledExperiment, samples: u64) -> bool {
        let metrics = compiled.metrics();
        let cell = |tallies: &Vec<Tally>| {
            let mut both = tallies.iter().zip(metrics);
            both.all(|(tally, metric)| tally.is_possible(metric, samples))
        };
        let pair = |tallies: &Vec<Paired>| {
            let mut both = tallies.iter().zip(metrics);
            both.all(|(tally, metric)| {
                is_possible(tally.differences(), metric.difference_limits(), samples)
            })
        };
        let mut adjusted = self.adjusted.iter().flatten();
        let mut games = self.games.iter().zip(&self.cells);
        self.cells.iter().all(cell)
            && self.pairs.iter().all(pair)
            && adjusted.all(|tally| tally.count() == samples)
            && games.all(|(games, cell)| cell.is_empty() || games.len() as u64 == samples)
            && self
                .timeouts
                .iter()
                .all(|(cell, _)| *cell < self.cells.len())
            && self.repeats.is_within(self.cells.len())
    }

    /// Returns whether the numbers can come from samples.
    pub(super) fn is_consistent(&self) -> bool {
        let mut cells = self.cells.iter().flatten();
        let mut pairs = self.pairs.iter().flatten();
        let mut adjusted = self.adjusted.iter().flatten();
        cells.all(Tally::is_consistent)
            && pairs.all(Paired::is_consistent)
            && adjusted.all(Regression::is_consistent)
            && self.games.iter().all(Games::is_consistent)
    }
}
