//! Counting by bit masks: all solutions, those different up to symmetry, and the search tree.
//!
//! A row's free fields are the bits that no column and no diagonal holds; the diagonals shift by
//! one from row to row (Richards 1997, "Backtracking algorithms in MCPL"). The counter visits, of
//! every class of eight images, only placements whose first-row queen stands as near to a corner
//! as any border queen; the tree profile uses the mirror image only, which alone keeps rows.

use super::placement::class_size;

/// The largest board the masks hold.
pub const MAX_N: usize = 31;

/// Solutions of one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub solutions: u64,
    /// Those different up to rotation and reflection.
    pub fundamental: u64,
}

impl Counts {
    fn add_class(&mut self, size: u64) {
        self.solutions += size;
        self.fundamental += 1;
    }
}

/// Counts the solutions of the `n` by `n` board, `n` at most [`MAX_N`].
pub fn count(n: usize) -> Counts {
    let mut counts = Counts::default();
    if n == 1 {
        counts.add_class(1);
    }
    for second in 2..n.saturating_sub(1).max(2) {
        counts.fundamental += CornerSearch::new(n, second).run();
    }
    counts.solutions += 8 * (counts.fundamental - counts.solutions);
    for first in 1..n / 2 {
        let mut search = BorderSearch::new(n, first);
        search.run();
        counts.solutions += search.counts.solutions;
        counts.fundamental += search.counts.fundamental;
    }
    counts
}

/// The nodes of the row-by-row search tree at depth 0 (the root) to `n` (the solutions).
pub fn tree_profile(n: usize) -> Vec<u64> {
    let mut profile = Profile {
        mask: full(n),
        nodes: [0; MAX_N + 1],
    };
    for column in 0..n / 2 {
        profile.descend(1, Lines::default().with(1 << column));
    }
    profile.nodes.iter_mut().for_each(|nodes| *nodes *= 2);
    if n % 2 == 1 {
        profile.descend(1, Lines::default().with(1 << (n / 2)));
    }
    profile.nodes[0] = 1;
    profile.nodes[..=n].to_vec()
}

fn full(n: usize) -> u32 {
    ((1u64 << n) - 1) as u32
}

/// The columns and diagonals held, as they meet the next row.
#[derive(Clone, Copy, Default)]
struct Lines {
    columns: u32,
    left: u32,
    right: u32,
}

impl Lines {
    #[inline(always)]
    fn with(self, queen: u32) -> Self {
        Self {
            columns: self.columns | queen,
            left: (self.left | queen) << 1,
            right: (self.right | queen) >> 1,
        }
    }

    #[inline(always)]
    fn free(self, mask: u32) -> u32 {
        mask & !(self.columns | self.left | self.right)
    }
}

struct Profile {
    mask: u32,
    nodes: [u64; MAX_N + 1],
}

impl Profile {
    fn descend(&mut self, depth: usize, lines: Lines) {
        self.nodes[depth] += 1;
        let mut free = lines.free(self.mask);
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.descend(depth + 1, lines.with(queen));
        }
    }
}

/// The first queen in the corner, the second in column `second` (from 0).
///
/// No other corner can be held, and only the diagonal through the corner could map the placement
/// to another of this kind: it swaps the queens of row 1 and of column 1, which cannot be the
/// same distance from the corner because they would share a diagonal. Asking for the row's queen
/// to be nearer leaves exactly one of eight.
struct CornerSearch {
    mask: u32,
    last: usize,
    second: usize,
}

impl CornerSearch {
    fn new(n: usize, second: usize) -> Self {
        Self {
            mask: full(n),
            last: n - 1,
            second,
        }
    }

    fn run(&self) -> u64 {
        let lines = Lines::default().with(1).with(1 << self.second);
        self.descend(2, lines)
    }

    fn descend(&self, row: usize, lines: Lines) -> u64 {
        let mut free = lines.free(self.mask);
        if row == self.last {
            return u64::from(free != 0);
        }
        if row < self.second {
            free &= !2;
        }
        let mut found = 0;
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            found += self.descend(row + 1, lines.with(queen));
        }
        found
    }
}

