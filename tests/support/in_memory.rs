//! Whole runs in memory, of which nothing is stored.

use std::sync::Arc;

use lab::config::Experiment;
use lab::harness::{
    BlockTally, FinishedBlock, Interrupt, Laboratory, Plan, Run, Silent, Sink, SinkError, Stored,
};

struct Nowhere;

impl Sink for Nowhere {
    fn store(&mut self, _: &FinishedBlock) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Draws all samples of an experiment without an adaptive stop rule.
pub fn run(experiment: &Experiment, threads: usize) -> (Arc<Laboratory>, BlockTally) {
    let laboratory = Arc::new(Laboratory::of_experiment(experiment).unwrap());
    let samples = experiment.stop.max_samples();
    let run = Run {
        laboratory: Arc::clone(&laboratory),
        plan: Plan::new(samples).with_groups(experiment.variance.strata),
        threads,
        keep_samples: false,
        stored: Stored::default(),
        settled: None,
        until: None,
        interrupt: &Interrupt::new(),
    };
    let (_, _, tally) = run.execute(&mut Nowhere, &mut Silent).unwrap();
    (laboratory, tally)
}
