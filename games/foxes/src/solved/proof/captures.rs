//! Finished blocks as they are stored, and those with fewer hens that a block needs where foxes must eat.
//!
//! Eating takes hens out of some rows. The result belongs to a block that depends on those rows
//! alone, so a few blocks serve all configurations of a block.

use super::blocks::{HenBlock, RowCounts, Rows};
use super::ground::Ground;
use super::layer::is_first;
use super::pairs::{MAX_FREE, Pairs};
use crate::board::{Board, Cells, MAX_SIDE, each};
use crate::solved::retrograde::Shape;

/// A block of a finished layer, as stored.
#[derive(Debug)]
pub struct StoredHenBlock {
    block: HenBlock,
    width: usize,
    bytes: Vec<u8>,
}

impl StoredHenBlock {
    /// A block whose configurations have `width` of the `bytes` each.
    pub fn new(block: HenBlock, width: usize, bytes: Vec<u8>) -> Self {
        Self {
            block,
            width,
            bytes,
        }
    }

    /// The pairs won with a configuration of the block.
    #[inline]
    fn won(&self, rows: &Rows, hens: Cells) -> Pairs {
        let from = self.block.number(rows, hens) * self.width;
        decoded(&self.bytes[from..from + self.width])
    }

    /// The pairs won, by configuration.
    pub fn all_won(&self) -> Vec<Pairs> {
        self.bytes.chunks_exact(self.width).map(decoded).collect()
    }
}

/// Pairs as stored, in `width` bytes each.
pub fn encoded(won: &[Pairs], width: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(won.len() * width);
    for pairs in won {
        bytes.extend_from_slice(&pairs.to_le_bytes()[..width]);
    }
    bytes
}

/// The pairs of one configuration.
#[inline]
pub fn decoded(bytes: &[u8]) -> Pairs {
    let mut whole = [0; MAX_FREE];
    whole[..bytes.len()].copy_from_slice(bytes);
    Pairs::from_le_bytes(whole)
}

/// The blocks reached by eating up to `most` hens.
pub struct CaptureTables {
    most: usize,
    blocks: Vec<StoredHenBlock>,
    /// The index of a block in the list, by [`key`] of the rows eaten from.
    places: Vec<u16>,
}

/// Hens eaten from one row, at most, plus one: [`super::ground::MAX_EATEN`] is three.
const RADIX: usize = 4;

/// A number for the rows that hens are taken from.
fn key(taken: Cells) -> usize {
    let power = |hen: Cells| RADIX.pow(hen.trailing_zeros() / 8);
    each(taken).map(power).sum()
}

impl CaptureTables {
    /// Reads the blocks for `block` of layer `shape`; `stored` reads one of a layer, `None` where there is none.
    ///
    /// # Errors
    /// That of `stored`.
    pub fn read<E>(
        (shape, block): (Shape, &HenBlock),
        most: usize,
        stored: &impl Fn(Shape, &RowCounts) -> Result<Option<StoredHenBlock>, E>,
    ) -> Result<Self, E> {
        let mut captures = Self {
            most,
            blocks: Vec::new(),
            places: vec![u16::MAX; RADIX.pow(MAX_SIDE as u32)],
        };
        captures.fetch(shape, block.counts, (0, 0, most), stored)?;
        Ok(captures)
    }

    /// Reads the blocks for one more hen eaten, from `row` or a higher one.
    fn fetch<E>(
        &mut self,
        shape: Shape,
        counts: RowCounts,
        (key, row, most): (usize, usize, usize),
        stored: &impl Fn(Shape, &RowCounts) -> Result<Option<StoredHenBlock>, E>,
    ) -> Result<(), E> {
        if most == 0 {
            return Ok(());
        }
        for row in row..MAX_SIDE {
            if counts[row] == 0 {
                continue;
            }
            let mut left = counts;
            left[row] -= 1;
            let shape = Shape {
                hens: shape.hens - 1,
                height: shape.height - row as u32,
            };
            let key = key + RADIX.pow(row as u32);
            if let Some(block) = stored(shape, &left)? {
                self.places[key] = self.blocks.len() as u16;
                self.blocks.push(block);
            }
            self.fetch(shape, left, (key, row, most - 1), stored)?;
        }
        Ok(())
    }

    /// The pairs held because the foxes must eat, by configuration of the block; of two mirror
    /// images for the first.
    pub fn held(&self, board: &Board, rows: &Rows, block: &HenBlock) -> Vec<Pairs> {
        let mut held = vec![0; block.size];
        if self.most > 0 {
            rows.for_each(block, |number, hens| {
                if !is_first(board, hens) {
                    return;
                }
                let ground = Ground::new(board.cells, hens);
                let fewer = |taken: Cells| self.won(rows, hens, taken);
                held[number] = ground.cannot_eat_out_of(self.most, &fewer);
            });
        }
        held
    }

    fn won(&self, rows: &Rows, hens: Cells, taken: Cells) -> Pairs {
        let index = usize::from(self.places[key(taken)]);
        let stored = self.blocks.get(index);
        stored.map_or(0, |stored| stored.won(rows, hens & !taken))
    }
}
