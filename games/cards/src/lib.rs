#![doc = include_str!("../README.md")]

pub mod advice;
pub mod draw;
pub mod face;
pub mod hidden;
pub mod review;
pub mod tabletop;
pub mod text;

/// The cards of a whole deck.
pub const DECK: u8 = 52;

pub use face::Face;
pub use text::{DealError, Slot, WrittenTable};
