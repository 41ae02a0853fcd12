//! The failure of a command: its message and its exit code.

use std::fmt::Display;
use std::process::ExitCode;

use crate::config::ConfigError;
use crate::output::FolderError;
use crate::task::{VerbError, visible};

use super::program::Program;
use super::terminal;

/// An error: a command did not do what was asked.
#[derive(Debug)]
pub struct Failure {
    kind: FailureKind,
    message: String,
    help: Option<String>,
    /// True if the message is laid out already, prefix and all.
    is_rendered: bool,
}

/// The exit code of what a person stopped and can go on with.
pub const INTERRUPTED: u8 = 75;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum FailureKind {
    /// A check or a run failed.
    Failed = 1,
    /// The command line, a configuration or an input file is at fault.
    Usage = 2,
    /// The cap was reached before the question was settled.
    Capped = 3,
    /// A person stopped it, and it can go on.
    Interrupted = INTERRUPTED,
}

impl Failure {
    /// A check or a run failed.
    pub fn failed(message: impl Display) -> Self {
        Self::new(FailureKind::Failed, message)
    }

    /// The command line, a configuration or an input file is at fault.
    pub fn usage(message: impl Display) -> Self {
        Self::new(FailureKind::Usage, message)
    }

    /// The cap was reached before the question was settled.
    pub fn capped(message: impl Display) -> Self {
        Self::new(FailureKind::Capped, message)
    }

    /// A person stopped it; the message says how to go on.
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
            is_rendered: false,
        }
    }

    /// Returns the failure with the program's name in the commands that it advises.
    pub fn spelled(&self, program: &Program) -> Self {
        Self {
            kind: self.kind,
            message: program.spelled(&self.message),
            help: self.help.as_deref().map(|help| program.spelled(help)),
            is_rendered: self.is_rendered,
        }
    }

    /// Says it on standard error.
    pub fn tell(&self) {
        let told = matches!(self.kind, FailureKind::Interrupted | FailureKind::Capped);
        let prefix = if told || self.is_rendered {
            String::new()
        } else {
            terminal::paint_error("error: ")
        };
        // What is laid out already has colours of its own, and its source text made safe.
        let message = if self.is_rendered {
            self.message.clone()
        } else {
            visible(&self.message)
        };
        terminal::put(&format!("{prefix}{}\n", message.trim_end()));
        if let Some(help) = &self.help {
            terminal::put(&format!(
                "{}{}\n",
                terminal::paint_help("help: "),
                visible(help)
            ));
        }
    }

    /// The exit code that goes with it.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind as u8)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self {
            is_rendered: true,
            ..Self::usage(error.render(terminal::colours_on_stderr()))
        }
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
