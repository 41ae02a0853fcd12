//! The search tree of the queens, row by row, for the estimators.
//!
//! A node holds the free fields of the rows to come. Its promise looks a few rows ahead: the fewer
//! free fields they have, the less likely the placement is to be completed. A row without any
//! makes the node nearly worthless.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use kit::rng::{Stream, unit};
use kit::search::Tree;
use kit::search::estimate::{Estimator, TracedNode, TracedRun, TreeEstimates};

/// The largest board of the tree.
pub const MAX_TREE_N: usize = 120;

/// The rows whose free fields make up a node's promise.
const AHEAD: u32 = 6;

/// The promise of a row without free fields: not zero, for its nodes belong to the tree.
const HOPELESS: f64 = 0.02;

/// The tree of all placements, row by row, on one board. Its value is the number of solutions.
#[derive(Clone, Copy, Debug)]
pub struct QueensTree(SizedTree);

/// The tree in the shortest words that hold a row.
#[derive(Clone, Copy, Debug)]
enum SizedTree {
    Short(RowTree<u32>),
    Middle(RowTree<u64>),
    Long(RowTree<u128>),
}

impl QueensTree {
    /// The tree of the `n` by `n` board, of [`MAX_TREE_N`] at most.
    pub fn new(n: u32) -> Self {
        Self(match n {
            0..=31 => SizedTree::Short(RowTree::new(n)),
            32..=63 => SizedTree::Middle(RowTree::new(n)),
            _ => SizedTree::Long(RowTree::new(n)),
        })
    }

    /// Returns what a run of an estimator finds.
    pub fn estimate(&self, estimator: Estimator, stream: &mut Stream) -> TreeEstimates {
        let draws = &mut || unit(stream);
        match &self.0 {
            SizedTree::Short(tree) => estimator.run(tree, draws),
            SizedTree::Middle(tree) => estimator.run(tree, draws),
            SizedTree::Long(tree) => estimator.run(tree, draws),
        }
    }

    /// Returns what a run finds, with its way down: of each node the columns held, a bit each.
    pub fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<u128> {
        match &self.0 {
            SizedTree::Short(tree) => tree.trace(estimator, stream),
            SizedTree::Middle(tree) => tree.trace(estimator, stream),
            SizedTree::Long(tree) => tree.trace(estimator, stream),
        }
    }
}

/// The tree of a board whose rows fit a word.
#[derive(Clone, Copy, Debug)]
struct RowTree<W> {
    n: u32,
    mask: W,
}

/// The columns and diagonals held, as they meet the next row, and the number of that row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Node<W> {
    columns: W,
    left: W,
    right: W,
    row: u32,
}

/// A row of fields.
trait RowWord:
    Copy
    + Default
    + Eq
    + Into<u128>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The lowest `n` fields.
    fn lowest_fields(n: u32) -> Self;
    /// The lowest field of those given.
    fn first(self) -> Self;
    /// Returns the number of fields.
    fn count(self) -> u32;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl RowWord for $word {
            #[inline]
            fn lowest_fields(n: u32) -> Self {
                ((1 as $word) << n) - 1
            }

            #[inline]
            fn first(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
        }
    )*};
}

word!(u32, u64, u128);

impl<W: RowWord> RowTree<W> {
    /// The tree of the `n` by `n` board; the word has more than `n` bits.
    fn new(n: u32) -> Self {
        Self {
            n,
            mask: W::lowest_fields(n),
        }
    }

    fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<u128> {
        let TracedRun { estimates, way } = estimator.trace(self, &mut || unit(stream));
        let columns = |at: TracedNode<Node<W>>| TracedNode {
            node: at.node.columns.into(),
            expanded: at.expanded,
        };
        TracedRun {
            estimates,
            way: way.into_iter().map(columns).collect(),
        }
    }

    /// The free fields of a row to come, `ahead` rows after the next, as far as is known.
    #[inline]
    fn free(&self, node: &Node<W>, ahead: u32) -> W {
        self.mask & !(node.columns | node.left << ahead | node.right >> ahead)
    }
}

impl<W: RowWord> Tree for RowTree<W> {
    type Node = Node<W>;

    fn root(&self) -> Node<W> {
        Node::default()
    }

