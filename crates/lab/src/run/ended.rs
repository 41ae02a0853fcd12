//! The end of a run: a state in the program, one line of text in its manifest.

use std::fmt;
use std::str::FromStr;

use strum::IntoEnumIterator;

use super::fault::Fault;
use super::stop::StopReason;

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// The run goes on, or was killed.
    #[default]
    Running,
    /// The run need not go on, for this reason.
    Complete(StopReason),
    /// The first request to stop was obeyed: everything under way was finished and stored.
    Interrupted,
    /// The blocks of a shard that begin before a sample are drawn; the others are for a later session.
    Waiting,
    /// The second request to stop was obeyed: so many samples of each cell were under way, and count as
    /// unresolved.
    Aborted(u64),
    /// A sample could not be drawn.
    Fault(Fault),
    /// A fault in words: that of a stored run, or of a program that is another one by now, or gave other
    /// values when it was asked again.
    Failed(String),
    /// Storing failed: the file and the reason. What had been stored before is safe.
    Unstored(String),
}

impl Ended {
    /// Returns the reason for which the run need not go on; `None` if it is not complete.
    pub(crate) fn completed(&self) -> Option<StopReason> {
        match self {
            Ended::Complete(reason) => Some(*reason),
            _ => None,
        }
    }

    /// The reason why sampling stopped, as tables tell it; `is_extended` of a run that was given more samples after its
    /// numbers could be seen.
    pub(crate) fn stopped(&self, is_extended: bool) -> Stopped {
        match self {
            Ended::Complete(StopReason::Samples) if is_extended => Stopped::Extended,
            Ended::Complete(reason) => Stopped::Complete(*reason),
            Ended::Interrupted | Ended::Waiting => Stopped::Interrupted,
            Ended::Aborted(_) => Stopped::Aborted,
            Ended::Fault(_) | Ended::Failed(_) => Stopped::Fault,
            Ended::Running | Ended::Unstored(_) => Stopped::Unstored,
        }
    }
}

/// The reason why sampling stopped, each by the word that tables have for it, which never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Stopped {
    /// The run is complete.
    #[strum(transparent)]
    Complete(StopReason),
    /// All samples are there of a run that was given more after its numbers could be seen.
    Extended,
    /// The run was interrupted, or waits for a later session.
    Interrupted,
    /// The samples under way were given up.
    Aborted,
    /// A sample could not be drawn.
    Fault,
    /// Samples could not be stored, or the run goes on.
    Unstored,
}

impl FromStr for Stopped {
    type Err = strum::ParseError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let others = [
            Stopped::Extended,
            Stopped::Interrupted,
            Stopped::Aborted,
            Stopped::Fault,
            Stopped::Unstored,
        ];
        let known = others.into_iter().find(|other| other.as_ref() == word);
        known.map_or_else(|| word.parse().map(Stopped::Complete), Ok)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Running => out.write_str("running"),
            Ended::Complete(StopReason::Samples) => out.write_str("complete"),
            Ended::Complete(reason) => write!(out, "complete: {}", reason.as_ref()),
            Ended::Interrupted => out.write_str("interrupted"),
            Ended::Waiting => out.write_str("waiting"),
            Ended::Aborted(_) => out.write_str("aborted"),
            Ended::Fault(fault) => write!(out, "fault: {fault}"),
            Ended::Failed(fault) => write!(out, "fault: {fault}"),
            Ended::Unstored(error) => write!(out, "unstored: {error}"),
        }
    }
}

impl FromStr for Ended {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of_reason = StopReason::iter().map(Ended::Complete);
        let others = [
            Ended::Running,
            Ended::Interrupted,
            Ended::Waiting,
            Ended::Aborted(0),
        ];
        let mut plain = of_reason.chain(others);
        let exit = match text.split_once(": ") {
            Some(("fault", fault)) => Some(Ended::Failed(fault.to_owned())),
            Some(("unstored", error)) => Some(Ended::Unstored(error.to_owned())),
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
        let complete = StopReason::iter().map(Ended::Complete);
        let others = [
            Ended::Running,
            Ended::Interrupted,
            Ended::Waiting,
            Ended::Aborted(0),
            Ended::Failed("cell 1, sample 7: it broke: badly".into()),
            Ended::Unstored("no space".into()),
        ];
        for exit in complete.chain(others) {
            assert_eq!(exit.to_string().parse(), Ok(exit));
        }
    }

    #[test]
    fn every_reason_reads_back_from_its_word() {
        let reasons = StopReason::iter().map(Ended::Complete);
        let ends = reasons.chain([Ended::Waiting, Ended::Aborted(3), Ended::Running]);
        for stopped in
            ends.flat_map(|end| [false, true].map(|is_extended| end.stopped(is_extended)))
        {
            assert_eq!(stopped.as_ref().parse(), Ok(stopped));
        }
        assert!("complete".parse::<Stopped>().is_err());
    }

    #[test]
    fn a_run_that_drew_all_it_was_asked_for_is_just_complete() {
        assert_eq!("complete".parse(), Ok(Ended::Complete(StopReason::Samples)));
        assert_eq!(Ended::Complete(StopReason::Samples).to_string(), "complete");
        for wrong in ["", "done", "complete: by luck", "running: fast"] {
            assert!(wrong.parse::<Ended>().is_err(), "{wrong}");
        }
    }
}
