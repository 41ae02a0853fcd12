//! The Klondike casino.

pub mod card;
pub mod deal;
pub mod etude;
pub mod layout;
pub mod outcome;
pub mod position;
pub mod pruned;
