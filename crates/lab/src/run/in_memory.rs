//! A whole run in memory, without any files.

use std::sync::Arc;

use base::Failure;
use experiment::Experiment;

use super::compiled_experiment::CompiledExperiment;
use super::ended::Ended;
use super::execute::{Run, Sink};
use super::fault::Fault;
use super::finished_block::FinishedBlock;
use super::interrupt::Interrupt;
use super::observer::Silent;
use super::outcome::Outcome;
use super::plan::Plan;
use super::stored_blocks::StoredBlocks;

/// An error: an experiment could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A cell's task cannot be built.
    #[error(transparent)]
    Task(#[from] Failure),
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
/// use experiment::Experiment;
/// use kit::rng::below;
/// use task::{Metric, TaskSpec, Value};
///
/// let metrics = vec![Metric::flag("heads", "It shows heads.")];
/// let coin = TaskSpec::simple("coin/toss", "A fair coin", metrics, |stream, row| {
///     row.push(Value::flag(below(stream, 2) == 1));
/// });
/// let text = "question = 'Is it fair?'\ntask = 'coin/toss'\nseed = 1\n[stop]\nsamples = 1000";
/// let outcome = etude_lab::run(&Experiment::of_task(coin, text)?, 2)?;
/// let heads = outcome.cells[0][0];
/// let interval = heads.interval.unwrap();
/// assert!(interval.lo < 0.5 && 0.5 < interval.hi);
/// assert_eq!((heads.n, interval.method.as_ref()), (1000, "clopper-pearson"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError`] if a task cannot be built, a sample cannot be drawn, or no thread starts.
pub fn run(experiment: &Experiment, threads: usize) -> Result<Outcome, RunError> {
    let compiled = Arc::new(CompiledExperiment::of_experiment(experiment)?);
    let run = Run {
        compiled: Arc::clone(&compiled),
        plan: Plan::of(experiment),
        to: u64::MAX,
        threads,
        keep_samples: false,
        stored: StoredBlocks::default(),
        known: None,
        looks: experiment.stop.looks().then_some(experiment),
        race: None,
        interrupt: &Interrupt::new(),
    };
    let (ended, _, tally) = run.execute(&mut Nowhere, &mut Silent)?;
    match ended {
        Ended::Fault(fault) => Err(RunError::Fault(fault)),
        _ => Ok(Outcome::of(&compiled, tally, experiment.confidence())),
    }
}

struct Nowhere;

impl Sink for Nowhere {
    fn store(&mut self, _: &FinishedBlock) -> std::io::Result<()> {
        Ok(())
    }
}
