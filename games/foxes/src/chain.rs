//! Chains of jumps: the exact search for the longest one.
//!
//! A jump keeps the parity of the fox's column and row, and the hen it passes over differs from it
//! in one of them. So a jumped cell is never a landing cell, and whether eaten hens leave at once
//! or after the chain changes nothing, as long as no hen is jumped twice. A chain is therefore a
//! trail in the graph whose vertices are the cells of one parity and whose edges are hens.
//! Arsac names finding the longest one as the only real difficulty of programming the game.

use super::board::{Cells, each};
use super::moves::{Direction, Move};
use super::position::Position;

/// The chains that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The chains that take as many hens as any chain of either fox.
    Longest,
    /// The chains that cannot be continued.
    Complete,
    /// All chains, also those that stop after any jump.
    Any,
}

/// The foxes' first jumps: their landing cells, both foxes together.
#[inline]
pub(crate) const fn jumps(foxes: Cells, hens: Cells, free: Cells) -> Cells {
    let mut landings = 0;
    let mut index = 0;
    while index < Direction::ALL.len() {
        let direction = Direction::ALL[index];
        landings |= direction.step(direction.step(foxes) & hens) & free;
        index += 1;
    }
    landings
}

/// Appends the chains that count to `moves`, without repetition, in order of discovery.
///
/// `free` are the free cells of the position's board.
pub(crate) fn chains(position: &Position, free: Cells, extent: Extent, moves: &mut Vec<Move>) {
    let first = moves.len();
    for fox in each(position.foxes) {
        let mut search = ChainSearch {
            fox,
            free: free | fox,
            hens: position.hens,
            extent,
            first,
            moves,
        };
        search.from(fox, 0);
    }
}

/// The most hens either fox can take in one move.
pub fn longest(position: &Position, free: Cells) -> u32 {
    if jumps(position.foxes, position.hens, free) == 0 {
        return 0;
    }
    each(position.foxes)
        .map(|fox| longest_from(fox, position.hens, free | fox))
        .max()
        .unwrap_or(0)
}

fn longest_from(cell: Cells, hens: Cells, free: Cells) -> u32 {
    let mut best = 0;
    for direction in Direction::ALL {
        let hen = direction.step(cell) & hens;
        let landing = direction.step(hen) & free;
        if landing != 0 {
            best = best.max(1 + longest_from(landing, hens ^ hen, free));
        }
    }
    best
}

struct ChainSearch<'a> {
    fox: Cells,
    free: Cells,
    hens: Cells,
    extent: Extent,
    first: usize,
    moves: &'a mut Vec<Move>,
}

impl ChainSearch<'_> {
    fn from(&mut self, cell: Cells, taken: Cells) {
        let mut ends_here = true;
        for direction in Direction::ALL {
            let hen = direction.step(cell) & self.hens & !taken;
            let landing = direction.step(hen) & self.free;
            if landing != 0 {
                ends_here = false;
                self.from(landing, taken | hen);
            }
        }
        if taken != 0 && (ends_here || self.extent == Extent::Any) {
            self.record(Move {
                piece: self.fox,
                landing: cell,
                taken,
            });
        }
    }

    fn record(&mut self, chain: Move) {
        if self.extent == Extent::Longest {
            let best = self.moves.get(self.first).map_or(0, |best| best.length());
            if chain.length() < best {
                return;
            }
            if chain.length() > best {
                self.moves.truncate(self.first);
            }
        }
        if !self.moves[self.first..].contains(&chain) {
            self.moves.push(chain);
        }
    }
}
