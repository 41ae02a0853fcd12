//! Combines folders of one experiment, whose rows make up the blocks of a plan.
//!
//! Tallies are exact and merge in block order, so the result is what one machine would have
//! stored, whatever the order of the folders. Knows nothing of how the blocks were dealt out: of equal
//! rows in several folders one counts, and a block is there if rows of any folders tile it.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{Block, BlockTally, Plan};

use super::error::AtPath;
use super::journal::{Digest, Journal, JournalRow, JournalSchema, write_whole};
use super::sample_file::SampleReader;
use crate::tables::SampleTable;
use base::files::{SystemDisk, write_atomically_with};
use base::{Failure, count};

/// The blocks of a plan that rows of several folders make up.
#[derive(Debug)]
pub(crate) struct Union {
    /// The folders with their journals.
    parts: Vec<(PathBuf, Journal)>,
    /// All rows, each once, by their first and their number of samples.
    pieces: BTreeMap<(u64, u64), BlockPiece>,
    plan: Plan,
    /// The rows of each block that is whole.
    blocks: BTreeMap<u64, Vec<BlockPiece>>,
}

/// A row of a folder's journal.
#[derive(Clone, Debug)]
struct BlockPiece {
    samples: Range<u64>,
    /// The position of the folder.
    part: usize,
    /// The hash of its lines of `samples.csv`.
    rows: Option<Digest>,
}

impl Union {
    /// Brings `parts` together, to make up the blocks of a plan. The plan's own shard does not matter.
    ///
    /// # Errors
    /// If two parts hold the same samples differently, or a journal cannot be read.
    pub(crate) fn of(parts: Vec<(PathBuf, Journal)>, plan: &Plan) -> Result<Self, Failure> {
        let mut pieces: BTreeMap<(u64, u64), BlockPiece> = BTreeMap::new();
        for (part, (_, journal)) in parts.iter().enumerate() {
            for (samples, rows) in journal.pieces() {
                let piece = BlockPiece {
                    samples,
                    part,
                    rows,
                };
                let key = (piece.samples.start, piece.samples.end);
                match pieces.get(&key) {
                    Some(known) => check_equal(&parts, known, &piece)?,
                    None => drop(pieces.insert(key, piece)),
                }
            }
        }
        let union = Self {
            blocks: whole_blocks(&pieces, plan),
            plan: *plan,
            parts,
            pieces,
        };
        Ok(union)
    }

    /// Returns the union with the blocks of another plan.
    pub(crate) fn cut_as(self, plan: &Plan) -> Self {
        Self {
            blocks: whole_blocks(&self.pieces, plan),
            plan: *plan,
            ..self
        }
    }

    /// The plan that its blocks are of.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The first block of the plan that is not whole; `None` if all are.
    pub(crate) fn first_missing(&self) -> Option<u64> {
        let mut indices = (0..).zip(self.blocks.keys());
        let gap = indices.find(|(expected, index)| expected != *index);
        let first = gap.map_or(self.blocks.len() as u64, |(expected, _)| expected);
        (first < self.plan.total_blocks()).then_some(first)
    }

    /// The samples that are in none of the folders, in order, or in rows that make up no block.
    pub(crate) fn missing_samples(&self) -> Vec<Range<u64>> {
        let rows = self.pieces.values().map(|piece| piece.samples.clone());
        let gaps = gaps_between(rows, self.plan.samples());
        if !gaps.is_empty() {
            return gaps;
        }
        let blocks = self
            .blocks
            .keys()
            .map(|&index| self.plan.block(index).range());
        gaps_between(blocks, self.plan.samples())
    }

    /// Drops the blocks from `index` on.
    pub(crate) fn cut(&mut self, index: u64) {
        self.blocks.split_off(&index);
    }

