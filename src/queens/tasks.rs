//! The random experiments: steps by version of the automaton, and trees estimated by sampling.

use super::verb::{ALGORITHMS, BITMASK};
use crate::estimate::{ESTIMATOR, EXPANDED, EstimateTask, Estimated, POPULATION, estimator};
use base::{count, counted};
use kit::rng::{Stream, Streams};
use kit::search::Weight;
use kit::search::estimate::{Estimator, TracedRun, TreeEstimates};
use queens::automaton::{self, Version};
use queens::tree::{MAX_TREE_N, QueensTree};
use queens::{bitmask, known, picture, placement};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, ParamSpec, Replay, Row, SampleError, Task, TaskSpec,
    Truth, Value, Worker, Workspace, worker_of,
};

/// Solutions that a replay draws at most: all of the usual board.
const MOST_SHOWN: usize = 92;

/// The largest board whose tree is counted for [`Task::truth`], in milliseconds.
const COUNTED: usize = 12;

/// The aim in one line.
const GOAL: &str = "Put a queen in every row so that no two share a column or a diagonal.";

/// The way of the automaton in two lines.
const STEPS: &str =
    "The automaton tries the fields of a row from the left, and goes back to the row above where \
none is free.
It finds every solution once, and ends.";

/// The way of an estimate in two lines.
const SAMPLED: &str = "The sampler adds one row at a time, and keeps some of the placements that are possible, drawn at random.
How many it leaves out each time tells how many solutions there are.";

/// The largest board that a replay draws at every step.
const MOST_DRAWN: usize = 32;

/// Steps of the automaton; nothing in it is random.
pub const AUTOMATON: TaskSpec = TaskSpec {
    name: Borrowed("queens/automaton"),
    summary: Borrowed("Steps of the backtracking automaton, version by version"),
    sample: Borrowed("one run to the end, the same every time"),
    noun: Borrowed("run"),
    is_random: false,
    params: Borrowed(&[
        ParamSpec::integer("n", (1, 16), "The board's side").or_integer(8),
        ParamSpec::choice(
            "version",
            &ALGORITHMS,
            "Which version of the automaton, or `bitmask`: counting by bit masks, without steps",
        )
        .or_text("automaton-4"),
    ]),
    metrics: Borrowed(&[
        Metric::total(
            "steps",
            "steps",
            "Squares examined, queens placed and queens removed, in total.",
        ),
        Metric::total(
            "examined",
            "fields",
            "Squares examined to place or find a queen.",
        ),
        Metric::total("placed", "queens", "Queens placed."),
        Metric::total("removed", "queens", "Queens removed."),
        Metric::total("states", "states", "States entered."),
        Metric::total(
            "tree-nodes",
            "nodes",
            "Nodes of the search tree, including the root.",
        ),
        Metric::total("solutions", "placements", "Solutions found.").as_answer(),
    ]),
    contest: None,
    build: Build::By(|params| {
        let n = params.integer("n")? as usize;
        let name = params.text("version")?;
        let version = name.parse::<Version>().ok();
        if version.is_none() && name != BITMASK {
            return Err(ParamError::new(
                "version",
                format!("there is no version `{name}`"),
                "give one of the words listed by `etude list params`",
            ));
        }
        Ok(Box::new(AutomatonTask { n, version }))
    }),
};

/// Estimates of solutions and tree size.
pub const ESTIMATE: TaskSpec = TaskSpec {
    name: Borrowed("queens/estimate"),
    summary: Borrowed("Solutions and search tree of n queens, estimated without searching"),
    sample: Borrowed("one independent run of the estimator"),
    noun: Borrowed("run"),
    is_random: true,
    params: Borrowed(&[
        ParamSpec::integer("n", (1, MAX_TREE_N as i64), "The board's side").or_integer(8),
        ESTIMATOR,
        POPULATION,
    ]),
    metrics: Borrowed(&[SOLUTIONS, NODES, EXPANDED]),
    contest: None,
    build: Build::By(|params| {
        let n = params.integer("n")? as u32;
        let tree = QueensTree::new(n);
        let board = EstimatedBoard { n, tree };
        Ok(Box::new(EstimateTask::new(board, estimator(params)?)))
    }),
};

