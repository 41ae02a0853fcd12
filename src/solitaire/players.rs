//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::{Play, Round};
use super::table::{CardTable, Move};
use lab::rng::StreamKey;
use lab::search::hidden::{HiddenPlayer, PlayedGame, Scratch};
use lab::task::{PlayerSpec, Strategy};

/// The strategies of `solitaire/score` as `list players` shows them.
pub const SPECS: &[PlayerSpec] = &Strategy::list(
    "safe cards home, then what turns a card, then the waste, then the stock",
    "any of the plays that `greedy` considers, all equally likely",
    "the best mean score over N worlds, each then solved within the budget",
);

/// Plays a table to the end. Decision `d` draws from step `d` of sample `index` of `draws`.
pub fn play(
    table: &CardTable,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    draws: (&StreamKey, u64),
) -> PlayedGame<Casino> {
    PlayedGame::play(&Casino, Round::new(*table), player, scratch, draws)
}

/// The single moves of plays from a round on.
pub fn single_moves(mut round: Round, plays: &[Play]) -> Vec<Move> {
    let mut line = Vec::new();
    for &play in plays {
        round.play_and_tell(play, |single| line.push(single));
    }
    line
}

#[cfg(test)]
mod tests;
