//! What each piece of a game was worth beside the finisher's own moves, world by world.

use super::game::{Finisher, OwnMoves, ReviewedGame};
use super::record::{Record, RecordPiece};
use crate::hidden::HiddenGame;
use kit::rng::{Stream, StreamKey, Streams, below};

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
pub struct Review<'a, F: Finisher> {
    /// The game.
    pub record: &'a Record<F::Game>,
    /// The finisher.
    pub finisher: &'a F,
    /// The draws.
    pub draws: &'a ReviewDraws,
    /// The number of the sample that the draws belong to.
    pub index: u64,
}

/// A piece of the game beside the finisher's own moves, in one world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveComparison<S> {
    /// Both lead to the same table.
    Same,
    /// The finisher played on after both.
    Differ {
        /// The result after the piece.
        played: i64,
        /// The result after the finisher's own moves.
        finisher: i64,
        /// The finisher's own moves.
        instead: Vec<S>,
    },
}

impl<S> MoveComparison<S> {
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

/// The single moves of a finisher's game.
pub(super) type SingleOf<F> = <<F as Finisher>::Game as ReviewedGame>::Single;
/// The worlds of a finisher's game.
type ReviewedWorld<F> = <<F as Finisher>::Game as HiddenGame>::World;

impl<F: Finisher> Review<'_, F> {
    /// Compares each piece in a world drawn from what was seen before it. A world goes on to the next piece as long as
    /// it agrees with what was turned. Rounds of other numbers are independent.
    pub fn imagine(&self, number: u64, memory: &mut F::Memory) -> Vec<MoveComparison<SingleOf<F>>> {
        let game = F::Game::default();
        let mut stream = self.draws.worlds.step(self.index, number);
        let mut carried: Option<ReviewedWorld<F>> = None;
        let compare = |piece: &RecordPiece<F::Game>| {
            let world = (carried.take())
                .filter(|world| game.observe(world) == piece.seen)
                .unwrap_or_else(|| piece.imagine(&mut stream));
            carried = Some(piece.play_in(world.clone()));
            self.compare(piece, &world, &mut stream, memory)
        };
        self.record.pieces.iter().map(compare).collect()
    }

    /// Compares one piece alone.
    pub(super) fn imagine_piece(
        &self,
        piece: &RecordPiece<F::Game>,
        number: u64,
        memory: &mut F::Memory,
    ) -> MoveComparison<SingleOf<F>> {
        let step = (piece.first as u64) << 32 | number;
        let mut stream = self.draws.worlds.step(self.index, step);
        let world = piece.imagine(&mut stream);
        self.compare(piece, &world, &mut stream, memory)
    }

    fn compare(
        &self,
        piece: &RecordPiece<F::Game>,
        world: &ReviewedWorld<F>,
        stream: &mut Stream,
        memory: &mut F::Memory,
    ) -> MoveComparison<SingleOf<F>> {
        let id = below(stream, u64::MAX);
        let mut choice = self.draws.choices.stream(id);
        let OwnMoves {
            moves: instead,
            world: own,
            is_over,
        } = self.finisher.own_moves(world, memory, &mut choice);
        let played = piece.play_in(world.clone());
        if own == played && (is_over || !piece.stops()) {
            return MoveComparison::Same;
        }
        let mut finish = |world: ReviewedWorld<F>, is_over| {
            if is_over {
                F::Game::default().result(&world)
            } else {
                (self.finisher).finish(world, memory, (&self.draws.finish, id))
            }
        };
        MoveComparison::Differ {
            played: finish(played, piece.stops()),
            finisher: finish(own, is_over),
            instead,
        }
    }
}
