//! The way down to the deepest node that a run expands.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Draws, Estimator, TreeEstimates};
use crate::search::Tree;

/// A node on the way down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedNode<N> {
    /// The node.
    pub node: N,
    /// Nodes of its depth that the run expanded.
    pub expanded: u64,
}

/// A run with its way down.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedRun<N> {
    /// What the run finds.
    pub estimates: TreeEstimates,
    /// The nodes down to the deepest that it expands.
    pub way: Vec<TracedNode<N>>,
}

impl Estimator {
    /// Estimates a tree in a run, as [`Estimator::run`] makes it, with its way down: the deepest node that
    /// it expands, of several the first with a value, after all nodes above it.
    pub fn trace<T: Tree>(self, tree: &T, draws: &mut impl Draws) -> TracedRun<T::Node> {
        let traced = TracedTree {
            tree,
            depths: RefCell::default(),
        };
        let estimates = self.run(&traced, draws);
        TracedRun {
            estimates,
            way: traced.way(),
        }
    }
}

/// A tree that remembers which of its nodes are expanded.
struct TracedTree<'a, T: Tree> {
    tree: &'a T,
    /// The number of nodes expanded at each depth, and the best of them.
    depths: RefCell<Vec<(u64, TracedStep<T::Node>)>>,
}

type TracedStep<N> = Rc<LinkedNode<N>>;

/// A node and all nodes above it.
struct LinkedNode<N> {
    node: N,
    depth: usize,
    above: Option<TracedStep<N>>,
}

impl<T: Tree> TracedTree<'_, T> {
    fn note(&self, step: &TracedStep<T::Node>) {
        let mut depths = self.depths.borrow_mut();
        match depths.get_mut(step.depth) {
            None => depths.push((1, Rc::clone(step))),
            Some((expanded, best)) => {
                *expanded += 1;
                if self.value(best) <= 0.0 && self.value(step) > 0.0 {
                    *best = Rc::clone(step);
                }
            }
        }
    }

    /// The way to the best of the deepest nodes.
    fn way(&self) -> Vec<TracedNode<T::Node>> {
        let depths = self.depths.borrow();
        let deepest = depths.last().map(|(_, best)| Rc::clone(best));
        let steps = std::iter::successors(deepest, |step| step.above.clone());
        let mut way: Vec<_> = (steps.zip(depths.iter().rev()))
            .map(|(step, (expanded, _))| TracedNode {
                node: step.node.clone(),
                expanded: *expanded,
            })
            .collect();
        way.reverse();
        way
    }
}

impl<T: Tree> Tree for TracedTree<'_, T> {
    type Node = TracedStep<T::Node>;

    fn root(&self) -> Self::Node {
        Rc::new(LinkedNode {
            node: self.tree.root(),
            depth: 0,
            above: None,
        })
    }

    fn children(&self, step: &Self::Node, children: &mut Vec<Self::Node>) {
        self.note(step);
        let mut nodes = Vec::new();
        self.tree.children(&step.node, &mut nodes);
        let below = |node| {
            Rc::new(LinkedNode {
                node,
                depth: step.depth + 1,
                above: Some(Rc::clone(step)),
            })
        };
        children.extend(nodes.into_iter().map(below));
    }

    fn value(&self, step: &Self::Node) -> f64 {
        self.tree.value(&step.node)
    }

    fn merge_key(&self, step: &Self::Node) -> Option<u128> {
        self.tree.merge_key(&step.node)
    }

    fn stratum(&self, step: &Self::Node) -> u64 {
        self.tree.stratum(&step.node)
    }

    fn promise(&self, step: &Self::Node) -> f64 {
        self.tree.promise(&step.node)
    }
}
