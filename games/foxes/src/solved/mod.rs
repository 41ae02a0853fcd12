//! The game solved: a research program beside the game, which needs none of it to be played.
//!
//! [`retrograde`] solves small boards exactly, every position of them; [`proof`] answers one question
//! on the whole board, whether the hens can force a win while losing few.

mod draw_limits;
pub mod proof;
pub mod retrograde;

pub use draw_limits::{DrawLimits, OtherRule};
