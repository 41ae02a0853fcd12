//! The blocks that earlier sessions of a run stored, and the sum of their tallies.

use std::collections::BTreeSet;
use std::sync::Arc;

use experiment::Experiment;

use super::cell_limits::CellLimits;
use super::compiled_experiment::CompiledExperiment;
use super::plan::Plan;
use super::tally::BlockTally;

/// Blocks that need not be run again. Only the sum of their tallies is kept, so memory does not
/// grow with their number.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredBlocks {
    // Shared, for threads ask while blocks are handed out.
    blocks: Arc<BTreeSet<u64>>,
    tally: Option<BlockTally>,
    /// The cells that draw no more after these.
    pub(crate) limits: CellLimits,
}

impl StoredBlocks {
    /// Adds a block, once.
    pub(crate) fn add(&mut self, index: u64, tally: &BlockTally) {
        if !Arc::make_mut(&mut self.blocks).insert(index) {
            return;
        }
        match &mut self.tally {
            Some(sum) => sum.merge(tally),
            None => self.tally = Some(tally.clone().into_sum()),
        }
    }

    /// Looks after a block, the last of a prefix, as a run does that draws it.
    pub(crate) fn look(
        &mut self,
        experiment: &Experiment,
        parts: (&CompiledExperiment, &Plan),
        index: u64,
    ) {
        if let Some(tally) = &self.tally {
            let samples = parts.1.block(index).range().end;
            self.limits.look(experiment, parts, (samples, tally));
        }
    }

    /// The indices of the blocks.
    pub(crate) fn indices(&self) -> Arc<BTreeSet<u64>> {
        Arc::clone(&self.blocks)
    }

    /// Samples in the blocks, which are those of `plan`.
    pub(crate) fn samples(&self, plan: &Plan) -> u64 {
        let blocks = self.blocks.iter();
        blocks.map(|&index| plan.block(index).samples).sum()
    }

    /// The sum of the tallies, if there is a block.
    pub(crate) fn into_tally(self) -> Option<BlockTally> {
        self.tally
    }
}

impl FromIterator<(u64, BlockTally)> for StoredBlocks {
    fn from_iter<I: IntoIterator<Item = (u64, BlockTally)>>(blocks: I) -> Self {
        let mut stored = Self::default();
        for (index, tally) in blocks {
            stored.add(index, &tally);
        }
        stored
    }
}
