//! Random descents (Knuth 1975): a node reached with probability p stands for 1/p nodes.

use super::{Draws, TreeEstimates};
use crate::search::{Tree, Weight};

/// Estimates a tree by a descent from the root, each child chosen in proportion to `promise`.
pub(crate) fn descend<T: Tree>(
    tree: &T,
    promise: impl Fn(&T::Node) -> f64,
    draws: &mut impl Draws,
) -> TreeEstimates {
    let mut weights = TreeEstimates::NONE;
    let mut weight = Weight::ONE;
    let mut node = tree.root();
    let mut children = Vec::new();
    let mut promises = Vec::new();
    loop {
        children.clear();
        tree.children(&node, &mut children);
        weights.visit(weight, tree.value(&node), children.is_empty());
        if children.is_empty() {
            return weights;
        }
        promises.clear();
        promises.extend(children.iter().map(&promise));
        let (chosen, share) = pick(&promises, draws);
        weight = weight * Weight::new(1.0 / share);
        node = children.swap_remove(chosen);
    }
}

/// An index in proportion to the weights, and its probability.
fn pick(weights: &[f64], draws: &mut impl Draws) -> (usize, f64) {
    let first = weights[0];
    if weights.iter().all(|&weight| weight == first) {
        let len = weights.len();
        return (draws.index(len), 1.0 / len as f64);
    }
    let total: f64 = weights.iter().sum();
    let mut rest = total;
    for (i, &weight) in weights.iter().enumerate().skip(1).rev() {
        if draws.chance(weight / rest) {
            return (i, weight / total);
        }
        rest -= weight;
    }
    (0, first / total)
}
