//! What each piece of a game was worth beside the finisher's own moves, world by world.

use super::finisher::{Finisher, result};
use super::record::{Record, RecordPiece};
use crate::players::PlayerMemory;
use crate::round::{Round, SeenRound};
use crate::table::Move;
use crate::unseen::game::{Macros, play_until_turned};
use kit::rng::{Stream, StreamKey, Streams, below};
use kit::search::hidden::worlds;

/// The streams of a review: worlds, the finisher's own moves, and the games that it plays on are independent, so that
/// the moves are not measured by the draws that chose them.
#[derive(Clone, Debug)]
pub struct ReviewDraws {
    worlds: StreamKey,
    choices: StreamKey,
    finish: StreamKey,
}

impl ReviewDraws {
    /// The streams of one purpose.
    pub fn new(streams: &Streams, purpose: &str) -> ReviewDraws {
        let key = |part: &str| streams.key(&format!("{purpose}: {part}"));
        ReviewDraws {
            worlds: key("worlds"),
            choices: key("finisher's choices"),
            finish: key("finish"),
        }
    }
}

/// A game that is measured by a finisher.
#[derive(Clone, Copy, Debug)]
pub struct Review<'a> {
    /// The game.
    pub record: &'a Record,
    /// The finisher.
    pub finisher: &'a Finisher,
    /// The draws.
    pub draws: &'a ReviewDraws,
    /// The number of the sample that the draws belong to.
    pub index: u64,
}

/// A piece of the game beside the finisher's own moves, in one world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveComparison {
    /// Both lead to the same table.
    Same,
    /// The finisher played on after both.
    Differ {
        /// The result after the piece.
        played: i64,
        /// The result after the finisher's own moves.
        finisher: i64,
        /// The finisher's own moves.
        instead: Vec<Move>,
    },
}

impl MoveComparison {
    /// The result after the piece less that after the finisher's own moves.
    pub fn difference(&self) -> i64 {
        match self {
            MoveComparison::Same => 0,
            MoveComparison::Differ {
                played, finisher, ..
            } => played - finisher,
        }
    }
}

impl Review<'_> {
    /// Compares each piece in a world drawn from what was seen before it. A world goes on to the next piece as long as
    /// it agrees with what was turned. Rounds of other numbers are independent.
    pub fn imagine(&self, number: u64, memory: &mut PlayerMemory) -> Vec<MoveComparison> {
        let mut stream = self.draws.worlds.step(self.index, number);
        let mut carried: Option<Round> = None;
        let compare = |piece: &RecordPiece| {
            let world = carried
                .filter(|world| world.sight() == piece.seen)
                .unwrap_or_else(|| world_of(&piece.seen, &mut stream));
            carried = Some(piece.play_in(world));
            self.compare(piece, &world, &mut stream, memory)
        };
        self.record.pieces.iter().map(compare).collect()
    }

    /// Compares one piece alone.
    pub(crate) fn imagine_piece(
        &self,
        piece: &RecordPiece,
        number: u64,
        memory: &mut PlayerMemory,
    ) -> MoveComparison {
        let step = (piece.first as u64) << 32 | number;
        let mut stream = self.draws.worlds.step(self.index, step);
        let world = world_of(&piece.seen, &mut stream);
        self.compare(piece, &world, &mut stream, memory)
    }

    fn compare(
        &self,
        piece: &RecordPiece,
        world: &Round,
        stream: &mut Stream,
        memory: &mut PlayerMemory,
    ) -> MoveComparison {
        let id = below(stream, u64::MAX);
        let mut choice = self.draws.choices.stream(id);
        let player = self.finisher.by_macros();
        let step = player.choose(world, memory.macros(), &mut choice);
        let (played, mut own) = (piece.play_in(*world), *world);
        let has_turned = play_until_turned(&mut own, &step.moves, |_| ());
        let is_over = step.is_last && !has_turned;
        if own == played && (is_over || !piece.stops()) {
            return MoveComparison::Same;
        }
        let mut finish = |round: Round, is_over| {
            if is_over {
                result(&round)
            } else {
                (self.finisher).finish(round, memory, (&self.draws.finish, id))
            }
        };
        MoveComparison::Differ {
            played: finish(played, piece.stops()),
            finisher: finish(own, is_over),
            instead: step.moves,
        }
    }
}

/// A world that looks like this, each as likely as any other.
pub(super) fn world_of(seen: &SeenRound, stream: &mut Stream) -> Round {
    let canonical = seen.canonical();
    let drawn = worlds(&Macros::LookingFirst, seen, &canonical, 1, stream);
    drawn.first().copied().unwrap_or(canonical)
}
