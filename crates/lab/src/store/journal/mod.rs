//! `blocks.csv`: the append-only journal, with one checksummed row for each finished block.
//!
//! The second line says which cells, pairs and metrics rows may hold. A row holds the tallies of all
//! cells of a block, or of those that a run of other cells has left of it: whoever goes on with a run whose
//! cells have changed writes the journal again under its own second line, and its rows lack what is new.
//!
//! Rows are independent: the checksum reveals a torn or altered row, its block is run again, and
//! all other rows are kept. Of two rows of a block the later one counts. The counts in a row are checked
//! against the plan and the metrics before they are used. The journal of a finished run is in block order.
//! Rows are read one at a time, so memory grows only with their positions.

mod damage;
mod digest;
mod journal_row;
mod journal_schema;
mod scan;
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{Block, BlockTally, Look, RunTallies, Timeouts};

use base::files::Disk;

pub(crate) use damage::Damage;
pub(crate) use digest::Digest;
pub(super) use journal_row::JournalRow;
pub(crate) use journal_row::journal_row_size;
use journal_schema::Head;
pub(crate) use journal_schema::JournalSchema;
pub(crate) use writer::archive;
pub(super) use writer::{JournalWriter, write_whole};
pub(crate) use writer::{Remade, rewrite};

pub(super) const HEADER: &str = "block,first,samples,kept,rows,tally,checksum\n";

/// The journal of a run: its stored blocks.
#[derive(Debug)]
pub(crate) struct Journal {
    source: RowSource,
    schema: Arc<JournalSchema>,
    /// The cells and the checksums of its rows.
    head: Arc<Head>,
    /// Sound rows by their first sample.
    rows: BTreeMap<u64, RowSpan>,
    /// The blocks of the plan that rows of this run's own make up exactly.
    blocks: BTreeSet<u64>,
    /// The blocks whose rows hold only some cells, from a run of other cells.
    kept: BTreeSet<u64>,
    /// True if each row stands for a block of the plan, in order.
    is_sealed: bool,
    /// Unusable rows.
    pub(crate) damage: Damage,
}

/// The offset, the length and the hash of a sound row, with its first columns.
#[derive(Clone, Copy, Debug)]
struct RowSpan {
    offset: u64,
    length: u64,
    line: Digest,
    samples: u64,
    is_kept: bool,
    rows: Option<Digest>,
    hashed: bool,
}

