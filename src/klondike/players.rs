//! Games played without seeing the face-down cards.
//!
//! The referee keeps the deal. A player receives what is visible of a position, and a stream of
//! its own for each decision.

use super::casino::Casino;
use super::deal::Deal;
use super::outcome::SearchOutcome;
use super::pruned::World;
use lab::rng::StreamKey;
use lab::search::Verdict;
use lab::search::hidden::{HiddenPlayer, Scratch};
use lab::task::{PlayerSpec, Strategy};

/// The strategies of `klondike/score` as `list players` shows them.
pub const SPECS: &[PlayerSpec] = &Strategy::list(
    "puts the most visible cards on the foundations at once; otherwise turns a card",
    "any legal move, all equally likely",
    "the best mean score over N worlds, each then played knowing all cards",
);

/// A game played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The result of the game.
    pub outcome: SearchOutcome,
    /// Positions with two legal moves or more.
    pub decisions: u64,
    /// Exact searches that the player asked for.
    pub solves: u64,
}

/// Plays a deal. Decision `d` draws from step `d` of sample `index` of `draws`.
pub fn play(
    deal: &Deal,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    (draws, index): (&StreamKey, u64),
) -> FinishedGame {
    let mut world = World::new(deal);
    let before = scratch.solves;
    let (mut widths, mut moves) = (Vec::new(), Vec::new());
    loop {
        widths.push(world.moves().len() as u8);
        let seen = world.observe();
        let mut stream = draws.step(index, moves.len() as u64);
        let Some(card) = player.decide(&Casino, scratch, &seen, &mut stream) else {
            break;
        };
        world.play(card);
        moves.push(card);
    }
    FinishedGame {
        decisions: widths.iter().filter(|&&width| width > 1).count() as u64,
        solves: scratch.solves - before,
        outcome: SearchOutcome {
            score: Verdict::Proved(world.score()),
            positions: widths.len() as u64,
            nodes: widths.len() as u64,
            first_moves: widths.first().copied().unwrap_or(0),
            widest: widths.iter().copied().max().unwrap_or(0),
            moves,
        },
    }
}

#[cfg(test)]
mod tests;
