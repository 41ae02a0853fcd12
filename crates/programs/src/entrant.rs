//! The answers of a program to the instances of a race: by a worker that answers line by line, or by a
//! process for every instance.

use std::sync::Arc;
use std::time::{Duration, Instant};

use task::outside::{Consent, Declaration, ProgramContender, WorkerError, WorkerErrorKind};
use task::{Entrant, Row, Spent, TimedAnswer, TimingState};
use wait4::ResourceUsage;

use super::asker::Asker;
use super::chore::{Chore, Prepared};
use super::command::ExternalCommand;
use super::contender::RacedProgram;
use super::each_time::EachTime;
use super::memory::MemoryCap;
use super::process::{AnswerLimits, Process, Surroundings};
use super::session::WorkerSession;
use super::usage::{TreeTime, UsedTime, process_peak};
use super::wire::Question;

/// Runs the setup of a program, if there is one.
///
/// # Errors
/// A sentence: what it starts is not there, or does not end well.
pub fn set_up(raced: &RacedProgram, consent: &Consent) -> Result<(), String> {
    let Some(setup) = chore(raced.contender.setup.as_ref(), raced, consent)? else {
        return Ok(());
    };
    let done = setup.run(0);
    done.map_err(|trouble| format!("`setup` failed: {trouble}"))
}

/// The chores of a declaration, done before a program is asked.
fn chore(
    declaration: Option<&Declaration>,
    raced: &RacedProgram,
    consent: &Consent,
) -> Result<Option<Chore>, String> {
    let made = declaration.map(|declaration| Chore::new(declaration.clone(), raced, consent));
    made.transpose()
}

/// Makes the entrant that answers for a program, which is set up.
///
/// # Errors
/// A sentence: the program is not there, or asks for an instance in a form that there is none of.
pub fn entrant(raced: RacedProgram, consent: &Consent) -> Result<Box<dyn Entrant>, String> {
    let prepare = chore(raced.contender.prepare.as_ref(), &raced, consent)?;
    let metrics = raced.contender.metrics;
    let entrant = answering(raced, consent)?;
    Ok(match prepare {
        None => entrant,
        Some(prepare) => Box::new(Prepared {
            entrant,
            prepare,
            metrics,
        }),
    })
}

/// Makes what answers for a program, without what is done before.
fn answering(raced: RacedProgram, consent: &Consent) -> Result<Box<dyn Entrant>, String> {
    let contender = raced.contender;
    let once = contender.declaration.once;
    let command = ExternalCommand::new(contender.declaration.clone());
    let command = Arc::new(command.with_instances(raced.instances));
    command.pool.allow(consent);
    command.pool.find().map_err(|error| error.message)?;
    let question = EntrantQuestion {
        asker: Asker::new(&command, &contender.params, &raced.streams),
        memory: contender.memory.map(MemoryCap::new).transpose()?,
        contender,
    };
    if once {
        return Ok(Box::new(EachTime::new(question, raced.writer)?));
    }
    Ok(Box::new(Persistent {
        session: None,
        used: None,
        question,
    }))
}

/// The question that a program is asked.
pub(super) struct EntrantQuestion {
    /// The program with its parameters and streams.
    pub(super) asker: Asker,
    /// The limits of an answer, and what it answers.
    pub(super) contender: ProgramContender,
    /// The cap on its memory.
    pub(super) memory: Option<MemoryCap>,
}

/// The answer of a program, and what tells why there is none.
pub(super) struct EntrantAnswer {
    pub(super) spent: Spent,
    pub(super) answer: Result<Row, WorkerError>,
    /// The processes that the system had ended for lack of memory before.
    pub(super) kills: u64,
    /// The time and memory that the program took, if it has ended.
    pub(super) usage: Option<ResourceUsage>,
}

