//! A conversation with one running worker in protocol 1.

use std::time::Duration;

use serde::de::IgnoredAny;

use super::declaration::{Declaration, DeclaredProgram};
use super::executable::Executable;
use super::hello::Hello;
use super::pool::Session;
use super::process::{Lapse, Process};
use super::transcript::Transcript;
use super::trouble::{Trouble, ending, of_lapse, quote};
use super::wire::{self, ProgramAnswer, Request, Unfit};
use crate::rng::StreamKey;
use crate::task::{Replay, Row};

/// The longest time that a program may take to say hello.
pub const HELLO_PATIENCE: Duration = Duration::from_secs(10);

/// A worker that has said hello.
#[derive(Debug)]
pub struct WorkerSession {
    process: Process,
    name: String,
    hello: Hello,
    id: u64,
    line: Vec<u8>,
}

/// The part of a request that is the same for all samples of a worker.
#[derive(Clone, Copy, Debug)]
pub struct DrawRequest<'a> {
    /// The declaration that the answers must fit.
    pub declaration: &'a Declaration,
    /// The parameters, a JSON object.
    pub params: &'a str,
    /// The streams, by name.
    pub streams: &'a [(String, StreamKey)],
    /// The nodes a sample may cost.
    pub nodes: Option<u64>,
}

/// Starts a program and returns its hello, without any experiment file.
///
/// # Errors
/// Where it cannot be started, or does not answer hello in this protocol.
pub fn introduce(program: &DeclaredProgram) -> Result<Hello, Trouble> {
    let executable = program.locate().map_err(Trouble::fault)?;
    let mut session = WorkerSession::start(program, &executable)?;
    session.greet()?;
    Ok(session.hello)
}

impl WorkerSession {
    /// Starts the program and hears its hello.
    ///
    /// # Errors
    /// Where it does not start, says nothing in ten seconds, or says anything else than what the
    /// file declares.
    pub fn open(declaration: &Declaration, executable: &Executable) -> Result<Self, Trouble> {
        let mut session = Self::start(&declaration.program, executable)?;
        session.greet()?;
        match session.hello.differences(declaration) {
            differences if differences.is_empty() => Ok(session),
            differences => Err(Trouble::Disagreement(differences)),
        }
    }

    fn start(program: &DeclaredProgram, executable: &Executable) -> Result<Self, Trouble> {
        let name = program.title();
        let process =
            Process::start(executable).map_err(|lapse| of_lapse(lapse, &name, "say hello", ""))?;
        Ok(Self {
            process,
            name,
            hello: Hello::default(),
            id: 0,
            line: Vec::new(),
        })
    }

    fn greet(&mut self) -> Result<(), Trouble> {
        let greeting = wire::hello(env!("CARGO_PKG_VERSION"));
        let heard = self
            .process
            .send(greeting.as_bytes(), HELLO_PATIENCE)
            .and_then(|()| self.process.receive(HELLO_PATIENCE));
        let heard = heard.map(<[u8]>::to_vec);
        let line = heard.map_err(|lapse| self.trouble(lapse, "say hello"))?;
        self.hello = match Hello::read(&line) {
            Some(hello) if hello.speaks_protocol() => hello,
            Some(hello) => return Err(self.foreign(&hello)),
            None if serde_json::from_slice::<IgnoredAny>(&line).is_ok() => {
                return Err(self.fault(format!(
                    "wrote {}, which does not answer hello: write `{{\"hello\":{{\"protocol\":1}}}}` first",
                    quote(&line)
                )));
            }
            None => return Err(self.noise(&line)),
        };
        Ok(())
    }

    /// Returns the last request, and the answer if there is one, below a heading.
    pub fn transcript(&self, heading: impl std::fmt::Display) -> String {
        let mut transcript = Transcript::default();
        let asked = String::from_utf8_lossy(&self.line);
        transcript.note("> ", asked.trim_end());
        let answer = self.process.last_line();
        if !answer.is_empty() {
            transcript.note("< ", &answer);
        }
        format!("{heading}\n\n{}", transcript.text())
    }

    /// Returns the program's hello.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Draws samples from `first` on, one for each of `rows`.
    ///
    /// # Errors
    /// Where the program does not answer, or with something else than such rows.
    pub fn draw(
        &mut self,
        question: DrawRequest,
        first: u64,
        rows: &mut [Row],
    ) -> Result<(), Trouble> {
        let count = rows.len() as u64;
        let answer = self.ask("draw", question, first, rows)?;
        match answer.rows {
            Some(found) if found as u64 == count => Ok(()),
            Some(found) => Err(self.fault(format!(
                "answered {found} rows where {count} were asked for"
            ))),
            None => Err(self.fault("answered without rows")),
        }
    }

