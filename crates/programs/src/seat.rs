//! A side of a game's matches, played over the Universal Game Interface.
//!
//! The game is the referee: it knows the rules, says which moves are legal, and takes no other. The
//! engine receives the first position of the match and every move since, as text.

use std::fmt::Write;
use std::sync::Arc;

use kit::search::Budget;

use super::engines::UgiEngines;
use super::ugi::UgiEngine;
use task::outside::{EngineRule, Go, OutsidePlayer, Reply, Seat, WorkerError, WorkerErrorKind};

/// A seat, with the engine that its player lends for as long as it plays.
pub(crate) struct UgiSeat {
    engines: Arc<UgiEngines>,
    player: Arc<OutsidePlayer>,
    side: &'static str,
    engine: Option<UgiEngine>,
    /// The line that tells the position: the first one of the match, and the moves since.
    told: String,
    /// True if there were any.
    moved: bool,
    /// The lines that ask for a move.
    request: String,
    /// True if the engine's last match broke off: the next one has a new engine.
    broke: bool,
}

impl UgiSeat {
    pub(crate) fn new(
        engines: Arc<UgiEngines>,
        player: &Arc<OutsidePlayer>,
        side: &'static str,
    ) -> Self {
        Self {
            engines,
            player: Arc::clone(player),
            side,
            engine: None,
            told: String::new(),
            moved: false,
            request: String::new(),
            broke: false,
        }
    }

    /// An engine for a match; a new one after a match that broke off.
    fn take(&mut self) -> Result<UgiEngine, WorkerError> {
        if let Some(engine) = self.engine.take() {
            self.player.note_match(engine.transcript.text());
            return Ok(engine);
        }
        if let Some(reason) = self.player.out() {
            return Err(WorkerError::fault(reason));
        }
        let idle = (!self.broke).then(|| self.engines.pool.take()).flatten();
        idle.map_or_else(|| self.engines.open(), Ok)
    }

    /// An engine ready for the match.
    fn ready(&mut self, rules: &[EngineRule], seed: &[u8; 32]) -> Result<UgiEngine, WorkerError> {
        let mut engine = self.take()?;
        self.broke = false;
        engine.transcript.forget();
        if let Some(occasion) = self.player.begin_match() {
            let line = format!("{occasion}, as the {}", self.side);
            engine.transcript.note("# ", &line);
        }
        match self.introduce(&mut engine, rules, seed) {
            Ok(()) => Ok(engine),
            Err(error) => {
                self.keep(&engine, &error);
                Err(error)
            }
        }
    }

    /// Tells an engine the rules and its seed, until it is ready.
    fn introduce(
        &self,
        engine: &mut UgiEngine,
        rules: &[EngineRule],
        seed: &[u8; 32],
    ) -> Result<(), WorkerError> {
        rules.iter().try_for_each(|rule| self.set(engine, rule))?;
        engine.seed(seed)?;
        engine.begin()
    }

    /// Sets the option of a rule; where the rule is the usual one, an engine without it will do.
    fn set(&self, engine: &mut UgiEngine, rule: &EngineRule) -> Result<(), WorkerError> {
        let title = self.engines.declaration.program.title();
        let EngineRule { name, value, .. } = rule;
        let known = engine.option(name);
        match known.map(|option| (option.name.clone(), option.takes(value))) {
            Some((name, true)) => engine.set(&name, value),
            _ if rule.is_usual => Ok(()),
            Some((name, false)) => Err(WorkerError::fault(format!(
                "{title} declares the option `{name}`, but not with the value `{value}` that this \
                 experiment needs"
            ))),
            None => Err(WorkerError::fault(format!(
                "{title} does not declare the option `{name}`, and this experiment needs it to be \
                 `{value}`"
            ))),
        }
    }

    /// Writes the lines that ask for a move.
    fn write_request(&mut self, legal: &str, budget: Budget) {
        let text = &mut self.request;
        text.clear();
        text.push_str(&self.told);
        text.push_str("\ngo");
        // Writing to memory cannot fail.
        let _ = match self.engines.declaration.go {
            Go::Nodes if budget == Budget::UNLIMITED => Ok(()),
            Go::Nodes => write!(text, " nodes {}", budget.limit()),
            fixed => write!(text, " {fixed}"),
        };
        text.push_str(" searchmoves");
        text.push_str(legal);
        text.push('\n');
    }

    /// Keeps what was said before a fault.
    fn keep(&self, engine: &UgiEngine, error: &WorkerError) {
        let said = engine.transcript.text();
        let text = format!("the {}: {error}\n\n{said}", self.side);
        self.engines.pool.log.keep_transcript(text);
    }

    /// The fault of an engine, which is not used again.
    fn fault(&mut self, engine: &UgiEngine, error: WorkerError) -> WorkerError {
        self.broke = true;
        self.keep(engine, &error);
        error
    }
}

impl Seat for UgiSeat {
    fn begin(
        &mut self,
        start: &str,
        rules: &[EngineRule],
        seed: &[u8; 32],
    ) -> Result<(), WorkerError> {
        self.told = format!("position fen {start}");
        self.moved = false;
        let ready = self.ready(rules, seed);
        self.broke = ready.is_err();
        self.engine = Some(ready?);
        Ok(())
    }

    fn takes_seed(&self) -> bool {
        let engine = self.engine.as_ref();
        engine.is_none_or(|engine| engine.option("Seed").is_some())
    }

    fn note(&mut self, play: &str) {
        self.told.push_str(if self.moved { " " } else { " moves " });
        self.told.push_str(play);
        self.moved = true;
    }

    fn choose(&mut self, legal: &str, budget: Budget) -> Result<Reply, WorkerError> {
        self.write_request(legal, budget);
        let Some(mut engine) = self.engine.take() else {
            return Err(WorkerError::fault("no match was begun"));
        };
        let reply = engine.choose(&self.request);
        let reply = reply.map_err(|error| self.fault(&engine, error))?;
        self.engine = Some(engine);
        Ok(reply)
    }

    fn foul(&mut self, illegal: WorkerError) -> WorkerError {
        let Some(mut engine) = self.engine.take() else {
            return illegal;
        };
        let surplus = engine.settle();
        self.keep(&engine, surplus.as_ref().err().unwrap_or(&illegal));
        match surplus {
            // The match is over; the engine is sound, and `uginewgame` begins its next one.
            Ok(()) => {
                self.engine = Some(engine);
                illegal
            }
            Err(error) => {
                self.broke = true;
                let is_surplus = error.kind == WorkerErrorKind::Fault;
                if is_surplus { error } else { illegal }
            }
        }
    }

    fn end(&mut self) -> Result<(), WorkerError> {
        let Some(mut engine) = self.engine.take() else {
            return Ok(());
        };
        let settled = engine.settle();
        settled.map_err(|error| self.fault(&engine, error))?;
        self.engine = Some(engine);
        Ok(())
    }
}

impl Drop for UgiSeat {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.player.note_match(engine.transcript.text());
            self.engines.pool.give_back([engine]);
        }
    }
}