impl EntrantQuestion {
    pub(super) fn request(&self) -> Question<'_> {
        Question {
            memory: self.memory.as_ref(),
            ..self.asker.question(self.contender.budget)
        }
    }

    /// The processes that the system has ended for lack of memory.
    pub(super) fn kills(&self) -> u64 {
        self.memory.as_ref().map_or(0, MemoryCap::kills)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let cap = Duration::try_from_secs_f64(self.contender.wall?).ok()?;
        Instant::now().checked_add(cap)
    }

    /// The answer of a program, or how it failed to give one.
    pub(super) fn taken(&self, answered: EntrantAnswer) -> TimedAnswer {
        let EntrantAnswer { spent, answer, .. } = answered;
        let contender = &self.contender;
        let trouble = match answer {
            Ok(row) => {
                let mut values = vec![None; contender.metrics];
                for (&position, &value) in contender.positions.iter().zip(row.values()) {
                    values[position] = Some(value);
                }
                return TimedAnswer::answered(spent, values, &contender.asked)
                    .within(contender.cpu);
            }
            Err(trouble) => trouble,
        };
        let is_late = contender.wall.is_some_and(|cap| spent.wall >= 0.99 * cap);
        let is_out = |memory: &MemoryCap| {
            memory.is_exhausted(answered.kills, &trouble, answered.usage.as_ref())
        };
        let state = match trouble.kind {
            _ if self.memory.as_ref().is_some_and(is_out) => TimingState::OutOfMemory,
            WorkerErrorKind::Capped => TimingState::Capped,
            WorkerErrorKind::Silent if is_late => TimingState::Capped,
            _ => TimingState::Failed,
        };
        TimedAnswer::stopped(state, spent, contender.metrics, &trouble)
    }
}

/// A program that goes on running and answers line by line; started when it is first asked.
struct Persistent {
    // Before the question, whose control group goes once it has no process.
    session: Option<WorkerSession>,
    /// The processor time that it had used when it had answered last.
    used: Option<TreeTime>,
    question: EntrantQuestion,
}

impl Persistent {
    fn open(&mut self) -> Result<WorkerSession, WorkerError> {
        let command = &self.question.asker.command;
        let program = &command.declaration.program;
        let surroundings = Surroundings {
            memory: self.question.memory.as_ref(),
            ..Surroundings::default()
        };
        let open = || WorkerSession::open(program, command.pool.find()?, surroundings);
        self.session.take().map_or_else(open, Ok)
    }

    /// The time since an instant in a program, with all that it has used of the processor since it answered last:
    /// what it does after an answer is no other's, so it counts for the next. The wall's clock stands in for the
    /// program's own where the system does not tell that.
    fn spent_since(&mut self, begun: Instant, process: &Process) -> Spent {
        let before = self.used.unwrap_or_default();
        self.used = process.used();
        let spent = Spent::on_the_wall(begun);
        let used = self.used.map(|used| used.since(before));
        let on_the_wall = UsedTime {
            seconds: spent.wall,
            step: 0.0,
        };
        let used = used.unwrap_or(on_the_wall);
        Spent {
            user: used.seconds,
            step: used.step,
            peak_bytes: process_peak(process.id()),
            ..spent
        }
    }
}

impl Entrant for Persistent {
    fn memory_means(&self) -> Option<&'static str> {
        self.question.memory.as_ref().map(MemoryCap::means)
    }

    fn restart(&mut self) -> Option<Spent> {
        (self.session, self.used) = (None, None);
        let begun = Instant::now();
        // A program that does not start says so when it is asked.
        let session = self.open().ok()?;
        let spent = self.spent_since(begun, &session.process);
        self.session = Some(session);
        Some(spent)
    }

    fn answer(&mut self, instance: u64) -> TimedAnswer {
        if self.session.is_none() {
            self.restart();
        }
        let (begun, kills) = (Instant::now(), self.question.kills());
        let untold = |spent, answer| EntrantAnswer {
            spent,
            answer,
            kills,
            usage: None,
        };
        let mut session = match self.open() {
            Ok(session) => session,
            Err(trouble) => {
                let answered = untold(Spent::on_the_wall(begun), Err(trouble));
                return self.question.taken(answered);
            }
        };
        let mut rows = [Row::new()];
        let used = self.used.zip(self.question.contender.cpu);
        session.process.limits = AnswerLimits {
            deadline: self.question.deadline(),
            allowance: used.map(|(used, cap)| used.seconds + cap),
            ..AnswerLimits::default()
        };
        let begun = Instant::now();
        let drawn = session.draw(self.question.request(), instance, &mut rows);
        let spent = self.spent_since(begun, &session.process);
        let usage = session.process.usage();
        if drawn.is_ok() {
            session.process.limits.deadline = None;
            self.session = Some(session);
        }
        let [row] = rows;
        self.question.taken(EntrantAnswer {
            usage,
            ..untold(spent, drawn.map(|()| row))
        })
    }
}
