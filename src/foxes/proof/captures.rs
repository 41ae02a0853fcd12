//! The tables with fewer hens that a block needs where foxes must eat.
//!
//! Eating takes hens out of some rows. The result belongs to a block that depends on those rows
//! alone, so a few blocks serve all configurations of a block.

use super::folder::ProofFolderError;
use super::tables::{ProofTables, StoredHenBlock};
use foxes::board::{Cells, MAX_SIDE, each};
use foxes::solved::proof::blocks::{HenBlock, RowCounts};
use foxes::solved::proof::ground::Ground;
use foxes::solved::proof::layer::is_first;
use foxes::solved::proof::pairs::Pairs;
use foxes::solved::retrograde::Shape;

/// The blocks reached by eating up to `most` hens.
pub struct CaptureTables<'a> {
    tables: &'a ProofTables,
    most: usize,
    blocks: Vec<StoredHenBlock>,
    /// The index of a block in the list, by [`key`] of the rows eaten from.
    places: Vec<u16>,
}

/// Hens eaten from one row, at most, plus one: [`foxes::solved::proof::ground::MAX_EATEN`] is three.
const RADIX: usize = 4;

/// A number for the rows that hens are taken from.
fn key(taken: Cells) -> usize {
    let power = |hen: Cells| RADIX.pow(hen.trailing_zeros() / 8);
    each(taken).map(power).sum()
}

impl<'a> CaptureTables<'a> {
    /// Reads the blocks for `block` of layer `shape`.
    pub fn read(
        tables: &'a ProofTables,
        (shape, block): (Shape, &HenBlock),
        most: usize,
    ) -> Result<CaptureTables<'a>, ProofFolderError> {
        let mut captures = CaptureTables {
            tables,
            most,
            blocks: Vec::new(),
            places: vec![u16::MAX; RADIX.pow(MAX_SIDE as u32)],
        };
        captures.fetch(shape, block.counts, (0, 0, most))?;
        Ok(captures)
    }

    /// Reads the blocks for one more hen eaten, from `row` or a higher one.
    fn fetch(
        &mut self,
        shape: Shape,
        counts: RowCounts,
        (key, row, most): (usize, usize, usize),
    ) -> Result<(), ProofFolderError> {
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
            self.add(shape, left, key)?;
            self.fetch(shape, left, (key, row, most - 1))?;
        }
        Ok(())
    }

    fn add(&mut self, shape: Shape, counts: RowCounts, key: usize) -> Result<(), ProofFolderError> {
        let layout = self.tables.layout(shape);
        if let Some((layout, index)) = layout.and_then(|it| Some((it, it.index_of(&counts)?))) {
            self.places[key] = self.blocks.len() as u16;
            self.blocks.push(self.tables.block(layout, index)?);
        }
        Ok(())
    }

    /// The pairs held because the foxes must eat, by configuration of the block; of two mirror
    /// images for the first.
    pub fn held(&self, block: &HenBlock) -> Vec<Pairs> {
        let (board, mut held) = (self.tables.terms.board, vec![0; block.size]);
        if self.most > 0 {
            self.tables.rows.for_each(block, |number, hens| {
                if !is_first(board, hens) {
                    return;
                }
                let ground = Ground::new(board.cells, hens);
                let fewer = |taken: Cells| self.won(hens, taken);
                held[number] = ground.cannot_eat_out_of(self.most, &fewer);
            });
        }
        held
    }

    fn won(&self, hens: Cells, taken: Cells) -> Pairs {
        let index = usize::from(self.places[key(taken)]);
        let stored = self.blocks.get(index);
        stored.map_or(0, |stored| stored.won(&self.tables.rows, hens & !taken))
    }
}
