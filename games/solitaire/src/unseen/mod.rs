//! Solitaire without sight of the face-down cards, played by macro moves.
//!
//! Between two unknown cards nothing is unknown: what a person decides on is which card to turn
//! next, and with what arrangement of the known ones. `game` hands these decisions to the players
//! of [`cards::hidden`]; `exact` finds them and solves the worlds that they imagine.

pub mod bound;
pub mod close_choices;
pub mod game;

#[cfg(test)]
mod tests;