const SOLUTIONS: Metric =
    Metric::weight("solutions", "placements", "Estimated number of solutions.");

const NODES: Metric = Metric::weight(
    "nodes",
    "nodes",
    "Estimated number of nodes of the search tree.",
);

struct AutomatonTask {
    n: usize,
    /// The version; `None` for bit masks.
    version: Option<Version>,
}

impl Task for AutomatonTask {
    /// The board's side.
    fn instance(&self, _: &Streams, _: u64, form: Option<&str>) -> Option<String> {
        form.is_none().then(|| self.n.to_string())
    }

    fn worker<'task>(&'task self, _: &Streams, _: &'task mut Workspace) -> Box<dyn Worker + 'task> {
        worker_of(|_, row| {
            measure(self, row);
            Ok(())
        })
    }

    fn rules(&self) -> String {
        format!("{GOAL}\n{STEPS}")
    }

    fn replay(&self, _streams: &Streams, _draw: Draw) -> Result<Replay, SampleError> {
        let mut frames = Vec::new();
        let Some(version) = self.version else {
            let counts = bitmask::count(self.n);
            let (solutions, classes) = (counts.solutions, counts.fundamental);
            return Ok(Replay {
                instance: format!("{} queens, {BITMASK}", self.n),
                frames,
                outcome: format!("{solutions} solutions, {classes} different up to symmetry"),
            });
        };
        let steps = automaton::run(version, self.n, &mut |columns| {
            if frames.len() < MOST_SHOWN {
                frames.push(solution(frames.len() + 1, columns));
            }
        });
        Ok(Replay {
            instance: format!("{} queens, {}", self.n, version.as_ref()),
            frames,
            outcome: format!(
                "{} in {} elementary steps: {} squares examined, {} queens placed, {} removed",
                counted(steps.solutions, "solution"),
                count(steps.total()),
                count(steps.examined),
                count(steps.placed),
                count(steps.removed)
            ),
        })
    }
}

/// A solution as a step of a story.
fn solution(number: usize, columns: &[u8]) -> Frame {
    Frame {
        caption: format!("solution {number}: {}", placement::format(columns)),
        board: placement::draw(columns, columns.len()),
        svg: Some(picture::svg(columns, columns.len())),
    }
}

/// Pushes the metrics of a run of the automaton, or of a count by bit masks.
fn measure(task: &AutomatonTask, row: &mut Row) {
    let Some(version) = task.version else {
        let solutions = bitmask::count(task.n).solutions;
        (0..6).for_each(|_| row.push(Value::Missing));
        return row.push(Value::Exact(solutions as i64));
    };
    let steps = automaton::run(version, task.n, &mut |_| {});
    let values = [
        steps.total(),
        steps.examined,
        steps.placed,
        steps.removed,
        steps.states,
        steps.tree_nodes(),
        steps.solutions,
    ];
    let values = values.map(|value| Value::Exact(value as i64));
    values.into_iter().for_each(|value| row.push(value));
}

struct EstimatedBoard {
    n: u32,
    tree: QueensTree,
}

impl Estimated for EstimatedBoard {
    /// The columns held, a bit each.
    type Node = u128;

    fn estimate(&self, estimator: Estimator, stream: &mut Stream) -> TreeEstimates {
        self.tree.estimate(estimator, stream)
    }

    fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<u128> {
        self.tree.trace(estimator, stream)
    }

    fn name(&self) -> String {
        format!("{} queens", self.n)
    }

