//! A simulation in another program: its processes, who may use them, and what happens when a
//! process ends too soon.

use std::sync::{Arc, Mutex};

use super::declaration::Declaration;
use super::guard::ProcessGuard;
use super::once;
use super::pool::{Pool, lock};
use super::session::{DrawRequest, WorkerSession};
use super::trouble::{Trouble, seconds};
use super::value::shown;
use crate::rng::{StreamKey, Streams};
use crate::search::Budget;
use crate::task::{IMPURE, Params, Replay, Row};

/// Kills from outside that a sample may suffer.
const KILLS: u32 = 5;

/// Samples that the check at the start draws twice.
const CHECKED: u64 = 8;

/// A program with its processes, shared by all cells and threads of an experiment.
#[derive(Debug)]
pub struct ExternalCommand {
    declaration: Declaration,
    /// Its processes.
    pub pool: Pool<WorkerSession>,
    guards: Mutex<Vec<ProcessGuard>>,
}

/// A program with the parameters of a cell and the streams of an experiment.
#[derive(Clone, Debug)]
pub struct Asker {
    command: Arc<ExternalCommand>,
    params: String,
    values: Vec<(String, String)>,
    streams: Vec<(String, StreamKey)>,
}

/// A sample that gave no value, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The sample.
    pub sample: u64,
    /// The error.
    pub trouble: Trouble,
}

impl ExternalCommand {
    /// The program of a declaration; nothing is started yet.
    pub fn new(declaration: Declaration) -> Self {
        Self {
            declaration,
            pool: Pool::default(),
            guards: Mutex::default(),
        }
    }

    /// Returns the declaration in the file.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Starts the program and hears its hello, if it has one to say.
    ///
    /// # Errors
    /// Where it cannot be started, or says anything else than what the file declares.
    pub fn meet(&self) -> Result<(), Trouble> {
        self.pool.find(&self.declaration.program)?;
        if !self.declaration.once {
            self.pool.give_back([self.open()?]);
        }
        Ok(())
    }

    /// A process that has said hello.
    fn open(&self) -> Result<WorkerSession, Trouble> {
        let open = |executable: &_| WorkerSession::open(&self.declaration, executable);
        self.pool.start(&self.declaration.program, open)
    }

    fn note_crash(&self, samples: &str, trouble: &Trouble) {
        let text = trouble.to_string();
        let first = text.lines().next().unwrap_or_default();
        self.pool.note_crash(format!("{samples}: {first}"));
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
    pub fn draw(&self, first: u64, budget: Budget, rows: &mut [Row]) -> Result<(), Failed> {
        if self.command.declaration.once {
            return self.draw_once(first, budget, rows);
        }
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
    ) -> Result<(), Failed> {
        let trouble = match self.try_in(slot, first, budget, rows) {
            Err(Trouble::Silent(_)) if self.leaves_open() && rows.len() == 1 => {
                self.time_out(first, &mut rows[0]);
                return Ok(());
            }
            Err(silence @ Trouble::Silent(_)) if self.leaves_open() => silence,
            Err(crash @ (Trouble::Crash(_) | Trouble::Killed(_))) => crash,
            other => return other.map_err(|trouble| at(first, trouble)),
        };
        // Which of the samples it was is not known: each is drawn once more, alone.
        for (offset, row) in (0..).zip(rows.iter_mut()) {
            let sample = first.wrapping_add(offset);
            self.draw_alone(slot, sample, budget, std::array::from_mut(row))?;
        }
        if matches!(trouble, Trouble::Silent(_)) {
            return Ok(());
        }
        let last = first.saturating_add((rows.len() as u64).saturating_sub(1));
        let samples = if last > first {
            format!("samples {first} to {last}")
        } else {
            format!("sample {first}")
        };
        self.command.note_crash(&samples, &trouble);
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
        let (params, waited) = (&self.params, seconds(declaration.silence()));
        let what = format!("sample {sample} with {params} took longer than {waited}");
        self.command.pool.note_timeout(what);
    }

    /// Draws a sample after a crash. One that crashes a new process, too, is at fault.
    fn draw_alone(
        &self,
        slot: &mut Option<WorkerSession>,
        sample: u64,
        budget: Budget,
        row: &mut [Row; 1],
    ) -> Result<(), Failed> {
        let mut kills = 0;
        loop {
            let fresh = slot.is_none();
            match self.try_in(slot, sample, budget, row) {
                Ok(()) => return Ok(()),
                Err(Trouble::Silent(_)) if self.leaves_open() => {
                    self.time_out(sample, &mut row[0]);
                    return Ok(());
                }
                Err(Trouble::Crash(_)) if !fresh => {}
                Err(Trouble::Killed(_)) if kills < KILLS => kills += 1,
                Err(Trouble::Crash(message)) => return Err(at(sample, twice(message))),
                Err(other) => return Err(at(sample, other)),
            }
        }
    }

    /// Draws samples by the process in `slot`, which is emptied where that fails.
    fn try_in(
        &self,
        slot: &mut Option<WorkerSession>,
        first: u64,
        budget: Budget,
        rows: &mut [Row],
    ) -> Result<(), Trouble> {
        let mut session = match slot.take() {
            Some(session) => session,
            None => self.command.open()?,
        };
        let drawn = session.draw(self.question(budget), first, rows);
        drawn.inspect_err(|trouble| {
            let pool = &self.command.pool;
            pool.keep_transcript(session.transcript(trouble));
        })?;
        *slot = Some(session);
        Ok(())
    }

    fn question(&self, budget: Budget) -> DrawRequest<'_> {
        DrawRequest {
            declaration: &self.command.declaration,
            params: &self.params,
            streams: &self.streams,
            nodes: (budget != Budget::UNLIMITED).then(|| budget.limit()),
        }
    }

