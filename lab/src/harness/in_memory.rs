//! A whole run in memory, without any files.

use std::sync::Arc;

use crate::config::Experiment;
use crate::task::ParamError;

use super::dispatch::Fault;
use super::dispatch::FinishedBlock;
use super::interrupt::Interrupt;
use super::laboratory::Laboratory;
use super::observer::Silent;
use super::outcome::Outcome;
use super::plan::Plan;
use super::run::{Ended, Run, Sink, SinkError};
use super::stop::settled;
use super::stored::StoredBlocks;
use super::tally::BlockTally;

/// An error: an experiment could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A cell's task cannot be built.
    #[error(transparent)]
    Task(#[from] ParamError),
    /// A sample could not be drawn.
    #[error(transparent)]
    Fault(Fault),
    /// The threads could not be started.
    #[error("the threads cannot be started: {0}")]
    Threads(#[from] std::io::Error),
}

/// Runs an experiment on so many threads to where it stops, and estimates what it asks.
///
/// ```
/// use lab::config::Experiment;
/// use lab::rng::below;
/// use lab::task::{Metric, TaskSpec, Value};
///
/// let metrics = vec![Metric::flag("heads", "It shows heads.")];
/// let coin = TaskSpec::simple("coin/toss", "A fair coin", metrics, |stream, row| {
///     row.push(Value::flag(below(stream, 2) == 1));
/// });
/// let text = "question = 'Is it fair?'\ntask = 'coin/toss'\nseed = 1\n[stop]\nsamples = 1000";
/// let outcome = lab::run(&Experiment::of_task(coin, text)?, 2)?;
/// let heads = outcome.cells[0][0];
/// let interval = heads.interval.unwrap();
/// assert!(interval.lo < 0.5 && 0.5 < interval.hi);
/// assert_eq!((heads.n, interval.method.name()), (1000, "wilson"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError`] if a task cannot be built, a sample cannot be drawn, or no thread starts.
pub fn run(experiment: &Experiment, threads: usize) -> Result<Outcome, RunError> {
    let laboratory = Arc::new(Laboratory::of_experiment(experiment)?);
    let question = |tally: &BlockTally| settled(experiment, &laboratory, tally);
    let run = Run {
        laboratory: Arc::clone(&laboratory),
        plan: Plan::of(experiment),
        until: None,
        threads,
        keep_samples: false,
        stored: StoredBlocks::default(),
        settled: experiment.stop.looks().then_some(&question),
        interrupt: &Interrupt::new(),
    };
    let (ended, _, tally) = run.execute(&mut Nowhere, &mut Silent)?;
    match ended {
        Ended::Fault(fault) => Err(RunError::Fault(fault)),
        _ => Ok(Outcome::of(&laboratory, tally, experiment.confidence())),
    }
}

struct Nowhere;

impl Sink for Nowhere {
    fn store(&mut self, _: &FinishedBlock) -> Result<(), SinkError> {
        Ok(())
    }
}
