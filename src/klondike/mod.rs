//! The Klondike casino: a solitaire with building in suit, for which a casino sells the deck for
//! $52, takes $3 for the game and pays $5 for each card on the foundations. What does it keep?
//!
//! `position` holds the rules. `etude` and `pruned` are two independent exact searches. `tree` is
//! what the first would walk without its table. `casino` and `players` are the game as people meet
//! it, with face-down cards unseen. `task` and `solve` are what the rest of the program sees.
//! Wetherell, *Etudes for Programmers*, chapter 19.

pub mod card;
pub mod casino;
pub mod deal;
pub mod deck;
pub mod draw;
pub mod engine;
pub mod etude;
#[cfg(feature = "laboratory")]
mod hidden_bound;
pub mod hidden_value;
pub mod layout;
pub mod outcome;
#[cfg(feature = "laboratory")]
mod params;
#[cfg(feature = "laboratory")]
mod play;
pub mod players;
pub mod position;
pub mod pruned;
pub mod seat;
#[cfg(feature = "laboratory")]
mod solve;
#[cfg(feature = "laboratory")]
mod tasks;
#[cfg(feature = "laboratory")]
pub mod tree;

#[cfg(feature = "laboratory")]
use task::{GameSpec, Verb};

/// The rules in three lines.
pub const RULES: &str = "You pay $55, and get $5 for every card on the foundations.
Any face-up card moves, with all cards on top of it, onto the next higher card of its suit at the end of another column; \
a king may go to an empty column.
Aces, and then the next cards of each suit, go to the foundations by themselves, and the last card of a column is turned up.";

#[cfg(feature = "laboratory")]
/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "klondike",
    summary: "the Klondike casino, now known as Russian Solitaire: optimal scores (Wetherell, ch. 19)",
    tasks: &[
        tasks::SCORE,
        hidden_value::HIDDEN_VALUE,
        hidden_bound::HIDDEN_BOUND,
        tree::TREE,
    ],
    verbs: &[
        Verb::new::<solve::SolveKlondike>("solve"),
        Verb::new::<play::PlayKlondike>("play"),
    ],
    players: tasks::PLAYERS,
};

/// A number of cards in words: `1 card`, `11 cards`.
fn cards(number: u8) -> String {
    match number {
        1 => "1 card".to_owned(),
        number => format!("{number} cards"),
    }
}
