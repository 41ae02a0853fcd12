//! Errors of external programs, in sentences that say what was expected.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use super::executable::Missing;
use super::hello::Disagreement;
use super::output_lines::LONGEST_LINE;
use super::process::Lapse;

/// Characters of a line that are quoted.
const QUOTED: usize = 120;

/// An error: a program gave no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The program ended where it should have answered: worth a second try.
    Crash(String),
    /// The program was killed by SIGKILL, which comes from a person or from a system out of memory:
    /// that says nothing of the sample.
    Killed(String),
    /// The program said nothing for as long as it may.
    Silent(String),
    /// The program and the file say different things.
    Disagreement(Vec<Disagreement>),
    /// Anything else: a second try could not be told from chance.
    Fault {
        /// The sample at fault, where it is known.
        sample: Option<u64>,
        /// The message.
        message: String,
    },
}

impl Trouble {
    /// A fault of no sample in particular.
    pub fn fault(message: impl Into<String>) -> Self {
        Self::Fault {
            sample: None,
            message: message.into(),
        }
    }

    /// Returns the trouble with the last lines of the program's standard error.
    pub fn with_last_words(mut self, words: &str) -> Self {
        let message = match &mut self {
            Self::Crash(message)
            | Self::Killed(message)
            | Self::Silent(message)
            | Self::Fault { message, .. } => message,
            Self::Disagreement(_) => return self,
        };
        if !words.is_empty() {
            message.push_str("\n  its standard error ended with:");
            message.push_str(words);
        }
        self
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash(message)
            | Self::Killed(message)
            | Self::Silent(message)
            | Self::Fault { message, .. } => f.write_str(message),
            Self::Disagreement(all) => {
                let lines: Vec<&str> = all.iter().map(|one| one.message.as_str()).collect();
                f.write_str(&lines.join("; "))
            }
        }
    }
}

impl From<Missing> for Trouble {
    fn from(missing: Missing) -> Self {
        Self::fault(missing.to_string())
    }
}

/// Converts the lapse of a program that was to do `what` ("answer", "say hello") to a trouble.
pub fn of_lapse(lapse: Lapse, program: &str, what: &str, unfinished: &str) -> Trouble {
    match lapse {
        Lapse::Unstartable(error) => {
            Trouble::fault(format!("{program} cannot be started: {error}"))
        }
        Lapse::Silent(patience) => Trouble::Silent(format!(
            "{program} said nothing in {}: does it flush its output?",
            seconds(patience)
        )),
        Lapse::Held(status) => Trouble::fault(format!(
            "{program} ended ({}), but a process that it started keeps its standard output open: \
             it must wait for what it starts",
            ending(status)
        )),
        Lapse::Deaf(patience) => Trouble::fault(format!(
            "{program} read nothing in {}: does it read its input line by line?",
            seconds(patience)
        )),
        Lapse::Endless => Trouble::fault(format!(
            "{program} wrote a line longer than {} bytes: end each answer with a newline",
            LONGEST_LINE
        )),
        Lapse::Closed(stream) => Trouble::fault(format!(
            "{program} closed its standard {stream} before it could {what}, and goes on running"
        )),
        Lapse::Ended(status) => crash(
            status,
            format!(
                "{program} ended before it could {what} ({}){}",
                ending(status),
                middle(unfinished)
            ),
        ),
    }
}

/// The trouble of a program that ended like this.
pub fn crash(status: ExitStatus, message: String) -> Trouble {
    match status.signal() {
        Some(9) => Trouble::Killed(message),
        _ => Trouble::Crash(message),
    }
}

fn middle(unfinished: &str) -> String {
    if unfinished.is_empty() {
        String::new()
    } else {
        format!(
            ", in the middle of the line {}",
            quote(unfinished.as_bytes())
        )
    }
}

/// Describes the end of a program: `exit status 1`, `signal 9 (SIGKILL)`.
pub fn ending(status: ExitStatus) -> String {
    status.to_string().replace(": ", " ")
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
