//! A contender that is a process for every instance, with the instance in its arguments.

use std::sync::Mutex;
use std::time::Instant;

use tempfile::TempDir;

use super::clock::Spent;
use super::runner::{Asked, ContenderRunner, Taken};
use crate::programs::executable::Executable;
use crate::programs::watchdog::Watchdog;
use crate::programs::wire::Question;
use crate::task::{Row, Value};

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
    /// The folder of instances that a program reads from a file.
    folder: TempDir,
}

/// A form, and whether it is asked for in a file: `solvitaire.file`.
fn in_file(form: Option<&str>) -> (Option<&str>, bool) {
    match form {
        Some("file") => (None, true),
        Some(form) => form
            .strip_suffix(".file")
            .map_or((Some(form), false), |inner| (Some(inner), true)),
        None => (None, false),
    }
}

/// The forms of the instances in the arguments: `None` for `{instance}`.
fn forms(argv: &[String]) -> Vec<Option<String>> {
    let pieces = argv.iter().flat_map(|word| word.split('{').skip(1));
    let places = pieces.filter_map(|piece| piece.split_once('}')?.0.strip_prefix(INSTANCE));
    let form = |place: &str| match place {
        "" => Some(None),
        place => place.strip_prefix('.').map(|form| Some(form.to_owned())),
    };
    places.filter_map(form).collect()
}

/// The place of an instance of a form.
fn place(form: &Option<String>) -> String {
    form.as_ref()
        .map_or(INSTANCE.to_owned(), |form| format!("{INSTANCE}.{form}"))
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
        let forms = forms(&question.declaration.program.argv);
        let is_unknown = |form: &&Option<String>| writer(0, in_file(form.as_deref()).0).is_none();
        if let Some(form) = forms.iter().find(is_unknown) {
            return Err(format!(
                "the game writes no instances as `{{{}}}`",
                place(form)
            ));
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
            let (inner, in_file) = in_file(form.as_deref());
            let text = (self.writer)(instance, inner).unwrap_or_default();
            (
                place(form),
                if in_file { self.in_a_file(&text) } else { text },
            )
        };
        let values = self.question.values.iter().cloned();
        self.forms.iter().map(of_form).chain(values).collect()
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
        let usage = answered.as_ref().ok().and_then(|(_, usage)| *usage);
        let by_wall = Spent::on_the_wall(begun);
        let spent = usage.map_or(by_wall, |usage| Spent {
            user: usage.utime.as_secs_f64(),
            system: usage.stime.as_secs_f64(),
            peak_bytes: Some(usage.maxrss),
            ..by_wall
        });
        self.question.taken(spent, answered.map(|(row, _)| row))
    }
}
