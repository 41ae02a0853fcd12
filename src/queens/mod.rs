//! Queens that do not attack each other: the backtracking automaton and the size of its tree.
//!
//! `automaton` is the program as derived, version by version; `bitmask` counts as fast as one
//! core can, by `batch`es; `tree` shows the same search to the estimators of [`kit::search`], and `tasks` are
//! the random experiments. Reference: J. Arsac, "Jeux et casse-tete a programmer" (1985); OEIS
//! A000170.

pub mod automaton;
mod batch;
pub mod bitmask;
mod half_turn;
#[cfg(feature = "laboratory")]
mod known;
#[cfg(feature = "laboratory")]
mod picture;
pub mod placement;
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
    name: "queens",
    summary: "n queens that do not attack each other: a backtracking automaton, step by step",
    tasks: &[tasks::AUTOMATON, tasks::ESTIMATE],
    verbs: &[Verb::new::<verb::SolveQueens>("solve")],
    players: &[],
};
