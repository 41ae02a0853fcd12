//! Whole runs in memory, of which nothing is stored.

use experiment::Experiment;
use lab::run::{BlockTally, CompiledExperiment};

/// A compiled experiment and all that its run counts.
pub fn run(experiment: &Experiment, threads: usize) -> (CompiledExperiment, BlockTally) {
    let outcome = lab::run(experiment, threads).unwrap();
    let compiled = CompiledExperiment::of_experiment(experiment).unwrap();
    (compiled, outcome.tally)
}
