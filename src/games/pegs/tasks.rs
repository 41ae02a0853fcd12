//! The random experiments: random play, estimates of the solutions, figures by algorithm.

use std::sync::OnceLock;

use super::problem::{self, Named};
use super::solve::{Answer, Problem};
use super::tree::GameTree;
use crate::rng::{StreamKey, Streams, unit};
use crate::search::Budget;
use crate::search::estimate::{Estimator, Weights};
use crate::task::{
    Draw, Metric, ParamDefault, ParamError, ParamKind, ParamSpec, Params, Replay, Row, Task,
    TaskSpec, Truth, Value, Worker,
};

/// Classes of positions that an exact answer may hold when a truth is asked for.
const TRUTH: Budget = Budget::nodes(40_000_000);

/// The problem a task is about: by name, or by board and pegs.
pub const PROBLEM: [ParamSpec; 4] = [
    text(
        "problem",
        "A problem by name; `given` for the board and pegs below",
        "central",
    ),
    text(
        "board",
        "english, french, or drawn, for a `given` problem",
        "english",
    ),
    text("start", "The pegs at first of a `given` problem", ""),
    text("end", "The pegs at last of a `given` problem", ""),
];

const fn text(name: &'static str, summary: &'static str, default: &'static str) -> ParamSpec {
    ParamSpec {
        name,
        summary,
        kind: ParamKind::Text,
        default: ParamDefault::Text(default),
    }
}

/// The problem of a task's parameters.
pub fn problem_of(params: &Params, diagonal: bool) -> Result<Problem, ParamError> {
    let name = params.text("problem")?;
    let found = match Named::find(name) {
        Some(named) => named.problem(diagonal),
        None if name == "given" => {
            let ends = (params.text("start")?, params.text("end")?);
            problem::parse(name, params.text("board")?, ends, diagonal)
        }
        None => {
            return Err(ParamError::new(
                "problem",
                format!("there is no problem `{name}`"),
                "give central, latin-cross, another of `etude solve pegs --help`, or `given`",
            ));
        }
    };
    found.map_err(|error| ParamError::new(error.part, error.message, error.help))
}

/// Estimates of the number of solutions.
pub const ESTIMATE: TaskSpec = TaskSpec {
    name: "pegs/estimate",
    summary: "Solutions and games of a peg problem, estimated without searching",
    sample: "one independent run of the estimator",
    params: &[
        PROBLEM[0],
        PROBLEM[1],
        PROBLEM[2],
        PROBLEM[3],
        ParamSpec {
            name: "estimator",
            summary: "How the tree of games is sampled",
            kind: ParamKind::Choice(Estimator::NAMES),
            default: ParamDefault::Text("population"),
        },
        ParamSpec {
            name: "population",
            summary: "Positions kept at each jump by the population",
            kind: ParamKind::Integer {
                min: 1,
                max: 1_000_000,
            },
            default: ParamDefault::Integer(10_000),
        },
    ],
    metrics: &[
        Metric::weight(
            "solutions",
            "sequences",
            "Estimate of the jump sequences that solve it",
        ),
        Metric::weight(
            "games",
            "games",
            "Estimate of all games, played to where no peg can jump",
        ),
        Metric::total(
            "expanded",
            "nodes",
            "Positions expanded by the run: its cost",
        ),
    ],
    contest: None,
    build: |params| {
        let problem = problem_of(params, false)?;
        let name = params.text("estimator")?;
        let size = params.integer("population")? as usize;
        let estimator = Estimator::named(name, size).ok_or_else(|| {
            ParamError::new("estimator", format!("there is no estimator `{name}`"), "")
        })?;
        Ok(Box::new(EstimateTask {
            tree: GameTree::new(&problem),
            problem,
            estimator,
            solutions: OnceLock::new(),
        }))
    },
};

struct EstimateTask {
    problem: Problem,
    tree: GameTree,
    estimator: Estimator,
    solutions: OnceLock<Option<u128>>,
}

impl EstimateTask {
    fn run(&self, key: &StreamKey, draw: Draw) -> Weights {
        let mut stream = key.stream(draw.index);
        self.estimator.run(&self.tree, &mut || unit(&mut stream))
    }

    fn exact(&self) -> Option<u128> {
        match self.problem.solve(&mut TRUTH.meter()) {
            Answer::Solved(solution) => Some(solution.solutions),
            Answer::Unreachable(_) => Some(0),
            Answer::Unresolved => None,
        }
    }
}

impl Task for EstimateTask {
    fn worker<'task>(&'task self, streams: &Streams) -> Box<dyn Worker + 'task> {
        Box::new(EstimateWorker {
            task: self,
            key: streams.key("descent"),
        })
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Replay {
        let weights = self.run(&streams.key("descent"), draw);
        Replay {
            instance: format!("{}, {:?}", self.problem.name, self.estimator),
            frames: Vec::new(),
            outcome: format!(
                "10^{:.4} solutions in 10^{:.4} games, from {} positions expanded",
                weights.value.log10(),
                weights.leaves.log10(),
                weights.expanded
            ),
        }
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        if metric != "solutions" {
            return None;
        }
        self.solutions
            .get_or_init(|| self.exact())
            .map(|count| Truth {
                value: count as f64,
                source: "counted exactly over the solution graph".to_owned(),
            })
    }
}

struct EstimateWorker<'task> {
    task: &'task EstimateTask,
    key: StreamKey,
}

impl Worker for EstimateWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) {
        let weights = self.task.run(&self.key, draw);
        row.push(Value::Weight(weights.value));
        row.push(Value::Weight(weights.leaves));
        row.push(Value::Exact(weights.expanded as i64));
    }
}
