//! The random experiments with two foxes and twenty hens, its verbs, its matches, also against other
//! people's programs, and its proof in files; the game is the crate `foxes`.

mod matches;
mod players;
pub mod proof;
mod tasks;
pub mod ugi;
mod verbs;

use task::GameSpec;

/// The game: its tasks, verbs and players.
pub static GAME: GameSpec = GameSpec {
    name: "foxes",
    summary: "Two foxes and twenty hens on a cross of 33 cells (Arsac, game 13)",
    tasks: &tasks::TASKS,
    verbs: verbs::VERBS,
    players: &players::SPECS,
};
