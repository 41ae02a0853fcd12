//! The failure of a job: what went wrong, and what helps.

use std::fmt::{self, Display};
use std::path::Path;

use crate::experiment::ConfigError;
use crate::store::FolderError;
use crate::task::{ParamError, VerbError};

/// An error: a job was not done as it was asked.
#[derive(Debug)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// The fault, and its place.
    pub message: String,
    /// Advice to the person.
    pub help: Option<String>,
    /// The faults of an experiment file, each with its place in the text.
    pub config: Option<Box<ConfigError>>,
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

    /// A file could not be used.
    pub fn of_file(path: &Path, error: impl Display) -> Self {
        Self::failed(format!("{}: {error}", path.display()))
    }

    /// The command line, an experiment or an input file is at fault.
    pub fn usage(message: impl Display) -> Self {
        Self::new(FailureKind::Usage, message)
    }

    /// The cap was reached before the question was settled.
    pub fn capped(message: impl Display) -> Self {
        Self::new(FailureKind::Capped, message)
    }

    /// A person stopped the job; the message says how to go on.
    pub fn interrupted(message: impl Display) -> Self {
        Self::new(FailureKind::Interrupted, message)
    }

    /// Returns the failure with this advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn new(kind: FailureKind, message: impl Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            help: None,
            config: None,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self {
            config: Some(Box::new(error.clone())),
            ..Self::usage(error)
        }
    }
}

impl From<ParamError> for Failure {
    fn from(error: ParamError) -> Self {
        Self::usage(&error).with_help(error.help)
    }
}

impl From<VerbError> for Failure {
    fn from(error: VerbError) -> Self {
        let message = if error.place.is_empty() {
            error.message
        } else {
            format!("{}: {}", error.place, error.message)
        };
        let kind = match (error.resumable, error.usage) {
            (true, _) => FailureKind::Interrupted,
            (false, true) => FailureKind::Usage,
            (false, false) => FailureKind::Failed,
        };
        Self::new(kind, message).with_help(error.help)
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let (kind, help) = match &error {
            FolderError::Busy(..) => (
                FailureKind::Usage,
                "wait for it to end, or choose another folder with --out",
            ),
            FolderError::Foreign(_) | FolderError::NotAFolder(_) => (
                FailureKind::Usage,
                "choose another folder with --out, or empty this one yourself",
            ),
            FolderError::Mismatch { .. } => (
                FailureKind::Usage,
                "choose another folder with --out; nothing was changed in this one",
            ),
            FolderError::Io { .. } => (
                FailureKind::Failed,
                "check that the folder is writable and that the disk has room; everything stored earlier is safe",
            ),
        };
        Self::new(kind, error).with_help(help)
    }
}
