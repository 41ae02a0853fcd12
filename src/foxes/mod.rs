//! Two foxes and twenty hens, after J. Arsac, game 13: a match game without chance, with players
//! of very different strength.

pub mod alphabeta;
pub mod arsac;
pub mod board;
pub mod chain;
#[cfg(feature = "laboratory")]
mod decided;
pub mod draw;
pub mod evaluation;
pub mod game;
pub mod mailbox;
#[cfg(feature = "laboratory")]
pub mod matches;
pub mod moves;
pub mod notation;
pub mod opening;
pub mod perft;
#[cfg(feature = "laboratory")]
pub mod players;
pub mod position;
pub mod record;
pub mod rules;
#[cfg(feature = "laboratory")]
pub mod solved;
#[cfg(feature = "laboratory")]
mod tasks;
pub mod typed;
#[cfg(feature = "laboratory")]
pub mod ugi;
#[cfg(feature = "laboratory")]
mod verbs;

#[cfg(feature = "laboratory")]
use task::GameSpec;

#[cfg(feature = "laboratory")]
/// The game: its tasks, verbs and players.
pub static GAME: GameSpec = GameSpec {
    name: "foxes",
    summary: "Two foxes and twenty hens on a cross of 33 cells (Arsac, game 13)",
    tasks: &tasks::TASKS,
    verbs: verbs::VERBS,
    players: &players::SPECS,
};
