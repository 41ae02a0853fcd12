//! The ways in which a contender answers: in this process, by a worker that goes on running, or by a
//! process for every instance.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::clock::{Spent, process_peak, process_seconds};
use crate::programs::declaration::Declaration;
use crate::programs::error::{WorkerError, WorkerErrorKind};
use crate::programs::executable::Executable;
use crate::programs::session::WorkerSession;
use crate::programs::watchdog::Watchdog;
use crate::programs::wire::Question;
use crate::rng::{StreamKey, Streams};
use crate::run::CompiledExperiment;
use crate::task::{Row, Task, Value, Workspace};

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
    /// How it ended.
    pub state: RunState,
    /// The time that it took.
    pub spent: Spent,
    /// The values of the task's metrics, in order; `None` where it has none.
    pub values: Vec<Option<Value>>,
    /// What went wrong.
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
    fn stopped(state: RunState, spent: Spent, metrics: usize, trouble: Option<String>) -> Self {
        Self {
            state,
            spent,
            values: vec![None; metrics],
            trouble,
        }
    }
}

/// The task itself, in this process.
pub struct Inside {
    laboratory: CompiledExperiment,
    workspace: Workspace,
}

impl Inside {
    /// A laboratory of one cell.
    pub fn new(laboratory: CompiledExperiment) -> Self {
        Self {
            laboratory,
            workspace: Workspace::new(),
        }
    }
}

impl ContenderRunner for Inside {
    fn answer(&mut self, instance: u64) -> Taken {
        let mut row = [Row::new()];
        let (laboratory, workspace) = (&self.laboratory, &mut self.workspace);
        let (spent, drawn) = Spent::by(|| laboratory.draw(0, workspace, instance, &mut row));
        let metrics = laboratory.metrics().len();
        match drawn {
            Ok(()) => answered(spent, row[0].values()),
            Err(error) => Taken::stopped(RunState::Failed, spent, metrics, Some(error.to_string())),
        }
    }
}

/// An answer whose values are all there. One that is only bounded was stopped by its nodes.
fn answered(spent: Spent, values: &[Value]) -> Taken {
    let is_open = |value: &Value| matches!(value, Value::Bounds { .. });
    let state = if values.iter().any(is_open) {
        RunState::Capped
    } else {
        RunState::Done
    };
    Taken {
        state,
        spent,
        values: values.iter().copied().map(Some).collect(),
        trouble: None,
    }
}

/// The question that a program is asked.
pub struct Asked {
    /// The program and the metrics that it answers.
    pub declaration: Declaration,
    /// The parameters as JSON.
    pub params: String,
    /// The parameters as text, by name.
    pub values: Vec<(String, String)>,
    /// The streams by name.
    pub streams: Vec<(String, StreamKey)>,
    /// The nodes that an answer may cost.
    pub nodes: Option<u64>,
    /// The seconds after which it is stopped.
    pub cap: Option<f64>,
    /// The positions of the declared metrics among the task's.
    pub positions: Vec<usize>,
    /// The number of the task's metrics.
    pub metrics: usize,
}

impl Asked {
    fn request<'a>(&'a self, values: &'a [(String, String)]) -> Question<'a> {
        Question {
            declaration: &self.declaration,
            params: &self.params,
            values,
            streams: &self.streams,
            nodes: self.nodes,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let cap = self.cap.map(Duration::from_secs_f64)?;
        Instant::now().checked_add(cap)
    }

    /// The answer of a program, or how it failed to give one.
    fn taken(&self, spent: Spent, answer: Result<Row, WorkerError>) -> Taken {
        let stopped = |state, trouble: &WorkerError| {
            Taken::stopped(state, spent, self.metrics, Some(trouble.to_string()))
        };
        let row = match answer {
            Ok(row) => row,
            Err(silence)
                if silence.kind == WorkerErrorKind::Silent
                    && self.cap.is_some_and(|cap| spent.wall >= 0.99 * cap) =>
            {
                return stopped(RunState::Capped, &silence);
            }
            Err(trouble) => return stopped(RunState::Failed, &trouble),
        };
        let mut taken = answered(spent, row.values());
        let mut values = vec![None; self.metrics];
        for (&position, value) in self.positions.iter().zip(&taken.values) {
            values[position] = *value;
        }
        taken.values = values;
        taken
    }
}

/// A program that goes on running and answers line by line.
pub struct Persistent {
    question: Asked,
    executable: Executable,
    session: Option<WorkerSession>,
}

impl Persistent {
    /// A worker that is started when it is first asked.
    ///
    /// # Errors
    /// Where there is no such program.
    pub fn new(question: Asked) -> Result<Self, String> {
        Ok(Self {
            executable: question.declaration.program.locate()?,
            question,
            session: None,
        })
    }

