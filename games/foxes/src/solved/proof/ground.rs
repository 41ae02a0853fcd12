//! The foxes' moves in one configuration of the hens, for all their pairs of cells at once.
//!
//! The free cells are numbered as in [`super::pairs`]. Foxes to move have lost a pair of cells if
//! every step leads to a pair already known to be won by the hens. Where they can eat they must,
//! along a longest chain of either fox; steps then do not count, and the remaining hens decide.
//! Foxes without a move have lost too.

use super::pairs::{BitMatrix, MAX_FREE, Pairs, agreed, all, either, partners, removed, unpacked};
use crate::board::{Cells, each};
use crate::moves::Direction;

/// A configuration's free cells, numbered.
pub struct Ground {
    hens: Cells,
    free: Cells,
    count: usize,
    numbers: [u8; 64],
}

/// Most hens that may be lost: the full board then has sixteen free cells.
pub const MAX_EATEN: usize = 3;

/// Says which pairs the hens win, to move, after losing some hens of the configuration.
type Fewer<'a> = dyn Fn(Cells) -> Pairs + 'a;

impl Ground {
    /// The ground of a configuration on a board of `cells`, with at most [`MAX_FREE`] free cells.
    #[inline]
    pub fn new(cells: Cells, hens: Cells) -> Ground {
        let free = cells & !hens;
        let mut numbers = [0; 64];
        let mut count = 0;
        for cell in each(free) {
            numbers[cell.trailing_zeros() as usize] = count as u8;
            count += 1;
        }
        Ground {
            hens,
            free,
            count,
            numbers,
        }
    }

    /// The free cells.
    pub(crate) const fn free(&self) -> Cells {
        self.free
    }

    /// All pairs of free cells.
    pub(crate) const fn all(&self) -> Pairs {
        all(self.count)
    }

    /// The number of a free cell.
    #[inline]
    pub fn number(&self, cell: Cells) -> usize {
        // The remainders spare bounds checks: cells lie below bit 64, numbers below MAX_FREE.
        usize::from(self.numbers[cell.trailing_zeros() as usize % 64]) % MAX_FREE
    }

    /// The free cells below a cell, which is their number if it is free.
    pub(crate) fn number_below(&self, cell: Cells) -> usize {
        (self.free & (cell - 1)).count_ones() as usize
    }

    /// The pairs that cannot eat and from which every step leads into `won`.
    #[inline]
    pub(crate) fn cannot_step_out_of(&self, won: Pairs) -> Pairs {
        if won == 0 && self.is_roomy() {
            return 0;
        }
        let (free, hens) = (self.free, self.hens);
        let won = unpacked(won);
        let mut held: BitMatrix = [!0; MAX_FREE];
        for (cells, apart) in [(free & (free >> 1), 1), (free & (free >> 8), 8)] {
            for cell in each(cells) {
                let (one, other) = (self.number(cell), self.number(cell << apart));
                // Nobody steps onto the other fox.
                held[one] &= won[other] | 1 << other;
                held[other] &= won[one] | 1 << one;
            }
        }
        let beside = free & (hens >> 1) & (free >> 2);
        let above = free & (hens >> 8) & (free >> 16);
        for (cells, apart) in [(beside, 2), (above, 16)] {
            for cell in each(cells) {
                let (one, other) = (self.number(cell), self.number(cell << apart));
                // A fox on either cell must eat, unless the other fox stands where it would land.
                held[one] &= 1 << other;
                held[other] &= 1 << one;
            }
        }
        agreed(&held) & self.all()
    }

    /// The cells from which a fox can jump, by direction.
    fn jumps(&self) -> [Cells; 4] {
        let (free, hens) = (self.free, self.hens);
        [
            free & (hens >> 8) & (free >> 16),
            free & (hens << 8) & (free << 16),
            free & (hens >> 1) & (free >> 2),
            free & (hens << 1) & (free << 2),
        ]
    }

    /// Returns whether at most one free cell has fewer than two ways out: then some fox can always move,
    /// since another fox stands in the way of one at most.
    fn is_roomy(&self) -> bool {
        let free = self.free;
        let steps = [free >> 8, free << 8, free >> 1, free << 1].map(|way| free & way);
        let (mut one, mut two) = (0, 0);
        for way in steps.into_iter().chain(self.jumps()) {
            two |= one & way;
            one |= way;
        }
        let narrow = free & !two;
        narrow & narrow.wrapping_sub(1) == 0
    }

    /// The pairs that must eat, at most `most <= MAX_EATEN` hens, and whose longest chains all lead
    /// to what `fewer` says the hens win.
    pub(super) fn cannot_eat_out_of(&self, most: usize, fewer: &Fewer<'_>) -> Pairs {
        let mut meals = Meals {
            ground: self,
            most,
            fewer,
            reach: [[0; MAX_FREE]; MAX_EATEN + 2],
            held: [[!0; MAX_FREE]; MAX_EATEN + 2],
        };
        for fox in each(self.jumps().into_iter().fold(0, |all, foxes| all | foxes)) {
            meals.walk(self.number(fox), fox, &Trail::default());
        }
        meals.lost()
    }
}

/// A chain under way: hens taken and, as bits of their numbers, cells landed on.
#[derive(Clone, Copy, Default)]
struct Trail {
    taken: Cells,
    landings: u16,
}

/// The chains of all single foxes, by length; the other fox enters as the cells a chain needs.
struct Meals<'a> {
    ground: &'a Ground,
    most: usize,
    fewer: &'a Fewer<'a>,
    /// The places where the other fox lets a chain of at least that length pass, by length and fox.
    reach: [BitMatrix; MAX_EATEN + 2],
    /// The places where the other fox may stand for every chain of that length to lose, by length and fox.
    held: [BitMatrix; MAX_EATEN + 2],
}

impl Meals<'_> {
    fn walk(&mut self, fox: usize, cell: Cells, trail: &Trail) {
        let ground = self.ground;
        for direction in Direction::ALL {
            let hen = direction.step(cell) & ground.hens & !trail.taken;
            let landing = direction.step(hen) & ground.free;
            if landing == 0 {
                continue;
            }
            let trail = Trail {
                taken: trail.taken | hen,
                landings: trail.landings | 1 << ground.number(landing),
            };
            let length = trail.taken.count_ones() as usize;
            self.reach[length][fox] |= !trail.landings;
            if length <= self.most {
                self.held[length][fox] &= self.lost_from(landing, trail.taken) | trail.landings;
                self.walk(fox, landing, &trail);
            }
        }
    }

    /// Returns the cells of the other fox, in this ground's numbers, with which the hens win after a chain.
    fn lost_from(&self, landing: Cells, taken: Cells) -> u16 {
        let freed = |cell: Cells| (taken & (cell - 1)).count_ones() as usize;
        let number = |cell: Cells| self.ground.number_below(cell) + freed(cell);
        let free = self.ground.count + taken.count_ones() as usize;
        let row = partners((self.fewer)(taken), number(landing), free);
        // From the last one down, so that the numbers of the others stay as they are.
        let mut left = taken;
        let mut row = row;
        while left != 0 {
            let last = 1 << (63 - left.leading_zeros());
            row = removed(row, number(last));
            left ^= last;
        }
        row
    }

    fn lost(&self) -> Pairs {
        let (mut lost, mut longer) = (0, either(&self.reach[self.most + 1]));
        for length in (1..=self.most).rev() {
            let reached = either(&self.reach[length]);
            lost |= reached & !longer & agreed(&self.held[length]);
            longer |= reached;
        }
        lost & self.ground.all()
    }
}
