//! Peg solitaire: the fewest moves, exact counts, the census of positions, and random play.
//!
//! `board` and `symmetry` are the rules, `engine`, `graph` and `completions` the exact search, `solve`
//! its answer. Reference: M. Gardner, "Further mathematical diversions", ch. 11; J. D. Beasley,
//! "The ins and outs of peg solitaire" (1985).

#[cfg(feature = "laboratory")]
mod answer;
pub mod board;
pub mod census;
pub mod completions;
pub mod engine;
#[cfg(feature = "laboratory")]
mod figures;
pub mod graph;
pub mod jump_model;
pub mod law;
#[cfg(feature = "laboratory")]
mod picture;
pub mod play;
pub mod problem;
#[cfg(feature = "laboratory")]
mod random_play;
pub mod solve;
pub mod symmetry;
pub mod table;
#[cfg(feature = "laboratory")]
mod tasks;
pub mod tree;
#[cfg(feature = "laboratory")]
mod verb;

#[cfg(feature = "laboratory")]
use task::{GameSpec, Verb};

#[cfg(feature = "laboratory")]
/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "pegs",
    summary: "peg solitaire: fewest moves, exact counts, and random play against its exact law",
    tasks: &[
        random_play::RANDOM_PLAY,
        tasks::ESTIMATE,
        figures::FIGURES,
        figures::SOLVABLE,
    ],
    verbs: &[Verb::new::<verb::SolvePegs>("solve")],
    players: &[],
};
