//! The task `klondike/tree`: the tree of a deal, estimated by random descents and measured exactly,
//! beside the positions that the search with a table examines. It shows what the table saves.

use super::params::{LAYOUT, layout};
use super::story;
use crate::estimate::{ESTIMATOR, EXPANDED, POPULATION, estimator, frames, size};
use base::counted;
use kit::rng::{StreamKey, Streams};
use kit::search::Weight;
use kit::search::estimate::{Estimator, TracedRun, TreeEstimates};
use klondike::RULES;
use klondike::deal::Deal;
use klondike::etude;
use klondike::layout::Layout;
use klondike::tree::{MoveTree, TreePosition, exact};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, Params, Replay, Row, SampleError, Task, TaskSpec,
    Value, Worker, Workspace,
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
        let TracedRun { estimates, way } = MoveTree::new(&deal).trace(self.estimator, &mut stream);
        let exact = exact(&deal, draw.budget);
        let known = exact.map_or("past the budget".to_owned(), size);
        Ok(Replay {
            instance: format!("{deal}, {}", self.estimator),
            frames: frames(way, frame),
            outcome: format!(
                "estimated size of the tree: {}; its true size: {known}; {} expanded",
                size(estimates.nodes),
                counted(estimates.expanded, "node")
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
    let moved = before.and_then(|before| (last.moved() - before.moved()).next());
    story::frame(last.position(), moved)
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
        MoveTree::new(deal).estimate(self.task.estimator, &mut stream)
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

/// Returns a flag: true if an estimate is within a factor of the truth. A tree has at least one
/// node.
fn within(factor: f64, estimate: Weight, exact: Option<Weight>) -> Value {
    exact.map_or(UNKNOWN, |exact| {
        let ratio = estimate.ratio(exact);
        Value::flag(ratio <= factor && ratio * factor >= 1.0)
    })
}
