//! A block that a thread has run, on its way to be stored.

use super::cell_limits::CellLimits;
use super::compiled_experiment::CompiledExperiment;
use super::fault::{Cause, Fault};
use super::known::KnownBlock;
use super::plan::Block;
use super::race::Timing;
use super::tally::BlockTally;
use task::Row;

/// A block that every cell has run.
#[derive(Clone, Debug)]
pub(crate) struct FinishedBlock {
    /// The block.
    pub(crate) block: Block,
    /// The block's exact tallies.
    pub(crate) tally: BlockTally,
    /// Seconds spent in each cell; `None` of one that was not drawn.
    pub(crate) seconds: Vec<Option<f64>>,
    /// Each cell's samples, where they are kept.
    pub(crate) samples: Option<Vec<Vec<Row>>>,
    /// The times of a race.
    pub(crate) timings: Vec<Timing>,
    /// Sentences on contenders that gave no answer.
    pub(crate) troubles: Vec<String>,
}

/// The fault of samples that were drawn again, to compare them with those of new cells.
const CHANGED: &str = "the samples of this block give other numbers than those stored when they are \
                       drawn again, to compare them with those of new cells";

impl FinishedBlock {
    /// Takes over what is known of the cells that were not drawn, or drawn again.
    pub(super) fn complete(
        &mut self,
        compiled: &CompiledExperiment,
        known: KnownBlock,
    ) -> Result<(), Fault> {
        let completed = self.tally.complete(known.tally, compiled.rated());
        let changed = Cause::Error(CHANGED.to_owned());
        completed.map_err(|cell| Fault::new(cell, self.block.first, changed))
    }

    /// Leaves out the cells that draw no more, which may have been drawn before it was known that they do not.
    pub(super) fn cut(&mut self, compiled: &CompiledExperiment, limits: &CellLimits) {
        let samples = self.block.samples;
        let settled = limits.iter().map(|(cell, _)| cell);
        for cell in settled.filter(|&cell| limits.is_settled(cell, self.block.first)) {
            self.seconds[cell] = None;
            self.tally.leave_out(compiled, (cell, samples));
            if let Some(kept) = &mut self.samples {
                kept[cell].resize_with(samples as usize, Row::new);
                compiled.source(cell).leave_out(&mut kept[cell]);
            }
        }
    }

    /// Tallies the samples from `first` on of every cell.
    pub(super) fn take_in(&mut self, compiled: &CompiledExperiment, rows: &[Vec<Row>], first: u64) {
        self.tally.push(compiled, first, rows);
        for (kept, rows) in self.samples.iter_mut().flatten().zip(rows) {
            kept.extend_from_slice(rows);
        }
    }
}