    fn weights(&self, weights: &TreeEstimates) -> [(&'static str, Weight); 2] {
        [("solutions", weights.value), ("nodes", weights.nodes)]
    }

    fn rules(&self) -> String {
        format!("{GOAL}\n{SAMPLED}")
    }

    fn frame(&self, way: &[u128]) -> Frame {
        let n = self.n as usize;
        let queens = way.windows(2).map(|pair| pair[1] & !pair[0]);
        let columns: Vec<u8> = queens.map(|queen| queen.trailing_zeros() as u8).collect();
        let caption = match columns.last() {
            Some(column) => format!("row {}: a queen in column {}", columns.len(), column + 1),
            None => "the empty board".to_owned(),
        };
        if n > MOST_DRAWN {
            return Frame::text(caption, "");
        }
        Frame::text(caption, placement::draw(&columns, n)).with_svg(picture::svg(&columns, n))
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let n = self.n as usize;
        match metric {
            "solutions" => known::solutions(n).map(|count| Truth {
                value: count as f64,
                source: "OEIS A000170".to_owned(),
            }),
            "nodes" if n <= COUNTED => Some(Truth {
                value: bitmask::tree_profile(n).iter().sum::<u64>() as f64,
                source: "an exact count of the nodes".to_owned(),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::search::Budget;
    use task::Params;

    fn rows(task: &dyn Task, seed: u64, samples: u64) -> Vec<Row> {
        let mut workspace = Workspace::new();
        let mut worker = task.worker(&Streams::new(seed), &mut workspace);
        let sample = |index| {
            let mut row = Row::new();
            let budget = Budget::UNLIMITED;
            worker.sample(Draw { index, budget }, &mut row).unwrap();
            row
        };
        (0..samples).map(sample).collect()
    }

    fn build(spec: &TaskSpec, params: Params) -> Box<dyn Task> {
        spec.build(&params).unwrap()
    }

    #[test]
    fn every_version_reports_the_steps_its_automaton_took() {
        let params = Params::defaults(&AUTOMATON.params).with_text("version", "automaton-1");
        let row = rows(&*build(&AUTOMATON, params), 1, 1).remove(0);
        let steps = automaton::run(Version::One, 8, &mut |_| {});
        assert_eq!(row.values().len(), AUTOMATON.metrics.len());
        assert_eq!(row.values()[0], Value::Exact(steps.total() as i64));
        assert_eq!(row.values()[5], Value::Exact(2_057));
    }

    #[test]
    fn bit_masks_count_the_solutions_of_every_version_and_report_no_steps() {
        for n in 1..=9 {
            let row = |version| {
                let params = Params::defaults(&AUTOMATON.params);
                let params = params.with_integer("n", n).with_text("version", version);
                rows(&*build(&AUTOMATON, params), 1, 1).remove(0)
            };
            let (masks, automaton) = (row(BITMASK), row("automaton-4"));
            assert_eq!(masks.values()[..6], [Value::Missing; 6]);
            assert_eq!(masks.values()[6], automaton.values()[6]);
        }
    }

    /// Seed 8. Each estimator's mean over 4,000 runs lies within 5 standard errors of the truth,
    /// for solutions and nodes of eight queens.
    #[test]
    fn every_estimator_centres_on_the_truth() {
        for &name in Estimator::NAMES {
            let params = Params::defaults(&ESTIMATE.params)
                .with_text("estimator", name)
                .with_integer("population", 20);
            let task = build(&ESTIMATE, params);
            let rows = rows(&*task, 8, 4_000);
            for (metric, spec) in ESTIMATE.metrics.iter().enumerate().take(2) {
                let weight = |row: &Row| match row.values()[metric] {
                    Value::Weight(weight) => weight.to_f64(),
                    _ => f64::NAN,
                };
                let values: Vec<f64> = rows.iter().map(weight).collect();
                let n = values.len() as f64;
                let mean = values.iter().sum::<f64>() / n;
                let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
                let truth = task.truth(&spec.name).unwrap().value;
                let error = (mean - truth).abs() / (variance / n).sqrt();
                assert!(error < 5.0, "{name} {}: {mean} for {truth}", spec.name);
            }
        }
    }

    /// Seed 9: far beyond what can be counted, and beyond 64 bits a row.
    #[test]
    fn a_hundred_queens_are_estimated_near_ten_to_the_117() {
        let params = Params::defaults(&ESTIMATE.params)
            .with_integer("n", 100)
            .with_integer("population", 500);
        let rows = rows(&*build(&ESTIMATE, params), 9, 8);
        let sum = rows
            .iter()
            .fold(Weight::ZERO, |sum, row| match row.values()[0] {
                Value::Weight(weight) => sum + weight,
                _ => sum,
            });
        let log = sum.log10() - libm::log10(8.0);
        assert!((log - 117.38).abs() < 0.3, "{log}");
    }
}
