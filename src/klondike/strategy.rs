//! How a deal is played: by exact search with one of the two engines and all cards known, or by a
//! player who does not see the face-down cards.

use super::casino::Casino;
use super::deal::Deal;
use super::etude;
use super::outcome::SearchOutcome;
use super::players;
use super::pruned::{self, PrunedEngine};
use lab::rng::StreamKey;
use lab::search::hidden::{HiddenPlayer, PlayerError, Scratch};
use lab::search::{Budget, Verdict};
use lab::task::{Draw, ParamError, Params};

lab::named! {
    /// An exact engine.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ExactEngine {
        /// Bounds, safe moves and bit sets.
        Pruned = "pruned",
        /// The program of chapter 19 as described there.
        Etude = "etude",
    }
}

impl ExactEngine {
    /// Solves a deal; `engine` is scratch memory.
    pub fn solve(self, engine: &mut PrunedEngine, deal: &Deal, budget: Budget) -> SearchOutcome {
        match self {
            ExactEngine::Pruned => engine.solve(deal, budget),
            ExactEngine::Etude => etude::solve(deal, budget),
        }
    }

    /// An upper bound on the memory of a search, in bytes.
    pub fn memory_limit(self) -> u64 {
        match self {
            ExactEngine::Pruned => pruned::MEMORY_LIMIT,
            ExactEngine::Etude => etude::MEMORY_LIMIT,
        }
    }
}

/// A way to play.
#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// The best play there is, knowing all cards.
    Optimal(ExactEngine),
    /// Play by what is seen.
    Player(HiddenPlayer),
}

/// A deal played, beside the best that could be made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The game.
    pub outcome: SearchOutcome,
    /// What perfect sight of all cards would have scored.
    pub optimum: Verdict<u8>,
    /// Positions with two legal moves or more; `None` of perfect sight, which decides once.
    pub decisions: Option<u64>,
    /// Exact searches asked for.
    pub solves: u64,
}

impl Strategy {
    /// The strategy that the parameters `strategy` and `algorithm` name.
    ///
    /// # Errors
    /// Says what is wrong with the name.
    pub fn from_params(params: &Params) -> Result<Strategy, ParamError> {
        let unknown = || ParamError::new("algorithm", "unknown algorithm", "see `list params`");
        let algorithm = ExactEngine::from_name(params.text("algorithm")?).ok_or_else(unknown)?;
        let refuse = |error: PlayerError| {
            let help = format!("give optimal; or {}", PlayerError::HELP);
            ParamError::new("strategy", error.to_string(), help)
        };
        match params.text("strategy")?.trim() {
            "optimal" => Ok(Strategy::Optimal(algorithm)),
            name => Ok(Strategy::Player(name.parse().map_err(refuse)?)),
        }
    }

    /// The purpose of the streams that the strategy draws from: no two strategies share draws.
    pub fn purpose(&self) -> String {
        match self {
            Strategy::Optimal(_) => "play".to_owned(),
            Strategy::Player(player) => format!("play of {player}"),
        }
    }

    /// Plays a deal, each exact search within the budget; draws come from the streams of sample
    /// `draw.index` of `draws`.
    pub fn play(
        &self,
        scratch: &mut Scratch<Casino>,
        deal: &Deal,
        draw: Draw,
        draws: &StreamKey,
    ) -> Played {
        scratch.solver.budget = draw.budget;
        match self {
            Strategy::Optimal(algorithm) => {
                let outcome = algorithm.solve(&mut scratch.solver.engine, deal, draw.budget);
                Played {
                    optimum: outcome.score,
                    outcome,
                    decisions: None,
                    solves: 1,
                }
            }
            Strategy::Player(player) => {
                let game = players::play(deal, player, scratch, (draws, draw.index));
                Played {
                    optimum: scratch.solver.engine.solve(deal, draw.budget).score,
                    outcome: game.outcome,
                    decisions: Some(game.decisions),
                    solves: game.solves,
                }
            }
        }
    }
}
