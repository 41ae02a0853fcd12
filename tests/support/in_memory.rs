//! Whole runs in memory, of which nothing is stored.

use lab::config::Experiment;
use lab::harness::{BlockTally, Laboratory};

/// An experiment's laboratory and all that its run counts.
pub fn run(experiment: &Experiment, threads: usize) -> (Laboratory, BlockTally) {
    let outcome = lab::run(experiment, threads).unwrap();
    let laboratory = Laboratory::of_experiment(experiment).unwrap();
    (laboratory, outcome.tally)
}
