//! The outcome of an exact search of a deal.

use super::card::Card;
use kit::search::Verdict;

/// The outcome of an exact search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The optimal score, 0 to 52, or bounds on it.
    pub score: Verdict<u8>,
    /// Distinct positions examined, the settled start included.
    pub positions: u64,
    /// Positions searched, repetitions included, which the budget limits.
    pub nodes: u64,
    /// Legal moves at the settled start.
    pub first_moves: u8,
    /// The most legal moves of any position examined.
    pub widest: u8,
    /// Moves that reach the lower bound of the score, in order.
    pub moves: Vec<Card>,
}
