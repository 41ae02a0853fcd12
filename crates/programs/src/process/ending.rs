//! The end of a child process: waited for, asked for, enforced, and told.

use std::fmt::Display;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::{GLANCE, GRACE, LONGEST_LINE, Process};
use crate::Watchdog;
use crate::system::signal;
use task::outside::{WorkerError, WorkerErrorKind, quote};

impl Process {
    /// Returns whether it ended with an error of its own: not with success, nor by a signal that
    /// others send to end it.
    pub fn has_failed(&mut self) -> bool {
        self.status().is_some_and(|status| {
            let signal = signal(status);
            !status.success() && !signal.is_some_and(|signal| signal == 9 || signal == 15)
        })
    }

    /// Returns how it ended, asking the system unless somebody did before.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        self.tree.process.ended().map(|ended| ended.status)
    }

    /// The error of a conversation that is over before the program could do `what`: hears it out
    /// and waits a little for its end.
    pub(super) fn ended(&mut self, closed: &str, what: &str) -> WorkerError {
        self.pipes.input = None;
        self.await_end(GRACE);
        let Some(status) = self.status() else {
            return self.fault(format_args!(
                "closed its standard {closed} before it could {what}, and goes on running"
            ));
        };
        let unfinished = match self.output.rest() {
            [] => String::new(),
            line => format!(", in the middle of the line {}", quote(line)),
        };
        let ending = ending(status);
        let problem = format_args!("ended before it could {what} ({ending}){unfinished}");
        self.crash(status, problem)
    }

    fn crash(&self, status: ExitStatus, problem: impl Display) -> WorkerError {
        let kind = match signal(status) {
            Some(9) => WorkerErrorKind::Killed,
            _ => WorkerErrorKind::Crashed,
        };
        self.error(kind, problem)
    }

    /// Waits for the program to end, taking in what it still writes.
    fn await_end(&mut self, grace: Duration) -> bool {
        let deadline = Instant::now() + grace;
        loop {
            let has_ended = self.status().is_some();
            let [output, errors] = self.pipes.readable(Duration::ZERO, false);
            if errors {
                self.hear_errors();
            }
            if output {
                self.output.read(&mut self.pipes.output);
                self.output.keep_end(LONGEST_LINE);
            }
            if has_ended && !errors {
                return true;
            }
            if Instant::now() >= deadline {
                return has_ended;
            }
            if !output && !errors {
                std::thread::sleep(GLANCE);
            }
        }
    }

    /// Ends it: by the end of its input, else by TERM where there is such a signal, else by KILL, with
    /// all that it started. Returns a
    /// remark where it did not end well `after` it was asked to.
    pub fn stop(&mut self, after: &str) -> Option<String> {
        self.pipes.input = None;
        if !self.await_end(GRACE) {
            self.tree.terminate();
            self.await_end(GRACE);
        }
        let (status, name) = (self.status(), &self.name);
        match status {
            Some(status) if status.success() => None,
            Some(status) => Some(format!("{name} ended with {} {after}", ending(status))),
            None => Some(format!("{name} did not end {after} and was killed")),
        }
    }

    /// Waits a little for it to end by itself, and returns its exit status, one of those that are `good`.
    ///
    /// # Errors
    /// If it does not end, or not well.
    pub(crate) fn finish(&mut self, good: &[i32]) -> Result<i32, WorkerError> {
        self.await_end(GRACE);
        let Some(status) = self.status() else {
            return Err(self.fault("closed its standard output and goes on running"));
        };
        let code = status.code().filter(|code| good.contains(code));
        code.ok_or_else(|| self.crash(status, format_args!("ended with {}", ending(status))))
    }

    /// Kills it with all that it started, and waits for its end.
    pub fn kill(&mut self) {
        self.tree.kill();
    }

    /// Returns the watchdog of a process that has ended, for another program; kills one that has not.
    pub(crate) fn release(mut self) -> Option<Watchdog> {
        self.tree.release()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Describes the end of a program: `exit status 1`, `signal 9 (SIGKILL)`.
pub(super) fn ending(status: ExitStatus) -> String {
    status.to_string().replace(": ", " ")
}
