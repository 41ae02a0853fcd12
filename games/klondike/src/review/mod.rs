//! The share of the player and of the cards in a game of the casino: [`cards::review`] by its rules, in dollars.

mod finisher;
mod game;

#[cfg(test)]
mod tests;

use super::casino::Casino;

pub use finisher::CasinoFinisher;

/// A game that was played, cut where an unknown card shows.
pub type Record = cards::review::Record<Casino>;
