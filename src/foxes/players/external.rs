//! A player in another program, over the Universal Game Interface.
//!
//! etude is the referee: it knows the rules, says which moves are legal, and takes no other. The
//! engine receives the first position of the match and every move since, as text.

use std::fmt::Write;
use std::sync::Arc;

use kit::rng::Stream;
use kit::search::Budget;
use lab::programs::error::{WorkerError, WorkerErrorKind, quote};
use lab::programs::player::{ExternalPlayer, Go};
use lab::programs::ugi::UgiEngine;

use super::{Choice, Chosen, Player};
use crate::foxes::game::Game;
use crate::foxes::moves::Move;
use crate::foxes::notation::write_position;
use crate::foxes::position::{Position, Side};
use crate::foxes::rules::Rules;
use crate::foxes::typed::{push_move, read_move};

/// A side of a match, played by an engine that the side's player lends.
pub(super) struct External {
    player: Arc<ExternalPlayer>,
    side: Side,
    engine: Option<UgiEngine>,
    /// The line that tells the position: the first one of the match, and the moves since.
    told: String,
    /// True if there were any.
    moved: bool,
    /// The position after these moves.
    known: Option<Position>,
    legal: Vec<Move>,
    /// The legal moves as text, each after a blank.
    written: String,
    /// The lines that ask for a move.
    request: String,
    /// True if the engine's last match broke off: the next one has a new engine.
    broke: bool,
}

impl External {
    pub fn new(player: &Arc<ExternalPlayer>, side: Side) -> Self {
        Self {
            player: Arc::clone(player),
            side,
            engine: None,
            told: String::new(),
            moved: false,
            known: None,
            legal: Vec::new(),
            written: String::new(),
            request: String::new(),
            broke: false,
        }
    }

