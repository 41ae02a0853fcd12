//! Exact search in any game: the budget of a search, and its answer.
//!
//! Knows no game. A budget is counted in nodes, never in seconds, so an answer does not depend on
//! the machine it was found on.

mod budget;
pub mod estimate;
mod tree;
mod verdict;
mod weight;

pub use budget::{Budget, Meter};
pub use tree::{Tree, TreeSize, measure};
pub use verdict::Verdict;
pub use weight::Weight;
