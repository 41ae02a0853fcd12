//! The registry: every game of the project. A game is one folder here and two lines in this file.

pub mod foxes;
pub mod klondike;
pub mod pegs;
pub mod queens;
pub mod riddle;
pub mod solitaire;

use crate::task::GameSpec;

/// Every game, in the order in which `list` shows them.
pub const GAMES: &[&GameSpec] = &[
    &klondike::GAME,
    &solitaire::GAME,
    &riddle::GAME,
    &foxes::GAME,
    &pegs::GAME,
    &queens::GAME,
];
