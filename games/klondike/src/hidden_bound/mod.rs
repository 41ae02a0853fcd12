//! An upper bound on the score of any player that does not see the face-down cards.
//!
//! Some worlds are drawn that look like a deal. A player who must treat alike those worlds that
//! look alike so far, and knows that it is in one of them, loses against perfect sight at least
//! `d` cards on average; a player who knows less loses more. So the mean of `d` over deals, taken
//! from the mean perfect score, is an upper bound. With few worlds this player soon knows its own.
//! Then a price is put on each move: what it loses in other worlds that look the same (information
//! relaxation with a penalty; Brown, Smith and Sun 2010, "Information relaxations and duality in
//! stochastic dynamic programs"). `book/src/soundness.md` has the proofs.

mod price;
mod search;

pub use self::price::{PARTS, Pricing, orders};
pub use self::search::{Least, WorldSearch};

#[cfg(test)]
mod tests;