    /// Returns whether all these samples are in its blocks.
    pub(crate) fn covers(&self, samples: &Range<u64>) -> bool {
        let mut next = samples.start;
        while next < samples.end {
            let block = self.plan.block_at(next);
            match block.filter(|block| self.blocks.contains_key(&block.index)) {
                Some(block) => next = block.range().end,
                None => return false,
            }
        }
        true
    }

    /// Returns whether one row has just these samples.
    pub(crate) fn has(&self, samples: &Range<u64>) -> bool {
        self.pieces.contains_key(&(samples.start, samples.end))
    }

    /// The blocks in index order, each read from its folders when it is asked for.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Result<(Block, BlockTally), Failure>> + '_ {
        self.blocks.iter().map(|(&index, pieces)| {
            let mut joined: Option<BlockTally> = None;
            for piece in pieces {
                let tally = tally_of(&self.parts, piece)?;
                match &mut joined {
                    Some(joined) => joined.append(&tally),
                    None => joined = Some(tally),
                }
            }
            let joined = joined.ok_or_else(|| Failure::failed("a block without samples"))?;
            Ok((self.plan.block(index), joined))
        })
    }

    /// Samples of each cell.
    pub(crate) fn samples(&self) -> u64 {
        let blocks = self.blocks.keys();
        blocks.map(|&index| self.plan.block(index).samples).sum()
    }

    /// Writes the journal of the whole to `path`; `rows` has the hashes of the blocks' lines of
    /// `samples.csv`, where they are kept.
    ///
    /// # Errors
    /// If a folder's journal cannot be read, or `path` not be written.
    pub(crate) fn write_journal(
        &self,
        path: &Path,
        schema: &Arc<JournalSchema>,
        rows: &BTreeMap<u64, Digest>,
    ) -> io::Result<()> {
        write_whole((&SystemDisk, path), schema, |file| {
            for block in self.blocks() {
                let (block, tally) = block.map_err(io::Error::other)?;
                let rows = rows.get(&block.index).copied();
                let row = JournalRow::new(block, rows, &tally.encode());
                file.write_all(row.to_line(&schema.own.key).as_bytes())?;
            }
            Ok(())
        })
    }

    /// Writes the rows of all folders' `samples.csv` to `path`, in block order; returns the hashes
    /// of each block's.
    ///
    /// # Errors
    /// If a folder's samples cannot be read or are not those it stored, or `path` not be written.
    pub(crate) fn write_samples(
        &self,
        path: &Path,
        table: &Arc<SampleTable>,
    ) -> io::Result<BTreeMap<u64, Digest>> {
        let open = |(folder, _): &(PathBuf, Journal)| {
            let path = folder.join("samples.csv");
            named(&path, SampleReader::open(&path, table))
        };
        let readers: io::Result<Vec<_>> = self.parts.iter().map(open).collect();
        let mut readers = readers?;
        let mut digests = BTreeMap::new();
        write_atomically_with(&SystemDisk, path, |file| {
            file.write_all(table.header(&table.no_singles()).as_bytes())?;
            for (&index, pieces) in &self.blocks {
                let mut lines = Vec::new();
                for piece in pieces {
                    let path = self.parts[piece.part].0.join("samples.csv");
                    let read = piece.lines(index, &mut readers[piece.part]);
                    lines.extend(named(&path, read)?);
                }
                file.write_all(&lines)?;
                digests.insert(index, Digest::of(&lines));
            }
            Ok(())
        })?;
        Ok(digests)
    }
}

impl BlockPiece {
    /// The lines of the samples, which must come after all those that were read before.
    fn lines(&self, index: u64, reader: &mut SampleReader) -> io::Result<Vec<u8>> {
        let own = Block {
            index,
            first: self.samples.start,
            samples: self.samples.end - self.samples.start,
        };
        reader.pass_to(own.first)?;
        reader.stored_parts(&own, &[(own, self.rows)])
    }
}

fn tally_of(parts: &[(PathBuf, Journal)], piece: &BlockPiece) -> Result<BlockTally, Failure> {
    let (folder, journal) = &parts[piece.part];
    let tally = journal.piece(piece.samples.start);
    tally.at(&folder.join("blocks.csv"))
}

