//! The history of a program's processes, and what was said before their faults.

use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::DeclaredProgram;
use base::counted;
use base::threads::lock;

/// Crashes noted of one run, and time-outs.
const MOST_CRASHES: usize = 1000;

/// Transcripts kept of one run.
const MOST_TRANSCRIPTS: usize = 100;

/// A program that drew samples or played, with the history of its processes; part of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// The program's arguments, as the experiment file has them.
    pub argv: Vec<String>,
    /// The executable file that was started; empty where none was.
    pub executable: String,
    /// The program's own name.
    pub name: String,
    /// The program's own version, where it says one.
    pub version: String,
    /// Processes started.
    pub started: u64,
    /// The reason for which a player was out from the start, so that none of its matches was played; empty
    /// where it took part.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub out: String,
    /// Crashes that a second try made good.
    pub crashes: Vec<String>,
    /// Samples that took longer than they may, and count as unresolved. The clock decided which, so
    /// another run may not give these numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeouts: Vec<String>,
    /// The first match that a player played otherwise when it was drawn again; empty where none was. Its other
    /// matches count, so another run may not give these numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub varied: String,
    /// Processes that did not end well, and what else is told at the end.
    pub remarks: Vec<String>,
}

impl ProgramRecord {
    /// The reasons for which another run may give other numbers, a sentence each.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let (title, samples) = (self.argv.join(" "), self.timeouts.len() as u64);
        let late = self.timeouts.first().map(|first| {
            let samples = counted(samples, "sample");
            format!(
                "`{title}` was too late in {samples}, the first {first}; the clock decides that, so another run may \
                 give other numbers"
            )
        });
        let varied = Some(&self.varied).filter(|varied| !varied.is_empty());
        let varied = varied.map(|first| {
            format!("`{title}` does not repeat its play, as {first} shows, so another run may give other numbers")
        });
        late.into_iter().chain(varied)
    }
}

/// The record of one program's processes as it grows, and the transcripts.
#[derive(Debug)]
pub struct ProgramLog {
    record: Mutex<ProgramRecord>,
    transcripts: Mutex<Vec<String>>,
}

impl ProgramLog {
    /// An empty log of a program.
    pub fn of(program: &DeclaredProgram) -> Self {
        Self {
            record: Mutex::new(ProgramRecord {
                argv: program.argv.clone(),
                ..ProgramRecord::default()
            }),
            transcripts: Mutex::default(),
        }
    }

    /// The record so far.
    pub fn record(&self) -> ProgramRecord {
        lock(&self.record).clone()
    }

    /// Notes the executable file.
    pub fn note_executable(&self, path: &Path) {
        lock(&self.record).executable = path.display().to_string();
    }

    /// Notes that a process was started, with what it says of itself.
    pub fn note_start(&self, name: &str, version: &str) {
        let mut record = lock(&self.record);
        record.started += 1;
        name.clone_into(&mut record.name);
        version.clone_into(&mut record.version);
    }

    /// Notes a crash that a second try made good.
    pub fn note_crash(&self, what: String) {
        let mut record = lock(&self.record);
        if record.crashes.len() < MOST_CRASHES {
            record.crashes.push(what);
        }
    }

    /// Notes a sample that took longer than it may.
    pub fn note_timeout(&self, what: String) {
        let mut record = lock(&self.record);
        if record.timeouts.len() < MOST_CRASHES && !record.timeouts.contains(&what) {
            record.timeouts.push(what);
        }
    }

    /// Notes a match that was played otherwise when it was drawn again; the first is kept.
    pub fn note_varied(&self, place: &str) {
        let varied = &mut lock(&self.record).varied;
        if varied.is_empty() {
            place.clone_into(varied);
        }
    }

    /// Notes that the program takes no part, and why.
    pub(crate) fn note_out(&self, reason: &str) {
        reason.clone_into(&mut lock(&self.record).out);
    }

    /// Notes something to tell at the end.
    pub fn remark(&self, what: String) {
        lock(&self.record).remarks.push(what);
    }

    /// Keeps what was said before a fault.
    pub fn keep_transcript(&self, text: String) {
        let mut transcripts = lock(&self.transcripts);
        if transcripts.len() < MOST_TRANSCRIPTS {
            transcripts.push(text);
        }
    }

    /// Writes the transcripts, a file each, into a folder that is made where it is missing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_transcripts(&self, folder: &Path, name: &str) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for (number, text) in (1..).zip(lock(&self.transcripts).iter()) {
            std::fs::write(folder.join(format!("{name}-{number:03}.txt")), text)?;
        }
        Ok(())
    }
}
