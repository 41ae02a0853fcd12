//! Solitaire without sight of the face-down cards, played by macro moves.
//!
//! Between two unknown cards nothing is unknown: what a person decides on is which card to turn
//! next, and with what arrangement of the known ones. `game` hands these decisions to the players
//! of [`kit::search::hidden`]; `exact` finds them and solves the worlds that they imagine.

pub mod bound;
#[cfg(feature = "laboratory")]
mod bound_task;
pub mod close_choices;
#[cfg(feature = "laboratory")]
mod close_choices_task;
pub mod game;
#[cfg(feature = "laboratory")]
pub use bound_task::UNSEEN_BOUND;
#[cfg(feature = "laboratory")]
pub use close_choices_task::CLOSE_CHOICES;

#[cfg(test)]
mod tests;
