//! The stored blocks that a check runs again, drawn so that no forger can know them.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use base::Failure;
use kit::rng::{Streams, below};

use crate::run::Block;
use crate::store::Journal;

/// The blocks that are to be run again.
#[derive(Clone, Debug)]
pub enum ChosenBlocks {
    /// Blocks with so many samples at least, drawn from the system's randomness.
    AtRandom {
        /// The samples of each cell.
        samples: u64,
    },
    /// The blocks with these numbers.
    Named(BlockNumbers),
}

/// Numbers of blocks, as people write them: `3,17,40-42`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockNumbers(Vec<RangeInclusive<u64>>);

impl ChosenBlocks {
    /// The blocks of a journal that are meant, in index order.
    ///
    /// # Errors
    /// If the journal has no block of a number, or the system gives no randomness.
    pub(super) fn among(&self, journal: &Journal) -> Result<BTreeSet<Block>, Failure> {
        let numbers = match self {
            ChosenBlocks::AtRandom { samples } => {
                let seed = getrandom::u64().map_err(|error| {
                    Failure::failed(format!("the system gives no randomness: {error}"))
                        .with_help("name the blocks with --blocks")
                })?;
                return Ok(choose(journal.hashed_blocks(), *samples, seed));
            }
            ChosenBlocks::Named(numbers) => &numbers.0,
        };
        let is_named = |block: &Block| numbers.iter().any(|range| range.contains(&block.index));
        let chosen: BTreeSet<Block> = journal.hashed_blocks().filter(is_named).collect();
        let has = |index: u64| chosen.iter().any(|block| block.index == index);
        let ends = numbers
            .iter()
            .flat_map(|range| [*range.start(), *range.end()]);
        ends.into_iter()
            .find(|&end| !has(end))
            .map_or(Ok(chosen.clone()), |missing| {
                let last = journal.hashed_blocks().map(|block| block.index).max();
                let last = last.map_or("none".to_owned(), |last| format!("none above {last}"));
                Err(
                    Failure::usage(format!("no block {missing} is stored; there is {last}"))
                        .with_help("blocks are counted from 0: --blocks 3,17,40-42"),
                )
            })
    }
}

impl BlockNumbers {
    /// The numbers of blocks.
    pub(super) fn of<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> Self {
        let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
        for index in blocks.into_iter().map(|block| block.index) {
            match ranges.last_mut() {
                Some(last) if last.end() + 1 == index => *last = *last.start()..=index,
                _ => ranges.push(index..=index),
            }
        }
        Self(ranges)
    }
}

impl FromStr for BlockNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| digits.trim().parse::<u64>().ok();
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = number(first)?..=number(last)?;
            (!range.is_empty()).then_some(range)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let told = || format!("`{text}` names no blocks: expected numbers such as 3,17,40-42");
        ranges.map(Self).ok_or_else(told)
    }
}

impl fmt::Display for BlockNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, range) in self.0.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            match (range.start(), range.end()) {
                (first, last) if first == last => write!(f, "{comma}{first}")?,
                (first, last) => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// The probability that none of some forged blocks is among those that were drawn at random.
pub(super) fn probability_missed(stored: u64, drawn: u64, forged: u64) -> f64 {
    let rest = stored.saturating_sub(drawn);
    let missed = |before: u64| rest.saturating_sub(before) as f64 / (stored - before) as f64;
    (0..forged.min(stored)).map(missed).product()
}

/// Random blocks of `stored` with at least `samples` samples together, in index order.
fn choose(stored: impl Iterator<Item = Block>, samples: u64, seed: u64) -> BTreeSet<Block> {
    let mut stream = Streams::new(seed).key("verify").stream(samples);
    // The first ones in a random order of all.
    let mut chosen: BTreeSet<(u64, Block)> = BTreeSet::new();
    let mut together = 0;
    for block in stored {
        let place = below(&mut stream, u64::MAX);
        let last = chosen.last().map_or(0, |last| last.0);
        if together >= samples && place > last {
            continue;
        }
        chosen.insert((place, block));
        together += block.samples;
        while let Some((_, last)) = chosen.last()
            && together - last.samples >= samples
        {
            together -= last.samples;
            chosen.pop_last();
        }
    }
    chosen.into_iter().map(|(_, block)| block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(count: u64) -> Vec<Block> {
        let block = |index| Block {
            index,
            first: 10 * index,
            samples: 10,
        };
        (0..count).map(block).collect()
    }

    #[test]
    fn numbers_of_blocks_are_read_as_they_are_written() {
        let some: Vec<Block> = blocks(50)
            .into_iter()
            .filter(|b| [3, 17, 40, 41, 42].contains(&b.index))
            .collect();
        let numbers = BlockNumbers::of(&some);
        assert_eq!(numbers.to_string(), "3,17,40-42");
        assert_eq!("3, 17,40-42".parse(), Ok(numbers));
        for wrong in ["", "x", "3,", "4-2", "-1", "3-x"] {
            assert!(wrong.parse::<BlockNumbers>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_forgery_is_missed_as_often_as_is_said() {
        let (stored, samples, forged) = (40, 50, 8);
        let told = probability_missed(stored, 5, forged);
        let is_missed = |seed| {
            let chosen = choose(blocks(stored).into_iter(), samples, seed);
            assert_eq!(chosen.len(), 5, "seed {seed}");
            chosen.iter().all(|block| block.index >= forged)
        };
        let missed = (0..4000).filter(|&seed| is_missed(seed)).count() as f64 / 4000.0;
        assert!((missed - told).abs() < 0.03, "{missed} {told}");
        assert_eq!(probability_missed(stored, 40, 1), 0.0);
        assert_eq!(probability_missed(stored, 5, 36), 0.0);
        assert_eq!(probability_missed(stored, 0, 3), 1.0);
    }
}
