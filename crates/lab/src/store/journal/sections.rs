//! Rows of cells that a run has taken over from one with others, until its own rows hold them.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use crate::run::{Block, BlockTally, Places};

use super::digest::Digest;
use super::row::JournalRow;
use super::schema::SectionHead;
use super::{Journal, parts};

/// Sound rows by their first sample.
pub(super) type RowSpans = BTreeMap<u64, RowSpan>;

/// The offset and the length of a sound row, with its first columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSpan {
    pub offset: u64,
    pub length: u64,
    pub samples: u64,
    pub rows: Option<Digest>,
    pub hashed: bool,
}

/// A section whose rows hold other cells or pairs than the experiment's.
#[derive(Debug)]
pub(super) struct JournalSection {
    pub head: SectionHead,
    pub rows: RowSpans,
}

/// The cells of a block that a section of other cells holds.
#[derive(Debug)]
pub struct StoredCells {
    /// Their tallies, in the places of the experiment's cells.
    pub tally: BlockTally,
    /// The places of the experiment's cells in the section.
    pub places: Arc<Places>,
    /// The parts that the block is stored in, with the hashes of their lines of `samples.csv`.
    pub parts: Vec<(Block, Option<Digest>)>,
}

impl JournalSection {
    /// A section without rows.
    pub fn of(head: SectionHead) -> Self {
        Self {
            head,
            rows: RowSpans::new(),
        }
    }
}

/// The rows that tile a block exactly; `None` if there is a gap or an overhang.
pub(super) fn tiles(rows: &RowSpans, block: &Block) -> Option<Vec<(u64, RowSpan)>> {
    let mut tiles = Vec::new();
    let mut next = block.first;
    while next < block.range().end {
        let span = *rows.get(&next)?;
        tiles.push((next, span));
        next = next.checked_add(span.samples)?;
    }
    (next == block.range().end).then_some(tiles)
}

impl Journal {
    /// Returns whether there are rows of other cells than the experiment's.
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// The places of the experiment's cells in each section of other cells.
    pub fn other_places(&self) -> impl Iterator<Item = &Places> {
        self.others
            .iter()
            .map(|section| section.head.places.as_ref())
    }

    /// The cells of a block that the last section of others which has it holds.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub fn other_cells(&self, block: &Block) -> io::Result<Option<StoredCells>> {
        let found = self.others.iter().rev().find_map(|section| {
            let tiles = tiles(&section.rows, block)?;
            Some((section, tiles))
        });
        let cells = |(section, tiles): (&JournalSection, Vec<_>)| {
            Ok(StoredCells {
                tally: self.joined(&tiles, &section.head)?,
                places: Arc::clone(&section.head.places),
                parts: parts(block.index, tiles),
            })
        };
        found.map(cells).transpose()
    }

    /// Samples of each cell in the section of others that has most of them outside of the plan's blocks.
    pub fn unused_others(&self) -> u64 {
        let unused = |section: &JournalSection| {
            let stored: u64 = section.rows.values().map(|span| span.samples).sum();
            let blocks = self.schema.plan.blocks();
            let used = blocks.filter(|block| tiles(&section.rows, block).is_some());
            stored.saturating_sub(used.map(|block| block.samples).sum())
        };
        self.others.iter().map(unused).max().unwrap_or(0)
    }

    /// Leaves out the rows of other cells, once nothing more is to be taken over.
    pub fn drop_others(&mut self) {
        self.others.clear();
    }

    /// Gives the lines of the sections of other cells to `write`, in order, but for the rows whose blocks
    /// are stored with the experiment's own cells.
    ///
    /// # Errors
    /// If the file cannot be read, or those of `write`.
    pub(super) fn each_other_line(
        &self,
        write: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        for section in &self.others {
            let mut open = (section.rows.iter())
                .filter(|(first, _)| !self.holds(**first))
                .peekable();
            if open.peek().is_some() {
                write(&section.head.line)?;
            }
            for (_, span) in open {
                let row = JournalRow {
                    session: 0,
                    ..self.row(span, &section.head.key)?
                };
                write(&row.to_line(&section.head.key))?;
            }
        }
        Ok(())
    }

    /// Returns whether the block with a sample is stored with the experiment's own cells.
    fn holds(&self, sample: u64) -> bool {
        let block = self.schema.plan.block_at(sample);
        block.is_some_and(|block| self.blocks.contains(&block.index))
    }
}
