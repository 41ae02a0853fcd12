//! A simulation in another program, asked for the samples of a cell, and again where a process ends too soon.

use std::sync::Arc;

use super::command::{ExternalCommand, KILLS, twice, with};
use super::once::SUCCESS;
use super::process::AnswerLimits;
use super::session::WorkerSession;
use super::value::shown;
use super::wire::Question;
use kit::rng::{StreamKey, Streams};
use kit::search::Budget;
use task::outside::{Values, WorkerError, WorkerErrorKind, seconds};
use task::{IMPURE, Params, Replay, Row, SampleError};

/// Samples that the check at the start draws twice.
const CHECKED: u64 = 8;

/// A program with the parameters of a cell and the streams of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(super) command: Arc<ExternalCommand>,
    params: String,
    values: Values,
    streams: Vec<(String, StreamKey)>,
}

impl Asker {
    /// The program, asked with these parameters and streams.
    pub(crate) fn new(command: &Arc<ExternalCommand>, params: &Params, streams: &Streams) -> Self {
        let declared = &command.declaration.streams;
        let key = |name: &String| (name.clone(), streams.key(name));
        Self {
            params: params.to_json(),
            values: params.values(),
            streams: declared.iter().map(key).collect(),
            command: Arc::clone(command),
        }
    }

    /// The program, asked with the values of a cell.
    pub(super) fn with_values(self, values: &Values) -> Self {
        Self {
            values: values.clone(),
            ..self
        }
    }

    /// The most samples that are worth asking for at once.
    pub(crate) fn batch(&self) -> u64 {
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
    pub(crate) fn draw(
        &self,
        first: u64,
        budget: Budget,
        rows: &mut [Row],
    ) -> Result<(), SampleError> {
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
            let read = |output: Vec<u8>, _| question.read(&output, row);
            let ask =
                |_: &_| question.ask_once(command, first, AnswerLimits::default(), SUCCESS, read);
            return command.pool.watched(|consent| ask(consent).answer);
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
    pub(crate) fn question(&self, budget: Budget) -> Question<'_> {
        Question {
            declaration: &self.command.declaration,
            params: &self.params,
            values: &self.values,
            streams: &self.streams,
            nodes: (budget != Budget::UNLIMITED).then(|| budget.limit()),
            memory: None,
        }
    }

    /// Draws the first samples in one line, then, by a second process, each alone and in reverse:
    /// both must give the same values.
    ///
    /// # Errors
    /// The first sample that gave no value, or two.
    pub(crate) fn check(&self, budget: Budget) -> Result<(), SampleError> {
        let instances = self.command.instances.as_ref();
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
    pub(crate) fn replay(&self, sample: u64, budget: Budget) -> Result<Replay, SampleError> {
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
