//! A simulation in another program: its processes, and what they answered before they ended with an error.

use std::sync::{Arc, Mutex};

use super::pool::{Exchange, Pool};
use super::process::Surroundings;
use super::session::WorkerSession;
use super::value::shown;
use super::wire;
use super::{Instances, Watchdog};
use task::outside::{Declaration, ProgramLog, WorkerError, WorkerErrorKind, excerpt};
use task::{IMPURE, Row};

/// Kills from outside that a sample may suffer.
pub(super) const KILLS: u32 = 5;

/// A program with its processes, shared by all cells and threads of an experiment.
#[derive(Debug)]
pub struct ExternalCommand {
    /// The declaration in the file.
    pub(crate) declaration: Declaration,
    /// The instances of its samples, where it is told any.
    pub(super) instances: Option<Arc<Instances>>,
    /// The processes of the program.
    pub(crate) pool: Pool<WorkerSession>,
    /// Watchdogs without a process.
    pub(super) watchdogs: Mutex<Vec<Watchdog>>,
}

impl ExternalCommand {
    /// The program of a declaration; nothing is started yet.
    pub(crate) fn new(declaration: Declaration) -> Self {
        Self {
            pool: Pool::new(&declaration.program),
            declaration,
            instances: None,
            watchdogs: Mutex::default(),
        }
    }

    /// The log of what happened to its processes.
    pub fn log(&self) -> &ProgramLog {
        &self.pool.log
    }

    /// Returns the program, which is told these instances.
    pub(super) fn with_instances(self, instances: Option<Arc<Instances>>) -> Self {
        Self { instances, ..self }
    }

    /// A process that has said hello.
    pub(super) fn open(&self) -> Result<WorkerSession, WorkerError> {
        let program = &self.declaration.program;
        let open = |consent: &_| WorkerSession::open(program, consent, Surroundings::default());
        let opened = self.pool.start(open);
        opened.map_err(|error| match error.kind {
            // A program that says no hello is at fault, however long a sample may take.
            WorkerErrorKind::Silent => WorkerError::fault(error.message),
            _ => error,
        })
    }

    /// Draws again what processes answered that then ended with an error. A doubt that is not
    /// settled stays.
    pub(super) fn settle_doubts(&self) -> Result<(), WorkerError> {
        let mut doubtful = self.pool.take_doubtful().into_iter();
        doubtful.try_for_each(|exchange| {
            let settled = self.settle(&exchange, 0);
            settled.inspect_err(|_| self.pool.doubt(Some(exchange)))
        })
    }

    /// Has a new process draw again what another one answered.
    fn settle(&self, exchange: &Exchange, kills: u32) -> Result<(), WorkerError> {
        let mut session = self.open()?;
        let again = session.repeat(&exchange.asked, self.declaration.silence());
        match again {
            Ok(answer) => self.compare_answers(exchange, answer),
            Err(error) => match error.kind {
                // The clock decides which samples take too long.
                WorkerErrorKind::Silent if self.declaration.timeout.is_some() => Ok(()),
                WorkerErrorKind::Killed if kills < KILLS => self.settle(exchange, kills + 1),
                WorkerErrorKind::Crashed => Err(twice(error)),
                _ => Err(error),
            },
        }
    }

    /// Compares the samples of an answer with those that another process gave to the same request.
    fn compare_answers(&self, exchange: &Exchange, again: &[u8]) -> Result<(), WorkerError> {
        let title = self.declaration.program.title();
        let (first_sample, count) = exchange.samples;
        let read = |line| {
            let mut rows = vec![Row::new(); count];
            let answer = wire::read(line, &self.declaration.columns, &mut rows);
            let problem = |(_, problem): (_, String)| {
                WorkerError::fault(format!("{title} {}", excerpt(&problem)))
            };
            answer.map(|_| rows).map_err(problem)
        };
        let (first, second) = (read(&exchange.answered)?, read(again)?);
        let mut numbered = (first_sample..).zip(first.iter().zip(&second));
        numbered.try_for_each(|(sample, (first, second))| {
            let Some(values) = self.difference(sample, first, second) else {
                return Ok(());
            };
            let params = with(&exchange.params);
            Err(WorkerError::fault(format!(
                "{title} ended with an error after it had answered, and drawn again{params} {values}; \
                 {IMPURE}"
            )))
        })
    }

    /// Describes the first value that differs between two rows.
    pub(super) fn difference(&self, sample: u64, first: &Row, second: &Row) -> Option<String> {
        let values = first.values().iter().zip(second.values());
        let mut columns = self.declaration.columns.iter().zip(values);
        let (column, (&first, &second)) = columns.find(|(_, (first, second))| first != second)?;
        let (first, second) = (shown(column, first), shown(column, second));
        let name = &column.name;
        Some(format!(
            "`{name}` of sample {sample} is {first}, then {second}"
        ))
    }

    pub(super) fn note_crash(&self, samples: &str, error: &WorkerError) {
        let first = error.first_line();
        self.pool.log.note_crash(format!("{samples}: {first}"));
    }

    /// Starts the program and hears its hello, if it has one to say.
    ///
    /// # Errors
    /// If it cannot be started, or says anything else than what the file declares.
    pub fn handshake(&self) -> Result<(), WorkerError> {
        self.pool.find()?;
        if !self.declaration.once {
            self.pool.give_back([self.open()?]);
        }
        Ok(())
    }

    /// Ends all processes. The last samples of those that end with an error are drawn again.
    ///
    /// # Errors
    /// If samples that are drawn again differ, or cannot be drawn.
    pub fn finish(&self) -> Result<(), WorkerError> {
        self.pool.close();
        self.settle_doubts()
    }
}

/// Tells the parameters of a sample, if it has any.
pub(super) fn with(params: &str) -> String {
    match params {
        "{}" => String::new(),
        params => format!(" with {params}"),
    }
}

/// The error of a second crash.
pub(super) fn twice(mut error: WorkerError) -> WorkerError {
    error.add_to_first_line(", twice with this sample");
    WorkerError::fault(error.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::Params;

    #[test]
    fn a_sample_without_parameters_is_told_without_them() {
        assert_eq!(with(&Params::new().to_json()), "");
        let params = Params::new().with_integer("n", 3);
        assert_eq!(with(&params.to_json()), " with {\"n\":3}");
    }
}
