//! A simulation in another program: its processes, who may use them, and what happens when a
//! process ends too soon.

use std::sync::{Arc, Mutex};

use super::Watchdog;
use super::command_task::CommandTask;
use super::pool::{Exchange, Pool};
use super::session::WorkerSession;
use super::value::shown;
use super::wire::{self, Question};
use kit::rng::{StreamKey, Streams};
use kit::search::Budget;
use task::outside::{
    Declaration, Processes, ProgramLog, Simulation, WorkerError, WorkerErrorKind, seconds,
};
use task::{IMPURE, Params, Replay, Row, SampleError, Task};

/// Kills from outside that a sample may suffer.
const KILLS: u32 = 5;

/// Samples that the check at the start draws twice.
const CHECKED: u64 = 8;

/// A program with its processes, shared by all cells and threads of an experiment.
#[derive(Debug)]
pub struct ExternalCommand {
    declaration: Declaration,
    /// The processes of the program.
    pub pool: Pool<WorkerSession>,
    /// Watchdogs without a process.
    watchdogs: Mutex<Vec<Watchdog>>,
}

/// A program with the parameters of a cell and the streams of an experiment.
#[derive(Clone, Debug)]
pub struct Asker {
    command: Arc<ExternalCommand>,
    params: String,
    values: Vec<(String, String)>,
    streams: Vec<(String, StreamKey)>,
}

impl ExternalCommand {
    /// The program of a declaration; nothing is started yet.
    pub fn new(declaration: Declaration) -> Self {
        Self {
            pool: Pool::new(&declaration.program),
            declaration,
            watchdogs: Mutex::default(),
        }
    }

    /// A process that has said hello.
    fn open(&self) -> Result<WorkerSession, WorkerError> {
        let program = &self.declaration.program;
        let open = |executable: &_| WorkerSession::open(program, executable);
        let opened = self.pool.start(open);
        opened.map_err(|error| match error.kind {
            // A program that says no hello is at fault, however long a sample may take.
            WorkerErrorKind::Silent => WorkerError::fault(error.message),
            _ => error,
        })
    }

    /// Draws again what processes answered that then ended with an error. A doubt that is not
    /// settled stays.
    fn settle_doubts(&self) -> Result<(), WorkerError> {
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
            let problem = |(_, problem)| WorkerError::fault(format!("{title} {problem}"));
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
    fn difference(&self, sample: u64, first: &Row, second: &Row) -> Option<String> {
        let values = first.values().iter().zip(second.values());
        let mut columns = self.declaration.columns.iter().zip(values);
        let (column, (&first, &second)) = columns.find(|(_, (first, second))| first != second)?;
        let (first, second) = (shown(column, first), shown(column, second));
        let name = &column.name;
        Some(format!(
            "`{name}` of sample {sample} is {first}, then {second}"
        ))
    }

    fn note_crash(&self, samples: &str, error: &WorkerError) {
        let first = error.first_line();
        self.pool.log.note_crash(format!("{samples}: {first}"));
    }
}

impl Processes for ExternalCommand {
    fn log(&self) -> &ProgramLog {
        &self.pool.log
    }

    fn close(&self) {
        self.pool.close();
    }

    fn check_unchanged(&self) -> Result<(), String> {
        self.pool.check_unchanged()
    }
}

impl Simulation for ExternalCommand {
    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn handshake(&self) -> Result<(), WorkerError> {
        self.pool.find()?;
        if !self.declaration.once {
            self.pool.give_back([self.open()?]);
        }
        Ok(())
    }

    fn finish(&self) -> Result<(), WorkerError> {
        self.pool.close();
        self.settle_doubts()
    }

