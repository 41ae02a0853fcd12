//! The answers of a contender: by the task in this process, by a worker that answers line by line, or
//! by a process for every instance.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::clock::Spent;
use super::rows::AnswerValues;
use super::setting::{BenchContender, Setting};
use kit::rng::Streams;
use kit::search::Budget;
use lab::experiment::CapTable;
use lab::job::Failure;
use lab::run::CompiledExperiment;
use lab::task::outside::{Declaration, Executable, WorkerError, WorkerErrorKind};
use lab::task::{MetricKind, ParamValue, Row, Value, Workspace};
use programs::Watchdog;
use programs::command::{Asker, ExternalCommand};
use programs::process::Process;
use programs::session::WorkerSession;
use programs::wire::Question;

/// The end of an attempt to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum RunState {
    /// A program was started, and not asked yet.
    Started,
    /// It answered.
    Done,
    /// It was stopped at its cap.
    Capped,
    /// It broke down, or said what is no answer.
    Failed,
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
    /// Starts anew what goes on running, and returns what that took; `None` where nothing does.
    fn restart(&mut self) -> Option<Spent> {
        None
    }

    /// Answers an instance.
    fn answer(&mut self, instance: u64) -> Taken;

    /// Answers an instance so many times in a row, and returns the mean time of an answer.
    fn answers(&mut self, instance: u64, repeats: u32) -> Taken {
        let mut taken = self.answer(instance);
        let mut answers = 1;
        while answers < repeats && taken.state == RunState::Done {
            let next = self.answer(instance);
            taken = Taken {
                spent: taken.spent.and(next.spent),
                ..next
            };
            answers += 1;
        }
        taken.spent = taken.spent.of_one(answers);
        taken
    }
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

    /// The same answer, which counts as none if it took longer than the cap allows.
    fn within(mut self, cap: CapTable) -> Self {
        let is_late = cap.cpu.is_some_and(|cap| self.spent.processor() >= cap);
        if is_late && self.state == RunState::Done {
            self.state = RunState::Capped;
        }
        self
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

impl Setting {
    /// Makes what answers for a contender.
    ///
    /// # Errors
    /// If the program is not there, or the task refuses the parameters.
    pub fn runner(&self, contender: usize) -> Result<Box<dyn ContenderRunner>, Failure> {
        let contender = &self.contenders[contender];
        let named =
            |fault: String| Failure::usage(format!("contender `{}`: {fault}", contender.name));
        let streams = Streams::new(self.experiment.file.seed);
        let task = || {
            let built = self.experiment.task.build(&contender.params);
            built.map_err(|error| named(error.to_string()).with_help(error.help))
        };
        let Some(declaration) = &contender.program else {
            let tasks = vec![task()?];
            let compiled = CompiledExperiment::new(tasks, self.metrics(), streams, self.budget);
            return Ok(Box::new(Inside::new(compiled, self.cap())));
        };
        let question = self.asked_of(contender, declaration).map_err(named)?;
        if !declaration.once {
            return Ok(Box::new(Persistent {
                question,
                session: None,
                used: None,
            }));
        }
        let (task, words) = (task()?, self.words(contender).map_err(named)?);
        let writer =
            Box::new(move |index, form: Option<&str>| task.instance(&streams, index, form));
        let runner = EachTime::new(question, writer, words);
        Ok(Box::new(runner.map_err(named)?))
    }

    fn asked_of(
        &self,
        contender: &BenchContender,
        declaration: &Declaration,
    ) -> Result<Asked, String> {
        let (file, task) = (&self.experiment.file, &self.experiment.task);
        let is_command = self.experiment.command.is_some();
        let mut params = contender.params.clone();
        if !is_command && !declaration.once {
            // A worker for any task is told which one it is asked for.
            params.set("task", ParamValue::Text(task.name.clone()));
            params.set("seed", ParamValue::Text(file.seed.to_string().into()));
        }
        let executable = declaration.program.locate()?;
        let command = Arc::new(ExternalCommand::new(declaration.clone()));
        Ok(Asked {
            asker: Asker::new(&command, &params, &Streams::new(file.seed)),
            executable,
            budget: self.budget,
            cap: self.cap(),
            positions: if declaration.once && !is_command {
                self.answers.clone()
            } else {
                (0..task.metrics.len()).collect()
            },
            metrics: task.metrics.len(),
        })
    }

    /// The words of a program's output with the values of the first answer that they mean.
    fn words(&self, contender: &BenchContender) -> Result<Vec<(String, Value)>, String> {
        let table = self.table(contender);
        let words = table.into_iter().flat_map(|table| &table.answers);
        let Some(metric) = self.answers.first().map(|&at| &self.metrics()[at]) else {
            return Ok(Vec::new());
        };
        let read = |(word, answer): (&String, &ParamValue)| {
            let value = match (metric.kind, answer) {
                (MetricKind::Flag, ParamValue::Flag(flag)) => Some(Value::flag(*flag)),
                (_, answer) => metric.read(&answer.to_string()).ok(),
            };
            let fits = value.filter(|&value| metric.admits(value));
            let fault = || format!("`{answer}` is no value of `{}`", metric.name);
            Ok((word.clone(), fits.ok_or_else(fault)?))
        };
        words.map(read).collect()
    }
}

/// The task itself, in this process.
pub struct Inside {
    compiled: CompiledExperiment,
    workspace: Workspace,
    cap: CapTable,
}

impl Inside {
    /// A compiled experiment of one cell.
    pub fn new(compiled: CompiledExperiment, cap: CapTable) -> Self {
        Self {
            compiled,
            workspace: Workspace::new(),
            cap,
        }
    }
}

impl ContenderRunner for Inside {
    fn restart(&mut self) -> Option<Spent> {
        self.workspace = Workspace::new();
        None
    }

    fn answer(&mut self, instance: u64) -> Taken {
        self.answers(instance, 1)
    }

    /// One look at the clock before and after all answers: it takes as long as a short one.
    fn answers(&mut self, instance: u64, repeats: u32) -> Taken {
        let mut row = [Row::new()];
        let (compiled, workspace) = (&self.compiled, &mut self.workspace);
        let (spent, drawn) = Spent::by(|| {
            (0..repeats).try_for_each(|_| {
                row = [Row::new()];
                compiled.draw(0, workspace, instance, &mut row)
            })
        });
        let (spent, metrics) = (spent.of_one(repeats), compiled.metrics().len());
        let taken = match drawn {
            Ok(()) => Taken::answered(spent, row[0].values().iter().copied().map(Some).collect()),
            Err(error) => Taken::stopped(RunState::Failed, spent, metrics, &error),
        };
        taken.within(self.cap)
    }
}

/// The question that a program is asked.
pub struct Asked {
    /// The program with its parameters and streams.
    pub asker: Asker,
    /// Its file.
    pub executable: Executable,
    /// The nodes that an answer may cost.
    pub budget: Budget,
    /// What an answer may cost before it is stopped.
    pub cap: CapTable,
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
        let cap = self.cap.backstop().map(Duration::from_secs_f64)?;
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
                return Taken::answered(spent, values).within(self.cap);
            }
            Err(trouble) => trouble,
        };
        let backstop = self.cap.backstop();
        let is_late = backstop.is_some_and(|cap| spent.wall >= 0.99 * cap);
        let state = match trouble.kind {
            WorkerErrorKind::Capped => RunState::Capped,
            WorkerErrorKind::Silent if is_late => RunState::Capped,
            _ => RunState::Failed,
        };
        Taken::stopped(state, spent, self.metrics, &trouble)
    }
}

