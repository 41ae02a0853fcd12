//! A player in another program: its engines, and who may use them.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::command::MOST_CRASHES;
use super::declaration::DeclaredProgram;
use super::executable::Executable;
use super::process::close_together;
use super::trouble::Trouble;
use super::ugi::UgiEngine;
use crate::task::{Build, Metric, TaskSpec};

/// Starts that may fail before a player is given up: one may be killed by chance while it starts.
const STARTS: u32 = 5;

/// What a move may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// What is left of the experiment's nodes.
    Nodes,
    /// So many nodes.
    FixedNodes(u64),
    /// So many plies.
    Depth(u64),
}

/// A player as `[players.NAME]` declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerDeclaration {
    /// The name that parameters give it.
    pub name: String,
    /// The program.
    pub program: DeclaredProgram,
    /// What a move may cost.
    pub go: Go,
    /// Whether illegal moves and crashes that come again lose the match; otherwise they end the run.
    pub loses: bool,
}

/// A player with its engines, shared by all cells and threads.
#[derive(Debug)]
pub struct ExternalPlayer {
    declaration: PlayerDeclaration,
    executable: OnceLock<Result<Executable, String>>,
    idle: Mutex<Vec<UgiEngine>>,
    diary: Mutex<PlayerDiary>,
}

/// What happened to a player's engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerDiary {
    /// The engine's own name.
    pub name: String,
    /// Engines started.
    pub started: u64,
    /// Crashes that a second try made good.
    pub crashes: Vec<String>,
    /// Engines that did not end well, and that matches were lost by faults.
    pub remarks: Vec<String>,
    /// Whether it lost a match by a fault.
    pub forfeits: bool,
    /// What was said before each fault.
    pub transcripts: Vec<String>,
}

/// Transcripts kept of one run.
const MOST_TRANSCRIPTS: usize = 100;

impl ExternalPlayer {
    /// The player of a declaration; nothing is started yet.
    pub fn new(declaration: PlayerDeclaration) -> Self {
        Self {
            declaration,
            executable: OnceLock::new(),
            idle: Mutex::default(),
            diary: Mutex::default(),
        }
    }

    /// What the file declares.
    pub fn declaration(&self) -> &PlayerDeclaration {
        &self.declaration
    }

    /// Where the program is, once it was started.
    pub fn executable(&self) -> Option<&Executable> {
        self.executable.get()?.as_ref().ok()
    }

    /// An engine for a match; `fresh` for one that no other match has used.
    ///
    /// # Errors
    /// Where it cannot be started or does not say `ugiok`.
    pub fn take(&self, fresh: bool) -> Result<UgiEngine, Trouble> {
        let idle = if fresh { None } else { lock(&self.idle).pop() };
        match idle {
            Some(engine) => Ok(engine),
            None => self.open(),
        }
    }

    /// Starts an engine and hears its handshake.
    ///
    /// # Errors
    /// Where it cannot be started or does not say `ugiok`.
    pub fn meet(&self) -> Result<(), Trouble> {
        let engine = self.take(false)?;
        self.give_back(engine);
        Ok(())
    }

    fn open(&self) -> Result<UgiEngine, Trouble> {
        let found = self
            .executable
            .get_or_init(|| self.declaration.program.locate());
        let executable = found
            .as_ref()
            .map_err(|message| Trouble::fault(message.clone()))?;
        let mut tries = 0;
        let engine = loop {
            tries += 1;
            match self.start(executable) {
                Err(Trouble::Crash(_) | Trouble::Killed(_)) if tries < STARTS => {}
                Err(Trouble::Crash(message) | Trouble::Killed(message)) => {
                    return Err(Trouble::fault(message));
                }
                other => break other?,
            }
        };
        let mut diary = lock(&self.diary);
        diary.started += 1;
        diary.name = engine.name().to_owned();
        Ok(engine)
    }

    /// An engine after its handshake; of one that fails, what was said is kept.
    fn start(&self, executable: &Executable) -> Result<UgiEngine, Trouble> {
        let program = &self.declaration.program;
        let mut engine = UgiEngine::start(executable, &program.title())?;
        engine.greet(program.patience).inspect_err(|trouble| {
            self.keep_transcript(format!("{trouble}\n\n{}", engine.transcript()));
        })?;
        Ok(engine)
    }

    /// Takes back an engine that has ended its match well.
    pub fn give_back(&self, engine: UgiEngine) {
        lock(&self.idle).push(engine);
    }

    /// Notes a crash that a second try made good.
    pub fn note_crash(&self, what: String) {
        let mut diary = lock(&self.diary);
        if diary.crashes.len() < MOST_CRASHES {
            diary.crashes.push(what);
        }
    }

    /// Notes that a match was lost by a fault; the first is told.
    pub fn note_forfeit(&self, what: &str) {
        let mut diary = lock(&self.diary);
        if !std::mem::replace(&mut diary.forfeits, true) {
            let name = &self.declaration.name;
            diary.remarks.push(format!(
                "{name} loses matches by its own faults (the metric `forfeits` counts them), the \
                 first in {what}"
            ));
        }
    }

    /// Keeps what was said before a fault.
    pub fn keep_transcript(&self, text: String) {
        let mut diary = lock(&self.diary);
        if diary.transcripts.len() < MOST_TRANSCRIPTS {
            diary.transcripts.push(text);
        }
    }

    /// Writes the transcripts, a file each, into a folder that is made where it is missing.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write_transcripts(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let diary = lock(&self.diary);
        let name = &self.declaration.name;
        for (number, text) in (1..).zip(&diary.transcripts) {
            std::fs::write(folder.join(format!("{name}-{number:03}.txt")), text)?;
        }
        Ok(())
    }

    /// Ends all idle engines.
    pub fn close(&self) {
        let idle = std::mem::take(&mut *lock(&self.idle));
        let remarks = close_together(idle, UgiEngine::close);
        lock(&self.diary).remarks.extend(remarks);
    }

    /// What happened to all engines so far.
    pub fn diary(&self) -> PlayerDiary {
        lock(&self.diary).clone()
    }
}

/// The players of an experiment, as parameters carry them to a task.
#[derive(Debug)]
pub struct Players(pub Vec<Arc<ExternalPlayer>>);

impl Players {
    /// The player of that name.
    pub fn named(&self, name: &str) -> Option<&Arc<ExternalPlayer>> {
        self.0.iter().find(|player| player.declaration.name == name)
    }

    /// Whether a match may be forfeited: then every row ends with `forfeits`.
    pub fn may_forfeit(&self) -> bool {
        self.0.iter().any(|player| player.declaration.loses)
    }
}

/// The matches of a sample that were lost by a fault of a player.
fn forfeits() -> Metric {
    Metric::integer(
        "forfeits",
        "matches",
        (0, 2),
        "matches lost by an illegal move or a crash that came again",
    )
}

/// A game's task with players of an experiment file: its parameters carry them, and where one may
/// forfeit, forfeits are counted.
pub fn joined(task: &TaskSpec, players: &[Arc<ExternalPlayer>]) -> TaskSpec {
    let players = Arc::new(Players(players.to_vec()));
    let mut joined = task.clone();
    if players.may_forfeit() {
        joined.metrics.to_mut().push(forfeits());
    }
    let task = task.clone();
    joined.build = Build::With(Arc::new(move |params| {
        task.build(&params.clone().with_attached(Arc::clone(&players)))
    }));
    joined
}

/// The contents of a lock, also after a panic elsewhere.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