    fn children(&self, node: &Node<W>, children: &mut Vec<Node<W>>) {
        let mut free = self.free(node, 0);
        while free != W::default() {
            let queen = free.first();
            free = free & !queen;
            children.push(Node {
                columns: node.columns | queen,
                left: (node.left | queen) << 1,
                right: (node.right | queen) >> 1,
                row: node.row + 1,
            });
        }
    }

    fn value(&self, node: &Node<W>) -> f64 {
        f64::from(u8::from(node.row == self.n))
    }

    fn stratum(&self, node: &Node<W>) -> u64 {
        let counts = (0..2).map(|ahead| u64::from(self.free(node, ahead).count()));
        counts.fold(0, |stratum, count| stratum << 8 | count)
    }

    fn promise(&self, node: &Node<W>) -> f64 {
        let rows = 0..AHEAD.min(self.n - node.row);
        let count = |ahead| HOPELESS + f64::from(self.free(node, ahead).count());
        rows.map(count).product::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{bitmask, known};
    use super::*;
    use kit::rng::Streams;
    use kit::search::{Budget, measure};

    #[test]
    fn the_tree_is_the_one_the_automaton_walks() {
        for n in 1..=8 {
            let size = measure(&RowTree::<u32>::new(n), Budget::UNLIMITED).unwrap();
            let profile = bitmask::tree_profile(n as usize);
            assert_eq!(size.nodes, profile.iter().sum::<u64>());
            assert_eq!(size.value, profile[n as usize] as f64);
        }
    }

    #[test]
    fn words_of_every_width_see_the_same_tree() {
        let narrow = measure(&RowTree::<u32>::new(7), Budget::UNLIMITED);
        assert_eq!(narrow, measure(&RowTree::<u64>::new(7), Budget::UNLIMITED));
        assert_eq!(narrow, measure(&RowTree::<u128>::new(7), Budget::UNLIMITED));
    }

    /// Seed 31: descents on boards of the last size for a word and of the first for the next, whose queens differ.
    #[test]
    fn every_board_has_a_word_that_holds_its_rows() {
        let key = Streams::new(31).key("descent");
        for n in [1, 31, 32, 63, 64, MAX_TREE_N as u32] {
            let tree = QueensTree::new(n);
            let TracedRun { estimates, way } =
                tree.trace(Estimator::Knuth, &mut key.stream(n.into()));
            let columns = way.iter().map(|at| at.node);
            assert!(columns.clone().all(|held| held >> n == 0), "{n}");
            assert!(columns.map(u128::count_ones).eq(0..way.len() as u32), "{n}");
            assert_eq!(estimates.expanded, way.len() as u64);
            assert!(way.len() as u32 > n / 2, "{n}");
        }
    }

    /// On four by four, a queen in the second column leaves 1, 2 and 3 fields free in the rows below.
    #[test]
    fn a_promise_and_a_stratum_are_made_of_the_free_fields_of_rows_to_come() {
        let tree = RowTree::<u32>::new(4);
        let children = |node: &Node<u32>| {
            let mut children = Vec::new();
            tree.children(node, &mut children);
            children
        };
        let root = tree.root();
        let below = children(&root);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        near(tree.promise(&root), 4.02 * 4.02);
        near(tree.promise(&below[1]), (1.02f64 * 2.02 * 3.02).sqrt());
        assert_eq!(
            [&root, &below[1]].map(|node| tree.stratum(node)),
            [0x404, 0x102]
        );
        let last = children(&below[1]);
        assert_eq!(last.len(), 1);
        assert_eq!((below[1].columns, last[0].columns), (0b10, 0b1010));
        // Six rows at most, though twelve are to come.
        near(RowTree::<u32>::new(12).promise(&root), 12.02f64.powi(3));
    }

    /// Seed 27. 40 runs of 1,000 nodes each come within 10 % of Q(20), 6 standard errors.
    #[test]
    fn a_population_finds_the_solutions_of_twenty_queens() {
        let key = Streams::new(27).key("descent");
        let tree = QueensTree::new(20);
        let sum: f64 = (0..40)
            .map(|index| {
                let mut stream = key.stream(index);
                let estimator = Estimator::Population { size: 1_000 };
                let weights = tree.estimate(estimator, &mut stream);
                weights.value.to_f64()
            })
            .sum();
        let truth = known::solutions(20).unwrap() as f64;
        assert!(
            (sum / 40.0 / truth - 1.0).abs() < 0.1,
            "{}",
            sum / 40.0 / truth
        );
    }
}
