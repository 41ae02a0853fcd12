//! Moves, and steps in bulk: all one-step moves of a side as four sets of landing cells.
//!
//! Knows how pieces step, not when they may: that is for the rules.

use super::board::Cells;

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
    pub const PASS: Move = Move {
        piece: 0,
        landing: 0,
        taken: 0,
    };

    /// Whether the side passes.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.piece == 0
    }

    /// How many hens it takes.
    #[inline]
    pub const fn length(self) -> u32 {
        self.taken.count_ones()
    }
}

/// A direction of the board, in the order in which moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
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
    /// All four, in the order in which moves are listed.
    pub const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];

    /// The letter of a typed move: `u`, `d`, `l`, `r`.
    pub const fn letter(self) -> char {
        match self {
            Direction::Up => 'u',
            Direction::Down => 'd',
            Direction::Left => 'l',
            Direction::Right => 'r',
        }
    }

    /// A set moved by one cell; what leaves the board must be masked off.
    #[inline(always)]
    pub const fn step(self, cells: Cells) -> Cells {
        match self {
            Direction::Up => cells << 8,
            Direction::Down => cells >> 8,
            Direction::Left => cells >> 1,
            Direction::Right => cells << 1,
        }
    }

    /// A set moved back by one cell.
    #[inline(always)]
    pub const fn back(self, cells: Cells) -> Cells {
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
pub struct Steps {
    landings: [Cells; 4],
}

impl Steps {
    /// Hens step up, left and right.
    #[inline]
    pub const fn of_hens(hens: Cells, free: Cells) -> Steps {
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
    pub const fn of_foxes(foxes: Cells, free: Cells) -> Steps {
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
    pub const fn upward(self) -> Steps {
        Steps {
            landings: [self.landings[0], 0, 0, 0],
        }
    }

    /// Whether there is no step.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        let [up, down, left, right] = self.landings;
        up | down | left | right == 0
    }

    /// How many steps there are.
    #[inline]
    pub const fn len(&self) -> u32 {
        let [up, down, left, right] = self.landings;
        up.count_ones() + down.count_ones() + left.count_ones() + right.count_ones()
    }

    /// Step number `index` below [`Steps::len`] in the order of [`Steps::iter`]; a pass beyond.
    #[inline]
    pub fn nth(&self, index: u32) -> Move {
        // The direction is found by comparing, not by branching: a random index foils prediction.
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
    pub fn iter(self) -> impl Iterator<Item = Move> {
        Direction::ALL.into_iter().flat_map(move |direction| {
            super::board::each(self.landings[direction as usize])
                .map(move |landing| step(direction, landing))
        })
    }
}

#[inline]
const fn step(direction: Direction, landing: Cells) -> Move {
    Move {
        piece: direction.back(landing),
        landing,
        taken: 0,
    }
}

#[inline]
fn nth_cell(mut cells: Cells, index: u32) -> Cells {
    for _ in 0..index {
        cells &= cells.wrapping_sub(1);
    }
    cells & cells.wrapping_neg()
}

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
}