/// A program that goes on running and answers line by line; started when it is first asked.
struct Persistent {
    question: Asked,
    session: Option<WorkerSession>,
    /// The seconds of the processor that it had used when it had answered last.
    used: Option<f64>,
}

impl Persistent {
    fn open(&mut self) -> Result<WorkerSession, WorkerError> {
        let (question, executable) = (self.question.request(), &self.question.executable);
        let open = || WorkerSession::open(&question.declaration.program, executable);
        self.session.take().map_or_else(open, Ok)
    }

    /// What a program has used since it had answered last. What it does after an answer is no other's,
    /// so it counts for the next.
    fn used_since(&mut self, process: &Process) -> Option<f64> {
        let before = self.used.unwrap_or(0.0);
        // A child that was waited for counts in whole ticks from then on, and so for a little less.
        self.used = process.seconds().map(|now| now.max(before));
        Some(self.used? - before)
    }
}

impl ContenderRunner for Persistent {
    fn restart(&mut self) -> Option<Spent> {
        (self.session, self.used) = (None, None);
        let begun = Instant::now();
        // A program that does not start says so when it is asked.
        let session = self.open().ok()?;
        let used = self.used_since(&session.process);
        let spent = Spent::in_process(&session.process, begun, used);
        self.session = Some(session);
        Some(spent)
    }

