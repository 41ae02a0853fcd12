//! Heterogeneous sampling (Chen 1992): of the nodes of one depth and stratum, one is expanded in
//! the name of all.
//!
//! When a node of weight w meets a stratum of total weight W, it becomes the representative with
//! probability w / (W + w): so each node is expanded with a probability in proportion to its
//! weight, and the weights of the next depth are unbiased whatever the strata.

use std::collections::BTreeMap;

use super::{Draws, TreeEstimates};
use crate::search::{Tree, Weight};

/// Estimates a tree by a run from the root, depth by depth.
pub(super) fn sample<T: Tree>(tree: &T, draws: &mut impl Draws) -> TreeEstimates {
    let mut weights = TreeEstimates::NONE;
    let mut level = BTreeMap::from([(0, (tree.root(), Weight::ONE))]);
    let mut children = Vec::new();
    while !level.is_empty() {
        let mut next: BTreeMap<u64, (T::Node, Weight)> = BTreeMap::new();
        for (node, weight) in level.into_values() {
            children.clear();
            tree.children(&node, &mut children);
            weights.visit(weight, tree.value(&node), children.is_empty());
            for child in children.drain(..) {
                join(&mut next, tree.stratum(&child), (child, weight), draws);
            }
        }
        level = next;
    }
    weights
}

fn join<N>(
    level: &mut BTreeMap<u64, (N, Weight)>,
    stratum: u64,
    (node, weight): (N, Weight),
    draws: &mut impl Draws,
) {
    let Some((representative, total)) = level.get_mut(&stratum) else {
        level.insert(stratum, (node, weight));
        return;
    };
    *total = *total + weight;
    if draws.chance(weight.ratio(*total)) {
        *representative = node;
    }
}
