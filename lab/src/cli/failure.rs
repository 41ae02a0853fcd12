//! Failures on standard error, and their exit codes.

use std::process::ExitCode;

use crate::experiment::ConfigError;
use crate::task::visible;

use super::Program;
use super::terminal;

pub use crate::job::{Failure, FailureKind};

impl Failure {
    /// Says it on standard error, with the program's name in the commands that it advises.
    pub(super) fn tell(&self, program: &Program) {
        // What is laid out already has colours of its own, and its source text made safe.
        let cause = self.cause.as_deref();
        let message = match cause.and_then(|cause| cause.downcast_ref::<ConfigError>()) {
            Some(error) => error.render(terminal::has_colours(&std::io::stderr())),
            None => {
                let message = format!("{}{}", self.prefix(), visible(&self.to_string()));
                terminal::fitted(&message)
            }
        };
        let message = program.spelled(&message);
        terminal::put(&format!("{}\n", message.trim_end()));
        if !self.help.is_empty() {
            let help = visible(&program.spelled(&self.help));
            let word = terminal::paint("help: ", "1;36");
            terminal::put(&terminal::fitted(&format!("{word}{help}")));
        }
    }

    /// The word before the message: to be stopped is no error.
    fn prefix(&self) -> String {
        match self.kind {
            FailureKind::Interrupted | FailureKind::Capped => String::new(),
            FailureKind::Failed | FailureKind::Usage => terminal::paint("error: ", "1;31"),
        }
    }

    /// The exit code that goes with it.
    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind as u8)
    }
}
