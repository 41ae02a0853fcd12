//! Peg solitaire: the fewest moves, exact counts, the census of positions, and random play.
//!
//! `board` and `symmetry` are the rules, `engine`, `graph` and `completions` the exact search, `solve`
//! its answer. Reference: M. Gardner, "Further mathematical diversions", ch. 11; J. D. Beasley,
//! "The ins and outs of peg solitaire" (1985).

mod answer;
pub mod board;
pub mod census;
pub mod completions;
pub mod engine;
mod figures;
pub mod graph;
pub mod jump_model;
pub mod law;
mod picture;
pub mod play;
pub mod problem;
mod random_play;
pub mod solve;
pub mod symmetry;
pub mod table;
mod tasks;
pub mod tree;
mod verb;

use lab::task::{GameSpec, Verb};

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