    /// One sample, with its story.
    ///
    /// # Errors
    /// As [`WorkerSession::draw`].
    pub fn replay(
        &mut self,
        question: DrawRequest,
        sample: u64,
        row: &mut Row,
    ) -> Result<Replay, Trouble> {
        let answer = self.ask("replay", question, sample, std::slice::from_mut(row))?;
        match (answer.rows, answer.story) {
            (Some(1), Some(story)) => Ok(story),
            (Some(1), None) => Err(self.fault("answered a replay without a `story`")),
            _ => Err(self.fault("answered a replay without a `row`")),
        }
    }

    /// Asks, and reads the answer with this number.
    fn ask(
        &mut self,
        verb: &str,
        question: DrawRequest,
        first: u64,
        rows: &mut [Row],
    ) -> Result<ProgramAnswer, Trouble> {
        self.id += 1;
        self.line.clear();
        let request = Request {
            id: self.id,
            verb,
            first,
            count: rows.len() as u64,
            params: question.params,
            streams: question.streams,
            nodes: question.nodes,
        };
        request.write(&mut self.line);
        let patience = question.declaration.silence();
        if let Err(lapse) = self.process.send(&self.line, patience) {
            return Err(self.trouble(lapse, "answer"));
        }
        let columns = &question.declaration.columns;
        let line = match self.process.receive(patience) {
            Ok(line) => line,
            Err(lapse) => return Err(self.trouble(lapse, "answer")),
        };
        let read = wire::read(line, columns, rows).map_err(|unfit| (unfit, line.to_vec()));
        let answer = match read {
            Ok(answer) => answer,
            Err((unfit, line)) => {
                return Err(self.unfit(question.declaration, first, &unfit, &line));
            }
        };
        self.check(answer, first, rows.len() as u64)
    }

    /// The answer, if it has this request's number and reports no error.
    fn check(
        &mut self,
        answer: ProgramAnswer,
        first: u64,
        count: u64,
    ) -> Result<ProgramAnswer, Trouble> {
        match answer.id {
            Some(id) if id == self.id => {}
            Some(id) => {
                return Err(self.fault(format!(
                    "answered with the id {id} where {} was asked",
                    self.id
                )));
            }
            None => return Err(self.fault("answered without an `id`")),
        }
        let Some(error) = &answer.error else {
            return Ok(answer);
        };
        let at = answer.at.filter(|at| at.wrapping_sub(first) < count);
        let trouble = Trouble::Fault {
            sample: Some(at.unwrap_or(first)),
            message: format!("{} reports: {error}", self.name),
        };
        Err(trouble.with_last_words(&self.process.last_words()))
    }

    fn unfit(&self, declaration: &Declaration, first: u64, unfit: &Unfit, line: &[u8]) -> Trouble {
        if let Some((row, message)) = unfit.of_row(&self.name, declaration) {
            return Trouble::Fault {
                sample: Some(first.wrapping_add(row as u64)),
                message,
            };
        }
        match unfit {
            Unfit::Shape(problem) => self.fault(format!(
                "wrote {}, which is JSON and not an answer ({problem}): write `{{\"id\":N,\"rows\":[[...],...]}}` \
                 with a list of values for each sample",
                quote(line)
            )),
            Unfit::NotText => self.fault(format!("wrote {}, which is not UTF-8", quote(line))),
            _ => self.noise(line),
        }
    }

    fn noise(&self, line: &[u8]) -> Trouble {
        Trouble::fault(format!(
            "{} wrote {}, which is not an answer: write one JSON object per line to standard \
             output, and everything else to standard error",
            self.name,
            quote(line)
        ))
        .with_last_words(&self.process.last_words())
    }

    fn foreign(&self, hello: &Hello) -> Trouble {
        let protocol = hello
            .protocol()
            .map_or("no".to_owned(), ToString::to_string);
        Trouble::fault(format!(
            "{} speaks protocol {protocol}: answer hello with `\"protocol\":1`",
            self.name
        ))
    }

    fn fault(&self, what: impl std::fmt::Display) -> Trouble {
        Trouble::fault(format!("{} {what}", self.name)).with_last_words(&self.process.last_words())
    }

    fn trouble(&mut self, lapse: Lapse, what: &str) -> Trouble {
        let unfinished = self.process.unfinished();
        of_lapse(lapse, &self.name, what, &unfinished).with_last_words(&self.process.last_words())
    }
}

impl Session for WorkerSession {
    const STARTS: (u32, u32) = (3, 15);

    fn identity(&self) -> (&str, &str) {
        (&self.hello.name, &self.hello.version)
    }

    /// Closes its input, as the protocol wants it.
    fn close(self) -> Option<String> {
        let ended = self.process.stop();
        match ended {
            Some(status) if status.success() => None,
            Some(status) => Some(format!(
                "{} ended with {} once its input was closed; its samples are whole",
                self.name,
                ending(status)
            )),
            None => Some(format!(
                "{} did not end when its input was closed and was killed; its samples are whole",
                self.name
            )),
        }
    }
}
