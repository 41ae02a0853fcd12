//! A program that is timed beside others, as it is declared.

use std::fmt;

use kit::search::Budget;

use super::Declaration;
use crate::{Params, Value};

/// A program that answers instances of a task and is timed.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramContender {
    /// The contender's declaration.
    pub declaration: Declaration,
    /// The parameters that it is told.
    pub params: Params,
    /// The nodes that an answer may cost.
    pub budget: Budget,
    /// Seconds of the processor that an answer may cost.
    pub cpu: Option<f64>,
    /// Seconds on the wall after which nobody waits for an answer.
    pub wall: Option<f64>,
    /// Bytes of memory that it may have.
    pub memory: Option<u64>,
    /// The program that is started before it is first asked, in nobody's time.
    pub setup: Option<Declaration>,
    /// The program that is started before each of its answers, in nobody's time.
    pub prepare: Option<Declaration>,
    /// The positions of the declared metrics among the task's.
    pub positions: Vec<usize>,
    /// The number of the task's metrics.
    pub metrics: usize,
    /// The positions of the task's metrics that an answer must tell.
    pub asked: Vec<usize>,
    /// The answers that are known by a sign; none where it writes values.
    pub answers: Vec<KnownAnswer>,
    /// The exit statuses with which it ends well if it is started for each answer.
    pub good_statuses: Vec<i32>,
}

/// An answer that a program gives by a sign.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownAnswer {
    /// The sign.
    pub sign: AnswerSign,
    /// The value that it means.
    pub value: Value,
}

/// A sign by which a program tells its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerSign {
    /// A word of its output: letters, digits, hyphens and underscores.
    Word(String),
    /// A whole line of its output, whose words are parted by single blanks.
    Line(String),
    /// The exit status.
    Status(i32),
}

impl AnswerSign {
    /// The sign of a text in the output: a word, or a line if it has anything that no word has; `None` of a text
    /// that no output has.
    pub fn of_text(text: &str) -> Option<AnswerSign> {
        let line = single_blanks(text);
        match text.chars().all(is_of_word) {
            _ if line.is_empty() || text.contains(['\n', '\r']) => None,
            true => Some(AnswerSign::Word(text.to_owned())),
            false => Some(AnswerSign::Line(line)),
        }
    }

    /// The signs of a line of output: the whole line, then its words from the last to the first.
    pub fn of_line(line: &str) -> impl Iterator<Item = AnswerSign> {
        let words = line.split(|c| !is_of_word(c)).rev();
        let words = words.map(|word| AnswerSign::Word(word.to_owned()));
        std::iter::once(AnswerSign::Line(single_blanks(line))).chain(words)
    }
}

impl fmt::Display for AnswerSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerSign::Word(word) => write!(f, "the word `{word}`"),
            AnswerSign::Line(line) => write!(f, "the line `{line}`"),
            AnswerSign::Status(status) => write!(f, "exit status {status}"),
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `s SATISFIABLE` is a line, its last word an answer of many solvers.
    #[test]
    fn a_line_has_the_signs_of_its_words_from_the_last_to_the_first() {
        let word = |word: &str| AnswerSign::Word(word.to_owned());
        let line = |line: &str| AnswerSign::Line(line.to_owned());
        let signs: Vec<_> = AnswerSign::of_line("s  SAT: x_1=-2").collect();
        let words = ["-2", "x_1", "", "SAT", "", "s"].map(word);
        assert_eq!(
            signs,
            [vec![line("s SAT: x_1=-2")], words.to_vec()].concat()
        );
        assert_eq!(AnswerSign::of_text("SAT"), Some(word("SAT")));
        assert_eq!(AnswerSign::of_text("s  SAT"), Some(line("s SAT")));
        for none in ["", "  ", "s\nSAT"] {
            assert_eq!(AnswerSign::of_text(none), None);
        }
    }
}
