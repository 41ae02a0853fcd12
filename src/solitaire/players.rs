//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::Round;
use super::table::{CardTable, Move};
use lab::rng::StreamKey;
use lab::search::hidden::{HiddenGame, HiddenPlayer, Scratch};
use lab::task::{PlayerSpec, Strategy};

/// The strategies of `solitaire/score` as `list players` shows them.
pub const SPECS: &[PlayerSpec] = &Strategy::list(
    "safe cards home, then what turns a card, then the waste, then the stock",
    "any of the plays that `greedy` considers, all equally likely",
    "the best mean score over N worlds, each then solved within the budget",
);

/// A game played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The most cards on the foundations at one moment.
    pub score: u8,
    /// The single moves.
    pub line: Vec<Move>,
    /// Rounds with two plays or more to choose from.
    pub decisions: u64,
    /// Exact searches that the player asked for.
    pub solves: u64,
}

/// Plays a table to the end. Decision `d` draws from step `d` of sample `index` of `draws`.
pub fn play(
    table: &CardTable,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    (draws, index): (&StreamKey, u64),
) -> FinishedGame {
    let mut round = Round::new(*table);
    let before = scratch.solves;
    let (mut line, mut decisions) = (Vec::new(), 0);
    for step in 0.. {
        let mut stream = draws.step(index, step);
        let Some(play) = player.decide(&Casino, scratch, &round.sight(), &mut stream) else {
            break;
        };
        decisions += u64::from(Casino.moves(&round).len() > 1);
        round.play_and_tell(play, |single| line.push(single));
    }
    FinishedGame {
        score: round.score(),
        line,
        decisions,
        solves: scratch.solves - before,
    }
}

#[cfg(test)]
mod tests;
