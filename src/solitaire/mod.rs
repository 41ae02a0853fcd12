//! Solitaire: the patience with a stock that most people call Klondike, all cards known.
//!
//! `rules`, `deal` and `table` are the game with real cards; `plain` tries every move of it and is
//! what the fast search is checked against. Blake and Gent, "The winnability of Klondike Solitaire
//! and many other patience games", describe the game and its published figures.

pub mod card;
pub mod deal;
pub mod exact;
pub mod plain;
pub mod rules;
pub mod table;

use lab::task::GameSpec;

/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "solitaire",
    summary: "the patience called Klondike today, with a stock: win or loss, and cards at best",
    tasks: &[],
    verbs: &[],
    players: &[],
};
