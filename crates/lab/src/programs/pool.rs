//! The processes of one program, shared by all cells and threads of an experiment: found once,
//! started where none is idle, and what happened to them.

use std::path::Path;
use std::sync::{Mutex, OnceLock};

use serde::{Deserialize, Serialize};

use super::declaration::DeclaredProgram;
use super::error::{WorkerError, WorkerErrorKind};
use super::executable::Executable;
use super::file_watch::FileWatch;
use crate::task::counted;
use crate::threads::lock;
use crate::threads::spawn_scoped;

/// Crashes noted of one run, and time-outs.
const MOST_CRASHES: usize = 1000;

/// Transcripts kept of one run.
const MOST_TRANSCRIPTS: usize = 100;

/// A conversation with a running process.
pub trait Session {
    /// Starts before the program is given up, where the last one crashed, and where it was killed
    /// from outside: one may be killed by chance while it starts.
    const STARTS: (u32, u32);

    /// Returns the program's own name and version.
    fn identity(&self) -> (&str, &str);

    /// Ends the process.
    fn close(self) -> Closing;
}

/// The end of a process that was asked to end.
#[derive(Debug, Default)]
pub struct Closing {
    /// A remark where it did not end well.
    pub remark: Option<String>,
    /// The last exchange of one that ended with an error, which puts its answer in doubt.
    pub doubtful: Option<Exchange>,
}

/// A request and its answer, as they were sent.
#[derive(Debug, Default)]
pub struct Exchange {
    /// The request.
    pub asked: Vec<u8>,
    /// The answer.
    pub answered: Vec<u8>,
}

/// The processes of a program, whatever they speak.
pub trait Processes {
    /// Writes the transcripts, a file each, into a folder that is made where it is missing.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_transcripts(&self, folder: &Path, name: &str) -> std::io::Result<()>;

    /// Ends all idle processes, side by side, as each may take its time.
    fn close(&self);

    /// Holds the files of `program`, if any of its processes ran, against their hashes once more.
    ///
    /// # Errors
    /// A sentence: one is another file by now.
    fn check_unchanged(&self, program: &DeclaredProgram) -> Result<(), String>;

    /// Returns the history so far of the processes of `program`.
    fn record(&self, program: &DeclaredProgram) -> ProgramRecord;
}

/// The processes of a program.
#[derive(Debug)]
pub struct Pool<S> {
    executable: OnceLock<Result<Executable, String>>,
    files: FileWatch,
    idle: Mutex<Vec<S>>,
    doubtful: Mutex<Vec<Exchange>>,
    log: Mutex<ProgramRecord>,
    transcripts: Mutex<Vec<String>>,
}

/// A program that drew samples or played, with the history of its processes; part of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// Its arguments, as the experiment file has them.
    pub argv: Vec<String>,
    /// The executable file that was started; empty where none was.
    pub executable: String,
    /// Its own name.
    pub name: String,
    /// Its own version, where it says one.
    pub version: String,
    /// Processes started.
    pub started: u64,
    /// The reason for which a player was out from the start, and lost every match unplayed; empty
    /// where it took part.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub out: String,
    /// Crashes that a second try made good.
    pub crashes: Vec<String>,
    /// Samples that took longer than they may, and count as unresolved. The clock decided which, so
    /// another run may not give these numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeouts: Vec<String>,
    /// Processes that did not end well, and what else is told at the end.
    pub remarks: Vec<String>,
}

impl ProgramRecord {
    /// Returns a sentence if the program took no part, and one if the clock decided samples.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let title = format!("`{}`", self.argv.join(" "));
        let out = (!self.out.is_empty()).then(|| {
            format!(
                "{title} took no part, and forfeits every match: {}",
                self.out
            )
        });
        let late = self.timeouts.first().map(|first| {
            let samples = counted(self.timeouts.len() as u64, "sample");
            format!(
                "{title} was too late in {samples}, the first {first}; the clock decides that, so \
                 another run may give other numbers"
            )
        });
        out.into_iter().chain(late)
    }
}

impl<S> Default for Pool<S> {
    fn default() -> Self {
        Self {
            executable: OnceLock::new(),
            files: FileWatch::default(),
            idle: Mutex::default(),
            doubtful: Mutex::default(),
            log: Mutex::default(),
            transcripts: Mutex::default(),
        }
    }
}

