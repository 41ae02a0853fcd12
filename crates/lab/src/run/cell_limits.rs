//! The samples after which cells draw no more, each by itself: those of the looks at which they were settled.

use std::collections::BTreeMap;

use experiment::Experiment;

use super::compiled_experiment::CompiledExperiment;
use super::plan::Plan;
use super::stop::is_look;
use super::tally::BlockTally;

/// The cells that draw no more, each with the number of its samples. A function of the samples alone: whoever adds up
/// the blocks in order finds the same at every look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellLimits(BTreeMap<usize, u64>);

impl CellLimits {
    /// Looks at the first `samples` samples of a plan, if one may look there: cells whose own interval is narrow
    /// enough draw no more, where the experiment stops each by itself.
    pub(crate) fn look(
        &mut self,
        experiment: &Experiment,
        (compiled, plan): (&CompiledExperiment, &Plan),
        (samples, tally): (u64, &BlockTally),
    ) {
        let Some((metric, target)) = experiment.stop.cell_target() else {
            return;
        };
        if !is_look(samples, plan.samples()) {
            return;
        }
        let metric = (metric, &compiled.metrics()[metric]);
        let confidence = experiment.confidence();
        for cell in 0..compiled.cells() {
            let is_open = tally.is_drawn(cell) && !self.0.contains_key(&cell);
            if is_open && target.is_reached(&tally.estimate(cell, metric, confidence)) {
                self.0.insert(cell, samples);
            }
        }
    }

    /// Returns whether a cell draws no sample from this one on.
    pub fn is_settled(&self, cell: usize, sample: u64) -> bool {
        self.0.get(&cell).is_some_and(|&limit| limit <= sample)
    }

    /// The cells that draw no more, in order, with the numbers of their samples.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.0.iter().map(|(&cell, &samples)| (cell, samples))
    }
}

impl FromIterator<(usize, u64)> for CellLimits {
    fn from_iter<I: IntoIterator<Item = (usize, u64)>>(limits: I) -> Self {
        Self(limits.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_draws_no_more_from_its_own_limit_on() {
        let limits: CellLimits = [(2, 128), (0, 64)].into_iter().collect();
        assert_eq!(limits.iter().collect::<Vec<_>>(), [(0, 64), (2, 128)]);
        let settled = [(0, 63), (0, 64), (0, 65), (2, 127), (2, 128), (1, 999)];
        let settled = settled.map(|(cell, sample)| limits.is_settled(cell, sample));
        assert_eq!(settled, [false, true, true, false, true, false]);
    }
}
