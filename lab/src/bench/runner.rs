//! Contenders that go on running: the task in this process, or a worker that answers line by line.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::{Spent, process_seconds};
use super::rows::AnswerValues;
use crate::programs::command::{Asker, ExternalCommand};
use crate::programs::error::{WorkerError, WorkerErrorKind};
use crate::programs::executable::Executable;
use crate::programs::session::WorkerSession;
use crate::programs::wire::Question;
use crate::run::CompiledExperiment;
use crate::search::Budget;
use crate::task::{Row, Value, Workspace};

crate::named! {
    /// The end of an attempt to answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RunState {
        /// It answered.
        Done = "done",
        /// It was stopped at its cap.
        Capped = "capped",
        /// It broke down, or said what is no answer.
        Failed = "failed",
    }
}

/// An answer with the time that it took.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The state in which the answer ended.
    pub state: RunState,
    /// The time that it took.
    pub spent: Spent,
    /// The values of the task's metrics, in order; `None` where it has none.
    pub values: AnswerValues,
    /// The fault, in words.
    pub trouble: Option<String>,
}

/// A contender that can be asked.
pub trait ContenderRunner {
    /// Starts what goes on running, and returns what that took; `None` where nothing does.
    fn start(&mut self) -> Option<Spent> {
        None
    }

    /// Answers an instance.
    fn answer(&mut self, instance: u64) -> Taken;
}

impl Taken {
    /// An answer. One that is only bounded was stopped by its nodes.
    fn answered(spent: Spent, values: AnswerValues) -> Self {
        let is_open = |value: &Option<Value>| matches!(value, Some(Value::Bounds { .. }));
        Self {
            state: if values.iter().any(is_open) {
                RunState::Capped
            } else {
                RunState::Done
            },
            spent,
            values,
            trouble: None,
        }
    }

    fn stopped(state: RunState, spent: Spent, metrics: usize, trouble: &impl ToString) -> Self {
        Self {
            state,
            spent,
            values: vec![None; metrics],
            trouble: Some(trouble.to_string()),
        }
    }
}

/// The task itself, in this process.
pub struct Inside {
    compiled: CompiledExperiment,
    workspace: Workspace,
}

impl Inside {
    /// A compiled experiment of one cell.
    pub fn new(compiled: CompiledExperiment) -> Self {
        Self {
            compiled,
            workspace: Workspace::new(),
        }
    }
}

impl ContenderRunner for Inside {
    fn answer(&mut self, instance: u64) -> Taken {
        let mut row = [Row::new()];
        let (compiled, workspace) = (&self.compiled, &mut self.workspace);
        let (spent, drawn) = Spent::by(|| compiled.draw(0, workspace, instance, &mut row));
        let metrics = compiled.metrics().len();
        match drawn {
            Ok(()) => Taken::answered(spent, row[0].values().iter().copied().map(Some).collect()),
            Err(error) => Taken::stopped(RunState::Failed, spent, metrics, &error),
        }
    }
}

/// The question that a program is asked.
pub struct Asked {
    /// The program with its parameters and streams.
    pub asker: Asker,
    /// The program, and the metrics that it answers.
    pub command: Arc<ExternalCommand>,
    /// Its file.
    pub executable: Executable,
    /// The nodes that an answer may cost.
    pub budget: Budget,
    /// The seconds after which it is stopped.
    pub cap: Option<f64>,
    /// The positions of the declared metrics among the task's.
    pub positions: Vec<usize>,
    /// The number of the task's metrics.
    pub metrics: usize,
}

impl Asked {
    pub(super) fn request(&self) -> Question<'_> {
        self.asker.question(self.budget)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let cap = self.cap.map(Duration::from_secs_f64)?;
        Instant::now().checked_add(cap)
    }

    /// The answer of a program, or how it failed to give one.
    pub(super) fn taken(&self, spent: Spent, answer: Result<Row, WorkerError>) -> Taken {
        let trouble = match answer {
            Ok(row) => {
                let mut values = vec![None; self.metrics];
                for (&position, &value) in self.positions.iter().zip(row.values()) {
                    values[position] = Some(value);
                }
                return Taken::answered(spent, values);
            }
            Err(trouble) => trouble,
        };
        let is_late = self.cap.is_some_and(|cap| spent.wall >= 0.99 * cap);
        let state = match trouble.kind {
            WorkerErrorKind::Silent if is_late => RunState::Capped,
            _ => RunState::Failed,
        };
        Taken::stopped(state, spent, self.metrics, &trouble)
    }
}

/// A program that goes on running and answers line by line.
pub struct Persistent {
    question: Asked,
    session: Option<WorkerSession>,
}

impl Persistent {
    /// A worker that is started when it is first asked.
    pub fn new(question: Asked) -> Self {
        Self {
            question,
            session: None,
        }
    }

    fn open(&mut self) -> Result<WorkerSession, WorkerError> {
        let question = &self.question;
        let open = || WorkerSession::open(question.command.declaration(), &question.executable);
        self.session.take().map_or_else(open, Ok)
    }
}

impl ContenderRunner for Persistent {
    fn start(&mut self) -> Option<Spent> {
        let begun = Instant::now();
        // A program that does not start says so when it is asked.
        let session = self.open().ok()?;
        let process = session.process_id();
        self.session = Some(session);
        Some(Spent::on_the_wall(begun).in_process(process, Some(0.0)))
    }

    fn answer(&mut self, instance: u64) -> Taken {
        let begun = Instant::now();
        let mut session = match self.open() {
            Ok(session) => session,
            Err(trouble) => return self.question.taken(Spent::on_the_wall(begun), Err(trouble)),
        };
        let mut rows = [Row::new()];
        session.set_deadline(self.question.deadline());
        let process = session.process_id();
        let (before, begun) = (process_seconds(process), Instant::now());
        let drawn = session.draw(self.question.request(), instance, &mut rows);
        let spent = Spent::on_the_wall(begun).in_process(process, before);
        if drawn.is_ok() {
            session.set_deadline(None);
            self.session = Some(session);
        }
        let [row] = rows;
        self.question.taken(spent, drawn.map(|()| row))
    }
}
