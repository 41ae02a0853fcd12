//! Moves, and steps in bulk: all one-step moves of a side as four sets of landing cells.
//!
//! Knows how pieces step, not when they may: that is for the rules.

use super::board::{Cells, MAX_SIDE};

/// A move: which piece, where it ends, which hens it took.
///
/// Two orders of the same chain are one move. All three sets are empty for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell the piece stands on.
    pub piece: Cells,
    /// The cell it ends on; a chain may lead back to where it began.
    pub landing: Cells,
    /// The hens taken.
    pub taken: Cells,
}

impl Move {
    /// Passing, where the rules allow it.
    pub(crate) const PASS: Move = Move {
        piece: 0,
        landing: 0,
        taken: 0,
    };

    /// Returns whether the side passes.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.piece == 0
    }

    /// Returns the number of hens that it takes.
    #[inline]
    pub const fn length(self) -> u32 {
        // Most moves take nothing, and counting bits is dearer than asking.
        if self.taken == 0 {
            0
        } else {
            self.taken.count_ones()
        }
    }
}

/// A direction of the board, in the order in which moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Towards the square.
    Up,
    /// Towards the hens' first rows.
    Down,
    /// Towards column a.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// The four directions, in the order in which moves are listed.
    pub(crate) const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];

    /// The letter of a typed move: `u`, `d`, `l`, `r`.
    pub(crate) const fn letter(self) -> char {
        match self {
            Direction::Up => 'u',
            Direction::Down => 'd',
            Direction::Left => 'l',
            Direction::Right => 'r',
        }
    }

    /// The direction in words.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }

    /// A set moved by one cell; what leaves the board must be masked off.
    #[inline(always)]
    pub(crate) const fn step(self, cells: Cells) -> Cells {
        match self {
            Direction::Up => cells << 8,
            Direction::Down => cells >> 8,
            Direction::Left => cells >> 1,
            Direction::Right => cells << 1,
        }
    }

    /// A set moved back by one cell.
    #[inline(always)]
    pub(crate) const fn back(self, cells: Cells) -> Cells {
        match self {
            Direction::Up => cells >> 8,
            Direction::Down => cells << 8,
            Direction::Left => cells << 1,
            Direction::Right => cells >> 1,
        }
    }
}

/// All one-step moves of a side: the landing cells by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    landings: [Cells; 4],
}

impl Steps {
    /// Hens step up, left and right.
    #[inline]
    pub(crate) const fn of_hens(hens: Cells, free: Cells) -> Steps {
        Steps {
            landings: [
                Direction::Up.step(hens) & free,
                0,
                Direction::Left.step(hens) & free,
                Direction::Right.step(hens) & free,
            ],
        }
    }

    /// Foxes step in all four directions.
    #[inline]
    pub(crate) const fn of_foxes(foxes: Cells, free: Cells) -> Steps {
        Steps {
            landings: [
                Direction::Up.step(foxes) & free,
                Direction::Down.step(foxes) & free,
                Direction::Left.step(foxes) & free,
                Direction::Right.step(foxes) & free,
            ],
        }
    }

    /// Only the steps up.
    pub(crate) const fn upward(self) -> Steps {
        Steps {
            landings: [self.landings[0], 0, 0, 0],
        }
    }

    /// Returns whether there is no step.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        let [up, down, left, right] = self.landings;
        up | down | left | right == 0
    }

    /// Returns the number of steps.
    #[inline]
    pub(crate) const fn len(&self) -> u32 {
        let [up, down, left, right] = self.landings;
        up.count_ones() + down.count_ones() + left.count_ones() + right.count_ones()
    }

    /// Step number `index` below [`Steps::len`] in the order of [`Steps::iter`]; a pass beyond.
    #[inline]
    pub(crate) fn nth(&self, index: u32) -> Move {
        // Compared and counted, not branched: which step is drawn, no processor can predict.
        let (mut chosen, mut before, mut seen) = (0, 0, 0);
        for (number, landings) in self.landings.iter().enumerate().take(3) {
            seen += landings.count_ones();
            let past = index >= seen;
            chosen = if past { number + 1 } else { chosen };
            before = if past { seen } else { before };
        }
        match nth_cell(self.landings[chosen], index - before) {
            0 => Move::PASS,
            landing => step(Direction::ALL[chosen], landing),
        }
    }

    /// All steps, by direction, then by landing cell from the lower left.
    pub(crate) fn iter(self) -> impl Iterator<Item = Move> {
        Direction::ALL.into_iter().flat_map(move |direction| {
            super::board::each(self.landings[direction as usize])
                .map(move |landing| step(direction, landing))
        })
    }
}

