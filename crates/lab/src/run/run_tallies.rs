//! The sums of a run's blocks: all that its tables are made of, beside the times of a race.

use std::io;

use super::compiled_experiment::CompiledExperiment;
use super::tally::BlockTally;

/// Consecutive looks are two of these factors apart in blocks, so the number of blocks about
/// doubles: ten looks for a run of the usual size, evenly spaced on a logarithmic axis.
const STEP: f64 = 1.4;

/// The sums of a run's blocks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunTallies {
    /// The sum of all blocks.
    pub(crate) total: BlockTally,
    /// The sums of the first blocks, growing numbers of them up to all.
    pub looks: Vec<Look>,
}

/// The sum of the first blocks of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Look {
    /// The samples of each cell in these blocks.
    pub(crate) samples: u64,
    /// The part of the first cell.
    pub(crate) first_cell: BlockTally,
}

impl Look {
    /// The looks at so many blocks, which come in index order, each with the number of its samples.
    ///
    /// # Errors
    /// That of a block that cannot be read.
    pub(crate) fn at_blocks(
        compiled: &CompiledExperiment,
        blocks: u64,
        stored: impl Iterator<Item = io::Result<(u64, BlockTally)>>,
    ) -> io::Result<Vec<Self>> {
        let mut sum = BlockTally::new(compiled).first_cell();
        let (mut looks, mut samples, mut due) = (Vec::new(), 0, 1);
        for (count, block) in (1..).zip(stored) {
            let (own, tally) = block?;
            sum.merge(&tally);
            samples += own;
            if count == due || count == blocks {
                due = later(later(count));
                let first_cell = sum.first_cell();
                looks.push(Self {
                    samples,
                    first_cell,
                });
            }
        }
        Ok(looks)
    }
}

impl RunTallies {
    /// Returns whether each look is possible before the next, and the last is at all samples.
    pub(crate) fn is_consistent(&self) -> bool {
        let first_cell = self.total.first_cell();
        let is_before = |both: &[Look]| {
            both[0].samples < both[1].samples && both[1].first_cell.can_hold(&both[0].first_cell)
        };
        (self.looks.windows(2)).all(is_before)
            && (self.looks.last()).is_some_and(|last| last.first_cell == first_cell)
    }

    /// The samples of each cell.
    pub(crate) fn samples(&self) -> u64 {
        self.looks.last().map_or(0, |last| last.samples)
    }
}

/// The number of blocks that is a step on from another.
fn later(count: u64) -> u64 {
    (count as f64 * STEP).ceil() as u64
}
