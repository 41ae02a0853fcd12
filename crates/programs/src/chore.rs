//! What is done before a contender is asked, in nobody's time: its setup once, its preparation before each answer.

use std::sync::Arc;

use super::asker::Asker;
use super::command::ExternalCommand;
use super::contender::RacedProgram;
use super::once::SUCCESS;
use super::process::AnswerLimits;
use kit::search::Budget;
use task::outside::{Consent, Declaration};
use task::{Entrant, Spent, TimedAnswer, TimingState};

/// A program that is started for what it does, and of which nothing is read.
pub(crate) struct Chore {
    asker: Asker,
}

impl Chore {
    /// The program of a declaration, told the parameters, seeds and instances of a contender.
    ///
    /// # Errors
    /// In words, if a program that it needs is not there or may not be started.
    pub(crate) fn new(
        declaration: Declaration,
        raced: &RacedProgram,
        consent: &Consent,
    ) -> Result<Self, String> {
        let command = ExternalCommand::new(declaration);
        let command = Arc::new(command.with_instances(raced.instances.clone()));
        command.pool.allow(consent);
        command.pool.find().map_err(|error| error.message)?;
        Ok(Self {
            asker: Asker::new(&command, &raced.contender.params, &raced.streams),
        })
    }

    /// Does it for an instance.
    ///
    /// # Errors
    /// If the program does not end well.
    pub(crate) fn run(&self, instance: u64) -> Result<(), String> {
        let question = self.asker.question(Budget::UNLIMITED);
        let (command, limits) = (&self.asker.command, AnswerLimits::default());
        let done = question.ask_once(command, instance, limits, SUCCESS, |_, _| Ok(()));
        done.answer.map_err(|error| error.message)
    }
}

/// An entrant that something is done for before each of its answers.
pub(crate) struct Prepared {
    /// The program that answers.
    pub(crate) entrant: Box<dyn Entrant>,
    /// The chore that is done before.
    pub(crate) prepare: Chore,
    /// The number of the task's metrics.
    pub(crate) metrics: usize,
}

impl Entrant for Prepared {
    fn restart(&mut self) -> Option<Spent> {
        self.entrant.restart()
    }

    fn answer(&mut self, instance: u64) -> TimedAnswer {
        match self.prepare.run(instance) {
            Ok(()) => self.entrant.answer(instance),
            Err(trouble) => {
                let trouble = format!("`prepare` failed: {trouble}");
                TimedAnswer::stopped(
                    TimingState::Failed,
                    Spent::default(),
                    self.metrics,
                    &trouble,
                )
            }
        }
    }

    fn memory_means(&self) -> Option<&'static str> {
        self.entrant.memory_means()
    }
}
