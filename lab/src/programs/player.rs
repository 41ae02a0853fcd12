//! A player in another program: its engines, and who may use them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::declaration::DeclaredProgram;
use super::error::WorkerError;
use super::pool::Pool;
use super::ugi::UgiEngine;
use crate::task::{Build, Metric, TaskSpec};
use crate::threads::lock;

/// The budget of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// No limit in a match; as many nodes as are named elsewhere.
    Nodes,
    /// This many nodes.
    FixedNodes(u64),
    /// This many plies.
    Depth(u64),
}

/// A player as `[players.NAME]` declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerDeclaration {
    /// The name that parameters give it.
    pub name: String,
    /// The program.
    pub program: DeclaredProgram,
    /// The budget of a move.
    pub go: Go,
    /// True if illegal moves and crashes that come again lose the match; otherwise they end the run.
    pub loses: bool,
}

/// A player with its engines, shared by all cells and threads.
#[derive(Debug)]
pub struct ExternalPlayer {
    declaration: PlayerDeclaration,
    /// Its engines.
    pub pool: Pool<UgiEngine>,
    /// True if it lost a match by a fault of its own.
    lost: AtomicBool,
    /// True if a cell's parameters name it.
    named: AtomicBool,
    repeats: Mutex<Option<Repeats>>,
}

/// Matches that are played twice, to see whether they come out the same.
#[derive(Debug, Default)]
struct Repeats {
    occasion: String,
    /// The transcript of each match.
    matches: Vec<String>,
}

impl ExternalPlayer {
    /// The player of a declaration; nothing is started yet.
    pub fn new(declaration: PlayerDeclaration) -> Self {
        Self {
            declaration,
            pool: Pool::default(),
            lost: AtomicBool::new(false),
            named: AtomicBool::new(false),
            repeats: Mutex::default(),
        }
    }

    /// Returns the declaration in the file.
    pub fn declaration(&self) -> &PlayerDeclaration {
        &self.declaration
    }

    /// Returns whether any task that was built has asked for it.
    pub fn is_named(&self) -> bool {
        self.named.load(Ordering::Relaxed)
    }

    /// An engine for a match; `fresh` for one that no other match has used.
    ///
    /// # Errors
    /// If it cannot be started or does not say `ugiok`.
    pub fn take(&self, fresh: bool) -> Result<UgiEngine, WorkerError> {
        let idle = if fresh { None } else { self.pool.take() };
        idle.map_or_else(|| self.open(), Ok)
    }

    /// Starts an engine and hears its handshake.
    ///
    /// # Errors
    /// If it cannot be started or does not say `ugiok`.
    pub fn handshake(&self) -> Result<(), WorkerError> {
        let engine = self.take(false)?;
        self.pool.give_back([engine]);
        Ok(())
    }

    fn open(&self) -> Result<UgiEngine, WorkerError> {
        let program = &self.declaration.program;
        self.pool.start(program, |executable| {
            let mut engine = UgiEngine::start(executable, &program.title())?;
            engine.greet(program.patience).inspect_err(|error| {
                self.pool
                    .keep_transcript(format!("{error}\n\n{}", engine.transcript.text()));
            })?;
            Ok(engine)
        })
    }

    /// Notes that a match was lost by a fault; the first is told.
    pub fn note_forfeit(&self, what: &str) {
        if !self.lost.swap(true, Ordering::Relaxed) {
            let name = &self.declaration.name;
            self.pool.remark(format!(
                "{name} loses matches by its own faults (the metric `forfeits` counts them), the \
                 first in {what}"
            ));
        }
    }

    /// Starts to keep matches, under this heading, until the check ends.
    pub fn keep_matches(&self, occasion: String) {
        lock(&self.repeats).get_or_insert_default().occasion = occasion;
    }

    /// Returns the heading of the matches that are kept; `None` outside one.
    pub fn occasion(&self) -> Option<String> {
        Some(lock(&self.repeats).as_ref()?.occasion.clone())
    }

    /// Takes in what an engine and etude said in a match, if matches are kept.
    pub fn note_match(&self, engine: &UgiEngine) {
        if let Some(repeats) = &mut *lock(&self.repeats) {
            repeats.matches.push(engine.transcript.text().to_owned());
        }
    }

    /// Ends the check; its matches are kept like those of a fault where they differed.
    pub fn end_check(&self, differed: bool) {
        let mut repeats = lock(&self.repeats).take().unwrap_or_default();
        if differed {
            // By their headings, so that those of one sample stand together.
            repeats.matches.sort();
            let matches = repeats.matches.into_iter();
            matches.for_each(|text| self.pool.keep_transcript(text));
        }
    }
}

/// The players of an experiment, as parameters carry them to a task.
#[derive(Debug)]
pub struct Players(pub Vec<Arc<ExternalPlayer>>);

impl Players {
    /// The player of that name.
    pub fn named(&self, name: &str) -> Option<&Arc<ExternalPlayer>> {
        let mut players = self.0.iter();
        let player = players.find(|player| player.declaration.name == name)?;
        player.named.store(true, Ordering::Relaxed);
        Some(player)
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let players = self.0.iter();
        players.map(|player| player.declaration.name.as_str())
    }

    /// Returns whether a match may be forfeited: then every row ends with `forfeits`.
    pub fn may_forfeit(&self) -> bool {
        self.0.iter().any(|player| player.declaration.loses)
    }
}

/// A game's task with players of an experiment file: its parameters carry them, and where one may
/// forfeit, forfeits are counted.
pub fn joined(task: &TaskSpec, players: &[Arc<ExternalPlayer>]) -> TaskSpec {
    let players = Arc::new(Players(players.to_vec()));
    let mut joined = task.clone();
    if players.may_forfeit() {
        joined.metrics.to_mut().push(Metric::integer(
            "forfeits",
            "matches",
            (0, 2),
            "matches lost by an illegal move or a crash that came again",
        ));
    }
    let task = task.clone();
    joined.build = Build::With(Arc::new(move |params| {
        task.build(&params.clone().with_attached(Arc::clone(&players)))
    }));
    joined
}
