//! A simulation in another program: its processes, who may use them, and what happens when a
//! process ends too soon.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::declaration::Declaration;
use super::executable::Executable;
use super::guard::ProcessGuard;
use super::hello::Hello;
use super::once;
use super::session::{DrawRequest, WorkerSession};
use super::trouble::Trouble;
use super::value::shown;
use crate::rng::{StreamKey, Streams};
use crate::search::Budget;
use crate::task::{Params, Replay, Row};

/// Starts that may fail before a program is given up: one may be killed by chance while it starts.
const STARTS: u32 = 3;

/// Kills from outside that a sample may suffer.
const KILLS: u32 = 5;

/// Samples that the check at the start draws twice.
const CHECKED: u64 = 8;

/// Crashes noted of one run.
pub(super) const MOST_CRASHES: usize = 1000;

/// A program with its processes, shared by all cells and threads of an experiment.
#[derive(Debug)]
pub struct ProgramPool {
    declaration: Declaration,
    executable: OnceLock<Result<Executable, String>>,
    idle: Mutex<Vec<WorkerSession>>,
    guards: Mutex<Vec<ProcessGuard>>,
    diary: Mutex<Diary>,
}

/// What happened to a program's processes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diary {
    /// What the program said of itself.
    pub hello: Option<Hello>,
    /// Processes started.
    pub started: u64,
    /// Crashes that a second try made good.
    pub crashes: Vec<String>,
    /// Processes that did not end well.
    pub remarks: Vec<String>,
}

/// A program with the parameters of a cell and the streams of an experiment.
#[derive(Clone, Debug)]
pub struct Asker {
    command: Arc<ProgramPool>,
    params: String,
    values: Vec<(String, String)>,
    streams: Vec<(String, StreamKey)>,
}

/// A sample that gave no value, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The sample.
    pub sample: u64,
    /// What happened.
    pub trouble: Trouble,
}

impl ProgramPool {
    /// The program of a declaration; nothing is started yet.
    pub fn new(declaration: Declaration) -> Self {
        Self {
            declaration,
            executable: OnceLock::new(),
            idle: Mutex::default(),
            guards: Mutex::default(),
            diary: Mutex::default(),
        }
    }

    /// What the file declares.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Where the program is, once it was started.
    pub fn executable(&self) -> Option<&Executable> {
        self.executable.get()?.as_ref().ok()
    }

    /// Ends all idle processes.
    pub fn close(&self) {
        let idle = std::mem::take(&mut *lock(&self.idle));
        let remarks: Vec<String> = idle.into_iter().filter_map(WorkerSession::close).collect();
        lock(&self.diary).remarks.extend(remarks);
    }

    /// What happened to all processes so far.
    pub fn diary(&self) -> Diary {
        lock(&self.diary).clone()
    }

    /// Starts the program and hears its hello, if it has one to say.
    ///
    /// # Errors
    /// Where it cannot be started, or says anything else than what the file declares.
    pub fn meet(&self) -> Result<(), Trouble> {
        self.find()?;
        if !self.declaration.once {
            let session = self.open()?;
            lock(&self.idle).push(session);
        }
        Ok(())
    }

    fn find(&self) -> Result<&Executable, Trouble> {
        let found = self
            .executable
            .get_or_init(|| self.declaration.program.locate());
        found
            .as_ref()
            .map_err(|message| Trouble::fault(message.clone()))
    }

    /// A process that has said hello.
    fn open(&self) -> Result<WorkerSession, Trouble> {
        let executable = self.find()?;
        let mut tries = 0;
        let session = loop {
            tries += 1;
            match WorkerSession::open(&self.declaration, executable) {
                Err(Trouble::Crash(_)) if tries < STARTS => {}
                Err(Trouble::Killed(_)) if tries < STARTS * KILLS => {}
                other => break other.map_err(given_up)?,
            }
        };
        let mut diary = lock(&self.diary);
        diary.started += 1;
        diary.hello.get_or_insert_with(|| session.hello().clone());
        Ok(session)
    }

    fn note_crash(&self, samples: &str, trouble: &Trouble) {
        let text = trouble.to_string();
        let first = text.lines().next().unwrap_or_default();
        let mut diary = lock(&self.diary);
        if diary.crashes.len() < MOST_CRASHES {
            diary.crashes.push(format!("{samples}: {first}"));
        }
    }
}