    /// A process for each sample; one that fails is tried once more.
    fn draw_once(&self, first: u64, budget: Budget, rows: &mut [Row]) -> Result<(), Failed> {
        for (offset, row) in (0..).zip(rows) {
            let sample = first.wrapping_add(offset);
            let mut crashes = Vec::new();
            while let Err(trouble) = self.once(sample, budget, row) {
                let kills = crashes
                    .iter()
                    .filter(|c| matches!(c, Trouble::Killed(_)))
                    .count();
                match trouble {
                    Trouble::Silent(_) if self.leaves_open() => {
                        self.time_out(sample, row);
                        break;
                    }
                    Trouble::Killed(_) if kills < KILLS as usize => {}
                    Trouble::Crash(_) if kills == crashes.len() => {}
                    Trouble::Crash(message) => return Err(at(sample, twice(message))),
                    other => return Err(at(sample, other)),
                }
                crashes.push(trouble);
            }
            if let Some(crash) = crashes.first() {
                self.command.note_crash(&format!("sample {sample}"), crash);
            }
        }
        Ok(())
    }

    fn once(&self, sample: u64, budget: Budget, row: &mut Row) -> Result<(), Trouble> {
        let executable = self.command.pool.find(&self.command.declaration.program)?;
        let setting = once::ProcessSetting {
            declaration: &self.command.declaration,
            executable,
            params: &self.values,
            streams: &self.streams,
            nodes: (budget != Budget::UNLIMITED).then(|| budget.limit()),
        };
        let guard = lock(&self.command.guards).pop();
        let (guard, drawn) = setting.draw(guard, sample, row);
        lock(&self.command.guards).extend(guard);
        drawn
    }

    /// Draws the first samples in one line, then, by a second process, each alone and in reverse:
    /// both must give the same values.
    ///
    /// # Errors
    /// The first sample that gave no value, or two.
    pub fn check(&self, budget: Budget) -> Result<(), Failed> {
        let mut rows = vec![Row::new(); CHECKED as usize];
        if self.command.declaration.once {
            self.draw_once(0, budget, &mut rows)?;
            return self.check_each(&rows, |sample, row| self.draw_once(sample, budget, row));
        }
        let mut slots = [self.command.pool.take(), None];
        let [batch, alone] = &mut slots;
        self.draw_in(batch, 0, budget, &mut rows)?;
        let checked = self.check_each(&rows, |sample, row| {
            self.draw_in(alone, sample, budget, row)
        });
        // One that failed has left its slot, and its transcript already.
        if let (Err(failed), [Some(first), Some(second)]) = (&checked, &slots) {
            for session in [first, second] {
                let transcript = session.transcript(&failed.trouble);
                self.command.pool.keep_transcript(transcript);
            }
        }
        self.command.pool.give_back(slots.into_iter().flatten());
        checked
    }

    /// Draws each sample once more, the last first, and compares it.
    fn check_each(
        &self,
        rows: &[Row],
        mut draw: impl FnMut(u64, &mut [Row]) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let numbered = (0..).zip(rows).collect::<Vec<_>>();
        numbered.into_iter().rev().try_for_each(|(sample, row)| {
            let mut again = [Row::new()];
            draw(sample, &mut again)?;
            self.compare(sample, row, &again[0])
        })
    }

    fn compare(&self, sample: u64, first: &Row, second: &Row) -> Result<(), Failed> {
        // The clock decides which samples take too long.
        if first.timed_out() || second.timed_out() {
            return Ok(());
        }
        let columns = &self.command.declaration.columns;
        let values = first.values().iter().zip(second.values());
        for (column, (&first, &second)) in columns.iter().zip(values) {
            if first != second {
                let message = format!(
                    "`{}` of sample {sample} is {}, then {}: {} must draw a sample from its \
                     parameters and seeds alone; {IMPURE}",
                    column.metric.name,
                    shown(column, first),
                    shown(column, second),
                    self.command.declaration.program.title()
                );
                return Err(at(sample, Trouble::fault(message)));
            }
        }
        Ok(())
    }

    /// One sample with its story, or where the program tells none, with its values.
    ///
    /// # Errors
    /// Where it gives no value.
    pub fn replay(&self, sample: u64, budget: Budget) -> Result<Replay, Failed> {
        let mut row = Row::new();
        self.draw(sample, budget, std::slice::from_mut(&mut row))?;
        let idle = self.command.pool.take().filter(|_| !row.timed_out());
        if let Some(mut session) = idle {
            let story = if session.hello().can_replay {
                let story = session.replay(self.question(budget), sample, &mut row);
                Some(story.map_err(|trouble| at(sample, trouble))?)
            } else {
                None
            };
            self.command.pool.give_back([session]);
            if let Some(story) = story {
                return Ok(story);
            }
        }
        let columns = self.command.declaration.columns.iter();
        let values: Vec<String> = columns
            .zip(row.values())
            .map(|(column, &value)| format!("{} {}", column.metric.name, shown(column, value)))
            .collect();
        Ok(Replay {
            instance: format!(
                "sample {sample} of {}",
                self.command.declaration.program.title()
            ),
            frames: Vec::new(),
            outcome: if row.timed_out() {
                let waited = seconds(self.command.declaration.silence());
                format!("unresolved: it took longer than {waited}")
            } else {
                values.join(", ")
            },
        })
    }
}

fn at(sample: u64, trouble: Trouble) -> Failed {
    let known = match &trouble {
        Trouble::Fault {
            sample: Some(known),
            ..
        } => *known,
        _ => sample,
    };
    Failed {
        sample: known,
        trouble,
    }
}

fn twice(message: String) -> Trouble {
    let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!("\n{rest}")
    };
    Trouble::fault(format!("{first}, twice with this sample{rest}"))
}
