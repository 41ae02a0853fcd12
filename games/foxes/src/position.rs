//! A position: the pieces on their cells, the side to move, and the number of hens eaten.
//!
//! Knows the board's layout but no rules. The packed key is exact, so tables keyed by it never
//! confuse two positions.

use super::board::{Board, Cells, mirrored};

/// The side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The twenty hens; they begin.
    Hens,
    /// The two foxes.
    Foxes,
}

impl Side {
    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Hens => Side::Foxes,
            Side::Foxes => Side::Hens,
        }
    }

    /// `hens` or `foxes`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Hens => "hens",
            Side::Foxes => "foxes",
        }
    }
}

/// The state of a match as far as the rules need it, without the history of repetitions.
///
/// Hens and foxes are disjoint sets of cells of one board; there are two foxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The hens still on the board.
    pub hens: Cells,
    /// The two foxes.
    pub foxes: Cells,
    /// Hens eaten so far.
    pub eaten: u32,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// The position a game on `board` starts from.
    pub const fn start(board: &Board) -> Position {
        Position {
            hens: board.hens,
            foxes: board.foxes,
            eaten: 0,
            side: Side::Hens,
        }
    }

    /// The cells nobody stands on.
    #[inline]
    pub(crate) const fn free(&self, board: &Board) -> Cells {
        board.cells & !(self.hens | self.foxes)
    }

    /// The position mirrored left to right.
    pub fn mirrored(&self, board: &Board) -> Position {
        Position {
            hens: mirrored(self.hens, board.columns),
            foxes: mirrored(self.foxes, board.columns),
            ..*self
        }
    }

    /// An exact key: different positions of one game (one board, a constant sum of hens left and
    /// eaten) have different keys.
    ///
    /// Hens use neither the eighth column nor the eighth row of the 64 bits. The two foxes' cell
    /// numbers (12 bits) and the side (1 bit) fill the eighth row and five bits of the column.
    #[inline]
    pub(crate) const fn key(&self) -> u64 {
        let low = self.foxes.trailing_zeros() as u64;
        let high = 63 - self.foxes.leading_zeros() as u64;
        let rest = (high << 1) | self.side as u64;
        let column = ((rest & 1) << 7)
            | ((rest & 2) << 14)
            | ((rest & 4) << 21)
            | ((rest & 8) << 28)
            | ((rest & 16) << 35);
        self.hens | (low << 56) | ((rest >> 5) << 62) | column
    }

    /// The position behind a key, `total` being the hens left and eaten together.
    pub(crate) const fn from_key(key: u64, total: u32) -> Position {
        const HENS: u64 = 0x007f_7f7f_7f7f_7f7f;
        let low = (key >> 56) & 63;
        let rest = ((key >> 62) << 5)
            | ((key >> 7) & 1)
            | ((key >> 14) & 2)
            | ((key >> 21) & 4)
            | ((key >> 28) & 8)
            | ((key >> 35) & 16);
        let hens = key & HENS;
        Position {
            hens,
            foxes: (1 << low) | (1 << (rest >> 1)),
            eaten: total - hens.count_ones(),
            side: if rest & 1 == 0 {
                Side::Hens
            } else {
                Side::Foxes
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{CROSS, each};
    use super::*;

    #[test]
    fn keys_lead_back_to_their_positions_for_all_pairs_of_foxes() {
        let pairs = each(CROSS.cells)
            .flat_map(|low| each(CROSS.cells).map(move |high| low | high))
            .filter(|foxes| foxes.count_ones() == 2);
        for foxes in pairs {
            for side in [Side::Hens, Side::Foxes] {
                let hens = CROSS.hens & !foxes;
                let eaten = 20 - hens.count_ones();
                let position = Position {
                    hens,
                    foxes,
                    eaten,
                    side,
                };
                assert_eq!(Position::from_key(position.key(), 20), position);
            }
        }
    }
}
