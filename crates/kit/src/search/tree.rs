//! Search trees, as the estimators of [`super::estimate`] see them.
//!
//! A tree is known by its root and by the children of any node; everything else has a default.
//! Knows no game. An engine that implements [`Tree`] can have its searches measured by sampling
//! before they are run: Knuth 1975, "Estimating the efficiency of backtrack programs".

use super::{Budget, Meter};

/// A finite rooted tree, expanded on demand.
pub trait Tree {
    /// A node: all that its subtree depends on.
    type Node: Clone;

    /// The root.
    fn root(&self) -> Self::Node;

    /// Appends the children of a node, always in the same order.
    fn children(&self, node: &Self::Node, children: &mut Vec<Self::Node>);

    /// Returns the part of the tree's value at a node, not negative: 1 for a solution, say.
    fn value(&self, node: &Self::Node) -> f64 {
        let _ = node;
        0.0
    }

    /// A key that nodes of one depth share only if their subtrees are alike in shape and value,
    /// so that one can stand for all; `None` where no two nodes do.
    fn merge_key(&self, node: &Self::Node) -> Option<u128> {
        let _ = node;
        None
    }

    /// The stratum of a node among those of its depth, for heterogeneous sampling: nodes with
    /// subtrees of about one size should share one. Any choice is unbiased; few strata are quick.
    fn stratum(&self, node: &Self::Node) -> u64 {
        let _ = node;
        0
    }

    /// A guess, positive, at how much of the tree lies below a node, relative to others of its
    /// depth. Any choice is unbiased.
    fn promise(&self, node: &Self::Node) -> f64 {
        let _ = node;
        1.0
    }
}

/// The size of a whole tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeSize {
    /// Nodes, the root included.
    pub nodes: u64,
    /// Nodes without children.
    pub leaves: u64,
    /// The sum of all values.
    pub value: f64,
}

/// Walks a tree node by node; `None` past the budget.
pub fn measure<T: Tree>(tree: &T, budget: Budget) -> Option<TreeSize> {
    let mut walk = RandomDescent {
        tree,
        meter: budget.meter(),
        size: TreeSize::default(),
        // Nodes still to be visited, the next on top.
        open: vec![tree.root()],
    };
    walk.run().then_some(walk.size)
}

struct RandomDescent<'a, T: Tree> {
    tree: &'a T,
    meter: Meter,
    size: TreeSize,
    open: Vec<T::Node>,
}

impl<T: Tree> RandomDescent<'_, T> {
    /// Returns whether the budget covered the whole tree.
    fn run(&mut self) -> bool {
        while let Some(node) = self.open.pop() {
            if !self.meter.spend() {
                return false;
            }
            let before = self.open.len();
            self.tree.children(&node, &mut self.open);
            self.size.nodes += 1;
            self.size.leaves += u64::from(self.open.len() == before);
            self.size.value += self.tree.value(&node);
        }
        true
    }
}
