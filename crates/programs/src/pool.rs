//! The processes of one program, shared by all cells and threads of an experiment: found once,
//! started where none is idle, and what happened to them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};

use base::threads::{lock, spawn_scoped};
use task::outside::{Consent, DeclaredProgram, ProgramLog, WorkerError, WorkerErrorKind};

/// A conversation with a running process.
pub(crate) trait Session {
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
pub(crate) struct Closing {
    /// A remark where it did not end well.
    pub(crate) remark: Option<String>,
    /// The last exchange of one that ended with an error, which puts its answer in doubt.
    pub(crate) doubtful: Option<Exchange>,
}

/// A request for samples and its answer.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    /// The first sample, and their number.
    pub(crate) samples: (u64, usize),
    /// The cell's parameters, a JSON object.
    pub(crate) params: String,
    /// The request as it was sent.
    pub(crate) asked: Vec<u8>,
    /// The answer as it was received.
    pub(crate) answered: Vec<u8>,
}

/// The processes that only one thread asks.
#[derive(Debug)]
struct SecondProcesses<S> {
    /// True while it asks no others.
    are_asked: bool,
    idle: Vec<S>,
}

/// The processes of a program.
#[derive(Debug)]
pub(crate) struct Pool<S> {
    program: DeclaredProgram,
    consent: OnceLock<Consent>,
    idle: Mutex<Vec<S>>,
    /// Those of threads that draw again, by second processes, what others have drawn.
    second: Mutex<HashMap<ThreadId, SecondProcesses<S>>>,
    doubtful: Mutex<Vec<Exchange>>,
    /// The log of what happened to them.
    pub(crate) log: Arc<ProgramLog>,
}

impl<S: Session> Pool<S> {
    /// The pool of a program, without processes.
    pub(crate) fn new(program: &DeclaredProgram) -> Self {
        Self {
            program: program.clone(),
            consent: OnceLock::new(),
            idle: Mutex::default(),
            second: Mutex::default(),
            doubtful: Mutex::default(),
            log: Arc::new(ProgramLog::of(program)),
        }
    }

    /// The leave to start the program, if it is there.
    ///
    /// # Errors
    /// If there is no such program, or nobody gave leave.
    pub(crate) fn find(&self) -> Result<&Consent, WorkerError> {
        let consent = self.consent.get();
        let consent = consent.ok_or_else(|| Consent::refusal(&self.program))?;
        let executable = consent.of(&self.program)?.executable()?;
        self.log.note_executable(&executable.path);
        Ok(consent)
    }

    /// Lets `work` start the program, whose files are held against their hashes before and after:
    /// what it read in between is what the experiment names.
    ///
    /// # Errors
    /// If `work` fails, or a file is another one by now.
    pub(crate) fn watched<T>(
        &self,
        work: impl FnOnce(&Consent) -> Result<T, WorkerError>,
    ) -> Result<T, WorkerError> {
        let consent = self.find()?;
        let granted = consent.of(&self.program)?;
        granted.check()?;
        let done = work(consent);
        granted.check().and(done)
    }

    /// Starts a process, again where that fails by chance.
    ///
    /// # Errors
    /// If the program does not start, is another one by now, or `open` refuses it.
    pub(crate) fn start(
        &self,
        open: impl Fn(&Consent) -> Result<S, WorkerError>,
    ) -> Result<S, WorkerError> {
        let session = self.watched(|consent| Self::open(consent, open))?;
        let (name, version) = session.identity();
        self.log.note_start(name, version);
        Ok(session)
    }

    fn open(
        consent: &Consent,
        open: impl Fn(&Consent) -> Result<S, WorkerError>,
    ) -> Result<S, WorkerError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let error = match open(consent) {
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
    pub(crate) fn take(&self) -> Option<S> {
        self.with_idle(Vec::pop)
    }

    /// Takes processes back that may be asked again.
    pub(crate) fn give_back(&self, sessions: impl IntoIterator<Item = S>) {
        self.with_idle(|idle| idle.extend(sessions));
    }

    /// The idle processes that this thread may ask.
    fn with_idle<T>(&self, work: impl FnOnce(&mut Vec<S>) -> T) -> T {
        let mut second = lock(&self.second);
        let own = second.get_mut(&thread::current().id());
        match own.filter(|own| own.are_asked) {
            Some(own) => work(&mut own.idle),
            None => work(&mut lock(&self.idle)),
        }
    }

    /// Lets this thread ask processes of its own alone from now on, or all others again.
    pub(crate) fn ask_second(&self, are_asked: bool) {
        let mut second = lock(&self.second);
        let own = second.entry(thread::current().id());
        let idle = Vec::new();
        own.or_insert(SecondProcesses { are_asked, idle }).are_asked = are_asked;
    }

    /// Ends the processes of this thread alone.
    pub(crate) fn end_second(&self) {
        let own = lock(&self.second).remove(&thread::current().id());
        let sessions = own.into_iter().flat_map(|own| own.idle);
        sessions.for_each(|session| self.end(session));
    }

    fn end(&self, session: S) {
        let Closing { remark, doubtful } = session.close();
        remark
            .into_iter()
            .for_each(|remark| self.log.remark(remark));
        self.doubt(doubtful);
    }

    /// Takes in the last exchange of a process that ended with an error.
    pub(crate) fn doubt(&self, exchange: Option<Exchange>) {
        lock(&self.doubtful).extend(exchange);
    }

    /// Takes out the last exchanges of processes that ended with an error.
    pub(crate) fn take_doubtful(&self) -> Vec<Exchange> {
        std::mem::take(&mut *lock(&self.doubtful))
    }

    /// Starts processes by this consent from now on; before, none can be started.
    pub(crate) fn allow(&self, consent: &Consent) {
        // Who asks for leave again is given no other programs.
        let _ = self.consent.set(consent.clone());
    }

    /// Ends all idle processes, side by side, as each may take its time.
    pub(crate) fn close(&self)
    where
        S: Send,
    {
        let left = std::mem::take(&mut *lock(&self.second));
        let mut all = lock(&self.idle);
        all.extend(left.into_values().flat_map(|own| own.idle));
        let idle = all.len();
        drop(all);
        let close_next = || {
            while let Some(session) = self.take() {
                self.end(session);
            }
        };
        std::thread::scope(|scope| {
            // Where no thread is left, this one closes what the others do not.
            let _ = (1..idle).try_for_each(|_| spawn_scoped(scope, close_next).map(drop));
            close_next();
        });
    }
}
