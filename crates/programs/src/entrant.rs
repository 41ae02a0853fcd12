//! The answers of a program to the instances of a race: by a worker that answers line by line, or by a
//! process for every instance.

use std::sync::Arc;
use std::time::{Duration, Instant};

use task::outside::{
    Consent, INSTANCE, INSTANCE_FILE, Processes, ProgramContender, WorkerError, WorkerErrorKind,
};
use task::{Entrant, Row, Spent, TimedAnswer, TimingState};
use tempfile::TempDir;

use super::asker::Asker;
use super::command::ExternalCommand;
use super::process::{AnswerLimits, Process};
use super::session::WorkerSession;
use super::usage::{TreeTime, process_peak};
use super::wire::Question;

/// The trouble of a program that has answered, and ended before what it started.
const LEFT_BEHIND: &str = "it answered and ended, but left a process behind that kept its standard output open, \
                           and was killed: its time is not counted";

/// Makes the entrant that answers for a program.
///
/// # Errors
/// A sentence: the program is not there, or asks for an instance in a form that there is none of.
pub fn entrant(contender: ProgramContender, consent: &Consent) -> Result<Box<dyn Entrant>, String> {
    let once = contender.declaration.once;
    let command = Arc::new(ExternalCommand::new(contender.declaration.clone()));
    command.pool.allow(consent);
    command.pool.find().map_err(|error| error.message)?;
    let question = Asked {
        asker: Asker::new(&command, &contender.params, &contender.streams),
        contender,
    };
    if once {
        return Ok(Box::new(EachTime::new(question)?));
    }
    Ok(Box::new(Persistent {
        question,
        session: None,
        used: None,
    }))
}

/// The question that a program is asked.
struct Asked {
    /// The program with its parameters and streams.
    asker: Asker,
    /// The limits of an answer, and what it answers.
    contender: ProgramContender,
}

impl Asked {
    fn request(&self) -> Question<'_> {
        self.asker.question(self.contender.budget)
    }

    fn deadline(&self) -> Option<Instant> {
        let cap = Duration::try_from_secs_f64(self.contender.wall?).ok()?;
        Instant::now().checked_add(cap)
    }

    /// The answer of a program, or how it failed to give one.
    fn taken(&self, spent: Spent, answer: Result<Row, WorkerError>) -> TimedAnswer {
        let contender = &self.contender;
        let trouble = match answer {
            Ok(row) => {
                let mut values = vec![None; contender.metrics];
                for (&position, &value) in contender.positions.iter().zip(row.values()) {
                    values[position] = Some(value);
                }
                return TimedAnswer::answered(spent, values).within(contender.cpu);
            }
            Err(trouble) => trouble,
        };
        let is_late = contender.wall.is_some_and(|cap| spent.wall >= 0.99 * cap);
        let state = match trouble.kind {
            WorkerErrorKind::Capped => TimingState::Capped,
            WorkerErrorKind::Silent if is_late => TimingState::Capped,
            _ => TimingState::Failed,
        };
        TimedAnswer::stopped(state, spent, contender.metrics, &trouble)
    }
}

/// A program that goes on running and answers line by line; started when it is first asked.
struct Persistent {
    question: Asked,
    session: Option<WorkerSession>,
    /// What it had used of the processor when it had answered last.
    used: Option<TreeTime>,
}

impl Persistent {
    fn open(&mut self) -> Result<WorkerSession, WorkerError> {
        let command = &self.question.asker.command;
        let program = &command.declaration.program;
        let open = || WorkerSession::open(program, command.pool.find()?);
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
        let (user, step) = used.unwrap_or((spent.wall, 0.0));
        Spent {
            user,
            step,
            peak_bytes: process_peak(process.id()),
            ..spent
        }
    }
}

impl Entrant for Persistent {
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
        let begun = Instant::now();
        let mut session = match self.open() {
            Ok(session) => session,
            Err(trouble) => return self.question.taken(Spent::on_the_wall(begun), Err(trouble)),
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
        if drawn.is_ok() {
            session.process.limits.deadline = None;
            self.session = Some(session);
        }
        let [row] = rows;
        self.question.taken(spent, drawn.map(|()| row))
    }
}

/// A program that is started for every instance.
struct EachTime {
    question: Asked,
    /// The places for an instance in the arguments and the input.
    places: Vec<String>,
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

impl EachTime {
    /// A program of a question; its output is read by words, where there are any.
    ///
    /// # Errors
    /// If there is no such program, or a place that nothing fills.
    fn new(question: Asked) -> Result<Self, String> {
        let declaration = question.request().declaration;
        let texts = declaration.program.argv.iter().chain([&declaration.stdin]);
        let pieces = texts.flat_map(|text| text.split('{').skip(1));
        let places = pieces.filter_map(|piece| Some(piece.split_once('}')?.0.to_owned()));
        let mut places: Vec<String> = places.filter(|place| form(place).is_some()).collect();
        if declaration.instances.is_some() {
            // Each is a file, which has no other forms.
            places.retain(|place| place != INSTANCE && place != INSTANCE_FILE);
        }
        let writer = &question.contender.writer;
        let is_unknown =
            |place: &&String| form(place).is_some_and(|(form, _)| writer(0, form).is_none());
        if let Some(place) = places.iter().find(is_unknown) {
            return Err(format!("the game writes no instances as `{{{place}}}`"));
        }
        Ok(Self {
            question,
            places,
            folder: tempfile::tempdir().map_err(|error| error.to_string())?,
        })
    }

    /// The places in the arguments and the input, filled for an instance, and the parameters.
    fn filled(&self, instance: u64) -> Vec<(String, String)> {
        let fill = |place: &String| {
            let (form, in_file) = form(place)?;
            let text = (self.question.contender.writer)(instance, form).unwrap_or_default();
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
        if self.question.contender.positions.is_empty() {
            return Ok(row);
        }
        let known = &self.question.contender.words;
        if known.is_empty() {
            question.read(output, &mut row)?;
            return Ok(row);
        }
        let text = String::from_utf8_lossy(output);
        let parts = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
        let mut words = text.split(parts).rev();
        let found = words.find_map(|word| known.iter().find(|(known, _)| known == word));
        let Some((_, value)) = found else {
            let expected: Vec<&str> = known.iter().map(|(word, _)| word.as_str()).collect();
            return Err(format!("wrote none of the words {}", expected.join(", ")));
        };
        row.push(*value);
        Ok(row)
    }
}

impl Entrant for EachTime {
    fn answer(&mut self, instance: u64) -> TimedAnswer {
        let places = self.filled(instance);
        let question = Question {
            values: &places,
            ..self.question.request()
        };
        let begun = Instant::now();
        let limits = AnswerLimits {
            deadline: self.question.deadline(),
            allowance: self.question.contender.cpu,
            ends_alone: true,
            whole: None,
        };
        let read = |output: Vec<u8>| self.read(&question, &output);
        let asked = question.ask_once(&self.question.asker.command, instance, limits, read);
        let spent = asked.spent(begun);
        let mut taken = self.question.taken(spent, asked.answer);
        if asked.is_outlived && taken.trouble.is_none() {
            taken.trouble = Some(LEFT_BEHIND.to_owned());
        }
        taken
    }
}
