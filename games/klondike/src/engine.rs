//! The two exact engines by name.

use super::deal::Deal;
use super::etude;
use super::outcome::SearchOutcome;
use super::pruned::PrunedEngine;
use kit::search::Budget;

/// An exact engine.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum ExactEngine {
    /// Bounds, safe moves and bit sets.
    Pruned,
    /// The program of chapter 19 as described there.
    Etude,
}

impl ExactEngine {
    /// Solves a deal; `engine` is scratch memory.
    pub fn solve(self, engine: &mut PrunedEngine, deal: &Deal, budget: Budget) -> SearchOutcome {
        match self {
            ExactEngine::Pruned => engine.solve(deal, budget),
            ExactEngine::Etude => etude::solve(deal, budget),
        }
    }
}
