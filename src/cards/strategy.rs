//! The strategies for a game with unseen cards: perfect play, or a player who sees what a person sees.

use base::suggest::did_you_mean;
use cards::hidden::{HiddenPlayer, PlayerError};
use task::{ParamError, ParamSpec, Params, PlayerSpec};

/// A way to play.
#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// The best play there is, knowing all cards.
    Optimal,
    /// Play by what is seen.
    Player(HiddenPlayer),
}

impl Strategy {
    /// The parameter that names it.
    pub const PARAM: ParamSpec = ParamSpec::text(
        "strategy",
        "How the deal is played: `optimal` with every card known, or by a player of \
         `list players` that sees only the face-up cards",
    )
    .or_text("optimal");

    /// The strategy that the parameter `strategy` names.
    ///
    /// # Errors
    /// Says what is wrong with the name.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        match params.text("strategy")?.trim() {
            "optimal" => Ok(Self::Optimal),
            name => {
                (name.parse().map(Self::Player)).map_err(|error| Self::refuse("strategy", &error))
            }
        }
    }

    /// The error of a name that is no strategy's, in a parameter.
    pub fn refuse(param: &str, error: &PlayerError) -> ParamError {
        let all = || format!("give optimal; or {}", PlayerError::HELP);
        let help = Self::meant(error).unwrap_or_else(all);
        ParamError::new(param, error.to_string(), help)
    }

    /// "did you mean `x`?" where a strategy has a name like the unknown one.
    fn meant(error: &PlayerError) -> Option<String> {
        let PlayerError::Unknown(name) = error else {
            return None;
        };
        did_you_mean(name, Self::list("", "", "").iter().map(|spec| spec.name))
    }

    /// The purpose of the streams that the strategy draws from: strategies share draws only if they
    /// differ in nothing but foresight.
    pub fn purpose(&self) -> String {
        match self {
            Self::Optimal => "play".to_owned(),
            Self::Player(player) => player.purpose(),
        }
    }

    /// All strategies as `list players` shows them, with what a game's base player does, what its
    /// random player chooses from, and how each world of hindsight is played.
    pub const fn list(
        greedy: &'static str,
        random: &'static str,
        hindsight: &'static str,
    ) -> [PlayerSpec; 10] {
        [
            spec("optimal", "perfect play with every card known"),
            spec("greedy", greedy),
            spec("random", random),
            spec(
                "rollout(N)",
                "the best mean score over N worlds, `greedy` playing on",
            ),
            spec("hindsight(N, NODES)", hindsight),
            spec(
                "nested(N, PLAYER)",
                "the best mean score over N worlds, PLAYER playing on",
            ),
            spec(
                "race(N, PLAYER)",
                "like PLAYER, with up to N worlds while moves are close",
            ),
            spec(
                "close(MARGIN, MOST, JUDGE, PLAYER)",
                "PLAYER, which decides among the MOST best moves by JUDGE that are within MARGIN points",
            ),
            spec(
                "errs(PERCENT, PLAYER)",
                "PLAYER, which at so many of its choices makes any move, all equally likely",
            ),
            spec(
                "ismcts(N, C)",
                "up to N descents of a tree over what is seen, UCB1 with exploration C",
            ),
        ]
    }
}

const fn spec(name: &'static str, summary: &'static str) -> PlayerSpec {
    PlayerSpec {
        name,
        side: "player",
        summary,
    }
}
