//! The random experiments with peg solitaire, and the verb that solves it; the game is the crate `pegs`.

mod figures;
mod random_play;
mod story;
mod tasks;
mod verb;

use task::{GameSpec, Verb};

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
