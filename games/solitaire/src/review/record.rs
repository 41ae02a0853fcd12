//! The record of a game, cut where an unknown card shows.

use crate::round::{Play, Round, SeenRound};
use crate::table::Move;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The round that the game began with.
    pub(crate) start: Round,
    /// The round that it ended with.
    pub end: Round,
    /// The moves between, cut after each that shows an unknown card. A game that ends without a win has a last piece
    /// without moves: to stop is a decision too.
    pub(crate) pieces: Vec<RecordPiece>,
}

/// The moves of a game up to one that shows an unknown card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordPiece {
    /// The sight of the player before them.
    pub(crate) seen: SeenRound,
    /// The moves; none where the player stops.
    pub moves: Vec<Move>,
    /// The number of moves of the game before them.
    pub(crate) first: usize,
}

impl Record {
    /// Cuts a game of legal moves.
    pub fn cut(start: Round, line: &[Move]) -> Record {
        let (mut round, mut rest, mut pieces) = (start, line, Vec::new());
        while !rest.is_empty() {
            let piece = RecordPiece {
                seen: round.sight(),
                moves: rest[..next_length(&round, rest)].to_vec(),
                first: line.len() - rest.len(),
            };
            rest = &rest[piece.moves.len()..];
            round = piece.play_in(round);
            pieces.push(piece);
        }
        if !round.table().is_won() {
            pieces.push(RecordPiece {
                seen: round.sight(),
                moves: Vec::new(),
                first: line.len(),
            });
        }
        Record {
            start,
            end: round,
            pieces,
        }
    }
}

impl RecordPiece {
    /// Returns whether the player stops.
    pub(crate) fn stops(&self) -> bool {
        self.moves.is_empty()
    }

    /// The round after the moves in a world that looks like the one in which they were made.
    pub(crate) fn play_in(&self, mut world: Round) -> Round {
        for &single in &self.moves {
            world.play(Play::single(single));
        }
        world
    }
}

/// The number of moves up to one that shows an unknown card. Going once through a stock that nobody has begun is one
/// step where it costs nothing.
fn next_length(round: &Round, line: &[Move]) -> usize {
    if let Some(look) = look_length(round, line) {
        return look;
    }
    let mut round = *round;
    let shows = |&single: &Move| {
        let (down, is_known) = (round.table().face_down(), round.is_stock_known());
        round.play(Play::single(single));
        let draws = matches!(single, Move::Draw) && !is_known;
        draws || round.table().face_down() < down
    };
    line.iter()
        .position(shows)
        .map_or(line.len(), |index| index + 1)
}

/// The moves of going once through the stock and turning it over, if the line begins with them.
fn look_length(round: &Round, line: &[Move]) -> Option<usize> {
    let table = round.table();
    let is_free = table.rules().passes.is_none() && table.waste().is_empty();
    if !is_free || round.is_stock_known() {
        return None;
    }
    let draws = table
        .stock()
        .len()
        .div_ceil(usize::from(table.rules().draw));
    let (look, _) = line.split_at_checked(draws + 1)?;
    let goes_through = look[..draws].iter().all(|single| *single == Move::Draw);
    (goes_through && look[draws] == Move::Recycle).then_some(draws + 1)
}
