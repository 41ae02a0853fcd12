//! Counting by bit masks: all solutions, those different up to symmetry, and the search tree.
//!
//! A row's free fields are the bits that no column and no diagonal attacks; the diagonals shift by
//! one from row to row (Richards 1997, "Backtracking algorithms in MCPL"). The counter visits a
//! few of the eight images of a placement and weighs each by how many of them it visits. The tree
//! profile uses only the mirror image, the one symmetry that keeps rows.

pub use super::batch::MAX_N;
use super::batch::{RowConditions, RowSearch, full};
use super::half_turn;
use super::placement::class_size;

/// Solutions of one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolutionCounts {
    /// The number of all solutions.
    pub solutions: u64,
    /// The number of solutions that differ up to rotation and reflection.
    pub fundamental: u64,
}

/// Counts the solutions of the `n` by `n` board, `n` at most [`MAX_N`].
pub fn count(n: usize) -> SolutionCounts {
    let solutions = match n {
        0 | 2 | 3 => 0,
        1 => 1,
        _ => corner(n) + border(n),
    };
    let (mut symmetric, mut classes) = (0, 0);
    half_turn::for_each(n, &mut |columns| {
        if let Some(size) = class_size(columns) {
            symmetric += size;
            classes += 1;
        }
    });
    SolutionCounts {
        solutions,
        fundamental: classes + (solutions - symmetric) / 8,
    }
}

/// Solutions with a queen in a corner.
///
/// No other corner can be held, and only the diagonal through it maps a placement to another of
/// the kind: it swaps the queens of row 1 and of column 1, which cannot be equally far from the
/// corner because they would share a diagonal. Asking for the row's queen to be nearer leaves
/// exactly one of eight.
fn corner(n: usize) -> u64 {
    let mut search = RowSearch::new(n);
    let free = RowConditions {
        allowed: full(n),
        ..RowConditions::default()
    };
    let from = |second: usize| {
        let mut rows = vec![free; n];
        rows[1].allowed = 1 << second;
        for row in &mut rows[2..second] {
            row.allowed &= !2;
        }
        search.run(&rows, 1)[0]
    };
    8 * (2..n - 1).map(from).sum::<u64>()
}

/// Solutions with no queen in a corner.
///
/// Of the eight images those are visited that have on the left half of the first row the border
/// queen nearest to a corner, at distance `d`: one for every border that holds its queen as near
/// (which gets a mark). So each placement found with `m` marks stands for 8 / (1 + m).
fn border(n: usize) -> u64 {
    let mut search = RowSearch::new(n);
    let mut counts = [0; 4];
    for first in 1..n / 2 {
        let run = search.run(&border_rows(n, first), 1 << first);
        counts
            .iter_mut()
            .zip(run)
            .for_each(|(sum, run)| *sum += run);
    }
    let [none, one, two, three] = counts;
    8 * none + 4 * one + 8 * two / 3 + 2 * three
}

/// The rows' conditions where no other border queen is nearer to a corner than `first`.
fn border_rows(n: usize, first: usize) -> Vec<RowConditions> {
    let (last, sides) = (n - 1, 1 | 1 << (n - 1));
    let free = RowConditions {
        allowed: full(n),
        ..RowConditions::default()
    };
    let mut rows = vec![free; n];
    for row in &mut rows[1..first] {
        row.allowed &= !sides;
    }
    for (row, mark) in [first, last - first].into_iter().zip(RowConditions::MARKS) {
        (rows[row].remarkable, rows[row].mark) = (sides, mark);
    }
    rows[last - first].needed = sides;
    let low = (1 << first) - 1;
    rows[last].allowed &= !(low | low << (n - first));
    rows[last].remarkable = 1 << first | 1 << (last - first);
    rows[last].mark = RowConditions::MARKS[2];
    rows
}

/// The nodes of the row-by-row search tree at depth 0 (the root) to `n` (the solutions).
pub fn tree_profile(n: usize) -> Vec<u64> {
    let mut profile = Profile {
        mask: full(n),
        nodes: [0; MAX_N + 1],
    };
    for column in 0..n / 2 {
        profile.descend(1, HeldLines::default().with(1 << column));
    }
    profile.nodes.iter_mut().for_each(|nodes| *nodes *= 2);
    if n % 2 == 1 {
        profile.descend(1, HeldLines::default().with(1 << (n / 2)));
    }
    profile.nodes[0] = 1;
    profile.nodes[..=n].to_vec()
}

/// The columns and diagonals held, as they meet the next row.
#[derive(Clone, Copy, Default)]
struct HeldLines {
    columns: u32,
    left: u32,
    right: u32,
}

impl HeldLines {
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
    fn descend(&mut self, depth: usize, lines: HeldLines) {
        self.nodes[depth] += 1;
        let mut free = lines.free(self.mask);
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.descend(depth + 1, lines.with(queen));
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
