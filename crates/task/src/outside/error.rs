//! Errors of external programs, in sentences that say what was expected.

use std::time::Duration;

/// Characters of a line that are quoted.
const QUOTED: usize = 120;

/// An error: a program gave no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct WorkerError {
    /// The kind, which decides what is tried next.
    pub kind: WorkerErrorKind,
    /// The sample at fault, where it is known.
    pub sample: Option<u64>,
    /// The message.
    pub message: String,
}

/// A kind of error of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerErrorKind {
    /// The program ended where it should have answered: worth a second try.
    Crashed,
    /// The program was killed by SIGKILL, which comes from a person or from a system out of memory:
    /// that says nothing of the sample.
    Killed,
    /// The program said nothing for as long as it may.
    Silent,
    /// The program used as much of the processor as it may.
    Capped,
    /// The fault is not the program's: its files are others by now, or the system has no room for a
    /// process.
    Environment,
    /// Anything else: a second try could not be told from chance.
    Fault,
}

impl WorkerError {
    /// An error of this kind, of no sample in particular.
    pub fn new(kind: WorkerErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            sample: None,
            message: message.into(),
        }
    }

    /// Adds to the first line of the message, below which a program's own words may stand.
    pub fn add_to_first_line(&mut self, text: &str) {
        let end = self.message.find('\n').unwrap_or(self.message.len());
        self.message.insert_str(end, text);
    }

    /// The first line of the message.
    pub fn first_line(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// The message in one line, as [`in_short`] has it.
    pub(crate) fn in_short(&self) -> String {
        in_short(&self.message)
    }

    /// A fault of no sample in particular.
    pub fn fault(message: impl Into<String>) -> Self {
        Self::new(WorkerErrorKind::Fault, message)
    }
}

/// The first line of a message and the last one, which of a program that ended by an error says most: it is the end of
/// its standard error.
pub fn in_short(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    let told = [lines.next(), lines.next_back()].into_iter().flatten();
    told.collect::<Vec<_>>().join(": ")
}

/// Seconds for a person.
pub fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// A line in quotes, cut to a bounded length.
pub fn quote(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut shown: String = text
        .chars()
        .take(QUOTED)
        .filter(|c| !c.is_control())
        .collect();
    if text.chars().nth(QUOTED).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// Characters at each end of a longer text that messages repeat.
const EXCERPT: usize = 500;

/// A text of which messages repeat no more than its beginning and its end.
pub fn excerpt(text: &str) -> String {
    let mut marks = text.char_indices().map(|(at, _)| at);
    let Some(begin) = marks.nth(EXCERPT) else {
        return text.to_owned();
    };
    match text.char_indices().rev().nth(EXCERPT - 1) {
        Some((end, _)) if end > begin => format!("{} ... {}", &text[..begin], &text[end..]),
        _ => text.to_owned(),
    }
}