impl Asker {
    /// The program, asked with these parameters and streams.
    pub fn new(command: &Arc<ProgramPool>, params: &Params, streams: &Streams) -> Self {
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
        let mut slot = lock(&self.command.idle).pop();
        let drawn = self.draw_in(&mut slot, first, budget, rows);
        lock(&self.command.idle).extend(slot);
        drawn
    }

    /// As [`Asker::draw`], by the process in `slot`; one that ended leaves its place to another.
    fn draw_in(
        &self,
        slot: &mut Option<WorkerSession>,
        first: u64,
        budget: Budget,
        rows: &mut [Row],
    ) -> Result<(), Failed> {
        let crash = match self.try_in(slot, first, budget, rows) {
            Err(crash @ (Trouble::Crash(_) | Trouble::Killed(_))) => crash,
            other => return other.map_err(|trouble| at(first, trouble)),
        };
        // Which of the samples it was is not known: each is drawn once more, alone.
        for (offset, row) in (0..).zip(rows.iter_mut()) {
            let sample = first.wrapping_add(offset);
            self.draw_alone(slot, sample, budget, std::slice::from_mut(row))?;
        }
        let last = first.saturating_add((rows.len() as u64).saturating_sub(1));
        let samples = if last > first {
            format!("samples {first} to {last}")
        } else {
            format!("sample {first}")
        };
        self.command.note_crash(&samples, &crash);
        Ok(())
    }

    /// Draws a sample after a crash. One that crashes a new process, too, is at fault.
    fn draw_alone(
        &self,
        slot: &mut Option<WorkerSession>,
        sample: u64,
        budget: Budget,
        row: &mut [Row],
    ) -> Result<(), Failed> {
        let mut kills = 0;
        loop {
            let fresh = slot.is_none();
            match self.try_in(slot, sample, budget, row) {
                Ok(()) => return Ok(()),
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
        session.draw(self.question(budget), first, rows)?;
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
        let executable = self.command.find()?;
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
        let mut first = vec![Row::new(); CHECKED as usize];
        let mut second = first.clone();
        if self.command.declaration.once {
            self.draw_once(0, budget, &mut first)?;
            self.draw_once(0, budget, &mut second)?;
        } else {
            let mut slots = [lock(&self.command.idle).pop(), None];
            let [batch, alone] = &mut slots;
            self.draw_in(batch, 0, budget, &mut first)?;
            for (sample, row) in second.iter_mut().enumerate().rev() {
                self.draw_in(alone, sample as u64, budget, std::slice::from_mut(row))?;
            }
            lock(&self.command.idle).extend(slots.into_iter().flatten());
        }
        let pairs = (0..).zip(first.iter().zip(&second));
        for (sample, (first, second)) in pairs {
            self.compare(sample, first, second)?;
        }
        Ok(())
    }

    fn compare(&self, sample: u64, first: &Row, second: &Row) -> Result<(), Failed> {
        let columns = &self.command.declaration.columns;
        let values = first.values().iter().zip(second.values());
        for (column, (&first, &second)) in columns.iter().zip(values) {
            if first != second {
                let message = format!(
                    "`{}` of sample {sample} is {}, then {}: {} must draw a sample from its \
                     parameters and seeds alone; usual causes are a seed of its own, the clock, \
                     and state kept between samples",
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
        let tells = || {
            lock(&self.command.diary)
                .hello
                .as_ref()
                .is_some_and(|h| h.can_replay)
        };
        self.draw(sample, budget, std::slice::from_mut(&mut row))?;
        if tells() {
            let mut slot = lock(&self.command.idle).pop();
            let mut session = match slot.take() {
                Some(session) => session,
                None => self.command.open().map_err(|trouble| at(sample, trouble))?,
            };
            let story = session.replay(self.question(budget), sample, &mut row);
            let story = story.map_err(|trouble| at(sample, trouble))?;
            lock(&self.command.idle).push(session);
            return Ok(story);
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
            outcome: values.join(", "),
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

/// A program that does not even start is no crash of a sample.
fn given_up(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Crash(message) | Trouble::Killed(message) => Trouble::fault(message),
        other => other,
    }
}

/// The contents of a lock, also after a panic elsewhere.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