    fn open(&mut self) -> Result<WorkerSession, WorkerError> {
        match self.session.take() {
            Some(session) => Ok(session),
            None => WorkerSession::open(&self.question.declaration, &self.executable),
        }
    }
}

impl ContenderRunner for Persistent {
    fn start(&mut self) -> Option<Spent> {
        let begun = Instant::now();
        // A program that does not start says so when it is asked.
        let session = self.open().ok()?;
        let wall = begun.elapsed().as_secs_f64();
        let process = session.process_id();
        self.session = Some(session);
        Some(Spent {
            user: process_seconds(process).unwrap_or(wall),
            system: 0.0,
            wall,
            peak_bytes: process_peak(process),
        })
    }

    fn answer(&mut self, instance: u64) -> Taken {
        let begun = Instant::now();
        let mut session = match self.open() {
            Ok(session) => session,
            Err(trouble) => {
                let wall = begun.elapsed().as_secs_f64();
                let spent = Spent {
                    user: wall,
                    wall,
                    ..Spent::default()
                };
                return self.question.taken(spent, Err(trouble));
            }
        };
        let mut rows = [Row::new()];
        session.set_deadline(self.question.deadline());
        let process = session.process_id();
        let (before, begun) = (process_seconds(process), Instant::now());
        let drawn = session.draw(
            self.question.request(&self.question.values),
            instance,
            &mut rows,
        );
        let wall = begun.elapsed().as_secs_f64();
        let used = process_seconds(process)
            .zip(before)
            .map(|(after, before)| after - before);
        let spent = Spent {
            // A program that ended has no clock any more: the wall's stands in for it.
            user: used.unwrap_or(wall),
            system: 0.0,
            wall,
            peak_bytes: process_peak(process),
        };
        if drawn.is_ok() {
            session.set_deadline(None);
            self.session = Some(session);
        }
        let [row] = rows;
        self.question.taken(spent, drawn.map(|()| row))
    }
}

/// The writer of an instance in a named form.
pub type Writer = Box<dyn Fn(u64, Option<&str>) -> Option<String>>;

/// A program that is started for every instance.
pub struct EachTime {
    question: Asked,
    executable: Executable,
    writer: Writer,
    /// The places for an instance in the arguments: the form of each.
    forms: Vec<Option<String>>,
    /// The words of the output and the values that they mean.
    words: Vec<(String, Value)>,
    watchdogs: Mutex<Vec<Watchdog>>,
    /// Where instances are written that a program reads from a file.
    folder: TempDir,
}

/// A form, and whether it is asked for in a file: `solvitaire.file`.
fn in_file(form: Option<&str>) -> (Option<&str>, bool) {
    let inner = form.and_then(|form| {
        if form == "file" {
            Some("")
        } else {
            form.strip_suffix(".file")
        }
    });
    match inner {
        Some("") => (None, true),
        Some(inner) => (Some(inner), true),
        None => (form, false),
    }
}

/// The place of an instance in an argument.
const INSTANCE: &str = "instance";

impl EachTime {
    /// A program of a question; its output is read by words, where there are any.
    ///
    /// # Errors
    /// Where there is no such program, or a place that nothing fills.
    pub fn new(
        question: Asked,
        writer: Writer,
        words: Vec<(String, Value)>,
    ) -> Result<Self, String> {
        let argv = &question.declaration.program.argv;
        let places = argv.iter().flat_map(|word| {
            word.split('{')
                .skip(1)
                .filter_map(|rest| rest.split_once('}'))
        });
        let mut forms = Vec::new();
        for (place, _) in places {
            match place.strip_prefix(INSTANCE) {
                Some("") => forms.push(None),
                Some(form) if form.starts_with('.') => forms.push(Some(form[1..].to_owned())),
                _ => {}
            }
        }
        for form in &forms {
            if writer(0, in_file(form.as_deref()).0).is_none() {
                let name = form
                    .as_ref()
                    .map_or(String::new(), |form| format!(".{form}"));
                return Err(format!(
                    "the game writes no instances as `{{{INSTANCE}{name}}}`"
                ));
            }
        }
        Ok(Self {
            executable: question.declaration.program.locate()?,
            question,
            writer,
            forms,
            words,
            watchdogs: Mutex::default(),
            folder: tempfile::tempdir().map_err(|error| error.to_string())?,
        })
    }

