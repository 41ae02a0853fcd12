//! The value of a small deck to a player who does not see the face-down cards, exactly.
//!
//! All orders of the deck are played at once. Orders with the same cards in sight belong together:
//! a player cannot tell them apart, and whatever is seen later, each order of the unseen cards
//! stays as likely as any other. `beliefs` sums over them with a memory and with bounds; `plain`
//! lists them one by one, as the judge of the other.

mod beliefs;
mod key;
pub mod plain;
mod root;

pub(crate) use self::beliefs::Beliefs;
pub use self::root::{MOST_CARDS, totals};

/// Sums of scores over all orders of a deck's cards, or over some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of orders.
    pub deals: u64,
    /// The best play knowing all cards.
    pub perfect: u64,
    /// The best play that knows only the observation.
    pub hidden: u64,
    /// The player that takes, at each decision, the move with the greatest sum of perfect scores
    /// over all orders of the unseen cards.
    pub hindsight: u64,
    /// The player that takes the move that scores most cards, not counting the card it turns.
    pub greedy: u64,
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Totals) {
        self.deals += other.deals;
        self.perfect += other.perfect;
        self.hidden += other.hidden;
        self.hindsight += other.hindsight;
        self.greedy += other.greedy;
    }
}

impl std::ops::Mul<u64> for Totals {
    type Output = Totals;

    fn mul(self, factor: u64) -> Totals {
        Totals {
            deals: self.deals * factor,
            perfect: self.perfect * factor,
            hidden: self.hidden * factor,
            hindsight: self.hindsight * factor,
            greedy: self.greedy * factor,
        }
    }
}

#[cfg(test)]
mod tests;
