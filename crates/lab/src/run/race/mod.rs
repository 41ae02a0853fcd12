//! The part of a race beside a run: its entrants are started, asked in an order in which nobody is
//! favoured, and timed; their answers are the samples.
//!
//! Reference: Kalibera and Jones 2013, *Rigorous benchmarking in reasonable time*.

mod answers;
mod costs;
mod inside;
mod lane;
mod watch;

use answers::contradiction;
pub(crate) use answers::row_of;
pub use answers::{Answered, ContenderAnswer};
pub use costs::RaceCosts;
pub(crate) use costs::Timing;
pub(crate) use inside::Inside;
pub(super) use lane::RaceLane;
pub use watch::RatioWatch;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::CompiledExperiment;
use super::fault::{Cause, Fault};
use base::Failure;
use experiment::Experiment;
use kit::rng::Streams;
use programs::RacedProgram;
use task::Entrant;
use task::outside::{Consent, Granted};

/// A race to be run, which all of its threads share.
pub(crate) struct TimedRace {
    /// The experiment.
    pub(crate) experiment: Experiment,
    /// The tasks of its cells.
    pub(crate) compiled: Arc<CompiledExperiment>,
    /// The leave to start programs.
    pub(crate) consent: Consent,
    /// The times of the instances that earlier sessions raced.
    pub(crate) costs: RaceCosts,
    /// The answers in a row of every timing; the first thread finds them where nothing says so.
    pub(crate) repeats: OnceLock<u32>,
    /// The means by which the memory of programs is capped, once one is there.
    pub(crate) memory_by: OnceLock<&'static str>,
    /// The number of times that all were started.
    starts: AtomicU64,
}

impl TimedRace {
    /// A race that goes on after `costs`, with so many answers in a row where that is known.
    pub(crate) fn new(
        experiment: &Experiment,
        compiled: &Arc<CompiledExperiment>,
        consent: Consent,
        (costs, repeats): (RaceCosts, Option<u32>),
    ) -> Self {
        let repeats = repeats.or(experiment.file.bench.repeats);
        Self {
            starts: AtomicU64::new(costs.last_start()),
            experiment: experiment.clone(),
            compiled: Arc::clone(compiled),
            repeats: repeats.map_or_else(OnceLock::new, OnceLock::from),
            memory_by: OnceLock::new(),
            consent,
            costs,
        }
    }

    /// The number of a new start.
    fn next_start(&self) -> u64 {
        self.starts.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Holds the files of all programs and their executables against what they were at the start of the race.
    ///
    /// # Errors
    /// The fault of an instance that a changed program may have answered.
    fn check_programs(&self, instance: u64) -> Result<(), Fault> {
        let programs = self.experiment.programs();
        programs.into_iter().try_for_each(|(name, program)| {
            let checked = self.consent.of(program).and_then(Granted::check);
            checked.map_err(|changed| {
                let contender = self.experiment.cell_names().position(|cell| cell == name);
                let told = format!("{name}: {changed}");
                Fault::new(contender.unwrap_or(0), instance, Cause::NoAnswer(told))
            })
        })
    }

    /// The program of a contender with what its instances are made of; `None` where the task itself answers.
    ///
    /// # Errors
    /// As [`Experiment::program_of`].
    fn program_of(&self, contender: usize) -> Result<Option<RacedProgram>, Failure> {
        let declared = self.experiment.program_of(contender)?;
        let (streams, compiled) = (Streams::new(self.experiment.seed()), self.compiled.clone());
        Ok(declared.map(|declared| RacedProgram {
            contender: declared,
            instances: compiled.programs().instances.clone(),
            writer: Box::new(move |index, form| {
                compiled.task(contender).instance(&streams, index, form)
            }),
            streams,
        }))
    }

    /// Runs the setup of a contender that is a program.
    ///
    /// # Errors
    /// If it does not end well.
    pub(crate) fn set_up(&self, contender: usize) -> Result<(), Failure> {
        let experiment = &self.experiment;
        let Some(program) = self.program_of(contender)? else {
            return Ok(());
        };
        let done = programs::set_up(&program, &self.consent);
        // The file is as it should be: what it starts failed.
        done.map_err(|fault| Failure::failed(experiment.at_fault(contender, &fault).message))
    }

    /// Makes what answers for a contender: the task itself in this process, or a program.
    ///
    /// # Errors
    /// If the program is not there, or the task refuses the parameters.
    pub(crate) fn entrant(&self, contender: usize) -> Result<Box<dyn Entrant>, Failure> {
        let experiment = &self.experiment;
        let Some(program) = self.program_of(contender)? else {
            let cap = experiment.answer_cap().cpu;
            return Ok(Box::new(Inside::new(
                &self.compiled,
                contender,
                experiment.told_metrics(),
                cap,
            )));
        };
        let started = programs::entrant(program, &self.consent);
        let entrant = started.map_err(|fault| experiment.at_fault(contender, &fault))?;
        if let Some(means) = entrant.memory_means() {
            self.memory_by.get_or_init(|| means);
        }
        Ok(entrant)
    }
}

#[cfg(test)]
mod tests;
