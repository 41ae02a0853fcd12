//! Solitaire: the patience with a stock that most people call Klondike. (The game
//! called `klondike` here, after Wetherell's book, has no stock: it is Russian Solitaire today.)
//!
//! `rules`, `deal` and `table` are the game with real cards; `plain` tries every move of it and is
//! what the fast search `exact` is checked against. `round`, `quick`, `heuristic`, `casino` and
//! `players` are the game as people meet it, cards unseen; `grade` says how often such a player wins a deal. `task`,
//! `solve`, `make` and `play` are what the rest of the program sees. Blake and Gent, "The winnability of Klondike
//! Solitaire and many other patience games", describe the game and its published figures.

pub mod card;
pub mod casino;
pub mod deal;
pub mod draw;
pub mod elsewhere;
pub mod exact;
#[cfg(feature = "laboratory")]
pub mod grade;
pub mod habits;
pub mod heuristic;
#[cfg(feature = "laboratory")]
mod make;
pub mod plain;
#[cfg(feature = "laboratory")]
mod play;
pub mod players;
pub mod quick;
pub mod round;
pub mod rules;
pub mod seat;
#[cfg(feature = "laboratory")]
pub mod settings;
#[cfg(feature = "laboratory")]
mod solve;
pub mod table;
#[cfg(feature = "laboratory")]
mod tasks;
pub mod unseen;
pub mod written;

#[cfg(feature = "laboratory")]
use task::{GameSpec, Verb};

#[cfg(feature = "laboratory")]
/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "solitaire",
    summary: "the game called Klondike today (the book's is `klondike`): wins and optimal scores",
    tasks: &[tasks::SCORE, unseen::UNSEEN_BOUND, unseen::CLOSE_CHOICES],
    verbs: &[
        Verb::new::<solve::SolveSolitaire>("solve"),
        Verb::new::<make::MakeSolitaire>("make"),
        Verb::new::<play::PlaySolitaire>("play"),
    ],
    players: tasks::PLAYERS,
};
