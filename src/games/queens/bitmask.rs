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
    fn add(&mut self, other: Counts) {
        self.solutions += other.solutions;
        self.fundamental += other.fundamental;
    }

    fn add_class(&mut self, size: u64) {
        self.solutions += size;
        self.fundamental += 1;
    }
}

/// Counts the solutions of the `n` by `n` board, `n` at most [`MAX_N`].
pub fn count(n: usize) -> Counts {
    let mut counts = Counts::default();
    if n < 4 {
        if n == 1 {
            counts.add_class(1);
        }
        return counts;
    }
    for second in 2..n - 1 {
        counts.add(Search::corner(n, second));
    }
    for first in 1..n / 2 {
        counts.add(Search::border(n, first));
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

/// A search for one placement of each class of images, from a fixed first queen.
///
/// With a queen in the corner no other corner can be held, and only the diagonal through it maps
/// the placement to another of the kind: it swaps the queens of row 1 and of column 1, which
/// cannot be equally far from the corner because they would share a diagonal. Asking for the
/// row's queen to be nearer leaves exactly one of eight.
///
/// Without one, the smallest image has on its first row the border queen nearest to a corner, so
/// the other three borders hold theirs at that distance or farther. Where one is just as near,
/// the placement is compared with its images.
struct Search {
    last: usize,
    /// Columns that each row may hold.
    allowed: [u32; MAX_N + 1],
    /// The same for looking ahead, with a bit that is never held for rows past the last.
    watched: [u64; MAX_N + 4],
    /// Distance from its corner of the first queen; 0 in a corner.
    first: usize,
    /// The outer columns, where they are watched.
    sides: u32,
    /// Columns of the last row as near to a corner as the first queen.
    as_near: u32,
    queens: [u32; MAX_N + 1],
    counts: Counts,
}

impl Search {
    fn new(n: usize, first: usize) -> Self {
        Self {
            last: n - 1,
            allowed: [full(n); MAX_N + 1],
            watched: [1 << 63; MAX_N + 4],
            first,
            sides: 0,
            as_near: 0,
            queens: [0; MAX_N + 1],
            counts: Counts::default(),
        }
    }

    /// The first queen in the corner, the second in column `second`.
    fn corner(n: usize, second: usize) -> Counts {
        let mut search = Self::new(n, 0);
        search.allowed[2..second].fill(full(n) & !2);
        search.allowed[1] = 1 << second;
        search.run()
    }

    /// No queen in a corner, the first queen in column `first`, left of the middle.
    fn border(n: usize, first: usize) -> Counts {
        let mut search = Self::new(n, first);
        let low = (1 << first) - 1;
        search.sides = 1 | 1 << (n - 1);
        search.allowed[1..first].fill(full(n) & !search.sides);
        search.allowed[n - 1] = full(n) & !(low | low << (n - first));
        search.as_near = 1 << first | 1 << (n - 1 - first);
        search.run()
    }

    fn run(mut self) -> Counts {
        for (watched, &allowed) in self.watched.iter_mut().zip(&self.allowed[..=self.last]) {
            *watched = u64::from(allowed);
        }
        let queen = 1 << self.first;
        self.queens[0] = queen;
        let lines = Lines::default().with(queen);
        let free = self.free(1, lines);
        self.descend(1, free, lines);
        self.counts
    }

    /// Places a queen on each free field of a row that is not the last.
    fn descend(&mut self, row: usize, mut free: u32, lines: Lines) {
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.queens[row & MAX_N] = queen;
            let next = lines.with(queen);
            let open = self.free(row + 1, next);
            if (open == 0) | self.is_blocked(row + 2, next) {
                continue;
            }
            if row + 1 == self.last {
                self.finish(open);
            } else {
                self.descend(row + 1, open, next);
            }
        }
    }

    #[inline(always)]
    fn free(&self, row: usize, lines: Lines) -> u32 {
        let free = lines.free(self.allowed[row]);
        if row + self.first != self.last {
            return free;
        }
        // The last row on which the outer columns may be taken.
        match self.sides & !lines.columns {
            0 => free,
            open if open == self.sides => 0,
            open => free & open,
        }
    }

    /// Whether one of three rows has no field left, `lines` being those that meet the row before.
    ///
    /// The three answers are joined without branches, which would be mispredicted half the time.
    #[inline(always)]
    fn is_blocked(&self, row: usize, lines: Lines) -> bool {
        let blocked = |ahead: usize| {
            let held = lines.columns | lines.left << (ahead + 1) | lines.right >> (ahead + 1);
            self.watched[row + ahead] & !u64::from(held) == 0
        };
        blocked(0) | blocked(1) | blocked(2)
    }

    fn finish(&mut self, queen: u32) {
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
