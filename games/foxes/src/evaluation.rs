//! The value of a position where the search stops: a weighted sum of simple counts.
//!
//! Knows no search. Values are in hundredths of a hen, positive for the foxes.

use super::board::{Board, Cells};
use super::moves::Steps;
use super::position::{Position, Side};

/// The weight of each feature, positive where it is good for the foxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// A hen eaten.
    pub(crate) eaten: i32,
    /// A row between a hen and the bottom, for each hen.
    pub(crate) row: i32,
    /// A hen in the square.
    in_square: i32,
    /// A step a fox could make.
    mobility: i32,
    /// A hen with no hen beside, above or below it.
    lonely: i32,
    /// A hen above a fox, for each fox: the front has passed it.
    pub(crate) passed: i32,
    /// A jump a fox could make next.
    threat: i32,
    /// A drawn game, as a whole.
    pub draw: i32,
}

/// The weights in use: set by hand after one round of matches in which each was varied in turn
/// (depth 4, 150 random openings a variant).
pub(crate) const WEIGHTS: Weights = Weights {
    eaten: 100,
    row: -8,
    in_square: -24,
    mobility: 6,
    lonely: 4,
    passed: -2,
    threat: 10,
    draw: 100,
};

/// The value of an undecided position for the foxes, relative to the board's start.
fn evaluate(position: &Position, board: &Board, weights: &Weights) -> i32 {
    let free = position.free(board);
    let foxes = Steps::of_foxes(position.foxes, free).len();
    let climbed = rows(position.hens) as i32 - rows(board.hens) as i32;
    weights.eaten * position.eaten as i32
        + weights.row * climbed
        + weights.in_square * count(position.hens & board.square)
        + weights.mobility * foxes as i32
        + weights.lonely * count(lonely(position.hens))
        + weights.passed * passed(position)
        + weights.threat * threats(position, free)
}

/// The value for the side to move.
pub(crate) fn evaluate_for_mover(position: &Position, board: &Board, weights: &Weights) -> i32 {
    for_side(position.side, evaluate(position, board, weights))
}

/// A value for the foxes, as that side sees it.
pub(crate) const fn for_side(side: Side, value: i32) -> i32 {
    match side {
        Side::Foxes => value,
        Side::Hens => -value,
    }
}

/// The sum of the rows, from 0, of a set of cells.
pub const fn rows(cells: Cells) -> u32 {
    // Cells of rows whose number has bit 0, 1, 2 set.
    const ODD: Cells = 0xff00_ff00_ff00_ff00;
    const PAIRS: Cells = 0xffff_0000_ffff_0000;
    const FOURS: Cells = 0xffff_ffff_0000_0000;
    (cells & ODD).count_ones() + 2 * (cells & PAIRS).count_ones() + 4 * (cells & FOURS).count_ones()
}

fn count(cells: Cells) -> i32 {
    cells.count_ones() as i32
}

fn lonely(hens: Cells) -> Cells {
    hens & !((hens << 8) | (hens >> 8) | (hens << 1) | (hens >> 1))
}

fn passed(position: &Position) -> i32 {
    let low = position.foxes.trailing_zeros() | 7;
    let high = (63 - position.foxes.leading_zeros()) | 7;
    count(position.hens >> low >> 1) + count(position.hens >> high >> 1)
}

fn threats(position: &Position, free: Cells) -> i32 {
    let (foxes, hens) = (position.foxes, position.hens);
    count(((((foxes << 8) & hens) << 8) | (((foxes >> 8) & hens) >> 8)) & free)
        + count(((((foxes << 1) & hens) << 1) | (((foxes >> 1) & hens) >> 1)) & free)
}

#[cfg(test)]
mod tests {
    use super::super::board::{BOARDS, CROSS, each};
    use super::super::notation::read_position;
    use super::*;

    #[test]
    fn rows_are_summed_as_if_counted_one_by_one() {
        for board in BOARDS {
            for cells in [board.cells, board.hens, board.square] {
                let one_by_one: u32 = each(cells).map(|cell| cell.trailing_zeros() / 8).sum();
                assert_eq!(rows(cells), one_by_one);
            }
        }
    }

    #[test]
    fn features_are_counted_in_a_known_position() {
        let text = "3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1";
        let position = read_position(text, &CROSS).unwrap();
        assert_eq!(count(lonely(position.hens)), 5, "d6, a5, e5, g5, a3");
        assert_eq!(passed(&position), 1, "d6 has passed the fox on b5");
        assert_eq!(threats(&position, position.free(&CROSS)), 3);
    }

    /// One hen is eaten, the others have climbed 3 rows, two stand in the square, the foxes have two steps; five are
    /// lonely, one has passed a fox, and three are threatened.
    #[test]
    fn the_value_is_the_weighted_sum_of_all_features() {
        let text = "3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1";
        let mut position = read_position(text, &CROSS).unwrap();
        let expected = 100 - 3 * 8 - 2 * 24 + 2 * 6 + 5 * 4 - 2 + 3 * 10;
        assert_eq!(evaluate_for_mover(&position, &CROSS, &WEIGHTS), expected);
        position.side = Side::Hens;
        assert_eq!(evaluate_for_mover(&position, &CROSS, &WEIGHTS), -expected);
    }

    #[test]
    fn the_value_does_not_know_left_from_right() {
        let position = read_position("3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1", &CROSS).unwrap();
        let value = |position: &Position| evaluate(position, &CROSS, &WEIGHTS);
        assert_eq!(value(&position), value(&position.mirrored(&CROSS)));
    }
}
