//! The random experiments with queens, and the verb that counts them; the game is the crate `queens`.

mod tasks;
mod verb;

use task::{GameSpec, Verb};

/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "queens",
    summary: "n queens that do not attack each other: a backtracking automaton, step by step",
    tasks: &[tasks::AUTOMATON, tasks::ESTIMATE],
    verbs: &[Verb::new::<verb::SolveQueens>("solve")],
    players: &[],
};
