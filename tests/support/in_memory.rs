//! Whole runs in memory, of which nothing is stored.

use lab::experiment::Experiment;
use lab::run::{BlockTally, CompiledExperiment};

/// An experiment's laboratory and all that its run counts.
pub fn run(experiment: &Experiment, threads: usize) -> (CompiledExperiment, BlockTally) {
    let outcome = lab::run(experiment, threads).unwrap();
    let laboratory = CompiledExperiment::of_experiment(experiment).unwrap();
    (laboratory, outcome.tally)
}
