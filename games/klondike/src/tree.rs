//! The tree of a deal: every sequence of moves, as the program of chapter 19 would walk it without
//! its table of positions.
//!
//! The estimators of [`kit::search`] walk it by random descents; [`exact`] expands each position once
//! for each depth. Wetherell, *Etudes for Programmers*, chapter 19.

use super::card::{Card, CardSet};
use super::deal::Deal;
use super::etude::TABLE_LIMIT;
use super::position::Position;
use kit::rng::{Stream, unit};
use kit::search::estimate::{Estimator, TracedRun, TreeEstimates, measure_merged};
use kit::search::{Budget, Tree, Weight};

/// All sequences of moves from a deal.
pub struct MoveTree {
    root: TreePosition,
}

/// A position, with the cards moved on the way to it.
#[derive(Clone, Debug)]
pub struct TreePosition {
    position: Position,
    moved: CardSet,
}

impl MoveTree {
    /// The tree of a deal.
    pub fn new(deal: &Deal) -> Self {
        let root = TreePosition {
            position: Position::new(deal),
            moved: CardSet::EMPTY,
        };
        Self { root }
    }

    /// Returns what a run of an estimator finds.
    pub fn estimate(&self, estimator: Estimator, stream: &mut Stream) -> TreeEstimates {
        estimator.run(self, &mut || unit(stream))
    }

    /// Returns what a run finds, with its way down.
    pub fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<TreePosition> {
        estimator.trace(self, &mut || unit(stream))
    }
}

impl TreePosition {
    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The cards moved on the way to it.
    pub const fn moved(&self) -> CardSet {
        self.moved
    }

    fn play(&self, card: Card) -> Self {
        let mut next = self.clone();
        next.position.play(card);
        next.moved.insert(card);
        next
    }
}

impl Tree for MoveTree {
    type Node = TreePosition;

    fn root(&self) -> TreePosition {
        self.root.clone()
    }

    fn children(&self, node: &TreePosition, children: &mut Vec<TreePosition>) {
        let moves = node.position.moves().into_iter();
        children.extend(moves.map(|card| node.play(card)));
    }

    /// The cards moved and still in the tableau, and those on the foundations: they determine the
    /// position.
    fn merge_key(&self, node: &TreePosition) -> Option<u128> {
        let founded = node.position.founded();
        let moved = node.moved - founded;
        Some(u128::from(moved.bits()) << 64 | u128::from(founded.bits()))
    }

    fn stratum(&self, node: &TreePosition) -> u64 {
        let hidden = u64::from(node.position.face_down().len());
        (node.position.moves().len() as u64) << 8 | hidden
    }

    fn promise(&self, node: &TreePosition) -> f64 {
        0.5 + node.position.moves().len() as f64
    }
}

/// The nodes of a deal's tree; `None` where the budget, or the room for positions, does not
/// cover it.
pub fn exact(deal: &Deal, budget: Budget) -> Option<Weight> {
    let covered = Budget::nodes(budget.limit().min(TABLE_LIMIT as u64));
    let measured = measure_merged(&MoveTree::new(deal), covered);
    measured.map(|weights| weights.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etude;
    use crate::layout::Layout;
    use kit::rng::Streams;
    use kit::search::measure;
    use std::collections::{BTreeMap, BTreeSet};

    fn deals(seed: u64, count: u64) -> Vec<Deal> {
        let layout: Layout = "yukon".parse().unwrap();
        let key = Streams::new(seed).key("deal");
        (0..count)
            .map(|index| Deal::draw(&layout, &mut key.stream(index)))
            .collect()
    }

    /// Seed 19: of 60 deals, those whose trees can be walked node by node.
    #[test]
    fn the_measured_tree_is_the_one_that_is_walked() {
        let mut walked = 0;
        for deal in deals(19, 60) {
            let tree = MoveTree::new(&deal);
            let Some(size) = measure(&tree, Budget::nodes(20_000)) else {
                continue;
            };
            let weights = measure_merged(&tree, Budget::UNLIMITED).unwrap();
            assert_eq!(weights.nodes.to_f64(), size.nodes as f64, "{deal}");
            assert_eq!(weights.leaves.to_f64(), size.leaves as f64, "{deal}");
            walked += 1;
        }
        assert!(walked > 20, "{walked}");
    }

    /// Seed 20: on 20 deals merge keys tell exactly the positions that `etude` tells apart.
    #[test]
    fn merge_keys_stand_for_positions() {
        for deal in deals(20, 20) {
            let tree = MoveTree::new(&deal);
            let mut known = BTreeMap::new();
            let mut open = vec![tree.root()];
            let mut children = Vec::new();
            while let Some(node) = open.pop() {
                let arrangement = format!("{:?}", node.position.arrangement());
                if let Some(same) = known.insert(tree.merge_key(&node), arrangement.clone()) {
                    assert_eq!(same, arrangement);
                    continue;
                }
                tree.children(&node, &mut children);
                open.append(&mut children);
            }
            let arrangements: BTreeSet<&String> = known.values().collect();
            assert_eq!(arrangements.len(), known.len());
            let examined = etude::solve(&deal, Budget::UNLIMITED).positions;
            assert_eq!(known.len() as u64, examined, "{deal}");
        }
    }

    /// Seed 21: on ten deals the mean of 2,000 runs of each estimator is within 6 standard errors
    /// of the tree, or exact.
    #[test]
    fn every_estimator_centres_on_the_tree() {
        let mut compared = 0;
        for deal in deals(21, 10) {
            let tree = MoveTree::new(&deal);
            let truth = exact(&deal, Budget::nodes(2_000));
            let Some(truth) = truth.map(Weight::to_f64).filter(|&nodes| nodes < 1e4) else {
                continue;
            };
            for &name in Estimator::NAMES {
                let estimator = Estimator::named(name, 10).unwrap();
                let mut stream = Streams::new(21).key(name).stream(0);
                let runs = 2_000;
                let run = |_| {
                    let weights = tree.estimate(estimator, &mut stream);
                    weights.nodes.to_f64()
                };
                let estimates: Vec<f64> = (0..runs).map(run).collect();
                let mean = estimates.iter().sum::<f64>() / f64::from(runs);
                let squares: f64 = estimates.iter().map(|x| (x - mean).powi(2)).sum();
                let error = (squares / f64::from(runs - 1) / f64::from(runs)).sqrt();
                assert!(
                    (mean - truth).abs() <= 6.0 * error + 1e-9 * truth,
                    "{name}: {mean} for {truth}, {deal}"
                );
            }
            compared += 1;
        }
        assert!(compared >= 4, "{compared}");
    }
}
