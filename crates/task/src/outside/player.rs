//! A player in another program: what a referee knows of it, and what its faults mean.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::{Engines, PlayerDeclaration, ProgramLog, Seat, WorkerError, WorkerErrorKind, seconds};
use crate::{Metric, TaskSpec};
use base::threads::lock;

/// A player with its engines, shared by all cells and threads.
#[derive(Debug)]
pub struct OutsidePlayer {
    declaration: PlayerDeclaration,
    log: Arc<ProgramLog>,
    /// The engines; `None` of one that only has to be known by its name.
    engines: Option<Arc<dyn Engines>>,
    /// True if it lost a match by a fault of its own.
    lost: AtomicBool,
    /// True if a cell's parameters name it.
    named: AtomicBool,
    repeats: Mutex<Option<PlayedTwice>>,
    /// The reason for which none of its matches is played.
    out: OnceLock<String>,
    /// True if it took part in an earlier session of the run.
    took_part: AtomicBool,
    /// The sides on which it was checked.
    checked: Mutex<Vec<&'static str>>,
}

/// Matches that are played twice, to see whether they come out the same.
#[derive(Debug, Default)]
struct PlayedTwice {
    occasion: String,
    /// Matches begun, and those in which the player gave no answer in time.
    begun: u64,
    silences: u64,
    /// The transcript of each match.
    matches: Vec<String>,
}

impl OutsidePlayer {
    /// The player of a declaration and its engines; nothing is started yet.
    pub fn new(declaration: PlayerDeclaration, engines: Arc<dyn Engines>) -> Self {
        Self {
            log: Arc::clone(engines.log()),
            engines: Some(engines),
            ..Self::declared(declaration)
        }
    }

    /// A player that no match needs, for whoever only checks its name.
    fn declared(declaration: PlayerDeclaration) -> Self {
        Self {
            log: Arc::new(ProgramLog::of(&declaration.program)),
            engines: None,
            declaration,
            lost: AtomicBool::new(false),
            named: AtomicBool::new(false),
            repeats: Mutex::default(),
            out: OnceLock::new(),
            took_part: AtomicBool::new(false),
            checked: Mutex::default(),
        }
    }

    /// Returns the declaration in the file.
    pub fn declaration(&self) -> &PlayerDeclaration {
        &self.declaration
    }

    /// Returns its engines, if it has any.
    pub fn engines(&self) -> Option<&Arc<dyn Engines>> {
        self.engines.as_ref()
    }

    /// Returns the log of its engines.
    pub fn log(&self) -> &ProgramLog {
        &self.log
    }

    /// A seat at a board on a side.
    ///
    /// # Errors
    /// If it has no engines.
    pub fn seat(self: &Arc<Self>, side: &'static str) -> Result<Box<dyn Seat>, WorkerError> {
        Ok(Arc::clone(self.known_engines()?).seat(self, side))
    }

    fn known_engines(&self) -> Result<&Arc<dyn Engines>, WorkerError> {
        self.engines.as_ref().ok_or_else(|| {
            let name = &self.declaration.name;
            let message = format!("{name} is only declared, and plays no match");
            WorkerError::new(WorkerErrorKind::Environment, message)
        })
    }

    /// Starts an engine and hears its handshake. A player whose faults lose is out where that fails,
    /// unless it took part in the run before.
    ///
    /// # Errors
    /// If it cannot be started or does not say `ugiok`.
    pub fn handshake(&self, took_part: bool) -> Result<(), WorkerError> {
        self.took_part.store(took_part, Ordering::Relaxed);
        if self.out().is_some() {
            return Ok(());
        }
        let engines = self.known_engines();
        let greeted = engines.and_then(|engines| engines.handshake());
        greeted.or_else(|error| self.exclude(error))
    }

    /// Takes a player out of the run from its start: none of its matches is played, which is the same
    /// in every order and on every number of threads.
    ///
    /// # Errors
    /// The fault, where the player's faults end the run, it took part before, or it is not to blame.
    pub fn exclude(&self, fault: WorkerError) -> Result<(), WorkerError> {
        self.excuse(&fault)?;
        if self.took_part.load(Ordering::Relaxed) {
            let name = &self.declaration.name;
            return Err(WorkerError {
                message: format!("player {name} took part in this run before: {fault}"),
                ..fault
            });
        }
        self.recall_out(&fault.in_short());
        Ok(())
    }

    /// Returns whether a fault loses matches.
    ///
    /// # Errors
    /// The fault in the player's name, where it ends the run.
    pub fn excuse(&self, fault: &WorkerError) -> Result<(), WorkerError> {
        let is_own = fault.kind != WorkerErrorKind::Environment;
        if self.declaration.loses && is_own {
            return Ok(());
        }
        let (name, mut fault) = (&self.declaration.name, fault.clone());
        if is_own {
            fault.add_to_first_line(&format!(
                "; with `faults = \"lose\"` in [players.{name}] it would lose the match, and the run \
                 would go on"
            ));
        }
        fault.message.insert_str(0, &format!("player {name}: "));
        Err(fault)
    }

    /// Takes out a player that an earlier session of the run took out.
    pub fn recall_out(&self, reason: &str) {
        self.log().note_out(reason);
        // The first reason stands.
        let _ = self.out.set(reason.to_owned());
    }

    /// Returns the reason for which none of its matches is played.
    pub fn out(&self) -> Option<&str> {
        self.out.get().map(String::as_str)
    }

