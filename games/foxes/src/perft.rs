//! Counting the move tree, to check one rules engine against another.
//!
//! Goes breadth first over *distinct* positions, each with the number of move sequences that lead
//! to it: equal positions have equal subtrees (drawing rules are left out), so both columns come
//! out of one pass. See the chess programming community's "perft".

use super::moves::Move;
use super::position::Position;
use super::rules::Rules;

/// A depth of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftDepth {
    /// Plies from the root.
    pub depth: u32,
    /// Sequences of that many moves, play stopping at a win.
    pub moves: u128,
    /// Distinct positions they lead to.
    pub distinct: u64,
}

/// The tree below a position, level by level without end; empty levels once all play has stopped.
pub struct Perft<'rules> {
    rules: &'rules Rules,
    total: u32,
    depth: u32,
    /// Distinct keys in increasing order, each with its number of paths.
    frontier: Vec<(u64, u128)>,
    scratch: Vec<Move>,
}

impl<'rules> Perft<'rules> {
    /// The tree below `root`; its first level is depth 1.
    pub fn new(rules: &'rules Rules, root: &Position) -> Self {
        Self {
            rules,
            total: root.hens.count_ones() + root.eaten,
            depth: 0,
            frontier: vec![(root.key(), 1)],
            scratch: Vec::new(),
        }
    }

    fn expand(&mut self) -> Vec<(u64, u128)> {
        let mut next = Vec::with_capacity(4 * self.frontier.len());
        for &(key, paths) in &self.frontier {
            let position = Position::from_key(key, self.total);
            if self.rules.ending(&position).is_some() {
                continue;
            }
            self.scratch.clear();
            self.rules.moves(&position, &mut self.scratch);
            let children = self.scratch.iter();
            next.extend(children.map(|&play| (self.rules.after(&position, play).key(), paths)));
        }
        next
    }
}

impl Iterator for Perft<'_> {
    type Item = PerftDepth;

    fn next(&mut self) -> Option<PerftDepth> {
        let mut next = self.expand();
        next.sort_unstable_by_key(|&(key, _)| key);
        next.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        self.frontier = next;
        self.depth += 1;
        Some(PerftDepth {
            depth: self.depth,
            moves: self.frontier.iter().map(|&(_, paths)| paths).sum(),
            distinct: self.frontier.len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::CROSS;
    use super::super::notation::read_position;
    use super::*;

    fn levels(text: &str, depth: usize) -> Vec<PerftDepth> {
        let root = read_position(text, &CROSS).unwrap();
        Perft::new(&Rules::ARSAC, &root).take(depth).collect()
    }

    /// Depths 1 to 7 come from an independent program (games/foxes.md); 8 and 9 from the naive
    /// engine of tests/oracle.rs.
    #[test]
    fn the_start_position_has_its_golden_counts_to_depth_nine() {
        let levels = levels("start", 9);
        let moves: Vec<u128> = levels.iter().map(|level| level.moves).collect();
        let distinct: Vec<u64> = levels.iter().map(|level| level.distinct).collect();
        assert_eq!(moves[..7], [5, 18, 138, 398, 3280, 12_544, 120_040]);
        assert_eq!(distinct[..7], [5, 18, 124, 242, 1_558, 3_265, 17_934]);
    }

    #[test]
    fn figure_nine_has_one_legal_action_and_its_golden_counts() {
        let levels = levels("3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1", 5);
        let moves: Vec<u128> = levels.iter().map(|level| level.moves).collect();
        assert_eq!(moves, [1, 13, 18, 230, 579]);
    }
}
