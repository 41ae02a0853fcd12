//! Weights of the games' own tasks: how often an interval misses what is known exactly, given that
//! it is shown. Each row goes the way of the command, from the text of an experiment to its summary.

use etude::GAMES;
use experiment::{Experiment, Overrides};
use kit::search::{Budget, measure};
use pegs::problem::NamedProblem;
use pegs::tree::GameTree;
use queens::bitmask::tree_profile;
use rayon::prelude::*;

use super::places::Ran;

/// An estimator of a tree whose size is known.
pub struct Weighted {
    tree: &'static str,
    task: &'static str,
    params: &'static str,
    /// The true values of its two metrics.
    truths: [f64; 2],
    estimator: &'static str,
    population: u64,
    samples: u64,
}

/// A metric's answers in many runs.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Tree, estimator, metric and samples, as cells of a table.
    pub name: String,
    /// Runs.
    pub runs: u64,
    /// Intervals shown.
    pub shown: usize,
    /// Intervals shown that miss.
    pub wrong: usize,
}

impl Answers {
    /// Returns whether the intervals shown miss at most at the rate of their level, but for three
    /// standard errors.
    pub fn hold(&self) -> bool {
        let expected = 0.05 * self.shown as f64;
        self.wrong as f64 <= expected + 3.0 * (expected * 0.95).sqrt()
    }
}

/// Every task with weights whose expectation is known, and every estimator.
pub fn weighted() -> Vec<Weighted> {
    let estimators = [
        ("knuth", [200, 1_000]),
        ("importance", [200, 1_000]),
        ("strata", [20, 200]),
        ("population", [20, 200]),
    ];
    let with = |(tree, task, params, truths)| {
        let of = move |(estimator, samples): (&'static str, [u64; 2])| {
            samples.map(|samples| Weighted {
                tree,
                task,
                params,
                truths,
                estimator,
                population: 10,
                samples,
            })
        };
        estimators.into_iter().flat_map(of)
    };
    trees().into_iter().flat_map(with).collect()
}

type Known = (&'static str, &'static str, &'static str, [f64; 2]);

fn trees() -> [Known; 3] {
    let [eight, twelve] = [8, 12].map(|n| {
        let profile = tree_profile(n);
        [profile[n], profile.iter().sum()].map(|nodes: u64| nodes as f64)
    });
    let cross = NamedProblem::find("greek-cross")
        .unwrap()
        .problem(false)
        .unwrap();
    let games = measure(&GameTree::new(&cross), Budget::UNLIMITED).unwrap();
    assert_eq!((eight[0], twelve[0], games.value), (92.0, 14_200.0, 16.0));
    let cross = [games.value, games.leaves as f64];
    [
        ("8 queens", "queens/estimate", "n = 8", eight),
        ("12 queens", "queens/estimate", "n = 12", twelve),
        (
            "Greek cross",
            "pegs/estimate",
            "problem = \"greek-cross\"",
            cross,
        ),
    ]
}

impl Weighted {
    /// Returns the answers of the experiments with the seeds from 0 on, metric by metric.
    pub fn answers(&self, runs: u64) -> [Answers; 2] {
        let experiment = self.experiment();
        let missed = |seed| {
            let outcome = Ran::of(&experiment, seed).outcome();
            [0, 1].map(|metric| {
                let interval = outcome.cells[0][metric].interval;
                interval.map(|interval| !interval.contains(self.truths[metric]))
            })
        };
        let all: Vec<[Option<bool>; 2]> = (0..runs).into_par_iter().map(missed).collect();
        [0, 1].map(|metric| {
            let shown: Vec<bool> = all.iter().filter_map(|run| run[metric]).collect();
            let name = &experiment.task.metrics[metric].name;
            let Self {
                tree,
                estimator,
                samples,
                ..
            } = self;
            Answers {
                name: format!("{tree} | {estimator} | {name} | {samples}"),
                runs,
                wrong: shown.iter().filter(|wrong| **wrong).count(),
                shown: shown.len(),
            }
        })
    }

    fn experiment(&self) -> Experiment {
        let Self {
            task,
            params,
            estimator,
            population,
            samples,
            ..
        } = self;
        let text = format!(
            "question = \"?\"\ntask = \"{task}\"\nseed = 0\n[params]\n{params}\n\
             estimator = \"{estimator}\"\npopulation = {population}\n[stop]\nsamples = {samples}\n"
        );
        let parsed = Experiment::parse(&text, "x.toml", GAMES, &Overrides::default());
        parsed.unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}
