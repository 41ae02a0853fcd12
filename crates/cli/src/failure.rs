//! Failures on standard error, and their exit codes.

use base::visible;
use experiment::ConfigError;

use super::Application;
use super::terminal;

pub(crate) use base::{Failure, FailureKind};

/// Says a failure on standard error, with the program's name in the commands that it advises.
pub(super) fn tell(failure: &Failure, app: &Application) {
    // What is laid out already has colours of its own, and its source text made safe.
    let cause = failure.cause.as_deref();
    let message = match cause.and_then(|cause| cause.downcast_ref::<ConfigError>()) {
        Some(error) => error.render(terminal::has_colours(&std::io::stderr())),
        None => {
            let message = format!("{}{}", prefix(failure), visible(&failure.to_string()));
            terminal::fitted(&message)
        }
    };
    let message = app.spelled(&message);
    terminal::put(&format!("{}\n", message.trim_end()));
    if !failure.help.is_empty() {
        let help = visible(&app.spelled(&failure.help));
        let word = terminal::paint("help: ", "1;36");
        terminal::put(&terminal::fitted(&format!("{word}{help}")));
    }
}

/// The word before the message: to be stopped is no error.
fn prefix(failure: &Failure) -> String {
    match failure.kind {
        FailureKind::Interrupted | FailureKind::Capped => String::new(),
        FailureKind::Failed | FailureKind::Usage => terminal::paint("error: ", "1;31"),
    }
}
