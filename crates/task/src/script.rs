//! A console for the tests of verbs: it records output and answers from a list.

use std::collections::VecDeque;

use super::{Console, TableCell, Verb};
use base::Failure;

/// A console with prepared answers; after the last of them its input ends.
#[derive(Debug, Default)]
pub struct Script {
    /// The names of the table's columns.
    pub columns: Vec<String>,
    /// The rows of the table.
    pub rows: Vec<Vec<TableCell>>,
    /// The notes, in order.
    pub notes: Vec<String>,
    /// The drawings, in order.
    pub drawings: Vec<String>,
    answers: VecDeque<String>,
}

impl Script {
    /// A console that gives these answers in turn.
    pub fn answering(answers: &[&str]) -> Self {
        Self {
            answers: answers.iter().map(|&answer| answer.to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Runs a verb at this console, with options as a command line has them.
    ///
    /// # Errors
    /// The errors of [`Verb::call`].
    pub fn run(mut self, verb: &Verb, options: &[&str]) -> Result<Self, Failure> {
        verb.call(options, &mut self).map(|()| self)
    }

    /// Returns whether a note or a drawing holds `part`.
    pub fn heard(&self, part: &str) -> bool {
        let mut said = self.notes.iter().chain(&self.drawings);
        said.any(|said| said.contains(part))
    }

    /// A column of the table as text.
    pub fn column(&self, place: usize) -> Vec<String> {
        let text = |row: &Vec<TableCell>| match &row[place] {
            TableCell::Text(text) => text.clone(),
            TableCell::Integer(integer) => integer.to_string(),
            TableCell::Number(number) | TableCell::Exact(number) => number.to_string(),
            TableCell::Flag(flag) => flag.to_string(),
            TableCell::Empty => String::new(),
        };
        self.rows.iter().map(text).collect()
    }
}

impl Console for Script {
    fn columns(&mut self, names: &[&str]) {
        self.columns = names.iter().map(|&name| name.to_owned()).collect();
    }

    fn row(&mut self, cells: &[TableCell]) {
        assert_eq!(cells.len(), self.columns.len(), "a row as long as the head");
        self.rows.push(cells.to_vec());
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    fn draw(&mut self, text: &str) {
        self.drawings.push(text.to_owned());
    }

    fn ask(&mut self, _: &str) -> Option<String> {
        self.answers.pop_front()
    }

    fn colour(&self) -> bool {
        false
    }
}