/// No queen in a corner, the first queen in column `first` (from 0), left of the middle.
///
/// The smallest image of a placement has on its first row the border queen nearest to a corner,
/// so the queens of the other three borders may be looked for at that distance or farther only.
/// Where one is just as near, the placement is compared with its images.
struct BorderSearch {
    mask: u32,
    last: usize,
    first: usize,
    /// The outer columns.
    sides: u32,
    /// Columns of the last row nearer to a corner than the first queen.
    too_near: u32,
    /// Columns of the last row as near as the first queen.
    as_near: u32,
    queens: [u32; MAX_N + 1],
    counts: Counts,
}

impl BorderSearch {
    fn new(n: usize, first: usize) -> Self {
        let low = (1 << first) - 1;
        Self {
            mask: full(n),
            last: n - 1,
            first,
            sides: 1 | 1 << (n - 1),
            too_near: low | (low << (n - first)),
            as_near: 1 << first | 1 << (n - 1 - first),
            queens: [0; MAX_N + 1],
            counts: Counts::default(),
        }
    }

    fn run(&mut self) {
        let queen = 1 << self.first;
        self.queens[0] = queen;
        self.descend(1, Lines::default().with(queen));
    }

    fn descend(&mut self, row: usize, lines: Lines) {
        let mut free = lines.free(self.mask);
        if row == self.last {
            self.finish(free & !self.too_near);
            return;
        }
        if row < self.first {
            free &= !self.sides;
        } else if row == self.last - self.first {
            // The last row on which the outer columns may be taken.
            let open = self.sides & !lines.columns;
            if open == self.sides {
                return;
            }
            if open != 0 {
                free &= open;
            }
        }
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.queens[row & MAX_N] = queen;
            self.descend(row + 1, lines.with(queen));
        }
    }

    fn finish(&mut self, queen: u32) {
        if queen == 0 {
            return;
        }
        self.queens[self.last] = queen;
        let borders = self.queens[self.first] | self.queens[self.last - self.first];
        if queen & self.as_near == 0 && borders & self.sides == 0 {
            self.counts.add_class(8);
            return;
        }
        let mut columns = [0u8; MAX_N + 1];
        for (column, queen) in columns.iter_mut().zip(self.queens) {
            *column = queen.trailing_zeros() as u8;
        }
        if let Some(size) = class_size(&columns[..=self.last]) {
            self.counts.add_class(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::automaton::{Version, run};
    use super::super::known;
    use super::*;

    #[test]
    fn counts_agree_with_the_published_ones() {
        for n in 1..=13 {
            let counts = count(n);
            assert_eq!(
                Some(u128::from(counts.solutions)),
                known::solutions(n),
                "n={n}"
            );
            assert_eq!(Some(counts.fundamental), known::fundamental(n), "n={n}");
        }
    }

    #[test]
    fn every_class_found_by_the_automaton_is_counted_once() {
        for n in 1..=9 {
            let mut classes = 0;
            run(Version::Four, n, &mut |columns| {
                classes += u64::from(class_size(columns).is_some());
            });
            assert_eq!(count(n).fundamental, classes, "n={n}");
        }
    }

    /// 2,057 and 1,141,190,303 nodes are the sizes this project's figures are checked against.
    #[test]
    fn tree_profiles_end_in_the_solutions() {
        assert_eq!(tree_profile(8), [1, 8, 42, 140, 344, 568, 550, 312, 92]);
        for n in 1..=10 {
            let steps = run(Version::Three, n, &mut |_| {});
            assert_eq!(tree_profile(n).iter().sum::<u64>(), steps.tree_nodes());
        }
    }

    /// Run with `cargo test --release -- --ignored`; some seconds.
    #[test]
    #[ignore = "seconds in release"]
    fn sixteen_queens_have_a_tree_of_1141190303_nodes() {
        assert_eq!(tree_profile(16).iter().sum::<u64>(), 1_141_190_303);
        assert_eq!(count(16).solutions, 14_772_512);
    }
}
