//! The end of a run as its manifest keeps it: a state in the program, one line of text in the file.

use std::fmt;
use std::str::FromStr;

use strum::IntoEnumIterator;

use crate::run::StopReason;

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// The run goes on, or was killed.
    #[default]
    Running,
    /// The run need not go on, for this reason.
    Complete(StopReason),
    /// The run was asked to stop, and finished what was under way.
    Interrupted,
    /// The run was stopped at once: the samples under way count as unresolved.
    Aborted,
    /// A sample could not be drawn; the text says which and why.
    Fault(String),
    /// A block could not be stored; the text says why.
    Unstored(String),
}

impl Exit {
    /// Returns the reason for which the run need not go on; `None` if it is not complete.
    pub fn completed(&self) -> Option<StopReason> {
        match self {
            Exit::Complete(reason) => Some(*reason),
            _ => None,
        }
    }

    /// The word of the tables' column `stop_reason`, which never changes.
    pub fn stop_reason(&self) -> &'static str {
        match self {
            Exit::Complete(reason) => reason.into(),
            Exit::Interrupted => "interrupted",
            Exit::Aborted => "aborted",
            Exit::Fault(_) => "fault",
            Exit::Running | Exit::Unstored(_) => "unstored",
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Running => out.write_str("running"),
            Exit::Complete(StopReason::Samples) => out.write_str("complete"),
            Exit::Complete(reason) => write!(out, "complete: {}", reason.as_ref()),
            Exit::Interrupted => out.write_str("interrupted"),
            Exit::Aborted => out.write_str("aborted"),
            Exit::Fault(fault) => write!(out, "fault: {fault}"),
            Exit::Unstored(error) => write!(out, "unstored: {error}"),
        }
    }
}

impl FromStr for Exit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of_reason = StopReason::iter().map(Exit::Complete);
        let mut plain = of_reason.chain([Exit::Running, Exit::Interrupted, Exit::Aborted]);
        let exit = match text.split_once(": ") {
            Some(("fault", fault)) => Some(Exit::Fault(fault.to_owned())),
            Some(("unstored", error)) => Some(Exit::Unstored(error.to_owned())),
            _ => plain.find(|exit| exit.to_string() == text),
        };
        exit.ok_or_else(|| format!("`{text}` is not a way in which a run ends"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_end_reads_back_as_itself() {
        let complete = StopReason::iter().map(Exit::Complete);
        let others = [
            Exit::Running,
            Exit::Interrupted,
            Exit::Aborted,
            Exit::Fault("cell 1, sample 7: it broke: badly".into()),
            Exit::Unstored("no space".into()),
        ];
        for exit in complete.chain(others) {
            assert_eq!(exit.to_string().parse(), Ok(exit));
        }
    }

    #[test]
    fn a_run_that_drew_all_it_was_asked_for_is_just_complete() {
        assert_eq!("complete".parse(), Ok(Exit::Complete(StopReason::Samples)));
        assert_eq!(Exit::Complete(StopReason::Samples).to_string(), "complete");
        for wrong in ["", "done", "complete: by luck", "running: fast"] {
            assert!(wrong.parse::<Exit>().is_err(), "{wrong}");
        }
    }
}
