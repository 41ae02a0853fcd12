//! The plan of a run: sample indices cut into blocks, and blocks dealt to shards.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
use std::ops::Range;

use experiment::Experiment;

use super::shard::Shard;

/// Blocks a run is cut into at most, where the largest block size allows it: enough for steady
/// progress and even load, few enough for a small journal.
const TARGET_BLOCKS: u64 = 512;
/// Like `TARGET_BLOCKS`, in a wide sweep, where the work of a block is spread over many cells.
const FEWEST_BLOCKS: u64 = 16;
/// Tallies of cells that a journal holds at most, where the fewest blocks allow it.
const TARGET_TALLIES: u64 = 512 * 128;
const LARGEST_BLOCK: u64 = 1 << 16;

/// The samples of an experiment, cut into blocks. Every cell runs every sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    samples: u64,
    sizes: BlockSizes,
    /// The logarithm of the blocks of shards in each doubling.
    grain: u32,
    shard: Shard,
}

/// The rule that cuts samples into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockSizes {
    /// All blocks have this many samples, but for the last.
    Even(NonZeroU64),
    /// Blocks of 1 sample up to `2^octave`, then `2^octave` blocks each time the samples double, up
    /// to the largest size: every look of a stop rule is a block's end, whatever the cap.
    Doubling { octave: u32 },
}

/// The logarithm of the blocks in each doubling of doubling blocks.
const OCTAVE: u32 = 6;
/// Like `OCTAVE`, in a wide sweep: one block from look to look.
const WIDE_OCTAVE: u32 = 4;
/// Like `OCTAVE`, for shards. A block of an undivided run, whatever its number of samples, consists of whole
/// blocks of shards: so shards of any count, and of a run before and after it grew, fit each other.
const GRAIN: u32 = TARGET_BLOCKS.ilog2();

/// A range of sample indices, the unit of dispatch and of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Block {
    /// Position among all blocks of the experiment.
    pub(crate) index: u64,
    /// First sample.
    pub(crate) first: u64,
    /// Number of samples; the last block may be shorter than the others.
    pub samples: u64,
}

impl Plan {
    /// Plans the samples that an experiment draws of each cell at most, in blocks, of one sample in a race. Every sample
    /// belongs to one block, and every block to one shard.
    ///
    /// ```
    /// use etude_lab::run::{Plan, Shard};
    /// let plan = Plan::new(1_000);
    /// let half = plan.with_shard(Shard::new(0, 2).unwrap());
    /// let samples: u64 = half.blocks().map(|block| block.samples).sum();
    /// assert_eq!(samples, 500);
    /// ```
    pub(crate) fn of(experiment: &Experiment) -> Self {
        if experiment.is_race() {
            return Self::new(experiment.stop.max_samples).with_block_size(NonZeroU64::MIN);
        }
        let plan = if experiment.stop.looks() {
            Self::with_looks(experiment.stop.max_samples)
        } else {
            Self::new(experiment.stop.max_samples)
        };
        plan.with_cells(experiment.cells.len())
    }

    /// A plan for `samples` samples with the default block size, a power of two that depends on
    /// `samples` alone: an extended run can then merge its old blocks into its new ones.
    pub fn new(samples: u64) -> Self {
        Self {
            samples,
            sizes: even(samples, TARGET_BLOCKS),
            grain: GRAIN,
            shard: Shard::WHOLE,
        }
    }

    /// A plan for at most `samples` samples that may stop at any of its looks.
    pub(crate) fn with_looks(samples: u64) -> Self {
        Self {
            samples,
            sizes: BlockSizes::Doubling { octave: OCTAVE },
            grain: GRAIN,
            shard: Shard::WHOLE,
        }
    }

