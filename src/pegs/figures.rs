//! The experiments that solve problems: the figures by algorithm, and random solvable starts.

use super::story;
use super::tasks::{BOARD, END, PROBLEM, START, problem_of, refuse};
use base::grouped;
use kit::rng::{Stream, StreamKey, Streams, choose};
use kit::search::{Budget, Weight};
use pegs::answer::{Algorithm, PegAnswer};
use pegs::board::{Position, bits, hole_names};
use pegs::problem;
use pegs::solve::PegProblem;
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Params, Replay, SampleError, Task, TaskSpec, Value,
    Worker, Workspace, worker_of,
};

const ALGORITHM: ParamSpec = ParamSpec::choice(
    "algorithm",
    &["exact", "jump-model", "any"],
    "`exact`; `jump-model`: Arsac's program with iterative deepening; or `any`: any solution, by a search that keeps few positions after each jump",
)
.or_text("exact");

const DIAGONAL: ParamSpec = ParamSpec::flag(
    "diagonal",
    "Whether pegs also jump along diagonals, as Arsac's program allows",
)
.or_flag(false);

/// The metrics of one problem: its counts are exact, to the last digit.
const FIGURES_METRICS: [Metric; 5] = metrics(
    Metric::total(SOLUTIONS.0, SOLUTIONS.1, SOLUTIONS.2).as_answer(),
    Metric::total(FEWEST.0, FEWEST.1, FEWEST.2).as_answer(),
);

/// The metrics of random problems, whose counts are estimated as sizes of every order.
const SOLVABLE_METRICS: [Metric; 5] = metrics(
    Metric::weight(SOLUTIONS.0, SOLUTIONS.1, SOLUTIONS.2),
    Metric::weight(FEWEST.0, FEWEST.1, FEWEST.2),
);