/// A block as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredBlock {
    /// The block's exact tally.
    pub(crate) tally: BlockTally,
    /// The hash of its lines of `samples.csv`, where one row has them all.
    pub(crate) rows: Option<Digest>,
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
    pub(crate) fn empty(schema: &Arc<JournalSchema>) -> Self {
        Self {
            source: RowSource::Memory(Vec::new()),
            head: Arc::clone(&schema.own),
            schema: Arc::clone(schema),
            rows: BTreeMap::new(),
            blocks: BTreeSet::new(),
            kept: BTreeSet::new(),
            is_sealed: false,
            damage: Damage::default(),
        }
    }

    /// The tally in a row, as far as the experiment has its cells.
    fn decode(&self, row: &JournalRow) -> Option<BlockTally> {
        let compiled = &self.schema.compiled;
        let bytes = row.encoded(self.head.longest_line)?;
        let tally = BlockTally::decode_stored(&bytes, compiled, &self.head.places)?;
        let is_possible = tally.is_possible(compiled, row.block.samples);
        let is_whole = || !tally.missing(compiled).contains(&true);
        (is_possible && (row.kept == 1 || !self.head.is_own || is_whole())).then_some(tally)
    }

    /// The tally in a row that [`decode`](Self::decode) has read before.
    fn decode_again(&self, row: &JournalRow) -> Option<BlockTally> {
        let bytes = row.encoded(self.head.longest_line)?;
        BlockTally::decode_again(&bytes, &self.schema.compiled, &self.head.places)
    }

    /// The blocks that are stored with all their tallies, by index.
    pub(crate) fn indices(&self) -> &BTreeSet<u64> {
        &self.blocks
    }

    /// The blocks of which a run of other cells has left some, by index.
    pub(crate) fn kept(&self) -> &BTreeSet<u64> {
        &self.kept
    }

    /// Returns whether a row begins with a sample.
    pub(crate) fn has_row_from(&self, sample: u64) -> bool {
        self.rows.contains_key(&sample)
    }

    /// Returns whether rows hold the hashes of tallies alone.
    pub(crate) fn is_archived(&self) -> bool {
        self.rows.values().any(|span| span.hashed)
    }

    /// Returns whether the journal is as [`rewrite`] writes it: every row stands for a block of the plan, in
    /// order, and none is left over.
    pub(crate) fn is_sealed(&self) -> bool {
        self.is_sealed && self.damage.rows == 0
    }

    /// Returns whether one row holds `block`, with its tally or the hash of it.
    pub(crate) fn is_stored(&self, block: &Block) -> bool {
        let span = self.rows.get(&block.first);
        span.is_some_and(|span| span.samples == block.samples && !span.is_kept)
    }

    /// Leaves out the blocks whose samples are in no file: of its own those stay that `own` names, and of
    /// all others, as a run of other cells has left them, those whose samples are kept `aside`.
    pub(crate) fn retain(&mut self, own: impl Fn(&u64) -> bool, aside: impl Fn(&Block) -> bool) {
        let blocks = std::mem::take(&mut self.blocks);
        let (blocks, others): (_, BTreeSet<u64>) = blocks.into_iter().partition(own);
        self.blocks = blocks;
        self.kept.extend(others);
        let plan = self.schema.plan;
        self.kept.retain(|&index| aside(&plan.block(index)));
    }

    /// Leaves out what a run of other cells has left.
    pub(crate) fn drop_kept(&mut self) {
        self.is_sealed &= self.kept.is_empty();
        self.kept.clear();
    }

    /// Samples of each cell in sound rows that make up no block of the plan.
    pub(crate) fn unused(&self) -> u64 {
        let stored: u64 = self.rows.values().map(|span| span.samples).sum();
        let used = self.blocks.union(&self.kept);
        let used = used.map(|&index| self.planned(index).samples);
        stored.saturating_sub(used.sum())
    }

    /// Block `index`, which must be stored or kept, put together from its rows.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub(crate) fn block(&self, index: u64) -> io::Result<StoredBlock> {
        let tiles = self.tiles(index).ok_or_else(changed)?;
        let mut joined: Option<BlockTally> = None;
        for (first, _) in &tiles {
            let tally = self.piece(*first)?;
            match &mut joined {
                Some(joined) => joined.append(&tally),
                None => joined = Some(tally),
            }
        }
        let first = tiles.first().filter(|_| tiles.len() == 1);
        Ok(StoredBlock {
            tally: joined.ok_or_else(changed)?,
            rows: first.and_then(|(_, span)| span.rows),
        })
    }

    /// All stored blocks, in index order.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = io::Result<(u64, StoredBlock)>> + '_ {
        let blocks = self.blocks.iter();
        blocks.map(|&index| Ok((index, self.block(index)?)))
    }

    /// The sum of all stored blocks.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub(crate) fn total(&self) -> io::Result<BlockTally> {
        let mut total = BlockTally::new(&self.schema.compiled);
        for block in self.blocks() {
            total.merge(&block?.1.tally);
        }
        Ok(total)
    }

    /// The sums of all stored blocks and of the first ones.
    ///
    /// # Errors
    /// The errors of [`block`](Self::block).
    pub(crate) fn tallies(&self) -> io::Result<RunTallies> {
        let mut total = BlockTally::new(&self.schema.compiled);
        let looks = self.looks_at(|block| total.merge(block))?;
        Ok(RunTallies { total, looks })
    }

    /// The sums of the first stored blocks.
    ///
    /// # Errors
    /// The errors of [`block`](Self::block).
    pub(crate) fn looks(&self) -> io::Result<Vec<Look>> {
        self.looks_at(|_| {})
    }

    /// Like [`looks`](Self::looks); each block is shown as it is read.
    fn looks_at(&self, mut show: impl FnMut(&BlockTally)) -> io::Result<Vec<Look>> {
        let blocks = self.blocks.iter().map(|&index| {
            let tally = self.block(index)?.tally;
            show(&tally);
            Ok((self.planned(index).samples, tally))
        });
        Look::at_blocks(&self.schema.compiled, self.blocks.len() as u64, blocks)
    }

    /// The blocks that one row holds, with the hash of their tally: all of a finished run's.
    pub(crate) fn hashed_blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let plan = &self.schema.plan;
        self.rows.keys().filter_map(|&first| {
            let block = plan.block_at(first)?;
            (block.first == first && plan.runs(&block) && self.is_stored(&block)).then_some(block)
        })
    }

    /// The hash of the tally of a block that one row holds, as [`Digest::short`] writes it.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub(crate) fn digest(&self, block: &Block) -> io::Result<String> {
        let span = self.rows.get(&block.first).ok_or_else(changed)?;
        let digest = self.row(span)?.digest(self.head.longest_line);
        digest.ok_or_else(changed)
    }

    /// The samples of a stored block that took longer than they may; none where only its hash is
    /// there, for such a run is not archived.
    pub(crate) fn timeouts(&self, block: &Block) -> Timeouts {
        let stored = self.block(block.index);
        stored.map_or_else(
            |_| Timeouts::new(),
            |stored| stored.tally.timeouts().clone(),
        )
    }

    /// The samples of each row with the tallies of all cells, in order, with the hash of their lines of
    /// `samples.csv`.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Range<u64>, Option<Digest>)> + '_ {
        let own = self.rows.iter();
        let own = own.filter(|(_, span)| !span.is_kept && !span.hashed);
        own.map(|(&first, span)| (first..first + span.samples, span.rows))
    }

    /// The tally in the row from sample `first` on.
    ///
    /// # Errors
    /// If there is none, the file cannot be read, or is no longer what it was.
    pub(crate) fn piece(&self, first: u64) -> io::Result<BlockTally> {
        let span = self.rows.get(&first).ok_or_else(changed)?;
        self.decode_again(&self.row(span)?).ok_or_else(changed)
    }

    /// The parts that block `index` is stored in, in order, with the hashes of their lines of
    /// `samples.csv`.
    pub(crate) fn parts(&self, index: u64) -> Vec<(Block, Option<Digest>)> {
        let part = |(first, RowSpan { samples, rows, .. })| {
            let block = Block {
                index,
                first,
                samples,
            };
            (block, rows)
        };
        let tiles = self.tiles(index).unwrap_or_default();
        tiles.into_iter().map(part).collect()
    }

    /// The experiment's cells among those in the row from sample `first` on, in the order of their lines of
    /// samples; `None` of one that is not the experiment's.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer what it was.
    pub(crate) fn layout(&self, first: u64) -> io::Result<Vec<Option<usize>>> {
        let span = self.rows.get(&first).ok_or_else(changed)?;
        let bytes = self.row(span)?.encoded(self.head.longest_line);
        let layout = bytes.and_then(|bytes| BlockTally::layout(&bytes, &self.head.places));
        layout.ok_or_else(changed)
    }

    /// Finds the blocks that rows with tallies make up.
    fn assemble(&mut self) {
        let mut end = 0;
        for &first in self.rows.keys() {
            let Some(block) = self.schema.plan.block_at(first) else {
                continue;
            };
            let tiles = self.tiles(block.index).unwrap_or_default();
            if first < end || tiles.iter().any(|(_, span)| span.hashed) {
                continue;
            }
            match tiles.iter().any(|(_, span)| span.is_kept) {
                _ if tiles.is_empty() => continue,
                true => self.kept.insert(block.index),
                false => self.blocks.insert(block.index),
            };
            end = block.range().end;
        }
    }

    /// The rows that tile block `index` exactly; `None` if there is a gap or an overhang.
    fn tiles(&self, index: u64) -> Option<Vec<(u64, RowSpan)>> {
        let (mut tiles, block) = (Vec::new(), self.planned(index));
        let mut next = block.first;
        while next < block.range().end {
            let span = *self.rows.get(&next)?;
            tiles.push((next, span));
            next = next.checked_add(span.samples)?;
        }
        (next == block.range().end).then_some(tiles)
    }

    fn planned(&self, index: u64) -> Block {
        self.schema.plan.block(index)
    }

    /// Reads a sound row again, which must be the very line that was found sound.
    fn row(&self, span: &RowSpan) -> io::Result<JournalRow> {
        let mut line = Vec::new();
        let source = self.source.at(span.offset)?;
        source.take(span.length).read_to_end(&mut line)?;
        let is_same = Digest::of(&line) == span.line;
        let row = is_same.then(|| JournalRow::parse(&line, &self.head.key));
        row.and_then(Result::ok).ok_or_else(changed)
    }
}

fn changed() -> io::Error {
    io::Error::other("the file changed while it was read")
}

#[cfg(test)]
mod tests;