/// Refuses two rows of the same samples that differ: engines deliver twice, but the same.
fn check_equal(
    parts: &[(PathBuf, Journal)],
    one: &BlockPiece,
    other: &BlockPiece,
) -> Result<(), Failure> {
    let is_same = tally_of(parts, one)? == tally_of(parts, other)? && one.rows == other.rows;
    if is_same {
        return Ok(());
    }
    let [first, second] = [one, other].map(|piece| parts[piece.part].0.display());
    let Range { start, end } = one.samples;
    Err(Failure::failed(format!(
        "{first} and {second} both hold samples {start} to {}, and they differ",
        end - 1
    ))
    .with_help(
        "`etude verify` finds the one that was not drawn as the experiment says; leave it out",
    ))
}

/// The blocks of `plan` that rows tile exactly, with these rows.
fn whole_blocks(
    pieces: &BTreeMap<(u64, u64), BlockPiece>,
    plan: &Plan,
) -> BTreeMap<u64, Vec<BlockPiece>> {
    let mut within: BTreeMap<u64, Vec<&BlockPiece>> = BTreeMap::new();
    for piece in pieces.values() {
        if let Some(block) = plan.block_at(piece.samples.start) {
            within.entry(block.index).or_default().push(piece);
        }
    }
    let blocks = within.into_iter();
    blocks
        .filter_map(|(index, pieces)| Some((index, tiles(plan.block(index), &pieces)?)))
        .collect()
}

/// The rows that tile `block`, the longest where there is a choice; `None` if it has a gap. The rows are in the
/// order of their first sample.
fn tiles(block: Block, pieces: &[&BlockPiece]) -> Option<Vec<BlockPiece>> {
    let end = block.range().end;
    // The row to take from a sample on, where those from there on reach the end of the block.
    let mut next: BTreeMap<u64, &BlockPiece> = BTreeMap::new();
    for piece in pieces.iter().rev() {
        if piece.samples.end == end || next.contains_key(&piece.samples.end) {
            next.entry(piece.samples.start).or_insert(piece);
        }
    }
    let (mut tiles, mut sample) = (Vec::new(), block.first);
    while sample < end {
        let piece = next.get(&sample)?;
        sample = piece.samples.end;
        tiles.push((*piece).clone());
    }
    Some(tiles)
}

/// The result with the path of its file in the error.
fn named<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.at(path).map_err(io::Error::other)
}

/// The samples below `end` that are in none of these, which come in the order of their first.
fn gaps_between(covered: impl Iterator<Item = Range<u64>>, end: u64) -> Vec<Range<u64>> {
    let mut next = 0;
    let ends = covered.chain(std::iter::once(end..end));
    let gaps = ends.map(|range| {
        let gap = next..range.start;
        next = next.max(range.end);
        gap
    });
    gaps.filter(|gap| !gap.is_empty()).collect()
}

/// The failure of folders that lack some of the `planned` samples; `of` says in brackets which shards these are.
pub(crate) fn missing_samples(missing: &[Range<u64>], planned: u64, of: &str) -> Failure {
    let lacking = count(missing.iter().map(|gap| gap.end - gap.start).sum());
    let (planned, ranges) = (count(planned), ranges(missing));
    Failure::failed(format!(
        "{lacking} of {planned} samples of each cell are in none of the folders{of}: {ranges}"
    ))
}

/// The first few ranges.
fn ranges(ranges: &[Range<u64>]) -> String {
    const SHOWN: usize = 6;
    let text = |range: &Range<u64>| match range.end - range.start {
        1 => range.start.to_string(),
        _ => format!("{} to {}", range.start, range.end - 1),
    };
    let mut texts: Vec<String> = ranges.iter().take(SHOWN).map(text).collect();
    if ranges.len() > SHOWN {
        texts.push("...".into());
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests;