/// Name, unit and meaning of a count of solutions.
type CountTexts = (&'static str, &'static str, &'static str);

const SOLUTIONS: CountTexts = (
    "solutions",
    "solutions",
    "Jump sequences that solve the problem (exact search only).",
);

const FEWEST: CountTexts = (
    "fewest",
    "solutions",
    "Solutions with the fewest moves (exact search only).",
);

const fn metrics(solutions: Metric, fewest: Metric) -> [Metric; 5] {
    [
        Metric::flag("solvable", "The target position can be reached."),
        Metric::integer(
            "moves",
            "moves",
            (0, 64),
            "Fewest moves to the target position.",
        ),
        solutions,
        fewest,
        Metric::total(
            "nodes",
            "nodes",
            "Positions stored by exact search, or jumps tried by Arsac's program.",
        ),
    ]
}

/// A count as the exact total of one problem; missing where it has more than 64 bits.
fn total(count: u128) -> Value {
    i64::try_from(count).map_or(Value::Missing, Value::Exact)
}

/// A count as the weight of a random problem.
fn weight(count: u128) -> Value {
    Value::Weight(Weight::new(count as f64))
}

/// The named problems, solved.
pub const FIGURES: TaskSpec = TaskSpec {
    name: Borrowed("pegs/figures"),
    summary: Borrowed("Fewest moves, solutions and nodes of a problem, by algorithm"),
    sample: Borrowed("the problem, solved; the same every time"),
    noun: Borrowed("problem"),
    is_random: false,
    params: Borrowed(&[PROBLEM, BOARD, START, END, ALGORITHM, DIAGONAL]),
    metrics: Borrowed(&FIGURES_METRICS),
    contest: None,
    build: Build::By(|params| {
        Ok(Box::new(SolveTask {
            problem: problem_of(params, params.flag("diagonal")?)?,
            unjumps: 0,
            algorithm: algorithm(params)?,
            count: total,
        }))
    }),
};

/// Random starts that can be solved.
pub const SOLVABLE: TaskSpec = TaskSpec {
    name: Borrowed("pegs/solvable-start"),
    summary: Borrowed("Fewest moves and search nodes of random positions that lead to a given end"),
    sample: Borrowed("one position, made by undoing random jumps from the end, solved"),
    noun: Borrowed("position"),
    is_random: true,
    params: Borrowed(&[
        BOARD,
        ParamSpec::text("end", "Pegs at the end").or_text("44"),
        ParamSpec::integer(
            "jumps",
            (0, 31),
            "Number of jumps undone; fewer where no more are possible",
        )
        .or_integer(8),
        ALGORITHM,
        DIAGONAL,
    ]),
    metrics: Borrowed(&SOLVABLE_METRICS),
    contest: None,
    build: Build::By(|params| {
        let diagonal = params.flag("diagonal")?;
        let end = params.text("end")?;
        let problem = problem::parse("random", params.text("board")?, (end, end), diagonal)
            .map_err(refuse)?;
        Ok(Box::new(SolveTask {
            problem,
            unjumps: params.integer("jumps")? as u32,
            algorithm: algorithm(params)?,
            count: weight,
        }))
    }),
};

/// Positions that the search for any solution holds after each number of jumps.
const WIDTH: usize = 2_000;

fn algorithm(params: &Params) -> Result<Algorithm, ParamError> {
    match params.text("algorithm")? {
        "exact" => Ok(Algorithm::Exact),
        "jump-model" => Ok(Algorithm::JumpModel),
        "any" => Ok(Algorithm::Any(WIDTH)),
        other => Err(ParamError::new(
            "algorithm",
            format!("there is no algorithm `{other}`"),
            "give exact, jump-model or any",
        )),
    }
}

/// The answer as a sentence.
fn tell(algorithm: Algorithm, answer: &PegAnswer) -> String {
    let moves = answer.moves;
    match (algorithm, answer.reachable) {
        (_, Some(false)) => match answer.reason {
            Some(reason) => format!("no way to the end: {}", reason.text()),
            None => "no way to the end".to_owned(),
        },
        (Algorithm::Any(_), Some(true)) => {
            format!("solved in {moves} moves, perhaps not the fewest")
        }
        (_, Some(true)) => match answer.counts {
            Some([solutions, fewest]) => format!(
                "fewest moves: {moves}; {}, {} of them that short",
                match solutions {
                    1 => "one solution".to_owned(),
                    _ => format!("{} solutions", grouped(&solutions.to_string())),
                },
                if fewest == solutions {
                    "all".to_owned()
                } else {
                    grouped(&fewest.to_string())
                }
            ),
            None => format!("solved in {moves} moves"),
        },
        (Algorithm::Any(_), None) => "no way to the end was found".to_owned(),
        (_, None) => "not settled within the budget".to_owned(),
    }
}

struct SolveTask {
    problem: PegProblem,
    /// Random jumps taken back from the start first.
    unjumps: u32,
    algorithm: Algorithm,
    /// The value of a count of solutions.
    count: fn(u128) -> Value,
}

impl SolveTask {
    /// The values of the metrics, in their order. Any solution says nothing of the fewest moves.
    fn values(&self, problem: &PegProblem, budget: Budget) -> [Value; 5] {
        let (algorithm, answer) = (self.algorithm, self.algorithm.solve(problem, budget));
        let solvable = match answer.reachable {
            Some(reachable) => Value::flag(reachable),
            None => Value::flag_bounds(false, true),
        };
        let moves = match (algorithm, answer.reachable) {
            (Algorithm::Any(_), _) | (_, Some(false)) => Value::Missing,
            (_, Some(true)) => Value::Exact(i64::from(answer.moves)),
            (_, None) => Value::bounds(i64::from(answer.at_least), i64::from(problem.jumps())),
        };
        let counts = (answer.counts).map_or([Value::Missing; 2], |counts| counts.map(self.count));
        let [solutions, fewest] = counts;
        let nodes = Value::Exact(answer.nodes as i64);
        [solvable, moves, solutions, fewest, nodes]
    }

    fn problem(&self, key: &StreamKey, index: u64) -> PegProblem {
        let mut problem = self.problem.clone();
        if self.unjumps > 0 {
            let mut stream = key.stream(index);
            problem.start = unjumped(&problem, self.unjumps, &mut stream);
        }
        problem
    }
}

/// A position from which the problem's start is reached by `count` jumps, or by fewer where no
/// more can be taken back; every last jump is equally likely at each step.
fn unjumped(problem: &PegProblem, count: u32, stream: &mut Stream) -> Position {
    let mut pegs = problem.start;
    let mut last_jumps = Vec::new();
    for _ in 0..count {
        last_jumps.clear();
        for way in problem.board.directions() {
            last_jumps.extend(bits(way.unmovable(pegs)).map(|from| way.jump(from)));
        }
        let Some(jump) = choose(stream, &last_jumps) else {
            break;
        };
        pegs ^= jump.mask();
    }
    pegs
}

impl Task for SolveTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = streams.key("start");
        worker_of(move |draw, row| {
            let problem = self.problem(&key, draw.index);
            let values = self.values(&problem, draw.budget);
            values.into_iter().for_each(|value| row.push(value));
            Ok(())
        })
    }

    /// The pegs at the start and at the end, parted by a slash.
    fn instance(&self, streams: &Streams, index: u64, form: Option<&str>) -> Option<String> {
        let problem = self.problem(&streams.key("start"), index);
        let names = [problem.start, problem.end].map(hole_names);
        form.is_none().then(|| names.join(" / "))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn rules(&self) -> String {
        self.problem.board.rules()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let problem = self.problem(&streams.key("start"), draw.index);
        let answer = self.algorithm.solve(&problem, draw.budget);
        Ok(Replay {
            instance: format!(
                "{} to {}",
                hole_names(problem.start),
                hole_names(problem.end)
            ),
            frames: story::story(&problem.board, problem.start, &answer.example),
            outcome: tell(self.algorithm, &answer),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::Row;

    fn row(spec: &TaskSpec, params: Params, draw: Draw) -> Row {
        let task = spec.build(&params).unwrap();
        let mut row = Row::new();
        task.worker(&Streams::new(44), &mut Workspace::new())
            .sample(draw, &mut row)
            .unwrap();
        row
    }

    /// Seed 44: twelve random starts; both algorithms must find the same fewest moves.
    #[test]
    fn both_algorithms_agree_on_random_solvable_starts() {
        for index in 0..12 {
            let draw = Draw {
                index,
                budget: Budget::UNLIMITED,
            };
            let params = Params::defaults(&SOLVABLE.params).with_integer("jumps", 7);
            let exact = row(&SOLVABLE, params.clone(), draw);
            let any = params.clone().with_text("algorithm", "any");
            let model = row(&SOLVABLE, params.with_text("algorithm", "jump-model"), draw);
            assert_eq!(exact.values()[..2], model.values()[..2]);
            assert_eq!(exact.values()[0], Value::flag(true));
            let any = row(&SOLVABLE, any, draw);
            assert_eq!(any.values()[..2], [Value::flag(true), Value::Missing]);
        }
    }

    /// Of 46 bits, more than a weight keeps.
    #[test]
    fn the_solutions_of_a_figure_are_counted_to_the_last_one() {
        let draw = Draw {
            index: 0,
            budget: Budget::UNLIMITED,
        };
        let params = Params::defaults(&FIGURES.params).with_text("problem", "inclined-square");
        let row = row(&FIGURES, params, draw);
        let counts = [51_986_959_602_344, 400].map(Value::Exact);
        assert_eq!(row.values()[2..4], counts);
        assert_eq!(total(1 << 63), Value::Missing);
    }

    #[test]
    fn a_problem_past_its_budget_is_bounded() {
        let draw = Draw {
            index: 0,
            budget: Budget::nodes(1_000),
        };
        for algorithm in ["exact", "jump-model"] {
            let params = Params::defaults(&FIGURES.params).with_text("algorithm", algorithm);
            let row = row(&FIGURES, params, draw);
            assert_eq!(row.values()[0], Value::flag_bounds(false, true));
            assert!(matches!(row.values()[1], Value::Bounds { upper: 31, .. }));
        }
    }
}
