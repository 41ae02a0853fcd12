//! The games that are reviewed, and the players that they are measured by.

use crate::hidden::HiddenGame;
use kit::rng::{Stream, StreamKey};
use stats::{Estimate, Level, Paired, Span};
use std::fmt;

/// The games in which the finisher plays a deal, to tell how hard it is: of so many, those won are the deal's par.
pub const REPLAYS: u64 = 16;

/// A single move, as a record of a game has it.
pub trait SingleMove: Copy + Eq + fmt::Debug + fmt::Display {
    /// The move that is written so, legal or not.
    fn written(text: &str) -> Option<Self>;
}

/// A card game whose games can be reviewed.
pub trait ReviewedGame:
    HiddenGame<World: PartialEq + fmt::Debug, Observation: fmt::Debug> + Default + fmt::Debug
{
    /// The single moves.
    type Single: SingleMove;

    /// Makes a legal move.
    fn make(&self, world: &mut Self::World, single: Self::Single);

    /// The number of moves of a line, made from a world on, up to one that shows an unknown card.
    fn next_length(&self, world: &Self::World, line: &[Self::Single]) -> usize;

    /// Returns whether a game has ended, so that nobody can stop it any more.
    fn is_over(&self, world: &Self::World) -> bool;

    /// Moves in words, none of which comes from a card that nobody has seen.
    fn told_line(&self, world: &Self::World, moves: &[Self::Single]) -> String;

    /// The result of a game as it stands.
    fn result(&self, world: &Self::World) -> i64;

    /// The unit of the result.
    fn stakes(&self, world: &Self::World) -> Stakes;

    /// The cards on the foundations that count.
    fn founded(&self, world: &Self::World) -> u8;
}

/// The unit of the results of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stakes {
    /// 1 for a game that is won, and 0 for another.
    Wins,
    /// Dollars.
    Dollars {
        /// The result without a card on the foundations.
        least: i64,
        /// The result with all of them there.
        most: i64,
    },
}

impl Stakes {
    /// The least and the greatest result.
    pub(super) fn limits(self) -> (i64, i64) {
        match self {
            Stakes::Wins => (0, 1),
            Stakes::Dollars { least, most } => (least, most),
        }
    }

    /// The number that a result of 1 counts for: a game won is a hundred points.
    pub(super) fn scale(self) -> f64 {
        match self {
            Stakes::Wins => 100.0,
            Stakes::Dollars { .. } => 1.0,
        }
    }

    /// The name of so many of what is counted.
    pub(super) fn unit(self, number: i64) -> &'static str {
        match (self, number.abs()) {
            (Stakes::Wins, 1) => "point",
            (Stakes::Wins, _) => "points",
            (Stakes::Dollars { .. }, 1) => "dollar",
            (Stakes::Dollars { .. }, _) => "dollars",
        }
    }

    /// The mean difference of results, with its interval.
    pub(super) fn difference(self, results: &Paired, level: Level) -> Estimate {
        match self {
            Stakes::Wins => results.flag_estimate(level),
            Stakes::Dollars { .. } => results.estimate(level, None),
        }
    }
}

/// The moves that a finisher makes next.
pub struct OwnMoves<G: ReviewedGame> {
    /// The moves, up to one that shows an unknown card.
    pub moves: Vec<G::Single>,
    /// The world after them.
    pub world: G::World,
    /// True if the game ends with them.
    pub is_over: bool,
}

/// A player that games are measured by: it decides by what is seen, and plays games on to their ends.
pub trait Finisher {
    /// The game that it plays.
    type Game: ReviewedGame;
    /// The memory of its searches.
    type Memory: Default;

    /// The name of the player.
    fn name(&self) -> String;

    /// The player's next moves in a world, of which it sees what a person does.
    fn own_moves(
        &self,
        world: &<Self::Game as HiddenGame>::World,
        memory: &mut Self::Memory,
        stream: &mut Stream,
    ) -> OwnMoves<Self::Game>;

    /// The result of a game that it plays on. Decisions draw from a sample of `draws`.
    fn finish(
        &self,
        world: <Self::Game as HiddenGame>::World,
        memory: &mut Self::Memory,
        draws: (&StreamKey, u64),
    ) -> i64;

    /// The result of a game of another deal by the same rules, drawn by the number too.
    fn play_other(
        &self,
        start: &<Self::Game as HiddenGame>::World,
        memory: &mut Self::Memory,
        draws: (&StreamKey, u64),
    ) -> i64;

    /// The player's mean result over all deals by these rules, where it was measured.
    fn known_start(&self, start: &<Self::Game as HiddenGame>::World) -> Option<StartValue>;
}

/// A finisher's mean result over all deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartValue {
    /// The mean.
    pub mean: f64,
    /// The ends of its interval of 95 %.
    pub interval: Span,
}

impl StartValue {
    /// The mean, and the ends of its interval.
    pub const fn new(mean: f64, lo: f64, hi: f64) -> StartValue {
        let interval = Span::new(lo, hi);
        StartValue { mean, interval }
    }
}
