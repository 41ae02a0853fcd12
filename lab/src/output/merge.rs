//! Folders of one experiment brought together: every block from one folder, none missing.
//!
//! Tallies are exact and merge in block order, so the union is what one machine would have
//! stored, whatever the order of the folders. Knows nothing of how the blocks were dealt out.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::harness::{BlockTally, Laboratory, Plan};

use super::atomic::write_atomically_with;
use super::samples::{SampleReader, header};

/// A folder that holds some blocks of an experiment.
#[derive(Debug)]
pub struct Part {
    /// Where it is.
    pub folder: PathBuf,
    /// Its sound blocks, by block index.
    pub blocks: BTreeMap<u64, BlockTally>,
}

/// The blocks of several folders: all of the plan, or a complete prefix of them.
#[derive(Debug)]
pub struct Union {
    /// The blocks, by block index.
    pub blocks: BTreeMap<u64, BlockTally>,
    folders: Vec<PathBuf>,
    /// The position in `folders` that each block comes from.
    origins: BTreeMap<u64, usize>,
}

/// Why folders do not make a whole.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Two folders hold one block.
    #[error(
        "{first} and {second} both hold block {block}",
        first = .first.display(),
        second = .second.display()
    )]
    Overlap {
        /// The block's index.
        block: u64,
        /// One folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Some blocks are in no folder.
    #[error("{} of {planned} blocks are in none of the folders: {}", missing.len(), ranges(missing))]
    Holes {
        /// Their indices, in order.
        missing: Vec<u64>,
        /// Blocks of the whole experiment.
        planned: u64,
    },
}

impl Union {
    /// Brings `parts` together.
    pub fn of(parts: Vec<Part>) -> Result<Self, MergeError> {
        let mut union = Self {
            blocks: BTreeMap::new(),
            folders: Vec::new(),
            origins: BTreeMap::new(),
        };
        for part in parts {
            union.add(part)?;
        }
        Ok(union)
    }

    /// The blocks of `plan` that are in none of the folders, in order. The plan's own shard does
    /// not matter.
    pub fn missing(&self, plan: &Plan) -> Vec<u64> {
        let all = 0..plan.total_blocks();
        all.filter(|index| !self.blocks.contains_key(index))
            .collect()
    }

    /// Whether no block is there from `index` on.
    pub fn ends_at(&self, index: u64) -> bool {
        self.blocks.range(index..).next().is_none()
    }

    /// Drops the blocks from `index` on.
    pub fn cut(&mut self, index: u64) {
        self.blocks.split_off(&index);
    }

    fn add(&mut self, part: Part) -> Result<(), MergeError> {
        for (block, tally) in part.blocks {
            if let Some(&first) = self.origins.get(&block) {
                return Err(MergeError::Overlap {
                    block,
                    first: self.folders[first].clone(),
                    second: part.folder,
                });
            }
            self.origins.insert(block, self.folders.len());
            self.blocks.insert(block, tally);
        }
        self.folders.push(part.folder);
        Ok(())
    }

    /// Samples of each cell.
    pub fn samples(&self, plan: &Plan) -> u64 {
        let blocks = self.blocks.keys();
        blocks.map(|&index| plan.block(index).samples).sum()
    }

    /// Everything counted.
    pub fn tally(&self, laboratory: &Laboratory) -> BlockTally {
        let mut merged = BlockTally::new(laboratory);
        for tally in self.blocks.values() {
            merged.merge(tally);
        }
        merged
    }

    /// Writes the rows of all folders' `samples.csv` to `path`, in block order.
    pub fn write_samples(
        &self,
        path: &Path,
        laboratory: &Laboratory,
        plan: &Plan,
    ) -> io::Result<()> {
        let named = |folder: &Path, error: io::Error| {
            let path = folder.join("samples.csv");
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        };
        let open = |folder: &PathBuf| {
            let path = folder.join("samples.csv");
            SampleReader::open(&path, laboratory.cells(), laboratory.metrics())
                .map_err(|error| named(folder, error))
        };
        let mut readers = self
            .folders
            .iter()
            .map(open)
            .collect::<Result<Vec<_>, _>>()?;
        write_atomically_with(path, |file| {
            let mut file = io::BufWriter::new(file);
            file.write_all(header(laboratory.metrics()).as_bytes())?;
            for index in self.blocks.keys() {
                let origin = self.origins[index];
                let rows = readers[origin].block(&plan.block(*index));
                file.write_all(&rows.map_err(|error| named(&self.folders[origin], error))?)?;
            }
            file.flush()
        })
    }
}

/// Indices as ranges, the first few of them.
fn ranges(indices: &[u64]) -> String {
    const SHOWN: usize = 6;
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for &index in indices {
        match ranges.last_mut() {
            Some(last) if last.end == index => last.end += 1,
            _ => ranges.push(index..index + 1),
        }
    }
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
    use crate::harness::Shard;
    use crate::rng::Streams;
    use crate::search::Budget;

    fn empty_laboratory() -> Laboratory {
        Laboratory::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED)
    }

    fn part(plan: &Plan, name: &str, index: u64, count: u64) -> Part {
        let tally = BlockTally::new(&empty_laboratory());
        let shard = Shard::new(index, count).unwrap();
        let blocks = plan.with_shard(shard).blocks();
        Part {
            folder: name.into(),
            blocks: blocks.map(|block| (block.index, tally.clone())).collect(),
        }
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
        assert_eq!(missing, [2, 5, 8]);
        assert!(!union.ends_at(2) && union.ends_at(8));
        let planned = plan.total_blocks();
        assert_eq!(
            MergeError::Holes { missing, planned }.to_string(),
            "3 of 9 blocks are in none of the folders: 2, 5, 8"
        );
        union.cut(2);
        assert_eq!(union.blocks.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(ranges(&[0, 1, 2, 7]), "0 to 2, 7");
    }
}
