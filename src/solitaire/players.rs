//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::{Play, Round};
use super::table::Move;
use super::unseen::game::{Macros, last_moves, play_until_turned};
use crate::cards::advice::CardPlayer;
use kit::rng::StreamKey;
use kit::search::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};

/// A game that a player played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// The most cards on the foundations at one moment.
    pub score: u8,
    /// The single moves.
    pub line: Vec<Move>,
    /// Decisions with two choices or more.
    pub decisions: u64,
    /// Exact searches that the player asked for.
    pub solves: u64,
}

/// The memory of the searches of players.
#[derive(Default)]
pub struct PlayerMemory {
    moves: Scratch<Casino>,
    macros: Scratch<Macros>,
}

/// Lets a player play a round to its end. Decision `d` draws from step `d` of sample `index` of
/// `draws`.
pub fn play(
    round: Round,
    player: &CardPlayer,
    memory: &mut PlayerMemory,
    draws: (&StreamKey, u64),
) -> PlayedRound {
    match player {
        CardPlayer::ByMoves(player) => by_moves(round, player, &mut memory.moves, draws),
        CardPlayer::ByMacros(player) => by_macros(round, player, &mut memory.macros, draws),
    }
}

fn by_moves(
    round: Round,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    draws: (&StreamKey, u64),
) -> PlayedRound {
    let game = PlayedGame::play(&Casino, round, player, scratch, draws);
    PlayedRound {
        score: game.end.score(),
        line: single_moves(round, &game.plays),
        decisions: game.decisions(),
        solves: game.solves,
    }
}

/// Where no macro move is left, known cards go on as far as they can.
fn by_macros(
    mut round: Round,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Macros>,
    (draws, index): (&StreamKey, u64),
) -> PlayedRound {
    let before = scratch.solves;
    let (mut line, mut decisions) = (Vec::new(), 0);
    for step in 0.. {
        let mut stream = draws.step(index, step);
        let play = player.decide(&Macros, scratch, &Macros.observe(&round), &mut stream);
        decisions += u64::from(play.is_some() && Macros.width(&round) > 1);
        let moves = play.map_or_else(|| last_moves(&round), |play| play.moves(&round));
        let has_turned = play_until_turned(&mut round, &moves, |single| line.push(single));
        if !has_turned && play.is_none() {
            break;
        }
    }
    PlayedRound {
        score: round.score(),
        line,
        decisions,
        solves: scratch.solves - before,
    }
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
