//! The part of a run that need not be drawn: the cells that a run of other cells has stored.

use std::fmt::Debug;
use std::io;

use task::Row;

use super::compiled_experiment::CompiledExperiment;
use super::plan::Block;
use super::tally::BlockTally;

/// A source of what is known of blocks that are not stored whole.
pub(crate) trait KnownCells: Debug + Send + Sync {
    /// The cells of `block` that are known; `None` where none are.
    ///
    /// # Errors
    /// If they cannot be read.
    fn of_block(&self, block: &Block) -> io::Result<Option<KnownBlock>>;
}

/// The cells of a block that are known.
#[derive(Clone, Debug)]
pub(crate) struct KnownBlock {
    /// The tallies of these cells, and those of their pairs; empty where one is not known.
    pub(crate) tally: BlockTally,
    /// The samples of every cell that is known, where they are kept; none of the others.
    pub(crate) rows: Option<Vec<Vec<Row>>>,
}

impl KnownBlock {
    /// Returns for each cell whether its samples are to be drawn.
    pub(crate) fn drawn(&self, compiled: &CompiledExperiment, keep_samples: bool) -> Vec<bool> {
        match &self.rows {
            Some(rows) => rows.iter().map(Vec::is_empty).collect(),
            None if keep_samples => vec![true; compiled.cells()],
            None => self.tally.missing(compiled),
        }
    }

    /// The samples of a cell from `first` on, where they are kept.
    pub(crate) fn samples(&self, cell: usize, first: usize, count: usize) -> &[Row] {
        let rows = self.rows.as_ref().map_or(&[][..], |rows| &rows[cell]);
        rows.get(first..first + count).unwrap_or_default()
    }
}