    /// Returns the plan with fewer and larger blocks if an experiment has very many cells: the
    /// journal's size then depends little on their number.
    pub(crate) fn with_cells(self, cells: usize) -> Self {
        let cells = u64::try_from(cells).unwrap_or(u64::MAX).max(1);
        let blocks = (TARGET_TALLIES / cells).clamp(FEWEST_BLOCKS, TARGET_BLOCKS);
        let sizes = match self.sizes {
            _ if blocks == TARGET_BLOCKS => self.sizes,
            BlockSizes::Even(_) => even(self.samples, blocks),
            BlockSizes::Doubling { .. } => BlockSizes::Doubling {
                octave: WIDE_OCTAVE,
            },
        };
        Self {
            sizes,
            grain: blocks.ilog2(),
            ..self
        }
    }

    /// Returns the plan with blocks of another size.
    pub(crate) fn with_block_size(mut self, block_size: NonZeroU64) -> Self {
        self.sizes = BlockSizes::Even(block_size);
        self
    }

    /// Returns the plan with only one shard's blocks to be run, and cut into the blocks that shards are dealt unless
    /// that is all.
    pub fn with_shard(mut self, shard: Shard) -> Self {
        self.shard = shard;
        if !shard.is_whole() {
            self.sizes = BlockSizes::Doubling { octave: self.grain };
        }
        self
    }

    /// All samples of the experiment, over all shards.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Samples in a full block, the largest where they differ.
    pub(crate) fn block_size(&self) -> u64 {
        match self.sizes {
            BlockSizes::Even(size) => size.get(),
            BlockSizes::Doubling { octave } => doubling_size(octave, self.samples),
        }
    }

    /// The shard this plan runs.
    pub(crate) fn shard(&self) -> Shard {
        self.shard
    }

    /// Blocks of the whole experiment.
    pub fn total_blocks(&self) -> u64 {
        match self.sizes {
            BlockSizes::Even(size) => self.samples.div_ceil(size.get()),
            BlockSizes::Doubling { octave } => doubling_index(octave, self.samples),
        }
    }

    /// Block `index` of the whole experiment.
    pub(crate) fn block(&self, index: u64) -> Block {
        let (first, size) = match self.sizes {
            BlockSizes::Even(size) => (index * size.get(), size.get()),
            BlockSizes::Doubling { octave } => {
                let first = doubling_first(octave, index);
                (first, doubling_size(octave, first))
            }
        };
        Block {
            index,
            first,
            samples: size.min(self.samples - first),
        }
    }

    /// The block of the whole experiment that holds `sample`, if there is one.
    pub(crate) fn block_at(&self, sample: u64) -> Option<Block> {
        let index = match self.sizes {
            BlockSizes::Even(size) => sample / size.get(),
            BlockSizes::Doubling { octave } => {
                let doubling = doubling_size(octave, sample).ilog2();
                (sample >> doubling) + (u64::from(doubling) << octave)
            }
        };
        (sample < self.samples).then(|| self.block(index))
    }

    /// The blocks of this plan's shard, in index order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let plan = *self;
        let (index, count) = (self.shard.index(), self.shard.count());
        let step = usize::try_from(count).unwrap_or(usize::MAX);
        let first = self.block_at(self.first_sample());
        let first = first.map_or(self.total_blocks(), |block| block.index);
        let passed = first.saturating_sub(index).div_ceil(count);
        let begin = passed.saturating_mul(count).saturating_add(index);
        (begin..self.total_blocks())
            .step_by(step)
            .map(move |index| plan.block(index))
    }

    /// Returns whether a block of the experiment is one of this plan's shard.
    pub(crate) fn runs(&self, block: &Block) -> bool {
        let (index, count) = (self.shard.index(), self.shard.count());
        block.index % count == index && block.range().end > self.first_sample()
    }

    /// The first sample that the shard draws: the last block of those that others hold may be cut short, so it
    /// is drawn again.
    fn first_sample(&self) -> u64 {
        let from = self.shard.first();
        from - from % even_size(from, 1 << self.grain)
    }

    /// Samples in this plan's shard.
    pub(crate) fn shard_samples(&self) -> u64 {
        if self.shard.is_whole() {
            self.samples
        } else {
            self.blocks().map(|block| block.samples).sum()
        }
    }
}