impl<S: Session> Pool<S> {
    /// The file of the program, looked for once.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, program: &DeclaredProgram) -> Result<&Executable, WorkerError> {
        let executable = self.executable.get_or_init(|| program.locate());
        let executable = executable.as_ref();
        executable.map_err(|message| WorkerError::fault(message.clone()))
    }

    /// Lets `work` start the program, whose files are held against their hashes before and after:
    /// what it read in between is what the experiment names.
    ///
    /// # Errors
    /// If `work` fails, or a file is another one by now.
    pub fn watched<T>(
        &self,
        program: &DeclaredProgram,
        work: impl FnOnce(&Executable) -> Result<T, WorkerError>,
    ) -> Result<T, WorkerError> {
        let executable = self.find(program)?;
        let check = || self.files.check(program, &executable.folder);
        check()?;
        let done = work(executable);
        check().and(done)
    }

    /// Starts a process, again where that fails by chance.
    ///
    /// # Errors
    /// If the program does not start, is another one by now, or `open` refuses it.
    pub fn start(
        &self,
        program: &DeclaredProgram,
        open: impl Fn(&Executable) -> Result<S, WorkerError>,
    ) -> Result<S, WorkerError> {
        let session = self.watched(program, |executable| Self::open(executable, open))?;
        let mut log = lock(&self.log);
        log.started += 1;
        let (name, version) = session.identity();
        (log.name, log.version) = (name.to_owned(), version.to_owned());
        Ok(session)
    }

    fn open(
        executable: &Executable,
        open: impl Fn(&Executable) -> Result<S, WorkerError>,
    ) -> Result<S, WorkerError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let error = match open(executable) {
                Ok(session) => return Ok(session),
                Err(error) => error,
            };
            match error.kind {
                WorkerErrorKind::Crashed if tries < S::STARTS.0 => {}
                WorkerErrorKind::Killed if tries < S::STARTS.1 => {}
                WorkerErrorKind::Environment | WorkerErrorKind::Silent => return Err(error),
                // A program that does not even start is no crash of a sample.
                _ => return Err(WorkerError::fault(error.message)),
            }
        }
    }

    /// An idle process, if there is one.
    pub fn take(&self) -> Option<S> {
        lock(&self.idle).pop()
    }

    /// Takes processes back that may be asked again.
    pub fn give_back(&self, sessions: impl IntoIterator<Item = S>) {
        lock(&self.idle).extend(sessions);
    }

    /// Takes in the last exchange of a process that ended with an error.
    pub fn doubt(&self, exchange: Option<Exchange>) {
        lock(&self.doubtful).extend(exchange);
    }

    /// Takes out the last exchanges of processes that ended with an error.
    pub fn take_doubtful(&self) -> Vec<Exchange> {
        std::mem::take(&mut *lock(&self.doubtful))
    }

    /// Notes a crash that a second try made good.
    pub fn note_crash(&self, what: String) {
        let mut log = lock(&self.log);
        if log.crashes.len() < MOST_CRASHES {
            log.crashes.push(what);
        }
    }

    /// Notes a sample that took longer than it may.
    pub fn note_timeout(&self, what: String) {
        let mut log = lock(&self.log);
        if log.timeouts.len() < MOST_CRASHES && !log.timeouts.contains(&what) {
            log.timeouts.push(what);
        }
    }

    /// Notes that the program takes no part, and why.
    pub fn note_out(&self, reason: &str) {
        reason.clone_into(&mut lock(&self.log).out);
    }

    /// Notes something to tell at the end.
    pub fn remark(&self, what: String) {
        lock(&self.log).remarks.push(what);
    }

    /// Keeps what was said before a fault.
    pub fn keep_transcript(&self, text: String) {
        let mut transcripts = lock(&self.transcripts);
        if transcripts.len() < MOST_TRANSCRIPTS {
            transcripts.push(text);
        }
    }
}

impl<S: Session + Send> Processes for Pool<S> {
    fn write_transcripts(&self, folder: &Path, name: &str) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for (number, text) in (1..).zip(lock(&self.transcripts).iter()) {
            std::fs::write(folder.join(format!("{name}-{number:03}.txt")), text)?;
        }
        Ok(())
    }

    fn close(&self) {
        let idle = lock(&self.idle).len();
        let close_next = || {
            while let Some(session) = self.take() {
                let Closing { remark, doubtful } = session.close();
                lock(&self.log).remarks.extend(remark);
                self.doubt(doubtful);
            }
        };
        std::thread::scope(|scope| {
            // Where no thread is left, this one closes what the others do not.
            let _ = (1..idle).try_for_each(|_| spawn_scoped(scope, close_next).map(drop));
            close_next();
        });
    }

    fn check_unchanged(&self, program: &DeclaredProgram) -> Result<(), String> {
        let Some(Ok(executable)) = self.executable.get() else {
            return Ok(());
        };
        let mut files = program.files.iter();
        files.try_for_each(|file| file.check(&executable.folder))
    }

    fn record(&self, program: &DeclaredProgram) -> ProgramRecord {
        let executable = self
            .executable
            .get()
            .and_then(|executable| executable.as_ref().ok());
        ProgramRecord {
            argv: program.argv.clone(),
            executable: executable.map_or_else(String::new, |file| file.path.display().to_string()),
            ..lock(&self.log).clone()
        }
    }
}
