//! Playing cards as people read and write them, and the table that a person plays at.
//!
//! The games of cards share this. Their rules and their engines, with encodings of cards of their
//! own, stay with each.

pub mod advice;
#[cfg(feature = "laboratory")]
pub mod advise;
#[cfg(feature = "laboratory")]
pub mod deals;
pub mod draw;
pub mod face;
#[cfg(feature = "laboratory")]
pub mod games;
#[cfg(feature = "laboratory")]
pub mod play;
#[cfg(feature = "laboratory")]
pub mod solve;
#[cfg(feature = "laboratory")]
pub mod strategy;
pub mod tabletop;
pub mod text;

/// The cards of a whole deck.
pub const DECK: u8 = 52;

pub use face::Face;
pub use text::{DealError, Slot, WrittenTable};
