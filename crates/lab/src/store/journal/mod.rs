//! `blocks.csv`: the append-only journal, with one checksummed row for each finished block.
//!
//! Rows stand in sections, and the first line of a section says which cells its rows hold. There
//! are several while a run takes over the blocks of one that had other cells.
//!
//! Rows are independent: the checksum reveals a torn or altered row, its block is run again, and
//! all other rows are kept. The counts in a row are checked against the plan and the metrics
//! before they are used. The journal of a finished run is in block order. Rows are read one at a
//! time, so memory grows only with their positions.

mod damage;
mod digest;
mod read;
mod row;
mod schema;
mod sections;
mod writer;

use std::collections::BTreeSet;
use std::io::{self, Cursor, Read, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{Block, BlockTally, Timeouts};

use crate::files::Disk;

pub use damage::Damage;
pub use digest::Digest;
use row::ChecksumKey;
pub(super) use row::JournalRow;
pub use row::journal_row_size;
pub use schema::JournalSchema;
use schema::SectionHead;
pub use sections::StoredCells;
use sections::{JournalSection, RowSpan, RowSpans, tiles};
pub(super) use writer::{JournalWriter, write_whole};
pub use writer::{Remade, archive, rewrite};

const HEADER: &str = "block,first,samples,session,rows,tally,checksum\n";

/// The journal of a run: its stored blocks.
#[derive(Debug)]
pub struct Journal {
    source: RowSource,
    schema: Arc<JournalSchema>,
    /// Sound rows of just the experiment's cells.
    rows: RowSpans,
    /// The blocks of the plan that these make up exactly.
    blocks: BTreeSet<u64>,
    /// Sections of other cells, in the order of the file.
    others: Vec<JournalSection>,
    /// Unusable rows.
    pub damage: Damage,
}

/// A block as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBlock {
    /// Its exact tally.
    pub tally: BlockTally,
    /// The hash of its lines of `samples.csv`, where one row has them all.
    pub rows: Option<Digest>,
}

/// The source from which rows are read again.
#[derive(Debug)]
enum RowSource {
    File(Arc<dyn Disk>, PathBuf),
    Memory(Vec<u8>),
}

impl RowSource {
    /// The path that messages name.
    fn path(&self) -> &Path {
        match self {
            RowSource::File(_, path) => path,
            RowSource::Memory(_) => Path::new("blocks.csv"),
        }
    }

    fn at(&self, offset: u64) -> io::Result<Box<dyn Read + '_>> {
        match self {
            RowSource::File(disk, path) => {
                let mut file = disk.open(path)?;
                file.seek(SeekFrom::Start(offset))?;
                Ok(Box::new(file))
            }
            RowSource::Memory(bytes) => {
                let mut bytes = Cursor::new(bytes);
                bytes.set_position(offset);
                Ok(Box::new(bytes))
            }
        }
    }
}

impl Journal {
    /// A journal without rows.
    pub fn empty(schema: &Arc<JournalSchema>) -> Self {
        Self {
            source: RowSource::Memory(Vec::new()),
            schema: Arc::clone(schema),
            rows: RowSpans::new(),
            blocks: BTreeSet::new(),
            others: Vec::new(),
            damage: Damage::default(),
        }
    }

    /// The tally in a row of a section with this head.
    fn decode(&self, row: &JournalRow, head: &SectionHead) -> Option<BlockTally> {
        let compiled = &self.schema.compiled;
        let bytes = row.encoded(head.longest_line)?;
        let tally = BlockTally::decode_stored(&bytes, compiled, &head.places)?;
        let is_possible = tally.is_possible(compiled, row.block.samples);
        is_possible.then_some(tally)
    }

    /// The blocks that are stored with their tallies, by index.
    pub fn indices(&self) -> &BTreeSet<u64> {
        &self.blocks
    }

    /// Returns whether rows hold the hashes of tallies alone.
    pub fn is_archived(&self) -> bool {
        let others = self.others.iter().flat_map(|section| section.rows.values());
        self.rows.values().chain(others).any(|span| span.hashed)
    }

    /// Returns whether one row holds `block`, with its tally or the hash of it.
    pub fn is_stored(&self, block: &Block) -> bool {
        let span = self.rows.get(&block.first);
        span.is_some_and(|span| span.samples == block.samples)
    }

    /// Leaves out the blocks that `keep` does not name.
    pub fn retain(&mut self, keep: impl FnMut(&u64) -> bool) {
        self.blocks.retain(keep);
    }

    /// Samples of each cell in sound rows that make up no block of the plan.
    pub fn unused(&self) -> u64 {
        let stored: u64 = self.rows.values().map(|span| span.samples).sum();
        let used = self.blocks.iter().map(|&index| self.planned(index).samples);
        stored.saturating_sub(used.sum())
    }

