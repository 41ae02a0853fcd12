#![doc = include_str!("../README.md")]

pub mod card;
pub mod casino;
pub mod deal;
pub mod deck;
pub mod draw;
pub mod engine;
pub mod etude;
pub mod hidden_bound;
pub mod hidden_value;
pub mod layout;
pub mod outcome;
pub mod players;
pub mod position;
pub mod pruned;
pub mod review;
pub mod seat;
pub mod tree;

/// The rules in three lines.
pub const RULES: &str = "You pay $55, and get $5 for every card on the foundations.
Any face-up card moves, with all cards on top of it, onto the next higher card of its suit at the end of another column; \
a king may go to an empty column.
Aces, and then the next cards of each suit, go to the foundations by themselves, and the last card of a column is turned up.";

/// A number of cards in words: `1 card`, `11 cards`.
pub fn cards(number: u8) -> String {
    match number {
        1 => "1 card".to_owned(),
        number => format!("{number} cards"),
    }
}
