//! `blocks.csv`: the append-only journal, one checksummed row a finished block.
//!
//! Rows stand for themselves: a torn or altered row is found by its checksum and its block is run
//! again, while all other rows are kept. A finished run's journal is in block order.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::harness::{Block, BlockTally, Laboratory, Plan};

use super::atomic::write_atomically;

const HEADER: &str = "block,first,samples,tally,checksum\n";

/// What a journal held.
#[derive(Debug, Default)]
pub struct Journal {
    /// The blocks whose rows are sound, by block index.
    pub blocks: BTreeMap<u64, BlockTally>,
    /// Rows that were not.
    pub damage: Vec<JournalDamage>,
}

/// A row that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalDamage {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Journal {
    /// Reads a journal of the experiment with this `fingerprint`, cut as `plan` cuts it.
    pub fn read(
        path: &Path,
        laboratory: &Laboratory,
        plan: &Plan,
        fingerprint: &str,
    ) -> io::Result<Self> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            other => other?,
        };
        Ok(Self::parse(&bytes, laboratory, plan, fingerprint))
    }

    /// The journal in `bytes`; whatever they are.
    pub fn parse(bytes: &[u8], laboratory: &Laboratory, plan: &Plan, fingerprint: &str) -> Self {
        let mut journal = Self::default();
        let mut pieces = Gathered::default();
        for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            if number == 0 && line == HEADER.as_bytes() {
                continue;
            }
            match parse_row(line, laboratory, fingerprint) {
                Ok((block, tally)) => pieces.add(block, tally),
                Err(reason) => journal.damage.push(JournalDamage {
                    line: number + 1,
                    reason,
                }),
            }
        }
        journal.blocks = pieces.into_blocks(laboratory, plan);
        journal
    }

    /// The journal as the bytes of its file.
    pub fn to_bytes(blocks: &BTreeMap<u64, BlockTally>, plan: &Plan, fingerprint: &str) -> Vec<u8> {
        let rows = blocks
            .iter()
            .map(|(&index, tally)| row(&plan.block(index), tally, fingerprint));
        std::iter::once(HEADER.to_owned())
            .chain(rows)
            .collect::<String>()
            .into_bytes()
    }
}

/// Rows read, by first sample. A run that was extended has rows of smaller blocks; they are
/// merged exactly into the blocks of the plan.
#[derive(Default)]
struct Gathered {
    by_first: BTreeMap<u64, (u64, BlockTally)>,
}

impl Gathered {
    fn add(&mut self, block: Block, tally: BlockTally) {
        self.by_first.insert(block.first, (block.samples, tally));
    }

    fn into_blocks(self, laboratory: &Laboratory, plan: &Plan) -> BTreeMap<u64, BlockTally> {
        let mut blocks = BTreeMap::new();
        for block in plan.blocks() {
            if let Some(tally) = self.assemble(block, laboratory) {
                blocks.insert(block.index, tally);
            }
        }
        blocks
    }

    /// The rows that tile `block` exactly, merged; `None` if there is a gap or an overhang.
    fn assemble(&self, block: Block, laboratory: &Laboratory) -> Option<BlockTally> {
        let mut merged = BlockTally::new(laboratory);
        let mut next = block.first;
        while next < block.range().end {
            let (samples, tally) = self.by_first.get(&next)?;
            merged.merge(tally);
            next = next.checked_add(*samples)?;
        }
        (next == block.range().end).then_some(merged)
    }
}

/// Appends rows to a journal.
#[derive(Debug)]
pub struct JournalWriter {
    file: File,
    fingerprint: String,
}

impl JournalWriter {
    /// Rewrites the journal with the blocks already there and opens it for appending.
    pub fn open(
        path: &Path,
        blocks: &BTreeMap<u64, BlockTally>,
        plan: &Plan,
        fingerprint: &str,
    ) -> io::Result<Self> {
        write_atomically(path, &Journal::to_bytes(blocks, plan, fingerprint))?;
        Ok(Self {
            file: OpenOptions::new().append(true).open(path)?,
            fingerprint: fingerprint.to_owned(),
        })
    }

    /// Appends one block in a single write.
    pub fn append(&mut self, block: &Block, tally: &BlockTally) -> io::Result<()> {
        let row = row(block, tally, &self.fingerprint);
        self.file.write_all(row.as_bytes())
    }

    /// Waits until everything appended has reached the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn row(block: &Block, tally: &BlockTally, fingerprint: &str) -> String {
    let body = format!(
        "{},{},{},{}",
        block.index,
        block.first,
        block.samples,
        tally.encode()
    );
    let checksum = checksum(&body, fingerprint);
    format!("{body},{checksum}\n")
}

/// Binds a row to its experiment: a row copied from another run does not pass.
fn checksum(body: &str, fingerprint: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(fingerprint.as_bytes());
    hasher.update(body.as_bytes());
    hasher.finalize().to_hex()[..16].to_owned()
}

fn parse_row(
    line: &[u8],
    laboratory: &Laboratory,
    fingerprint: &str,
) -> Result<(Block, BlockTally), &'static str> {
    let line = line.strip_suffix(b"\n").ok_or("the line is torn off")?;
    let line = std::str::from_utf8(line).map_err(|_| "the line is not text")?;
    let (body, stored) = line.rsplit_once(',').ok_or("the line has no checksum")?;
    if checksum(body, fingerprint) != stored {
        return Err("the checksum does not match");
    }
    parse_body(body, laboratory).ok_or("the row does not fit the experiment")
}

fn parse_body(body: &str, laboratory: &Laboratory) -> Option<(Block, BlockTally)> {
    let mut fields = body.splitn(4, ',');
    let mut integer = || fields.next()?.parse().ok();
    let block = Block {
        index: integer()?,
        first: integer()?,
        samples: integer()?,
    };
    let tally = BlockTally::decode(fields.next()?, laboratory).ok()?;
    (block.samples > 0).then_some((block, tally))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use crate::search::Budget;

    /// Every bit of every byte. A flipped line feed joins two rows, and both are lost.
    #[test]
    fn any_bit_flipped_is_found_and_costs_the_rows_it_is_in() {
        let laboratory = Laboratory::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED);
        let plan = Plan::new(9);
        let tally = BlockTally::new(&laboratory);
        let blocks = plan.blocks().map(|block| (block.index, tally.clone()));
        let blocks: BTreeMap<u64, BlockTally> = blocks.collect();
        let bytes = Journal::to_bytes(&blocks, &plan, "print");
        assert!(
            Journal::parse(&bytes, &laboratory, &plan, "print")
                .damage
                .is_empty()
        );
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[place] ^= 1 << bit;
                let found = Journal::parse(&flipped, &laboratory, &plan, "print");
                assert!(!found.damage.is_empty(), "byte {place}, bit {bit}");
                let lost = blocks.len() - found.blocks.len();
                assert!(lost <= 2, "byte {place}, bit {bit}: {lost} rows lost");
                assert!(
                    found
                        .blocks
                        .iter()
                        .all(|(index, kept)| blocks[index] == *kept)
                );
            }
        }
    }
}
