//! Solves a layer, block by block.
//!
//! `won` holds the pairs of foxes from which the hens, to move, are known to win, `held` those
//! from which they win with the foxes to move. Steps up are looked up in the layer above and
//! captures in tables with fewer hens, each once. Sideways steps stay in the block and are
//! followed pass after pass until nothing changes. Each pass depends on the one before, so a
//! position won in pass `n` leaves the block after at most `n` more sideways steps of the hens. Of
//! two mirror images only the first is solved.

use super::blocks::{BlockLayout, HenBlock, RowCounts, Rows, row_of};
use super::ground::Ground;
use super::pairs::{Pairs, Renumbering, moved, without};
use crate::board::{Board, Cells, MAX_SIDE, each, mirrored};

/// A block, solved.
#[derive(Debug)]
pub struct SolvedBlock {
    /// Pairs won with the hens to move, by configuration.
    pub won: Vec<Pairs>,
    /// Pairs won with the foxes to move, by configuration.
    pub held: Vec<Pairs>,
    /// Passes in which something changed, the first one not counted.
    pub passes: u32,
}

/// The sources of a block's values.
pub struct BlockSolver<'a> {
    /// The board.
    pub board: &'a Board,
    /// The rows of the layer.
    pub rows: &'a Rows,
    /// The layer above: its layout and its held pairs, by block and configuration.
    pub above: Option<(&'a BlockLayout, &'a [Vec<Pairs>])>,
}

/// A configuration whose held pairs have changed, and its number in the block.
type Changed = (u32, Cells);

