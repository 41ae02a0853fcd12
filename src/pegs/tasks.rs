//! The problem a task is about, and the experiment that estimates its solutions.

use std::borrow::Cow::Borrowed;
use std::sync::OnceLock;

use super::story;
use crate::estimate::{ESTIMATOR, EXPANDED, EstimateTask, Estimated, POPULATION, estimator};
use kit::rng::Stream;
use kit::search::estimate::{Estimator, TracedRun, TreeEstimates};
use kit::search::{Budget, Weight};
use pegs::board::Position;
use pegs::problem::{self, NamedProblem, PegProblemError};
use pegs::solve::{ExactAnswer, PegProblem};
use pegs::tree::GameTree;
use task::{Build, Frame, Metric, ParamError, ParamSpec, Params, TaskSpec, Truth};

/// Classes of positions that an exact answer may hold when a truth is asked for.
const TRUTH: Budget = Budget::nodes(40_000_000);

// The problem a task is about: by name, or by board and pegs.

/// The problem's name.
pub const PROBLEM: ParamSpec = ParamSpec::text(
    "problem",
    "A problem by name; `given` for the board and pegs below",
)
.or_text("central");

/// The board.
pub const BOARD: ParamSpec =
    ParamSpec::text("board", "english, french, or drawn, for a `given` problem").or_text("english");

/// Pegs at the start.
pub const START: ParamSpec =
    ParamSpec::text("start", "Pegs at the start of a `given` problem").or_text("");

/// Pegs at the end.
pub const END: ParamSpec =
    ParamSpec::text("end", "Pegs at the end of a `given` problem").or_text("");

/// The error of a parameter that holds a part of a problem.
pub fn refuse(error: PegProblemError) -> ParamError {
    ParamError::new(error.part, error.message, error.help)
}

/// The problem of a task's parameters.
pub fn problem_of(params: &Params, diagonal: bool) -> Result<PegProblem, ParamError> {
    let name = params.text("problem")?;
    match NamedProblem::find(name) {
        Some(named) => {
            // A board or pegs beside a name would be those of another problem.
            for (part, default) in [("board", "english"), ("start", ""), ("end", "")] {
                if params.text(part)? != default {
                    let message = format!("the problem `{name}` has a {part} of its own");
                    let help = format!("write `problem = \"given\"`, or leave `{part}` out");
                    return Err(ParamError::new(part, message, help));
                }
            }
            named.problem(diagonal).map_err(refuse)
        }
        None if name == "given" => {
            let ends = (params.text("start")?, params.text("end")?);
            if ends.0.trim().is_empty() {
                let message = "a `given` problem starts without a peg";
                let help = "name its pegs: `start = \"11 21\"`";
                return Err(ParamError::new("start", message, help));
            }
            problem::parse(name, params.text("board")?, ends, diagonal).map_err(refuse)
        }
        None => Err(ParamError::new(
            "problem",
            format!("there is no problem `{name}`"),
            "give central, latin-cross, another of `etude solve pegs --help`, or `given`",
        )),
    }
}

/// Estimates of the number of solutions.
pub const ESTIMATE: TaskSpec = TaskSpec {
    name: Borrowed("pegs/estimate"),
    summary: Borrowed("Solutions and games of a peg problem, estimated without searching"),
    sample: Borrowed("one independent run of the estimator"),
    noun: Borrowed("run"),
    is_random: true,
    params: Borrowed(&[PROBLEM, BOARD, START, END, ESTIMATOR, POPULATION]),
    metrics: Borrowed(&[SOLUTIONS, GAMES, EXPANDED]),
    contest: None,
    build: Build::By(|params| {
        let problem = problem_of(params, false)?;
        let games = AllGames {
            tree: GameTree::new(&problem),
            problem,
            solutions: OnceLock::new(),
        };
        Ok(Box::new(EstimateTask::new(games, estimator(params)?)))
    }),
};

const SOLUTIONS: Metric = Metric::weight(
    "solutions",
    "solutions",
    "Estimated number of jump sequences that solve the problem.",
);

const GAMES: Metric = Metric::weight(
    "games",
    "games",
    "Estimated number of games, each played until no peg can jump.",
);

struct AllGames {
    problem: PegProblem,
    tree: GameTree,
    solutions: OnceLock<Option<u128>>,
}

impl AllGames {
    fn exact(&self) -> Option<u128> {
        match self.problem.solve(&mut TRUTH.meter()) {
            ExactAnswer::Solved(solution) => Some(solution.solutions),
            ExactAnswer::Unreachable(_) => Some(0),
            ExactAnswer::Unresolved => None,
        }
    }
}

impl Estimated for AllGames {
    type Node = Position;

    fn estimate(&self, estimator: Estimator, stream: &mut Stream) -> TreeEstimates {
        self.tree.estimate(estimator, stream)
    }

    fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<Position> {
        self.tree.trace(estimator, stream)
    }

    fn name(&self) -> String {
        self.problem.name.clone()
    }

    fn weights(&self, weights: &TreeEstimates) -> [(&'static str, Weight); 2] {
        [("solutions", weights.value), ("games", weights.leaves)]
    }

    fn rules(&self) -> String {
        self.problem.board.rules()
    }

    fn frame(&self, way: &[Position]) -> Frame {
        let board = &self.problem.board;
        let &[.., pegs] = way else {
            return Frame::default();
        };
        let last = way.iter().rev().nth(1);
        let jump = last.and_then(|before| {
            let mut jumps = board.jumps(*before);
            jumps.find(|jump| before ^ jump.mask() == pegs)
        });
        story::frame(board, pegs, jump)
    }

    /// The promise aims at solutions. One descent in thousands ends where there are many games and
    /// none, with a weight that makes most of the mean.
    fn mean_untrustworthy(&self, estimator: Estimator, metric: &str) -> bool {
        estimator == Estimator::Importance && metric == "games"
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        if metric != "solutions" {
            return None;
        }
        self.solutions
            .get_or_init(|| self.exact())
            .map(|count| Truth {
                value: count as f64,
                source: "an exact count over the solution graph".to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::ParamValue;

    /// What would be of no effect, or of another problem than it seems, is refused at its key.
    #[test]
    fn a_problem_is_named_or_given_whole() {
        let read = |values: &[(&str, &str)]| {
            let mut params = Params::defaults(&[PROBLEM, BOARD, START, END]);
            for &(name, value) in values {
                params.set(name, ParamValue::Text(value.to_owned().into()));
            }
            problem_of(&params, false)
        };
        let given = [
            ("problem", "given"),
            ("board", "ooo"),
            ("start", "11 21"),
            ("end", "31"),
        ];
        assert!(read(&[]).is_ok() && read(&given).is_ok());
        for (values, part) in [
            (&given[1..2], "board"),
            (&given[2..3], "start"),
            (&given[3..], "end"),
            (&given[..2], "start"),
        ] {
            assert_eq!(read(values).unwrap_err().name, part, "{values:?}");
        }
    }
}
