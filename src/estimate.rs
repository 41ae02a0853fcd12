//! The random experiment of estimating a search tree, whatever the game: its parameters, and the
//! task whose samples are independent runs of one estimator over one tree.
//!
//! Knows trees and estimators ([`kit::search::estimate`]) and no game.

use base::counted;
use kit::rng::{Stream, StreamKey, Streams};
use kit::search::Weight;
use kit::search::estimate::{Estimator, TracedNode, TracedRun, TreeEstimates};
use task::{
    Draw, Frame, Metric, ParamError, ParamSpec, Params, Replay, SampleError, Task, Truth, Value,
    Worker, Workspace, worker_of,
};

/// The parameter that names the estimator.
pub const ESTIMATOR: ParamSpec =
    ParamSpec::choice("estimator", Estimator::NAMES, "How the tree is sampled")
        .or_text("population");

/// The size of its population.
pub const POPULATION: ParamSpec = ParamSpec::integer(
    "population",
    (1, 1_000_000),
    "Nodes kept at each depth by the population",
)
.or_integer(10_000);

/// The cost of a run: the last metric of every estimate.
pub const EXPANDED: Metric = Metric::total(
    "expanded",
    "nodes",
    "Nodes that the run expanded: its cost.",
);

/// The estimator of a task's parameters.
///
/// # Errors
/// If the parameters are missing or do not go together.
pub fn estimator(params: &Params) -> Result<Estimator, ParamError> {
    let name = params.text("estimator")?;
    let size = params.integer("population")? as usize;
    Estimator::named(name, size).ok_or_else(|| {
        ParamError::new(
            "estimator",
            format!("there is no estimator `{name}`"),
            format!("give one of {}", Estimator::NAMES.join(", ")),
        )
    })
}

/// A tree with what is asked of it.
pub trait Estimated: Send + Sync {
    /// A node.
    type Node;

    /// Returns what a run of an estimator finds. The game runs it: there the search is compiled.
    fn estimate(&self, estimator: Estimator, stream: &mut Stream) -> TreeEstimates;

    /// Returns the same, with its way down.
    fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<Self::Node>;

    /// Returns the name of the tree for a person.
    fn name(&self) -> String;

    /// The rules of the game; see [`Task::rules`].
    fn rules(&self) -> String {
        String::new()
    }

    /// The two weights that are reported, each with its metric's name.
    fn weights(&self, weights: &TreeEstimates) -> [(&'static str, Weight); 2];

    /// Draws the last of the nodes on a way down from the root, as a step of a story.
    fn frame(&self, way: &[Self::Node]) -> Frame;

    /// Returns the exact value of a metric, where it is known.
    fn truth(&self, metric: &str) -> Option<Truth>;

    /// Returns whether an estimator hides most of a metric; see [`Task::mean_untrustworthy`]. A promise made for one of
    /// the two weights may avoid what makes most of the other.
    fn mean_untrustworthy(&self, estimator: Estimator, metric: &str) -> bool {
        let _ = (estimator, metric);
        false
    }
}

/// Runs of an estimator over one tree; the row holds the two weights and the cost.
pub struct EstimateTask<E> {
    subject: E,
    estimator: Estimator,
}

impl<E: Estimated> EstimateTask<E> {
    /// The task of estimating a tree.
    pub fn new(subject: E, estimator: Estimator) -> Self {
        Self { subject, estimator }
    }
}

/// The stream of an estimator's decisions.
fn key(streams: &Streams) -> StreamKey {
    streams.key("descent")
}

impl<E: Estimated> Task for EstimateTask<E> {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = key(streams);
        worker_of(move |draw, row| {
            let mut stream = key.stream(draw.index);
            let weights = self.subject.estimate(self.estimator, &mut stream);
            for (_, weight) in self.subject.weights(&weights) {
                row.push(Value::Weight(weight));
            }
            row.push(Value::Exact(weights.expanded as i64));
            Ok(())
        })
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut stream = key(streams).stream(draw.index);
        let TracedRun { estimates, way } = self.subject.trace(self.estimator, &mut stream);
        let sizes = self.subject.weights(&estimates);
        let [first, second] = sizes.map(|(metric, weight)| format!("{} {metric}", size(weight)));
        Ok(Replay {
            instance: format!("{}, {}", self.subject.name(), self.estimator),
            frames: frames(way, |way| self.subject.frame(way)),
            outcome: format!(
                "{first} and {second}, from {} expanded",
                counted(estimates.expanded, "node")
            ),
        })
    }

    fn rules(&self) -> String {
        self.subject.rules()
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        self.subject.truth(metric)
    }

    fn mean_untrustworthy(&self, metric: &str) -> bool {
        self.subject.mean_untrustworthy(self.estimator, metric)
    }
}

/// The steps of a run's way down, each told by `frame` from the nodes down to it.
pub fn frames<N>(way: Vec<TracedNode<N>>, frame: impl Fn(&[N]) -> Frame) -> Vec<Frame> {
    let (nodes, expanded): (Vec<N>, Vec<u64>) =
        way.into_iter().map(|at| (at.node, at.expanded)).unzip();
    let told = |(depth, expanded): (usize, u64)| {
        let mut frame = frame(&nodes[..=depth]);
        if expanded > 1 {
            frame.caption += &format!(", one of {expanded} nodes at this depth");
        }
        frame
    };
    (0..nodes.len()).zip(expanded).map(told).collect()
}

/// A weight for a person, to four digits: `0`, `2057`, `1.234e12`. It may be greater than any number
/// of the machine.
pub fn size(weight: Weight) -> String {
    if weight.is_zero() {
        return "0".to_owned();
    }
    let power = weight.log10();
    if (0.0..4.0).contains(&power) {
        return format!("{:.0}", libm::pow(10.0, power));
    }
    let whole = power.floor();
    format!("{:.3}e{whole}", libm::pow(10.0, power - whole))
}
