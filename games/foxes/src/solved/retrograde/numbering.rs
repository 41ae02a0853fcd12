//! Numbering the positions of a layer without gaps: the hens' configuration by its rank, the foxes
//! by their pair among the free cells, then the side to move.
//!
//! Knows the board, no rules.

use super::ranking::{Ranking, Shape};
use crate::board::{Board, Cells, each};
use crate::position::{Position, Side};

/// Numbers the positions of a layer: configuration, pair of foxes among the free cells, side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering<'a> {
    board: &'static Board,
    ranking: &'a Ranking,
    shape: Shape,
}

impl<'a> Numbering<'a> {
    /// The numbering of one layer.
    pub(crate) fn new(board: &'static Board, ranking: &'a Ranking, shape: Shape) -> Self {
        Self {
            board,
            ranking,
            shape,
        }
    }

    /// The layer it numbers.
    pub(crate) const fn shape(&self) -> Shape {
        self.shape
    }

    /// Positions in the layer, both sides to move, decided ones included.
    pub(crate) fn positions(&self) -> usize {
        2 * self.pairs() * self.ranking.count(self.shape) as usize
    }

    fn pairs(&self) -> usize {
        let free = (self.board.cells.count_ones() - self.shape.hens) as usize;
        free * (free - 1) / 2
    }

    /// A position's number.
    pub(super) fn index_of(&self, position: &Position) -> usize {
        self.place_at(self.ranking.rank(position.hens) as usize, position)
    }

    /// Like [`Numbering::index_of`], for a known number of the hens' configuration.
    pub(super) fn place_at(&self, rank: usize, position: &Position) -> usize {
        let free = self.board.cells & !position.hens;
        let low = position.foxes & position.foxes.wrapping_neg();
        let high = position.foxes ^ low;
        let below = |fox: Cells| (free & (fox - 1)).count_ones() as usize;
        let pair = below(high) * (below(high) - 1) / 2 + below(low);
        2 * (rank * self.pairs() + pair) + position.side as usize
    }

    /// The number of the hens' configuration in the position of an index.
    pub(super) fn rank_at(&self, index: usize) -> usize {
        index / 2 / self.pairs()
    }

    /// The position of an index.
    pub(super) fn position(&self, index: usize) -> Position {
        let hens = self.ranking.unrank(self.shape, self.rank_at(index) as u64);
        let pair = (index / 2) % self.pairs();
        // `pair` is high * (high - 1) / 2 + low with low < high.
        let high = (1..).find(|high| high * (high + 1) / 2 > pair).unwrap_or(1);
        let low = pair - high * (high - 1) / 2;
        let mut free = each(self.board.cells & !hens);
        let foxes = free.nth(low).unwrap_or(0) | free.nth(high - low - 1).unwrap_or(0);
        self.with(hens, foxes, side_at(index))
    }

    /// All positions of the layer, in order of index.
    pub(super) fn each_position(self) -> impl Iterator<Item = Position> + 'a {
        (0..self.ranking.count(self.shape))
            .map(move |rank| self.ranking.unrank(self.shape, rank))
            .flat_map(move |hens| self.positions_with(hens))
    }

    /// All positions with a configuration of hens, in order of index.
    fn positions_with(self, hens: Cells) -> impl Iterator<Item = Position> {
        let free = self.board.cells & !hens;
        each(free)
            .flat_map(move |high| each(free & (high - 1)).map(move |low| low | high))
            .flat_map(move |foxes| {
                [Side::Hens, Side::Foxes].map(|side| self.with(hens, foxes, side))
            })
    }

    fn with(&self, hens: Cells, foxes: Cells, side: Side) -> Position {
        Position {
            hens,
            foxes,
            eaten: self.board.flock() - self.shape.hens,
            side,
        }
    }
}

/// The side to move in the position of an index.
pub(super) fn side_at(index: usize) -> Side {
    if index.is_multiple_of(2) {
        Side::Hens
    } else {
        Side::Foxes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::STRIP;

    #[test]
    fn positions_are_numbered_in_the_order_in_which_they_are_listed() {
        let ranking = Ranking::new(&STRIP);
        let shape = Shape { hens: 4, height: 6 };
        let numbering = Numbering::new(&STRIP, &ranking, shape);
        let listed: Vec<Position> = numbering.each_position().collect();
        assert_eq!(listed.len(), numbering.positions());
        for (index, position) in listed.iter().enumerate() {
            assert_eq!(numbering.index_of(position), index);
            assert_eq!(numbering.position(index), *position);
        }
    }
}
