//! Checks whether a tally that was read is possible for so many samples of the experiment.
//!
//! A checksum proves that a row is as it was written, not that its writer was right.

use crate::run::compiled_experiment::CompiledExperiment;
use stats::{Paired, Regression, Stored};
use task::Tally;
use task::tally::{can_hold, is_possible};

use super::scores::Games;
use super::{BlockTally, lengths};

impl BlockTally {
    /// Returns whether the tally counts `samples` samples of each cell that is there, with values
    /// within the limits of their metrics.
    pub(crate) fn is_possible(&self, compiled: &CompiledExperiment, samples: u64) -> bool {
        let mut games = self.games.iter().zip(&self.cells);
        self.counts_all(compiled, samples)
            && games.all(|(games, cell)| cell.is_empty() || games.len() as u64 == samples)
    }

    /// Like [`is_possible`](Self::is_possible), of a sum of blocks with the parts of `whole`, which has the
    /// scores of games instead of the games.
    pub(super) fn is_possible_sum(
        &self,
        compiled: &CompiledExperiment,
        (whole, samples): (&Self, u64),
    ) -> bool {
        let metrics = compiled.metrics().len();
        let mut lengths = (lengths(&self.cells))
            .chain(lengths(&self.pairs))
            .chain(lengths(&self.adjusted));
        let scores = self.scores.iter().flatten();
        let fields = compiled.rated().iter().map(|field| field.players.len());
        let mut both = scores.zip(fields);
        self.counts_all(compiled, samples)
            && lengths.all(|length| length == metrics)
            && self.games.iter().all(|games| games.len() == 0)
            && (self.scores.as_ref().zip(whole.scores.as_ref()))
                .is_none_or(|(own, all)| own.len() == all.len())
            && both.all(|(scores, players)| scores.is_possible(players, samples))
    }

    fn counts_all(&self, compiled: &CompiledExperiment, samples: u64) -> bool {
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
        self.cells.iter().all(cell)
            && self.pairs.iter().all(pair)
            && adjusted.all(|tally| tally.count() == samples)
            && self
                .timeouts
                .iter()
                .all(|(cell, _)| *cell < self.cells.len())
            && self.repeats.is_within(self.cells.len())
    }

    /// Returns whether the samples of `part` can be among those of this sum.
    pub fn can_hold(&self, part: &Self) -> bool {
        let groups = self.cells.iter().zip(&part.cells);
        let mut cells = groups.flat_map(|(all, part)| all.iter().zip(part));
        let groups = self.pairs.iter().zip(&part.pairs);
        let mut pairs = groups.flat_map(|(all, part)| all.iter().zip(part));
        cells.all(|(all, part)| all.can_hold(part))
            && pairs.all(|(all, part)| can_hold(all.differences(), part.differences()))
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
