//! How a deal is played: by exact search with one of the two engines, or by a simple player.

use super::deal::Deal;
use super::etude;
use super::outcome::Outcome;
use super::players;
use super::pruned::{self, Engine};
use lab::rng::StreamKey;
use lab::search::Budget;
use lab::task::{Draw, ParamError, Params};

/// An exact engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Bounds, safe moves and bit sets.
    Pruned,
    /// The program of chapter 19 as described there.
    Etude,
}

impl Algorithm {
    /// The names, in the order shown to people.
    pub const NAMES: &'static [&'static str] = &["pruned", "etude"];

    /// The algorithm of a name of [`Algorithm::NAMES`].
    pub fn named(name: &str) -> Option<Algorithm> {
        match name {
            "pruned" => Some(Algorithm::Pruned),
            "etude" => Some(Algorithm::Etude),
            _ => None,
        }
    }

    /// Solves a deal; `engine` is scratch memory.
    pub fn solve(self, engine: &mut Engine, deal: &Deal, budget: Budget) -> Outcome {
        match self {
            Algorithm::Pruned => engine.solve(deal, budget),
            Algorithm::Etude => etude::solve(deal, budget),
        }
    }

    /// An upper bound on the memory of a search, in bytes.
    pub fn memory_limit(self) -> u64 {
        match self {
            Algorithm::Pruned => pruned::MEMORY_LIMIT,
            Algorithm::Etude => etude::MEMORY_LIMIT,
        }
    }
}

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The best play there is, knowing all cards.
    Optimal(Algorithm),
    /// [`players::greedy`].
    Greedy,
    /// [`players::random`].
    Random,
}

impl Strategy {
    /// The names, in the order shown to people.
    pub const NAMES: &'static [&'static str] = &["optimal", "greedy", "random"];

    /// The strategy that the parameters `strategy` and `algorithm` name.
    pub fn from_params(params: &Params) -> Result<Strategy, ParamError> {
        let unknown = |name: &str| ParamError::new(name, format!("unknown {name}"), "see `list`");
        let algorithm = Algorithm::named(params.text("algorithm")?);
        match params.text("strategy")? {
            "optimal" => Ok(Strategy::Optimal(
                algorithm.ok_or_else(|| unknown("algorithm"))?,
            )),
            "greedy" => Ok(Strategy::Greedy),
            "random" => Ok(Strategy::Random),
            _ => Err(unknown("strategy")),
        }
    }

    /// Plays a deal. Exact search stays within the budget; random play draws from the stream of
    /// sample `draw.index` of `plays`.
    pub fn play(self, engine: &mut Engine, deal: &Deal, draw: Draw, plays: &StreamKey) -> Outcome {
        match self {
            Strategy::Optimal(algorithm) => algorithm.solve(engine, deal, draw.budget),
            Strategy::Greedy => players::greedy(deal),
            Strategy::Random => players::random(deal, &mut plays.stream(draw.index)),
        }
    }
}
