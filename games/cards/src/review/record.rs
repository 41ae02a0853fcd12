//! The record of a game, cut where an unknown card shows.

use super::game::ReviewedGame;
use crate::hidden::worlds;
use kit::rng::Stream;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<G: ReviewedGame> {
    /// The world that the game began with.
    pub start: G::World,
    /// The world that it ended with.
    pub end: G::World,
    /// The moves between, cut after each that shows an unknown card. A game that could have gone on has a last piece
    /// without moves: to stop is a decision too.
    pub pieces: Vec<RecordPiece<G>>,
}

/// The moves of a game up to one that shows an unknown card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPiece<G: ReviewedGame> {
    /// The sight of the player before them.
    pub seen: G::Observation,
    /// The moves; none where the player stops.
    pub moves: Vec<G::Single>,
    /// The number of moves of the game before them.
    pub first: usize,
}

impl<G: ReviewedGame> Record<G> {
    /// Cuts a game of legal moves.
    pub fn cut(start: G::World, line: &[G::Single]) -> Record<G> {
        let game = G::default();
        let (mut world, mut rest, mut pieces) = (start.clone(), line, Vec::new());
        while !rest.is_empty() {
            let piece = RecordPiece::<G> {
                seen: game.observe(&world),
                moves: rest[..game.next_length(&world, rest)].to_vec(),
                first: line.len() - rest.len(),
            };
            rest = &rest[piece.moves.len()..];
            world = piece.play_in(world);
            pieces.push(piece);
        }
        if !game.is_over(&world) {
            pieces.push(RecordPiece {
                seen: game.observe(&world),
                moves: Vec::new(),
                first: line.len(),
            });
        }
        Record {
            start,
            end: world,
            pieces,
        }
    }
}

impl<G: ReviewedGame> RecordPiece<G> {
    /// Returns whether the player stops.
    pub fn stops(&self) -> bool {
        self.moves.is_empty()
    }

    /// The world after the moves, made in one that looks like that in which they were made.
    pub fn play_in(&self, mut world: G::World) -> G::World {
        for &single in &self.moves {
            G::default().make(&mut world, single);
        }
        world
    }

    /// A world that looks like that before the moves, each as likely as any other.
    pub fn imagine(&self, stream: &mut Stream) -> G::World {
        let game = G::default();
        let canonical = game.canonical(&self.seen);
        let drawn = worlds(&game, &self.seen, &canonical, 1, stream);
        drawn.into_iter().next().unwrap_or(canonical)
    }
}