    fn answer(&mut self, instance: u64) -> Taken {
        if self.session.is_none() {
            self.restart();
        }
        let begun = Instant::now();
        let mut session = match self.open() {
            Ok(session) => session,
            Err(trouble) => return self.question.taken(Spent::on_the_wall(begun), Err(trouble)),
        };
        let mut rows = [Row::new()];
        let used = self.used.zip(self.question.cap.cpu);
        session.process.allowance = used.map(|(used, cap)| used + cap);
        session.process.deadline = self.question.deadline();
        let begun = Instant::now();
        let drawn = session.draw(self.question.request(), instance, &mut rows);
        let used = self.used_since(&session.process);
        let spent = Spent::in_process(&session.process, begun, used);
        if drawn.is_ok() {
            session.process.deadline = None;
            self.session = Some(session);
        }
        let [row] = rows;
        self.question.taken(spent, drawn.map(|()| row))
    }
}

/// The writer of an instance in a named form.
type Writer = Box<dyn Fn(u64, Option<&str>) -> Option<String>>;

/// A program that is started for every instance.
struct EachTime {
    question: Asked,
    writer: Writer,
    /// The places for an instance in the arguments.
    places: Vec<String>,
    /// The words of the output and the values that they mean.
    words: Vec<(String, Value)>,
    watchdogs: Mutex<Vec<Watchdog>>,
    /// The folder of instances that a program reads from a file.
    folder: TempDir,
}

/// The form of a place for an instance, and whether it is asked for in a file:
/// `instance.solvitaire.file`; `None` of another place.
fn form(place: &str) -> Option<(Option<&str>, bool)> {
    let rest = place.strip_prefix(INSTANCE)?;
    let in_file = rest.strip_suffix(".file");
    let form = in_file.unwrap_or(rest);
    let is_one = form.is_empty() || form.starts_with('.');
    is_one.then_some((form.strip_prefix('.'), in_file.is_some()))
}

/// The place of an instance in an argument.
const INSTANCE: &str = "instance";

impl EachTime {
    /// A program of a question; its output is read by words, where there are any.
    ///
    /// # Errors
    /// If there is no such program, or a place that nothing fills.
    fn new(question: Asked, writer: Writer, words: Vec<(String, Value)>) -> Result<Self, String> {
        let argv = &question.request().declaration.program.argv;
        let pieces = argv.iter().flat_map(|word| word.split('{').skip(1));
        let places = pieces.filter_map(|piece| Some(piece.split_once('}')?.0.to_owned()));
        let places: Vec<String> = places.filter(|place| form(place).is_some()).collect();
        let is_unknown =
            |place: &&String| form(place).is_some_and(|(form, _)| writer(0, form).is_none());
        if let Some(place) = places.iter().find(is_unknown) {
            return Err(format!("the game writes no instances as `{{{place}}}`"));
        }
        Ok(Self {
            question,
            writer,
            places,
            words,
            watchdogs: Mutex::default(),
            folder: tempfile::tempdir().map_err(|error| error.to_string())?,
        })
    }

    /// The places in the arguments, filled for an instance, and the parameters.
    fn filled(&self, instance: u64) -> Vec<(String, String)> {
        let fill = |place: &String| {
            let (form, in_file) = form(place)?;
            let text = (self.writer)(instance, form).unwrap_or_default();
            let text = if in_file { self.in_a_file(&text) } else { text };
            Some((place.clone(), text))
        };
        let values = self.question.request().values.iter().cloned();
        self.places.iter().filter_map(fill).chain(values).collect()
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
        let places = self.filled(instance);
        let question = Question {
            values: &places,
            ..self.question.request()
        };
        let begun = Instant::now();
        let program = (&self.question.executable, &self.watchdogs);
        let caps = (self.question.deadline(), self.question.cap.cpu);
        let read = |output: &[u8]| self.read(&question, output);
        let mut running = 0.0;
        let stopping = |process: &Process| running = process.seconds().unwrap_or_default();
        let (answer, usage) = question.ask_once(program, instance, caps, read, stopping);
        let spent = usage.map_or_else(
            || Spent::on_the_wall(begun),
            |usage| Spent::of_ended(usage, begun, running),
        );
        self.question.taken(spent, answer)
    }
}
