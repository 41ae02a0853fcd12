//! The tree of a deal: every sequence of moves, as the program of chapter 19 would walk it without
//! its table of positions.
//!
//! It is estimated by random descents, and measured exactly by expanding each position once for
//! each depth. It shows what the table saves. Wetherell, *Etudes for Programmers*, chapter 19.

use super::RULES;
use super::card::{Card, CardSet};
use super::deal::Deal;
use super::draw;
use super::etude::{self, TABLE_LIMIT};
use super::layout::Layout;
use super::params::{LAYOUT, layout};
use super::position::Position;
use crate::estimate::{ESTIMATOR, EXPANDED, POPULATION, estimator, frames, size};
use kit::rng::{StreamKey, Streams, unit};
use kit::search::estimate::{Estimator, TreeEstimates, measure_merged};
use kit::search::{Budget, Tree, Weight};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, Params, Replay, Row, SampleError, Task, TaskSpec,
    Value, Worker, Workspace, counted,
};

/// The task `klondike/tree`.
pub const TREE: TaskSpec = TaskSpec {
    name: Borrowed("klondike/tree"),
    summary: Borrowed(
        "size of a deal's tree of move sequences, estimated and exact, beside its positions",
    ),
    sample: Borrowed("one shuffled deal, its tree estimated by one run and then measured"),
    noun: Borrowed("deal"),
    is_random: true,
    params: Borrowed(&[LAYOUT, ESTIMATOR, POPULATION]),
    metrics: Borrowed(&[
        Metric::weight(
            "estimate",
            "nodes",
            "Nodes of the tree as estimated by the run.",
        ),
        Metric::weight("tree", "nodes", "Nodes of the tree, counted exactly."),
        Metric::flag("million", "The tree has more than a million nodes."),
        Metric::flag(
            "within-2",
            "The estimate is within a factor of two of the tree's size.",
        ),
        Metric::flag(
            "within-10",
            "The estimate is within a factor of ten of the tree's size.",
        ),
        Metric::total(
            "positions",
            "positions",
            "Distinct positions that algorithm `etude` examines with its table.",
        ),
        EXPANDED,
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(TreeTask::new(params)?))),
};

/// A flag of a tree that could not be measured.
const UNKNOWN: Value = Value::Bounds { lower: 0, upper: 1 };

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
}

impl TreePosition {
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

struct TreeTask {
    layout: Layout,
    estimator: Estimator,
}

impl TreeTask {
    fn new(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            layout: layout(params)?,
            estimator: estimator(params)?,
        })
    }

    fn worker(&self, streams: &Streams) -> TreeWorker<'_> {
        TreeWorker {
            task: self,
            deals: streams.key("deal"),
            descents: streams.key("descent"),
        }
    }
}

impl Task for TreeTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(self.worker(streams))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn rules(&self) -> String {
        RULES.to_owned()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let worker = self.worker(streams);
        let deal = worker.deal(draw);
        let mut stream = worker.descents.stream(draw.index);
        let (weights, way) =
            (self.estimator).trace(&MoveTree::new(&deal), &mut || unit(&mut stream));
        let exact = exact(&deal, draw.budget);
        let known = exact.map_or("past the budget".to_owned(), size);
        Ok(Replay {
            instance: format!("{deal}, {}", self.estimator),
            frames: frames(way, frame),
            outcome: format!(
                "estimated size of the tree: {}; its true size: {known}; {} expanded",
                size(weights.nodes),
                counted(weights.expanded, "node")
            ),
        })
    }
}

/// The last position on a way down from the deal, as a step of a story.
fn frame(way: &[TreePosition]) -> Frame {
    let [.., last] = way else {
        return Frame::default();
    };
    let before = way.iter().rev().nth(1);
    let moved = before.and_then(|before| (last.moved - before.moved).next());
    draw::frame(&last.position, moved)
}

struct TreeWorker<'task> {
    task: &'task TreeTask,
    deals: StreamKey,
    descents: StreamKey,
}

impl TreeWorker<'_> {
    fn deal(&self, draw: Draw) -> Deal {
        Deal::draw(&self.task.layout, &mut self.deals.stream(draw.index))
    }

    fn estimate(&self, deal: &Deal, draw: Draw) -> TreeEstimates {
        let mut stream = self.descents.stream(draw.index);
        let tree = MoveTree::new(deal);
        self.task.estimator.run(&tree, &mut || unit(&mut stream))
    }
}

impl Worker for TreeWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let deal = self.deal(draw);
        let weights = self.estimate(&deal, draw);
        let exact = exact(&deal, draw.budget);
        row.push(Value::Weight(weights.nodes));
        row.push(exact.map_or(Value::Missing, Value::Weight));
        row.push(exact.map_or(UNKNOWN, |nodes| Value::flag(nodes.ratio(Weight::ONE) > 1e6)));
        row.push(within(2.0, weights.nodes, exact));
        row.push(within(10.0, weights.nodes, exact));
        let examined = etude::solve(&deal, draw.budget).positions;
        row.push(Value::Exact(examined as i64));
        row.push(Value::Exact(weights.expanded as i64));
        Ok(())
    }
}

/// The nodes of a deal's tree; `None` where the budget, or the room for positions, does not
/// cover it.
fn exact(deal: &Deal, budget: Budget) -> Option<Weight> {
    let covered = Budget::nodes(budget.limit().min(TABLE_LIMIT as u64));
    let measured = measure_merged(&MoveTree::new(deal), covered);
    measured.map(|weights| weights.nodes)
}

/// Returns a flag: true if an estimate is within a factor of the truth. A tree has at least one
/// node.
fn within(factor: f64, estimate: Weight, exact: Option<Weight>) -> Value {
    exact.map_or(UNKNOWN, |exact| {
        let ratio = estimate.ratio(exact);
        Value::flag(ratio <= factor && ratio * factor >= 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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
                    let weights = estimator.run(&tree, &mut || unit(&mut stream));
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
