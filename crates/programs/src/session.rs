//! A conversation with one running worker in protocol 1.

use std::time::Duration;

use serde::de::IgnoredAny;

use super::hello::Hello;
use super::pool::{Closing, Exchange, Session};
use super::process::{Process, Surroundings};
use super::transcript::Transcript;
use super::wire::{self, ProgramAnswer, Question};
use task::outside::{Consent, DeclaredProgram, WorkerError, quote};
use task::{Replay, Row};

/// The longest time that a program may take to say hello.
const HELLO_PATIENCE: Duration = Duration::from_secs(10);

/// A worker that has said hello.
#[derive(Debug)]
pub(crate) struct WorkerSession {
    /// The process.
    pub(crate) process: Process,
    /// The program's hello.
    pub(crate) hello: Hello,
    id: u64,
    /// The last request, whose answer the process holds.
    current: Exchange,
    /// The exchange before it.
    previous: Exchange,
}

impl WorkerSession {
    /// Starts the program and hears its hello.
    ///
    /// # Errors
    /// If it does not start, says nothing in ten seconds, or is of another version than the file
    /// declares.
    pub(crate) fn open(
        program: &DeclaredProgram,
        consent: &Consent,
        surroundings: Surroundings,
    ) -> Result<Self, WorkerError> {
        let session = Self::start(program, consent, surroundings)?;
        let said = &session.hello.version;
        match &program.version {
            Some(declared) if !said.is_empty() && said != declared => {
                Err(session.process.fault(format_args!(
                    "says that its version is {said}, and the file declares `version = \"{declared}\"`: \
                     change one of them"
                )))
            }
            _ => Ok(session),
        }
    }

    fn start(
        program: &DeclaredProgram,
        consent: &Consent,
        surroundings: Surroundings,
    ) -> Result<Self, WorkerError> {
        let mut process = Process::start(consent, program, &program.argv[1..], surroundings)?;
        let greeting = wire::hello(env!("CARGO_PKG_VERSION"));
        process.send(greeting.as_bytes(), HELLO_PATIENCE, "say hello")?;
        let line = process.receive(HELLO_PATIENCE, "say hello")?;
        let problem = match Hello::read(line) {
            Some(hello) if hello.speaks_protocol() => {
                return Ok(Self {
                    process,
                    hello,
                    id: 0,
                    current: Exchange::default(),
                    previous: Exchange::default(),
                });
            }
            Some(hello) => {
                let protocol = hello.protocol;
                let protocol = protocol.map_or("no".to_owned(), |said| said.to_string());
                format!("speaks protocol {protocol}: answer hello with `\"protocol\":1`")
            }
            None if serde_json::from_slice::<IgnoredAny>(line).is_ok() => format!(
                "wrote {}, which does not answer hello: write `{{\"hello\":{{\"protocol\":1}}}}` first",
                quote(line)
            ),
            None => wire::noise(line),
        };
        Err(process.fault(problem))
    }

    /// Returns the last request, and the answer if there is one, below a heading.
    pub(crate) fn transcript(&self, heading: impl std::fmt::Display) -> String {
        let mut transcript = Transcript::default();
        let asked = String::from_utf8_lossy(&self.current.asked);
        transcript.note("> ", asked.trim_end());
        let answer = String::from_utf8_lossy(self.process.last_line());
        if !answer.is_empty() {
            transcript.note("< ", &answer);
        }
        format!("{heading}\n\n{}", transcript.text())
    }

    /// Returns the exchange that was set aside, if the process ended with an error: it may have gone
    /// wrong before it answered.
    pub(crate) fn doubtful(&mut self) -> Option<Exchange> {
        let is_doubtful = !self.previous.asked.is_empty() && self.process.has_failed();
        is_doubtful.then(|| std::mem::take(&mut self.previous))
    }

    /// Sends a request of another process again; returns the answer.
    ///
    /// # Errors
    /// If the program does not answer.
    pub(crate) fn repeat(
        &mut self,
        request: &[u8],
        patience: Duration,
    ) -> Result<&[u8], WorkerError> {
        self.process.send(request, patience, "answer")?;
        self.process.receive(patience, "answer")
    }