/// Blocks of one size.
fn even(samples: u64, blocks: u64) -> BlockSizes {
    BlockSizes::Even(even_size(samples, blocks))
}

/// The size of blocks of one size, a power of two, for about `blocks` of them where the largest size allows it.
fn even_size(samples: u64, blocks: u64) -> NonZeroU64 {
    let size = samples
        .div_ceil(blocks)
        .clamp(1, LARGEST_BLOCK)
        .next_power_of_two();
    NonZeroU64::new(size).unwrap_or(NonZeroU64::MIN)
}

/// Doublings after which doubling blocks have reached the largest size.
const DOUBLINGS: u64 = LARGEST_BLOCK.ilog2() as u64;

/// The size of the doubling block that starts at `first`.
fn doubling_size(octave: u32, first: u64) -> u64 {
    (1 << first.max(1).ilog2().saturating_sub(octave)).min(LARGEST_BLOCK)
}

/// The first sample of doubling block `index`.
fn doubling_first(octave: u32, index: u64) -> u64 {
    let doubling = (index >> octave).saturating_sub(1).min(DOUBLINGS);
    (index - (doubling << octave)) << doubling
}

/// The number of doubling blocks that start before sample `samples`.
fn doubling_index(octave: u32, samples: u64) -> u64 {
    let doubling = u64::from(doubling_size(octave, samples.saturating_sub(1)).ilog2());
    samples.div_ceil(1 << doubling) + (doubling << octave)
}