    /// Returns whether it was never checked on a side, and is not out.
    pub fn is_unchecked(&self, side: &str) -> bool {
        self.out().is_none() && !lock(&self.checked).contains(&side)
    }

    /// Notes that it is checked on a side.
    pub fn note_checked(&self, side: &'static str) {
        lock(&self.checked).push(side);
    }

    /// Notes that a match was lost by a fault; the first is told, and all that the clock decided.
    pub fn note_forfeit(&self, place: &str, fault: &WorkerError) {
        if self.out().is_some() {
            return;
        }
        let is_silent = fault.kind == WorkerErrorKind::Silent;
        if let Some(repeats) = &mut *lock(&self.repeats) {
            // A match of the check: what is lost counts when the run plays it, if the player is not out by then.
            repeats.silences += u64::from(is_silent);
            return;
        }
        let name = &self.declaration.name;
        if is_silent {
            let what = fault.first_line();
            self.log()
                .note_timeout(format!("{name}, {place}: {what}: forfeited"));
        }
        if !self.lost.swap(true, Ordering::Relaxed) {
            let what = fault.in_short();
            self.log().remark(format!(
                "{name} loses matches by its own faults (the metric `forfeits` counts them), the \
                 first in {place}: {what}"
            ));
        }
    }

    /// Takes out a player that answered in none of the matches that are kept so far.
    pub fn exclude_silent(&self) {
        let is_silent = |repeats: &PlayedTwice| repeats.silences >= repeats.begun.max(1);
        if lock(&self.repeats).as_ref().is_some_and(is_silent) {
            let patience = seconds(self.declaration.program.patience);
            self.recall_out(&format!(
                "{} gave no answer in {patience}, in each match of the check at the start",
                self.declaration.program.title()
            ));
        }
    }

    /// Starts to keep matches, under this heading, until the check ends.
    pub fn keep_matches(&self, occasion: String) {
        lock(&self.repeats).get_or_insert_default().occasion = occasion;
    }

    /// Returns the heading of a match that begins now, if matches are kept.
    pub fn begin_match(&self) -> Option<String> {
        let mut repeats = lock(&self.repeats);
        let repeats = repeats.as_mut()?;
        repeats.begun += 1;
        Some(repeats.occasion.clone())
    }

    /// Takes in what an engine and etude said in a match, if matches are kept.
    pub fn note_match(&self, transcript: &str) {
        if let Some(repeats) = &mut *lock(&self.repeats) {
            repeats.matches.push(transcript.to_owned());
        }
    }

    /// Ends the check; its matches are kept like those of a fault where they differed.
    pub fn end_check(&self, differed: bool) {
        let mut repeats = lock(&self.repeats).take().unwrap_or_default();
        if differed {
            // By their headings, so that those of one sample stand together.
            repeats.matches.sort();
            let matches = repeats.matches.into_iter();
            matches.for_each(|text| self.log().keep_transcript(text));
        }
    }
}

/// The players of an experiment, as parameters carry them to a task.
#[derive(Debug)]
pub struct Players(pub Vec<Arc<OutsidePlayer>>);

/// Players are those of the same declarations.
impl PartialEq for Players {
    fn eq(&self, other: &Self) -> bool {
        let [one, other] =
            [self, other].map(|players| players.0.iter().map(|one| &one.declaration));
        one.eq(other)
    }
}

impl Players {
    /// Players that play no match, for whoever checks where they are named.
    pub fn declared(declarations: &[PlayerDeclaration]) -> Self {
        let declarations = declarations.iter().cloned();
        let players =
            declarations.map(|declaration| Arc::new(OutsidePlayer::declared(declaration)));
        Self(players.collect())
    }

    /// The first player whom no task that was built has asked for.
    pub fn unnamed(&self) -> Option<&PlayerDeclaration> {
        let mut players = self.0.iter();
        let unnamed = players.find(|player| !player.named.load(Ordering::Relaxed));
        unnamed.map(|player| &player.declaration)
    }

    /// The player of that name.
    pub fn named(&self, name: &str) -> Option<&Arc<OutsidePlayer>> {
        let mut players = self.0.iter();
        let player = players.find(|player| player.declaration.name == name)?;
        player.named.store(true, Ordering::Relaxed);
        Some(player)
    }

    /// Returns the players' names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let players = self.0.iter();
        players.map(|player| player.declaration.name.as_str())
    }

    /// Returns whether a match may be forfeited: then every row ends with `forfeits`.
    pub fn may_forfeit(&self) -> bool {
        self.0.iter().any(|player| player.declaration.loses)
    }
}

/// A game's task with players of an experiment file. Where one may forfeit, forfeits are counted; of a contest those
/// of each side.
pub fn joined(task: &TaskSpec, players: &[PlayerDeclaration]) -> TaskSpec {
    let mut joined = task.clone();
    if players.iter().any(|player| player.loses) {
        let metrics = joined.metrics.to_mut();
        match task.contest {
            Some(contest) => metrics.extend(contest.forfeits().map(|name| Metric {
                name: name.into(),
                ..Metric::flag("", "The side lost by a fault of its player's program.")
            })),
            None => metrics.push(Metric::integer(
                "forfeits",
                "matches",
                (0, 2),
                "matches lost by a fault of a player's program",
            )),
        }
    }
    joined
}

#[cfg(test)]
mod tests;