    /// Draws samples from `first` on, one for each of `rows`.
    ///
    /// # Errors
    /// If the program does not answer, or with something else than such rows.
    pub(crate) fn draw(
        &mut self,
        question: Question,
        first: u64,
        rows: &mut [Row],
    ) -> Result<(), WorkerError> {
        let count = rows.len() as u64;
        let answer = self.ask("draw", question, first, rows)?;
        match answer.rows {
            Some(rows) if rows as u64 == count => Ok(()),
            Some(rows) => Err(self.process.fault(format_args!(
                "answered {rows} rows where {count} were asked for"
            ))),
            None => Err(self.process.fault("answered without rows")),
        }
    }

    /// Asks for a sample with its story.
    ///
    /// # Errors
    /// As [`WorkerSession::draw`].
    pub(crate) fn replay(
        &mut self,
        question: Question,
        sample: u64,
        row: &mut Row,
    ) -> Result<Replay, WorkerError> {
        let answer = self.ask("replay", question, sample, std::slice::from_mut(row))?;
        match (answer.rows, answer.story) {
            (Some(1), Some(story)) => Ok(story),
            (Some(1), None) => Err(self.process.fault("answered a replay without a `story`")),
            _ => Err(self.process.fault("answered a replay without a `row`")),
        }
    }

    /// Asks, and reads the answer with this number.
    fn ask(
        &mut self,
        verb: &str,
        question: Question,
        first: u64,
        rows: &mut [Row],
    ) -> Result<ProgramAnswer, WorkerError> {
        self.id += 1;
        self.set_aside();
        let count = rows.len() as u64;
        let asked = &mut self.current;
        asked.samples = (first, rows.len());
        question.params.clone_into(&mut asked.params);
        question.write(&mut asked.asked, (self.id, verb), (first, count));
        let (patience, process) = (question.declaration.silence(), &mut self.process);
        process.send(&self.current.asked, patience, "answer")?;
        let line = process.receive(patience, "answer")?;
        let answer = wire::read(line, &question.declaration.columns, rows);
        let answer = answer.map_err(|(row, problem)| WorkerError {
            sample: row.map(|row| first.wrapping_add(row as u64)),
            ..self.process.fault(problem)
        })?;
        self.check(answer, first, count)
    }

    /// Sets the last exchange aside, before another one or the end.
    fn set_aside(&mut self) {
        std::mem::swap(&mut self.current, &mut self.previous);
        self.current.asked.clear();
        let answered = &mut self.previous.answered;
        answered.clear();
        answered.extend_from_slice(self.process.last_line());
    }

    /// The answer, if it has this request's number and reports no error.
    fn check(
        &mut self,
        answer: ProgramAnswer,
        first: u64,
        count: u64,
    ) -> Result<ProgramAnswer, WorkerError> {
        let fault = |problem: String| Err(self.process.fault(problem));
        match (answer.id, &answer.error) {
            (None, _) => fault("answered without an `id`".to_owned()),
            (Some(id), _) if id != self.id => fault(format!(
                "answered with the id {id} where {} was asked",
                self.id
            )),
            (_, None) => Ok(answer),
            (_, Some(error)) => {
                let at = answer.at.filter(|at| at.wrapping_sub(first) < count);
                Err(WorkerError {
                    sample: Some(at.unwrap_or(first)),
                    ..self.process.fault(format_args!("reports: {error}"))
                })
            }
        }
    }
}

impl Session for WorkerSession {
    const STARTS: (u32, u32) = (3, 15);

    fn identity(&self) -> (&str, &str) {
        (&self.hello.name, &self.hello.version)
    }

    /// Closes its input, as the protocol wants it.
    fn close(mut self) -> Closing {
        self.set_aside();
        let Some(remark) = self.process.stop("once its input was closed") else {
            return Closing::default();
        };
        let doubtful = self.doubtful();
        let samples = if doubtful.is_some() {
            "its last samples were drawn again"
        } else {
            "its samples are whole"
        };
        Closing {
            remark: Some(format!("{remark}; {samples}")),
            doubtful,
        }
    }
}
