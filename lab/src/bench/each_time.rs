//! A contender that is a process for every instance, with the instance in its arguments.

use std::sync::Mutex;
use std::time::Instant;

use tempfile::TempDir;

use super::clock::Spent;
use super::runner::{Asked, ContenderRunner, Taken};
use crate::programs::watchdog::Watchdog;
use crate::programs::wire::Question;
use crate::task::{Row, Value};

/// The writer of an instance in a named form.
pub type Writer = Box<dyn Fn(u64, Option<&str>) -> Option<String>>;

/// A program that is started for every instance.
pub struct EachTime {
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
    pub fn new(
        question: Asked,
        writer: Writer,
        words: Vec<(String, Value)>,
    ) -> Result<Self, String> {
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
