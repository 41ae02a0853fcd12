//! A player in another program: the text that it is told, and the moves that its words stand for.
//!
//! etude is the referee: it knows the rules, says which moves are legal, and takes no other.

use std::sync::Arc;

use kit::rng::Stream;
use kit::search::Budget;
use task::outside::{EngineRule, OutsidePlayer, Seat, WorkerError, quote};

use super::{Chosen, Contestant};
use foxes::game::Game;
use foxes::moves::Move;
use foxes::notation::write_position;
use foxes::players::Choice;
use foxes::position::{Position, Side};
use foxes::rules::Rules;
use foxes::typed::{push_move, read_move, write_move};

/// A side of a match, played from the seat of a player in another program.
pub(super) struct External {
    player: Arc<OutsidePlayer>,
    seat: Result<Box<dyn Seat>, WorkerError>,
    /// The position after the moves that were told.
    known: Option<Position>,
    legal: Vec<Move>,
    /// The legal moves as text, each after a blank.
    written: String,
}

impl External {
    pub fn new(player: &Arc<OutsidePlayer>, side: Side) -> Self {
        Self {
            player: Arc::clone(player),
            seat: player.seat(side.name()),
            known: None,
            legal: Vec::new(),
            written: String::new(),
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
        if let (Some(&play), Ok(seat)) = (played, &mut self.seat) {
            seat.note(&write_move(play));
        }
        self.known = Some(*now);
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
}

/// The rules that an engine may have options for.
fn options(rules: &Rules) -> [EngineRule; 5] {
    let usual = Rules::ARSAC;
    let of = |name, read: &dyn Fn(&Rules) -> String| EngineRule {
        name,
        value: read(rules),
        is_usual: read(rules) == read(&usual),
    };
    [
        of("Board", &|rules| rules.board.name.to_owned()),
        of("Capture", &|rules| rules.capture.as_ref().to_owned()),
        of("Stuck", &|rules| rules.stuck.as_ref().to_owned()),
        of("Quiet", &|rules| rules.quiet.to_string()),
        of("Repetition", &|rules| rules.repetition.to_string()),
    ]
}

/// A seat that could be taken.
fn taken(
    seat: &mut Result<Box<dyn Seat>, WorkerError>,
) -> Result<&mut (dyn Seat + 'static), Box<WorkerError>> {
    match seat {
        Ok(seat) => Ok(&mut **seat),
        Err(error) => Err(Box::new(error.clone())),
    }
}

impl Contestant for External {
    fn begin_match(
        &mut self,
        game: &Game,
        seed: &dyn Fn() -> [u8; 32],
    ) -> Result<(), Box<WorkerError>> {
        let start = write_position(game.position(), game.rules().board);
        self.known = Some(*game.position());
        let begun = taken(&mut self.seat)?.begin(&start, &options(game.rules()), &seed());
        begun.map_err(Box::new)
    }

    fn takes_seed(&self) -> bool {
        self.seat.as_ref().is_ok_and(|seat| seat.takes_seed())
    }

    fn choose(&mut self, game: &Game, _: &mut Stream, budget: Budget) -> Chosen {
        self.catch_up(game);
        self.list_legal(game);
        let reply = taken(&mut self.seat)?.choose(&self.written, budget)?;
        let judged = self.judge(&reply.play, game);
        let seat = taken(&mut self.seat)?;
        let play = judged.map_err(|message| seat.foul(WorkerError::fault(message)))?;
        seat.note(&write_move(play));
        self.known = Some(game.rules().after(game.position(), play));
        Ok(Choice {
            play,
            candidates: reply.candidates,
            nodes: reply.nodes,
        })
    }

    fn end_match(&mut self) -> Result<(), Box<WorkerError>> {
        taken(&mut self.seat)?.end().map_err(Box::new)
    }
}
