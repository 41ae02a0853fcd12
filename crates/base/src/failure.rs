//! The diagnostic of the laboratory: what went wrong, where, what helps, and how a program ends by it.

use std::error::Error;
use std::fmt::{self, Display};
use std::path::Path;

/// An error: something was not done as it was asked.
#[derive(Debug)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// The place of the fault: `--deal`, `deals.csv:17`; empty where the message says it.
    pub place: String,
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The expected form, or advice; empty where there is none.
    pub help: String,
    /// The error behind it, where a person sees that one in a layout of its own.
    pub cause: Option<Box<dyn Error + Send + Sync>>,
}

/// The kind of a failure, with the exit code of a program that ends by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FailureKind {
    /// A check or a run failed.
    Failed = 1,
    /// The command line, an experiment or an input file is at fault.
    Usage = 2,
    /// The cap was reached before the question was settled.
    Capped = 3,
    /// A person stopped the job, and it can go on.
    Interrupted = 75,
}

impl Failure {
    /// A check or a run failed.
    pub fn failed(message: impl Display) -> Self {
        Self::new(FailureKind::Failed, message)
    }

    /// The file at `path` could not be used.
    pub fn of_file(path: &Path, error: impl Display) -> Self {
        Self {
            place: path.display().to_string(),
            ..Self::failed(error)
        }
    }

    /// The command line, an experiment or an input file is at fault.
    pub fn usage(message: impl Display) -> Self {
        Self::new(FailureKind::Usage, message)
    }

    /// The input at `place` is at fault.
    pub fn input(place: impl Into<String>, message: impl Display, help: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            ..Self::usage(message).with_help(help)
        }
    }

    /// The cap was reached before the question was settled.
    pub fn capped(message: impl Display) -> Self {
        Self::new(FailureKind::Capped, message)
    }

    /// A person stopped the job; the message or the advice says how to go on.
    pub fn interrupted(message: impl Display) -> Self {
        Self::new(FailureKind::Interrupted, message)
    }

    /// Returns the failure with this advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    fn new(kind: FailureKind, message: impl Display) -> Self {
        Self {
            kind,
            place: String::new(),
            message: message.to_string(),
            help: String::new(),
            cause: None,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(out, "{}: ", self.place)?;
        }
        out.write_str(&self.message)
    }
}

impl Error for Failure {}