    /// Block `index`, which must be stored, put together from its rows.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub fn block(&self, index: u64) -> io::Result<StoredBlock> {
        let tiles = self.tiles(index).ok_or_else(changed)?;
        Ok(StoredBlock {
            tally: self.joined(&tiles, &self.schema.own)?,
            rows: tiles
                .first()
                .filter(|_| tiles.len() == 1)
                .and_then(|(_, span)| span.rows),
        })
    }

    /// The tally of rows that follow one another in a section with this head.
    fn joined(&self, tiles: &[(u64, RowSpan)], head: &SectionHead) -> io::Result<BlockTally> {
        let mut joined: Option<BlockTally> = None;
        for (_, span) in tiles {
            let tally = self.decode(&self.row(span, &head.key)?, head);
            let tally = tally.ok_or_else(changed)?;
            match &mut joined {
                Some(joined) => joined.append(&tally),
                None => joined = Some(tally),
            }
        }
        joined.ok_or_else(changed)
    }

    /// All stored blocks, in index order.
    pub fn blocks(&self) -> impl Iterator<Item = io::Result<(u64, StoredBlock)>> + '_ {
        let blocks = self.blocks.iter();
        blocks.map(|&index| Ok((index, self.block(index)?)))
    }

    /// The sum of all stored blocks.
    ///
    /// # Errors
    /// Those of [`block`](Self::block).
    pub fn total(&self) -> io::Result<BlockTally> {
        let mut total = BlockTally::new(&self.schema.compiled);
        for block in self.blocks() {
            total.merge(&block?.1.tally);
        }
        Ok(total)
    }

    /// The blocks that one row holds, with the hash of their tally: all of a finished run's.
    pub fn hashed_blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.begun_blocks().filter(|block| self.is_stored(block))
    }

    /// The blocks of the plan whose first samples are in some row.
    fn begun_blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let plan = &self.schema.plan;
        self.rows.keys().filter_map(|&first| {
            let block = plan.block_at(first)?;
            (block.first == first && plan.runs(&block)).then_some(block)
        })
    }

    /// The hash of the tally of a block that one row holds, as [`Digest::short`] writes it.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub fn digest(&self, block: &Block) -> io::Result<String> {
        let span = self.rows.get(&block.first).ok_or_else(changed)?;
        let digest = self.own(span)?.digest(self.schema.own.longest_line);
        digest.ok_or_else(changed)
    }

    /// The samples of a stored block that took longer than they may; none where only its hash is
    /// there, for such a run is not archived.
    pub fn timeouts(&self, block: &Block) -> Timeouts {
        let stored = self.block(block.index);
        stored.map_or_else(
            |_| Timeouts::new(),
            |stored| stored.tally.timeouts().clone(),
        )
    }

    /// The parts that block `index` is stored in, in order, with the hashes of their lines of
    /// `samples.csv`.
    pub fn parts(&self, index: u64) -> Vec<(Block, Option<Digest>)> {
        parts(index, self.tiles(index).unwrap_or_default())
    }

    /// The indices of the blocks that rows with tallies make up.
    fn assembled(&self) -> BTreeSet<u64> {
        let mut blocks = BTreeSet::new();
        let mut end = 0;
        for &first in self.rows.keys() {
            if first < end {
                continue;
            }
            let Some(block) = self.schema.plan.block_at(first) else {
                continue;
            };
            let tiles = self.tiles(block.index).filter(|_| block.first == first);
            if tiles.is_some_and(|tiles| tiles.iter().all(|(_, span)| !span.hashed)) {
                blocks.insert(block.index);
                end = block.range().end;
            }
        }
        blocks
    }

    /// The rows that tile block `index` exactly; `None` if there is a gap or an overhang.
    fn tiles(&self, index: u64) -> Option<Vec<(u64, RowSpan)>> {
        tiles(&self.rows, &self.planned(index))
    }

    fn planned(&self, index: u64) -> Block {
        self.schema.plan.block(index)
    }

    /// Reads a sound row of the experiment's own cells again.
    fn own(&self, span: &RowSpan) -> io::Result<JournalRow> {
        self.row(span, &self.schema.own.key)
    }

    /// Reads a sound row again.
    fn row(&self, span: &RowSpan, key: &ChecksumKey) -> io::Result<JournalRow> {
        let mut line = Vec::new();
        let source = self.source.at(span.offset)?;
        source.take(span.length).read_to_end(&mut line)?;
        JournalRow::parse(&line, key).map_err(|_| changed())
    }
}

/// The parts of block `index` that rows hold, with the hashes of their lines of `samples.csv`.
fn parts(index: u64, tiles: Vec<(u64, RowSpan)>) -> Vec<(Block, Option<Digest>)> {
    let part = |(first, RowSpan { samples, rows, .. })| {
        let block = Block {
            index,
            first,
            samples,
        };
        (block, rows)
    };
    tiles.into_iter().map(part).collect()
}

fn changed() -> io::Error {
    io::Error::other("the file changed while it was read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{CompiledExperiment, Plan};
    use kit::rng::Streams;
    use kit::search::Budget;

    /// Every bit of every byte. A flipped line feed joins two rows, and both are lost.
    #[test]
    fn any_bit_flipped_is_found_and_costs_the_rows_it_is_in() {
        let compiled = CompiledExperiment::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED);
        let (compiled, plan) = (Arc::new(compiled), Plan::new(9));
        let schema = JournalSchema::describe("print".into(), Default::default(), &compiled, &plan);
        let tally = BlockTally::new(&compiled);
        let rows = plan
            .blocks()
            .map(|block| JournalRow::new(block, 0, None, &tally.encode()).to_line(&schema.own.key));
        let text: String = [HEADER.to_owned(), schema.to_line()]
            .into_iter()
            .chain(rows)
            .collect();
        let parse = |bytes: &[u8]| Journal::parse(bytes, &schema).unwrap();
        let bytes = text.into_bytes();
        assert_eq!(parse(&bytes).damage, Damage::default());
        assert_eq!(parse(&bytes).indices().len(), 9);
        for offset in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[offset] ^= 1 << bit;
                let parsed = parse(&flipped);
                assert!(parsed.damage.rows > 0, "byte {offset}, bit {bit}");
                let lost = 9 - parsed.indices().len();
                assert!(lost <= 2, "byte {offset}, bit {bit}: {lost} rows lost");
            }
        }
    }
}