    fn places(&self, instance: u64) -> Vec<(String, String)> {
        let of_form = |form: &Option<String>| {
            let name = form
                .as_ref()
                .map_or(INSTANCE.to_owned(), |form| format!("{INSTANCE}.{form}"));
            let (form, in_file) = in_file(form.as_deref());
            let text = (self.writer)(instance, form).unwrap_or_default();
            (name, if in_file { self.in_a_file(&text) } else { text })
        };
        let instances = self.forms.iter().map(of_form);
        instances
            .chain(self.question.values.iter().cloned())
            .collect()
    }

    /// The path of a file that holds a text; empty where none can be written.
    fn in_a_file(&self, text: &str) -> String {
        let path = self.folder.path().join(INSTANCE);
        let written = std::fs::write(&path, text).map(|()| path.to_string_lossy().into_owned());
        written.unwrap_or_default()
    }

    /// The values that the output says: by the last of its words that means one, or as a row.
    fn read(&self, question: &Question, output: &[u8]) -> Result<Row, String> {
        let mut row = Row::new();
        if self.words.is_empty() {
            question.read(output, &mut row)?;
            return Ok(row);
        }
        let text = String::from_utf8_lossy(output);
        let parts = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
        let mut words = text.split(parts).rev();
        let found = words.find_map(|word| self.words.iter().find(|(known, _)| known == word));
        let Some((_, value)) = found else {
            let expected: Vec<&str> = self.words.iter().map(|(word, _)| word.as_str()).collect();
            return Err(format!("wrote none of the words {}", expected.join(", ")));
        };
        row.push(*value);
        Ok(row)
    }
}

impl ContenderRunner for EachTime {
    fn answer(&mut self, instance: u64) -> Taken {
        let places = self.places(instance);
        let question = self.question.request(&places);
        let begun = Instant::now();
        let program = (&self.executable, &self.watchdogs);
        let deadline = self.question.deadline();
        let read = |output: &[u8]| self.read(&question, output);
        let answered = question.ask_once(program, instance, deadline, read);
        let wall = begun.elapsed().as_secs_f64();
        let usage = answered.as_ref().ok().and_then(|(_, usage)| *usage);
        let spent = Spent {
            user: usage.map_or(wall, |usage| usage.utime.as_secs_f64()),
            system: usage.map_or(0.0, |usage| usage.stime.as_secs_f64()),
            wall,
            peak_bytes: usage.map(|usage| usage.maxrss),
        };
        self.question.taken(spent, answered.map(|(row, _)| row))
    }
}

/// Writes the instances of a task with the streams of a seed.
pub fn writer(task: Box<dyn Task>, streams: Streams) -> Writer {
    Box::new(move |index, form| task.instance(&streams, index, form))
}