    fn task(self: Arc<Self>, params: &Params) -> Box<dyn Task> {
        Box::new(CommandTask::new(self, params))
    }
}

/// Tells the parameters of a sample, if it has any.
fn with(params: &str) -> String {
    match params {
        "{}" => String::new(),
        params => format!(" with {params}"),
    }
}

impl Asker {
    /// The program, asked with these parameters and streams.
    pub fn new(command: &Arc<ExternalCommand>, params: &Params, streams: &Streams) -> Self {
        let declared = &command.declaration.streams;
        let key = |name: &String| (name.clone(), streams.key(name));
        let values = params
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_string()));
        Self {
            params: params.to_json(),
            values: values.collect(),
            streams: declared.iter().map(key).collect(),
            command: Arc::clone(command),
        }
    }

    /// The most samples that are worth asking for at once.
    pub fn batch(&self) -> u64 {
        if self.command.declaration.once {
            1
        } else {
            self.command.declaration.batch
        }
    }

    /// Draws samples from `first` on, one for each of `rows`.
    ///
    /// # Errors
    /// The first sample that gave no value.
    pub fn draw(&self, first: u64, budget: Budget, rows: &mut [Row]) -> Result<(), SampleError> {
        let mut slot = self.command.pool.take();
        let drawn = self.draw_in(&mut slot, first, budget, rows);
        self.command.pool.give_back(slot);
        drawn
    }

    /// Like [`Asker::draw`], by the process in `slot`; one that ended leaves its place to another.
    fn draw_in(
        &self,
        slot: &mut Option<WorkerSession>,
        first: u64,
        budget: Budget,
        rows: &mut [Row],
    ) -> Result<(), SampleError> {
        if self.command.declaration.once && rows.len() > 1 {
            let mut numbered = (first..).zip(rows);
            return numbered.try_for_each(|(sample, row)| {
                self.draw_in(slot, sample, budget, std::slice::from_mut(row))
            });
        }
        let error = match self.try_in(slot, first, budget, rows) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        match error.kind {
            WorkerErrorKind::Silent if self.leaves_open() => {
                if let [row] = rows {
                    self.time_out(first, row);
                    return Ok(());
                }
            }
            WorkerErrorKind::Crashed | WorkerErrorKind::Killed => {}
            _ => return Err(at(first, error)),
        }
        // Which of the samples it was is not known: each is drawn once more, alone.
        for (offset, row) in (0..).zip(rows.iter_mut()) {
            let sample = first.wrapping_add(offset);
            self.draw_alone(slot, sample, budget, std::array::from_mut(row))?;
        }
        if error.kind == WorkerErrorKind::Silent {
            return Ok(());
        }
        let last = first.saturating_add((rows.len() as u64).saturating_sub(1));
        let samples = if last > first {
            format!("samples {first} to {last}")
        } else {
            format!("sample {first}")
        };
        self.command.note_crash(&samples, &error);
        Ok(())
    }

    /// Returns whether a sample that takes longer than it may is unresolved, and no fault.
    fn leaves_open(&self) -> bool {
        self.command.declaration.timeout.is_some()
    }

    /// Makes a sample unresolved, and notes it.
    fn time_out(&self, sample: u64, row: &mut Row) {
        let declaration = &self.command.declaration;
        declaration.time_out(row);
        let (params, waited) = (with(&self.params), seconds(declaration.silence()));
        let what = format!("sample {sample}{params} took longer than {waited}: unresolved");
        self.command.pool.log.note_timeout(what);
    }

    /// Draws a sample after a crash. One that crashes a new process, too, is at fault.
    fn draw_alone(
        &self,
        slot: &mut Option<WorkerSession>,
        sample: u64,
        budget: Budget,
        row: &mut [Row; 1],
    ) -> Result<(), SampleError> {
        let mut kills = 0;
        loop {
            let fresh = slot.is_none();
            let error = match self.try_in(slot, sample, budget, row) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            match error.kind {
                WorkerErrorKind::Silent if self.leaves_open() => {
                    self.time_out(sample, &mut row[0]);
                    return Ok(());
                }
                WorkerErrorKind::Crashed if !fresh => {}
                WorkerErrorKind::Killed if kills < KILLS => kills += 1,
                WorkerErrorKind::Crashed => return Err(at(sample, twice(error))),
                _ => return Err(at(sample, error)),
            }
        }
    }

    /// Draws samples by the process in `slot`, which is emptied where that fails, or one sample by
    /// a process of its own.
    fn try_in(
        &self,
        slot: &mut Option<WorkerSession>,
        first: u64,
        budget: Budget,
        rows: &mut [Row],
    ) -> Result<(), WorkerError> {
        let (command, question) = (&self.command, self.question(budget));
        if let ([row], true) = (&mut *rows, command.declaration.once) {
            let draw =
                |executable: &_| question.draw_once(executable, &command.watchdogs, first, row);
            return command.pool.watched(draw);
        }
        let mut session = match slot.take() {
            Some(session) => session,
            None => command.open()?,
        };
        if let Err(error) = session.draw(question, first, rows) {
            command.pool.log.keep_transcript(session.transcript(&error));
            command.pool.doubt(session.doubtful());
            command.settle_doubts()?;
            return Err(error);
        }
        *slot = Some(session);
        Ok(())
    }

    /// The question that its program is asked.
    pub fn question(&self, budget: Budget) -> Question<'_> {
        Question {
            declaration: &self.command.declaration,
            params: &self.params,
            values: &self.values,
            streams: &self.streams,
            nodes: (budget != Budget::UNLIMITED).then(|| budget.limit()),
        }
    }

    /// Draws the first samples in one line, then, by a second process, each alone and in reverse:
    /// both must give the same values.
    ///
    /// # Errors
    /// The first sample that gave no value, or two.
    pub fn check(&self, budget: Budget) -> Result<(), SampleError> {
        let instances = self.command.declaration.instances.as_ref();
        let instances = instances.and_then(|instances| instances.count());
        let checked = instances.map_or(CHECKED, |count| count.min(CHECKED));
        let mut rows = vec![Row::new(); checked as usize];
        let mut slots = [self.command.pool.take(), None];
        let [batch, alone] = &mut slots;
        self.draw_in(batch, 0, budget, &mut rows)?;
        let mut numbered = rows.iter().enumerate().rev();
        let checked = numbered.try_for_each(|(sample, row)| {
            let mut again = [Row::new()];
            self.draw_in(alone, sample as u64, budget, &mut again)?;
            self.compare(sample as u64, row, &again[0])
        });
        // One that failed has left its slot, and its transcript already.
        if let (Err(error), [Some(first), Some(second)]) = (&checked, &slots) {
            for session in [first, second] {
                let transcript = session.transcript(error);
                self.command.pool.log.keep_transcript(transcript);
            }
        }
        self.command.pool.give_back(slots.into_iter().flatten());
        checked
    }

    fn compare(&self, sample: u64, first: &Row, second: &Row) -> Result<(), SampleError> {
        // The clock decides which samples take too long.
        if first.timed_out || second.timed_out {
            return Ok(());
        }
        let Some(values) = self.command.difference(sample, first, second) else {
            return Ok(());
        };
        let message = format!(
            "{values}: {} must draw a sample from its parameters and seeds alone; {IMPURE}",
            self.command.declaration.program.title()
        );
        Err(SampleError::new(sample, message))
    }

    /// Replays a sample with its story or, where the program tells none, with its values.
    ///
    /// # Errors
    /// If it gives no value.
    pub fn replay(&self, sample: u64, budget: Budget) -> Result<Replay, SampleError> {
        let mut row = Row::new();
        self.draw(sample, budget, std::slice::from_mut(&mut row))?;
        let idle = self.command.pool.take().filter(|_| !row.timed_out);
        if let Some(mut session) = idle {
            let can_replay = session.hello.can_replay;
            let story = can_replay.then(|| session.replay(self.question(budget), sample, &mut row));
            let story = story.transpose().map_err(|error| at(sample, error))?;
            self.command.pool.give_back([session]);
            if let Some(story) = story {
                return Ok(story);
            }
        }
        let columns = self.command.declaration.columns.iter();
        let values: Vec<String> = columns
            .zip(row.values())
            .map(|(column, &value)| format!("{}: {}", column.name, shown(column, value)))
            .collect();
        Ok(Replay {
            instance: format!(
                "sample {sample} of {}",
                self.command.declaration.program.title()
            ),
            frames: Vec::new(),
            outcome: if row.timed_out {
                let waited = seconds(self.command.declaration.silence());
                format!("unresolved: it took longer than {waited}")
            } else {
                values.join(", ")
            },
        })
    }
}

/// The error of a sample, which may know better which it is.
fn at(sample: u64, error: WorkerError) -> SampleError {
    SampleError::new(error.sample.unwrap_or(sample), error.message)
}

/// The error of a second crash.
fn twice(mut error: WorkerError) -> WorkerError {
    error.add_to_first_line(", twice with this sample");
    WorkerError::fault(error.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_without_parameters_is_told_without_them() {
        assert_eq!(with(&Params::new().to_json()), "");
        let params = Params::new().with_integer("n", 3);
        assert_eq!(with(&params.to_json()), " with {\"n\":3}");
    }
}
