//! Checks whether a tally that was read is possible for so many samples of the experiment.
//!
//! A checksum proves that a row is as it was written, not that its writer was right.

use crate::run::compiled_experiment::CompiledExperiment;
use crate::task::Metric;
use stats::{Accumulator, Bounded, Paired, Regression, Stored};

use super::scores::Games;
use super::{BlockTally, Tally};

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
}

impl Stored for BlockTally {
    fn is_consistent(&self) -> bool {
        let mut cells = self.cells.iter().flatten();
        let mut pairs = self.pairs.iter().flatten();
        let mut adjusted = self.adjusted.iter().flatten();
        cells.all(Tally::is_consistent)
            && pairs.all(Paired::is_consistent)
            && adjusted.all(Regression::is_consistent)
            && self.games.iter().all(Games::is_consistent)
    }
}

impl Tally {
    fn is_consistent(&self) -> bool {
        match self {
            Tally::Counts(counts) => counts.is_consistent(),
            Tally::Sums(sums) => sums.is_consistent(),
            Tally::Ratio(ratio) => ratio.is_consistent(),
            Tally::Weights(weights) => weights.is_consistent(),
        }
    }

    fn is_possible(&self, metric: &Metric, samples: u64) -> bool {
        match self {
            Tally::Counts(counts) => is_possible(counts, metric.limits(), samples),
            Tally::Sums(sums) => is_possible(sums, metric.limits(), samples),
            Tally::Ratio(ratio) => ratio.count() <= samples,
            Tally::Weights(weights) => weights.count() <= samples,
        }
    }
}

/// Returns whether a tally counts every sample once, each within the limits.
fn is_possible<A: Accumulator>(
    tally: &Bounded<A>,
    limits: Option<(i64, i64)>,
    samples: u64,
) -> bool {
    let counted = tally.count().checked_add(tally.missing());
    let within = |values: &A| {
        let moments = values.moments();
        let ends = moments.min().zip(moments.max()).zip(limits);
        ends.is_none_or(|((min, max), (least, most))| least <= min && max <= most)
    };
    counted == Some(samples)
        && [Some(tally.resolved()), tally.lows(), tally.highs()]
            .into_iter()
            .flatten()
            .all(within)
}
