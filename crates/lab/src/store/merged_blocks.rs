//! Combines folders of one experiment: every block from exactly one folder, none missing.
//!
//! Tallies are exact and merge in block order, so the result is what one machine would have
//! stored, whatever the order of the folders. Knows nothing of how the blocks were dealt out.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{BlockTally, Plan};

use super::error::AtPath;
use super::journal::{Digest, Journal, JournalRow, JournalSchema, write_whole};
use super::sample_file::SampleReader;
use crate::tables::SampleTable;
use base::Failure;
use base::files::SystemDisk;
use base::files::write_atomically_with;

/// The blocks of several folders: all of the plan, or a complete prefix of them.
#[derive(Debug)]
pub struct Union {
    /// The folders with their journals.
    parts: Vec<(PathBuf, Journal)>,
    /// The position in `parts` of the folder of each block.
    blocks: BTreeMap<u64, usize>,
}

impl Union {
    /// Brings `parts` together.
    ///
    /// # Errors
    /// If two parts hold the same block differently, or blocks are missing.
    pub fn of(parts: Vec<(PathBuf, Journal)>) -> Result<Self, Failure> {
        let mut blocks = BTreeMap::new();
        for (part, (folder, journal)) in parts.iter().enumerate() {
            for &block in journal.indices() {
                if let Some(first) = blocks.insert(block, part) {
                    let (first, second) = (parts[first].0.display(), folder.display());
                    let message = format!("{first} and {second} both hold block {block}");
                    return Err(Failure::failed(message));
                }
            }
        }
        Ok(Self { parts, blocks })
    }

    /// The blocks of `plan` that are in none of the folders, in order. The plan's own shard does
    /// not matter.
    pub fn missing(&self, plan: &Plan) -> Vec<Range<u64>> {
        let mut next = 0;
        let ends = self.blocks.keys().copied().chain([plan.total_blocks()]);
        let gaps = ends.map(|index| std::mem::replace(&mut next, index + 1)..index);
        gaps.filter(|gap| !gap.is_empty()).collect()
    }

    /// Drops the blocks from `index` on.
    pub fn cut(&mut self, index: u64) {
        self.blocks.split_off(&index);
    }

    /// Returns whether block `index` is there.
    pub fn contains(&self, index: u64) -> bool {
        self.blocks.contains_key(&index)
    }

    /// The blocks in index order, each read from its folder when it is asked for.
    pub fn blocks(&self) -> impl Iterator<Item = Result<(u64, BlockTally), Failure>> + '_ {
        self.blocks.iter().map(|(&index, &part)| {
            let (folder, journal) = &self.parts[part];
            let block = journal.block(index).at(&folder.join("blocks.csv"))?;
            Ok((index, block.tally))
        })
    }

    /// Samples of each cell.
    pub fn samples(&self, plan: &Plan) -> u64 {
        let blocks = self.blocks.keys();
        blocks.map(|&index| plan.block(index).samples).sum()
    }

    /// Writes the journal of the whole to `path`; `rows` has the hashes of the blocks' lines of
    /// `samples.csv`, where they are kept.
    ///
    /// # Errors
    /// If a folder's journal cannot be read, or `path` not be written.
    pub fn write_journal(
        &self,
        path: &Path,
        schema: &Arc<JournalSchema>,
        rows: &BTreeMap<u64, Digest>,
    ) -> io::Result<()> {
        write_whole((&SystemDisk, path), schema, |file| {
            for block in self.blocks() {
                let (index, tally) = block.map_err(io::Error::other)?;
                let rows = rows.get(&index).copied();
                let row = JournalRow::new(schema.plan.block(index), rows, &tally.encode());
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
    pub fn write_samples(
        &self,
        path: &Path,
        plan: &Plan,
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
            for (&index, &origin) in &self.blocks {
                let (folder, journal) = &self.parts[origin];
                let path = folder.join("samples.csv");
                let rows = readers[origin].stored_block(&plan.block(index), journal);
                let rows = named(&path, rows)?;
                file.write_all(&rows)?;
                digests.insert(index, Digest::of(&rows));
            }
            Ok(())
        })?;
        Ok(digests)
    }
}

/// The result with the path of its file in the error.
fn named<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.at(path).map_err(io::Error::other)
}

/// The failure of folders that lack some of the `planned` blocks, whose indices are in order.
pub fn missing_blocks(missing: &[Range<u64>], planned: u64) -> Failure {
    let count: u64 = missing.iter().map(|gap| gap.end - gap.start).sum();
    let ranges = ranges(missing);
    Failure::failed(format!(
        "{count} of {planned} blocks are in none of the folders: {ranges}"
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
mod tests {
    use super::*;
    use crate::run::{CompiledExperiment, Shard};
    use kit::rng::Streams;
    use kit::search::Budget;

    fn part(plan: &Plan, name: &str, index: u64, count: u64) -> (PathBuf, Journal) {
        let compiled = CompiledExperiment::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED);
        let compiled = Arc::new(compiled);
        let schema = JournalSchema::describe(String::new(), Default::default(), &compiled, plan);
        let tally = BlockTally::new(&compiled).encode();
        let shard = Shard::new(index, count).unwrap();
        let rows = plan.with_shard(shard).blocks();
        let rows = rows.map(|block| JournalRow::new(block, None, &tally).to_line(&schema.own.key));
        let text = format!("x\n{}{}", schema.to_line(), rows.collect::<String>());
        let journal = Journal::parse(text.as_bytes(), &schema);
        (name.into(), journal.unwrap())
    }

    #[test]
    fn shards_in_any_order_and_of_any_count_make_the_whole() {
        let plan = Plan::new(20);
        let (a, b) = (part(&plan, "a", 0, 2), part(&plan, "b", 1, 4));
        let union = Union::of(vec![part(&plan, "c", 3, 4), a, b]).unwrap();
        assert!(union.missing(&plan).is_empty());
        assert_eq!(union.samples(&plan), 20);
    }

    #[test]
    fn a_block_in_two_folders_is_refused_with_their_names() {
        let plan = Plan::new(20);
        let parts = vec![part(&plan, "a", 0, 2), part(&plan, "b", 2, 4)];
        let error = Union::of(parts).unwrap_err();
        assert_eq!(error.to_string(), "a and b both hold block 2");
    }

    #[test]
    fn holes_are_found_and_the_union_cut_to_the_prefix_before_them() {
        let plan = Plan::new(9);
        let parts = vec![part(&plan, "a", 0, 3), part(&plan, "b", 1, 3)];
        let mut union = Union::of(parts).unwrap();
        let missing = union.missing(&plan);
        assert_eq!(missing, [2..3, 5..6, 8..9]);
        let planned = plan.total_blocks();
        assert_eq!(
            missing_blocks(&missing, planned).to_string(),
            "3 of 9 blocks are in none of the folders: 2, 5, 8"
        );
        union.cut(2);
        assert_eq!(union.blocks.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(ranges(&[0..3, 7..8]), "0 to 2, 7");
    }
}