impl BlockSolver<'_> {
    /// Solves a block. `eaten` are the pairs held because the foxes must eat, by configuration;
    /// second mirror images may be left out.
    pub fn solve(&self, block: &HenBlock, eaten: Vec<Pairs>) -> SolvedBlock {
        let mut solved = SolvedBlock {
            won: vec![0; block.size],
            held: eaten,
            passes: 0,
        };
        let mirror = Renumbering::new(&self.rows.mirror(block));
        let mut changed = self.first_pass(block, &mut solved);
        let mut touched = vec![false; block.size];
        loop {
            let gained = self.spread((block, &mirror), &changed, &mut solved, &mut touched);
            if gained.is_empty() {
                break;
            }
            solved.passes += 1;
            changed = self.close(&gained, &mut solved, &mut touched);
        }
        self.fill(block, &mirror, &mut solved.won);
        self.fill(block, &mirror, &mut solved.held);
        solved
    }

    /// Restores the held pairs of a block whose won pairs are known.
    pub fn restore(&self, block: &HenBlock, won: &[Pairs], eaten: Vec<Pairs>) -> Vec<Pairs> {
        let mut held = eaten;
        self.rows.for_each(block, |number, hens| {
            if is_first(self.board, hens) {
                let ground = Ground::new(self.board.cells, hens);
                held[number] |= self.held_by(&ground, hens, won[number]);
            }
        });
        self.fill(
            block,
            &Renumbering::new(&self.rows.mirror(block)),
            &mut held,
        );
        held
    }

    /// Enters the pairs of mirrored configurations, which were left out so far.
    fn fill(&self, block: &HenBlock, mirror: &Renumbering, pairs: &mut [Pairs]) {
        self.rows.for_each(block, |number, hens| {
            if !is_first(self.board, hens) {
                let twin = block.number(self.rows, mirrored(hens, self.board.columns));
                pairs[number] = mirror.applied(pairs[twin]);
            }
        });
    }

    /// Judges every configuration by its steps up alone.
    fn first_pass(&self, block: &HenBlock, solved: &mut SolvedBlock) -> Vec<Changed> {
        let above = self.blocks_above(block);
        let mut changed = Vec::new();
        self.rows.for_each(block, |number, hens| {
            if !is_first(self.board, hens) {
                return;
            }
            let ground = Ground::new(self.board.cells, hens);
            let won = self.won_upwards(&ground, hens, &above);
            let held = solved.held[number] | self.held_by(&ground, hens, won);
            solved.won[number] = won;
            solved.held[number] = held;
            if held != 0 {
                changed.push((number as u32, hens));
            }
        });
        changed
    }

    fn is_filled(&self, hens: Cells) -> bool {
        self.board.square & !hens == 0
    }

    #[inline]
    fn held_by(&self, ground: &Ground, hens: Cells, won: Pairs) -> Pairs {
        if self.is_filled(hens) {
            ground.all()
        } else {
            ground.cannot_step_out_of(won)
        }
    }

    /// Returns the block that each hen's step up leads to, by her row.
    fn blocks_above(&self, block: &HenBlock) -> [Option<(&HenBlock, &[Pairs])>; MAX_SIDE] {
        std::array::from_fn(|row| {
            let (layout, held) = self.above?;
            let index = layout.index_of(&stepped_up(&block.counts, row)?)?;
            Some((&layout.blocks[index], held[index].as_slice()))
        })
    }

    fn won_upwards(
        &self,
        ground: &Ground,
        hens: Cells,
        above: &[Option<(&HenBlock, &[Pairs])>; MAX_SIDE],
    ) -> Pairs {
        if self.is_filled(hens) {
            return ground.all();
        }
        let mut won = 0;
        for landing in each((hens << 8) & ground.free()) {
            let origin = landing >> 8;
            let row = origin.trailing_zeros() as usize / 8;
            if let Some((block, held)) = above[row] {
                let held = held[block.number(self.rows, hens ^ origin ^ landing)];
                if held != 0 {
                    won |= moved(held, ground.number_below(origin), ground.number(landing));
                }
            }
        }
        won
    }

    /// Tells the configurations one sideways step before those that changed, and before their
    /// mirror images; returns those that gained by it.
    fn spread(
        &self,
        (block, mirror): (&HenBlock, &Renumbering),
        changed: &[Changed],
        solved: &mut SolvedBlock,
        touched: &mut [bool],
    ) -> Vec<Changed> {
        let mut gained = Vec::new();
        for &(number, hens) in changed {
            let held = solved.held[number as usize];
            let mut tell = |index: usize, before: Cells, gain: Pairs| {
                let gain = gain & !solved.won[index];
                solved.won[index] |= gain;
                if gain != 0 && !std::mem::replace(&mut touched[index], true) {
                    gained.push((index as u32, before));
                }
            };
            self.tell_before(block, (number as usize, hens), held, &mut tell);
            let twin = mirrored(hens, self.board.columns);
            if twin != hens {
                let index = block.number(self.rows, twin);
                self.tell_before(block, (index, twin), mirror.applied(held), &mut tell);
            }
        }
        gained
    }

    /// Tells the configurations one sideways step before what they gain; of two mirror images the
    /// first.
    #[inline]
    fn tell_before(
        &self,
        block: &HenBlock,
        (number, hens): (usize, Cells),
        held: Pairs,
        tell: &mut impl FnMut(usize, Cells, Pairs),
    ) {
        let ground = Ground::new(self.board.cells, hens);
        for (origin, landing) in sidesteps(hens, ground.free()) {
            let before = hens ^ origin ^ landing;
            if !is_first(self.board, before) {
                continue;
            }
            let row = origin.trailing_zeros() as usize / 8;
            let (here, there) = (row_of(hens, row), row_of(before, row));
            let index = block.renumbered(self.rows, number, row, here, there);
            // The two cells lie side by side, so each has the number the other has without it.
            tell(index, before, without(held, ground.number(landing)));
        }
    }

    /// Follows the foxes' steps where the hens gained; returns where that changed something.
    fn close(
        &self,
        gained: &[Changed],
        solved: &mut SolvedBlock,
        touched: &mut [bool],
    ) -> Vec<Changed> {
        let mut changed = Vec::new();
        for &(number, hens) in gained {
            let index = number as usize;
            touched[index] = false;
            let ground = Ground::new(self.board.cells, hens);
            let held = solved.held[index] | self.held_by(&ground, hens, solved.won[index]);
            if held != std::mem::replace(&mut solved.held[index], held) {
                changed.push((number, hens));
            }
        }
        changed
    }
}

/// Returns whether a configuration stands for itself and its mirror image: the one that is solved.
#[inline]
pub(super) fn is_first(board: &Board, hens: Cells) -> bool {
    hens <= mirrored(hens, board.columns)
}

/// Hens and the free cells to their left and right.
fn sidesteps(hens: Cells, free: Cells) -> impl Iterator<Item = (Cells, Cells)> {
    let left = each(hens & (free << 1)).map(|hen| (hen, hen >> 1));
    let right = each(hens & (free >> 1)).map(|hen| (hen, hen << 1));
    left.chain(right)
}

fn stepped_up(counts: &RowCounts, row: usize) -> Option<RowCounts> {
    let mut after = *counts;
    *after.get_mut(row + 1)? += 1;
    after[row] = after[row].checked_sub(1)?;
    Some(after)
}