#[inline]
const fn step(direction: Direction, landing: Cells) -> Move {
    // As [`Direction::back`], without a branch: no cell of a board goes around the word.
    const BACK: [u32; 4] = [64 - 8, 8, 1, 64 - 1];
    Move {
        piece: landing.rotate_left(BACK[direction as usize]),
        landing,
        taken: 0,
    }
}

/// A one in every row.
const ROWS: u64 = 0x0101_0101_0101_0101;

/// Byte `r` counts the cells in rows 0 to `r`: all rows counted at once by adding ever wider
/// neighbours (Knuth, TAOCP 7.1.3, (62)), and summed up by one multiplication.
#[inline]
const fn counted_up_to_row(cells: Cells) -> u64 {
    let pairs = cells - ((cells >> 1) & (0x55 * ROWS));
    let fours = (pairs & (0x33 * ROWS)) + ((pairs >> 2) & (0x33 * ROWS));
    ((fours + (fours >> 4)) & (0x0f * ROWS)).wrapping_mul(ROWS)
}

/// Cell number `index` of a set, from the lower left; none beyond.
#[inline]
const fn nth_cell(cells: Cells, index: u32) -> Cells {
    let up_to_row = counted_up_to_row(cells);
    let index = if index < 0x7f { index as u64 } else { 0x7f };
    // The top bit of a byte is set where its row and those below hold more than `index`.
    let past = up_to_row + (0x7f - index) * ROWS;
    let first = past & (0x80 * ROWS);
    if first == 0 {
        return 0;
    }
    let shift = first.trailing_zeros() & 0x38;
    let before = ((up_to_row << 8) >> shift) & 0xff;
    let row = (cells >> shift) & 0x7f;
    (NTH_IN_ROW[row as usize][(index - before) as usize & 7] as u64) << shift
}

/// The cell of each number in a row, by the cells of that row and the number; none beyond.
const NTH_IN_ROW: [[u8; 8]; 1 << MAX_SIDE] = {
    let mut table = [[0; 8]; 1 << MAX_SIDE];
    let mut row = 0;
    while row < table.len() {
        let (mut column, mut count) = (0, 0);
        while column < MAX_SIDE {
            if row & (1 << column) != 0 {
                table[row][count] = 1 << column;
                count += 1;
            }
            column += 1;
        }
        row += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::super::board::CROSS;
    use super::*;

    #[test]
    fn steps_are_counted_numbered_and_listed_alike() {
        let free = CROSS.cells & !(CROSS.hens | CROSS.foxes);
        for steps in [
            Steps::of_hens(CROSS.hens, free),
            Steps::of_foxes(CROSS.foxes, free),
            Steps::of_hens(0, free),
        ] {
            let listed: Vec<Move> = steps.iter().collect();
            let numbered: Vec<Move> = (0..steps.len()).map(|index| steps.nth(index)).collect();
            assert_eq!(listed, numbered);
            assert_eq!(steps.is_empty(), listed.is_empty());
        }
    }

    /// Seed 15: cells by number are those that a walk from the lower left finds, and none beyond.
    #[test]
    fn cells_are_found_by_number() {
        let mut stream = kit::rng::Streams::new(15).key("cells").stream(0);
        for _ in 0..2_000 {
            let cells = rand_core::Rng::next_u64(&mut stream) & CROSS.cells;
            for (index, cell) in super::super::board::each(cells).enumerate() {
                assert_eq!(nth_cell(cells, index as u32), cell);
            }
            for beyond in [cells.count_ones(), 64, 127, 200, u32::MAX] {
                assert_eq!(nth_cell(cells, beyond), 0);
            }
        }
    }
}