    /// An engine ready for the match.
    fn ready(&mut self, rules: &Rules, seed: &[u8; 32]) -> Result<UgiEngine, WorkerError> {
        let mut engine = match self.engine.take() {
            Some(engine) => {
                self.player.note_match(&engine);
                engine
            }
            None => self.player.take(self.broke)?,
        };
        self.broke = false;
        engine.transcript.forget();
        if let Some(occasion) = self.player.begin_match() {
            let line = format!("{occasion}, as the {}", self.side.name());
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
        rules: &Rules,
        seed: &[u8; 32],
    ) -> Result<(), WorkerError> {
        for (name, value, usual) in options(rules) {
            self.set(engine, name, &value, value == usual)?;
        }
        engine.seed(seed)?;
        engine.begin()
    }

    /// Sets an option; where the rule is the usual one, an engine without it will do.
    fn set(
        &self,
        engine: &mut UgiEngine,
        name: &str,
        value: &str,
        usual: bool,
    ) -> Result<(), WorkerError> {
        let title = self.player.declaration().program.title();
        match engine
            .option(name)
            .map(|option| (option.name.clone(), option.takes(value)))
        {
            Some((name, true)) => engine.set(&name, value),
            _ if usual => Ok(()),
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

    /// Takes in the move that the other side has played since.
    fn catch_up(&mut self, game: &Game) {
        let (Some(known), now) = (self.known, game.position()) else {
            return;
        };
        if known == *now {
            return;
        }
        self.legal.clear();
        game.rules().moves(&known, &mut self.legal);
        let rules = game.rules();
        let played = self
            .legal
            .iter()
            .find(|&&play| rules.after(&known, play) == *now);
        if let Some(&play) = played {
            self.note(play);
        }
        self.known = Some(*now);
    }

    fn note(&mut self, play: Move) {
        self.told.push_str(if self.moved { " " } else { " moves " });
        push_move(&mut self.told, play);
        self.moved = true;
    }

    /// Writes the lines that ask for a move.
    fn write_request(&mut self, budget: Budget) {
        let text = &mut self.request;
        text.clear();
        text.push_str(&self.told);
        text.push_str("\ngo");
        // Writing to memory cannot fail.
        let _ = match self.player.declaration().go {
            Go::Nodes if budget == Budget::UNLIMITED => Ok(()),
            Go::Nodes => write!(text, " nodes {}", budget.limit()),
            Go::FixedNodes(nodes) => write!(text, " nodes {nodes}"),
            Go::Depth(depth) => write!(text, " depth {depth}"),
        };
        text.push_str(" searchmoves");
        text.push_str(&self.written);
        text.push('\n');
    }

    /// Takes in the moves that are legal now.
    fn list_legal(&mut self, game: &Game) {
        self.legal.clear();
        game.rules().moves(game.position(), &mut self.legal);
        self.written.clear();
        for &play in &self.legal {
            self.written.push(' ');
            push_move(&mut self.written, play);
        }
    }

    /// The legal move that the engine's text stands for.
    fn judge(&self, text: &str, game: &Game) -> Result<Move, String> {
        let mut written = self.written.split_ascii_whitespace();
        if let Some(at) = written.position(|play| play == text) {
            return Ok(self.legal[at]);
        }
        read_move(text, game.rules(), game.position()).map_err(|_| {
            let legal: Vec<&str> = self.written.split_ascii_whitespace().collect();
            format!(
                "{} played {}, which is not legal in `{}`: legal are {}",
                self.player.declaration().program.title(),
                quote(text.as_bytes()),
                write_position(game.position(), game.rules().board),
                legal.join(", ")
            )
        })
    }

    /// Keeps what was said before a fault.
    fn keep(&self, engine: &UgiEngine, error: &WorkerError) {
        let side = self.side.name();
        let text = format!("the {side}: {error}\n\n{}", engine.transcript.text());
        self.player.pool.keep_transcript(text);
    }

    /// The fault of this error; its engine is not used again.
    fn fault(&mut self, engine: Option<UgiEngine>, error: WorkerError) -> Box<WorkerError> {
        self.broke = true;
        if let Some(engine) = engine {
            self.keep(&engine, &error);
        }
        Box::new(error)
    }

    /// The fault of a move that is not legal. One that answered twice is a move ahead of its own game,
    /// so that is what it is told.
    fn foul(&mut self, mut engine: UgiEngine, illegal: WorkerError) -> Box<WorkerError> {
        let surplus = engine.settle();
        self.keep(&engine, surplus.as_ref().err().unwrap_or(&illegal));
        match surplus {
            // The match is over; the engine is sound, and `uginewgame` begins its next one.
            Ok(()) => {
                self.engine = Some(engine);
                Box::new(illegal)
            }
            Err(error) => {
                self.broke = true;
                let is_surplus = error.kind == WorkerErrorKind::Fault;
                Box::new(if is_surplus { error } else { illegal })
            }
        }
    }
}

/// The rules that an engine may have options for: name, value, and the usual value.
fn options(rules: &Rules) -> [(&'static str, String, String); 5] {
    let usual = Rules::ARSAC;
    let number = |number: u32| number.to_string();
    [
        (
            "Board",
            rules.board.name.to_owned(),
            usual.board.name.to_owned(),
        ),
        (
            "Capture",
            rules.capture.as_ref().to_owned(),
            usual.capture.as_ref().to_owned(),
        ),
        (
            "Stuck",
            rules.stuck.as_ref().to_owned(),
            usual.stuck.as_ref().to_owned(),
        ),
        ("Quiet", number(rules.quiet), number(usual.quiet)),
        (
            "Repetition",
            number(rules.repetition),
            number(usual.repetition),
        ),
    ]
}

impl Player for External {
    fn begin_match(
        &mut self,
        game: &Game,
        seed: &dyn Fn() -> [u8; 32],
    ) -> Result<(), Box<WorkerError>> {
        let start = write_position(game.position(), game.rules().board);
        self.told = format!("position fen {start}");
        self.moved = false;
        self.known = Some(*game.position());
        match self.ready(game.rules(), &seed()) {
            Ok(engine) => {
                self.engine = Some(engine);
                Ok(())
            }
            Err(error) => Err(self.fault(None, error)),
        }
    }

    fn choose(&mut self, game: &Game, _: &mut Stream, budget: Budget) -> Chosen {
        self.catch_up(game);
        self.list_legal(game);
        let Some(mut engine) = self.engine.take() else {
            return Err(Box::new(WorkerError::fault("no match was begun")));
        };
        self.write_request(budget);
        let reply = match engine.choose(&self.request) {
            Ok(reply) => reply,
            Err(error) => return Err(self.fault(Some(engine), error)),
        };
        match self.judge(&reply.play, game) {
            Ok(play) => {
                self.engine = Some(engine);
                self.note(play);
                self.known = Some(game.rules().after(game.position(), play));
                Ok(Choice {
                    play,
                    candidates: reply.candidates,
                    nodes: reply.nodes,
                })
            }
            Err(message) => Err(self.foul(engine, WorkerError::fault(message))),
        }
    }

    fn end_match(&mut self) -> Result<(), Box<WorkerError>> {
        let Some(mut engine) = self.engine.take() else {
            return Ok(());
        };
        match engine.settle() {
            Ok(()) => {
                self.engine = Some(engine);
                Ok(())
            }
            Err(error) => Err(self.fault(Some(engine), error)),
        }
    }
}

impl Drop for External {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.player.note_match(&engine);
            self.player.pool.give_back([engine]);
        }
    }
}
