//! Games played without seeing the face-down cards.
//!
//! The referee keeps the deal. A player receives what is visible of a position, and a stream of
//! its own for each decision.

use super::casino::Casino;
use super::deal::Deal;
use super::outcome::SearchOutcome;
use super::pruned::World;
use cards::hidden::{HiddenPlayer, PlayedGame, Scratch};
use kit::rng::StreamKey;
use kit::search::Verdict;

/// Plays a deal. Decision `d` draws from step `d` of sample `index` of `draws`.
pub fn play(
    deal: &Deal,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    draws: (&StreamKey, u64),
) -> PlayedGame<Casino> {
    PlayedGame::play(&Casino, World::new(deal), player, scratch, draws)
}

/// Returns the outcome of a played game.
pub fn outcome(game: &PlayedGame<Casino>) -> SearchOutcome {
    let widths = game.widths.iter().map(|&width| width as u8);
    SearchOutcome {
        score: Verdict::Proved(game.end.score()),
        positions: game.widths.len() as u64,
        nodes: game.widths.len() as u64,
        first_moves: widths.clone().next().unwrap_or(0),
        widest: widths.max().unwrap_or(0),
        moves: game.plays.clone(),
    }
}

#[cfg(test)]
mod tests;