impl Block {
    /// The sample indices.
    pub(crate) fn range(&self) -> Range<u64> {
        self.first..self.first + self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_every_sample_once_whatever_the_size_and_the_shards() {
        for samples in [0, 1, 5, 511, 512, 513, 100_000] {
            for size in [1, 7, 64, 1 << 20] {
                for shards in [1, 2, 5] {
                    let plan = Plan::new(samples).with_block_size(NonZeroU64::new(size).unwrap());
                    let mut covered: Vec<u64> = (0..shards)
                        .flat_map(|i| plan.with_shard(Shard::new(i, shards).unwrap()).blocks())
                        .flat_map(|block| block.range())
                        .collect();
                    covered.sort_unstable();
                    assert!(covered.into_iter().eq(0..samples));
                }
            }
        }
    }

    #[test]
    fn default_block_sizes_are_powers_of_two_so_that_runs_can_be_extended() {
        for samples in [1, 1_000, 100_000, 1_000_000, u64::MAX / 4] {
            assert!(Plan::new(samples).block_size().is_power_of_two());
        }
        assert_eq!(Plan::new(1_000_000).block_size(), 2_048);
    }

    /// 512 blocks of up to 128 cells, then as many fewer as there are more cells, and 16 of any number.
    #[test]
    fn an_experiment_of_many_cells_has_fewer_and_larger_blocks() {
        let block_size = |cells| Plan::new(1_000_000).with_cells(cells).block_size();
        let sizes = [0, 1, 128, 256, 1_024, 4_096, 70_000].map(block_size);
        let (few, most) = (1 << 11, 1 << 16);
        assert_eq!(sizes, [few, few, few, 1 << 12, 1 << 14, most, most]);
    }

    #[test]
    fn doubling_blocks_cover_every_sample_once() {
        for samples in [0, 1, 63, 64, 65, 127, 128, 129, 1_000, 5_000_001] {
            for cells in [1, 10_000] {
                let plan = Plan::with_looks(samples).with_cells(cells);
                let blocks = plan.blocks();
                let mut next = 0;
                for block in blocks {
                    assert_eq!(block.first, next, "{samples}");
                    assert_eq!(plan.block_at(block.range().end - 1), Some(block));
                    assert!(block.samples > 0);
                    next = block.range().end;
                }
                assert_eq!(next, samples);
            }
        }
    }

    /// Whatever the samples, the cells and the rule: a block of the undivided run is tiled by blocks of shards.
    #[test]
    fn blocks_of_an_undivided_run_consist_of_whole_blocks_of_shards() {
        for samples in [1, 5, 511, 1_000, 1_025, 40_001, 300_000, 5_000_001] {
            for cells in [1, 128, 200, 1_000, 70_000] {
                for plan in [Plan::new(samples), Plan::with_looks(samples)] {
                    let plan = plan.with_cells(cells);
                    let dealt = plan.with_shard(Shard::PARTIAL);
                    let mut ends = dealt.blocks().map(|block| block.range().end);
                    for block in plan.blocks() {
                        let end = block.range().end;
                        assert!(ends.any(|own| own == end), "{samples}, {cells}: {block:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_of_a_shard_do_not_depend_on_the_number_of_samples() {
        for (index, count) in [(0, 2), (6, 7), (99, 1_000)] {
            let shard = Shard::new(index, count).unwrap();
            let [small, large] = [40_000, 80_000].map(|n| Plan::new(n).with_shard(shard));
            let mut own = large.blocks();
            for block in small.blocks().filter(|block| block.range().end < 40_000) {
                assert!(own.any(|larger| larger == block), "{shard}: {block:?}");
            }
        }
    }

    /// A block in which the first own sample lies is drawn, and that of a run of so many samples which was cut
    /// short: of 4,100 samples, 4 in a block of 16.
    #[test]
    fn shards_from_a_sample_on_have_all_blocks_that_end_after_it() {
        for (from, first) in [
            (0, 0),
            (1, 1),
            (700, 700),
            (4_096, 4_096),
            (4_100, 4_096),
            (9_999, 9_984),
        ] {
            let plan = Plan::new(10_000);
            let dealt = plan.with_shard(Shard::PARTIAL);
            let rest = dealt.blocks().filter(|block| block.range().end > first);
            let shards = (0..3).map(|index| Shard::new(index, 3).unwrap().with_first(from));
            let mut own: Vec<Block> = shards
                .flat_map(|shard| plan.with_shard(shard).blocks().collect::<Vec<_>>())
                .collect();
            own.sort_unstable();
            assert_eq!(own, rest.collect::<Vec<_>>(), "from {from}");
            let before = Plan::new(from).blocks();
            let whole = before.filter(|block| block.samples == Plan::new(from).block_size());
            assert_eq!(whole.last().map_or(0, |block| block.range().end), first);
        }
    }

    /// A block that ends where a shard begins is another's.
    #[test]
    fn a_shard_runs_just_the_blocks_that_it_has() {
        for samples in [9, 1_023, 5_000] {
            for (index, from) in [(0, 0), (1, 0), (1, 8), (0, 8), (1, 512), (0, 700)] {
                let shard = Shard::new(index, 2).unwrap().with_first(from);
                let plan = Plan::new(samples).with_shard(shard);
                let all = (0..plan.total_blocks()).map(|index| plan.block(index));
                let run = all.filter(|block| plan.runs(block));
                assert!(plan.blocks().eq(run), "{samples} {index} {from}");
                assert_eq!(plan.block_at(samples), None);
            }
        }
    }

    /// The last block of the samples that others hold may be short; if so, it is drawn again.
    #[test]
    fn a_shard_begins_with_the_last_block_of_others_if_that_is_short() {
        for from in [1, 7, 511, 512, 513, 1_023, 1_024, 1_026, 5_000, 70_001] {
            let others = Plan::new(from);
            let last = others.blocks().last().unwrap();
            let shard = Shard::new(0, 2).unwrap().with_first(from);
            let first = Plan::new(100_000).with_shard(shard).first_sample();
            let is_short = last.samples < others.block_size();
            assert_eq!(first, if is_short { last.first } else { from });
        }
    }
}
