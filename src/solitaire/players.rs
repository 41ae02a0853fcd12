//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::{Play, Round};
use super::table::{CardTable, Move};
use super::unseen::game::{Macros, last_moves, play_until_turned};
use lab::rng::StreamKey;
use lab::search::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};
use lab::task::{PlayerSpec, Strategy};

/// The strategies of `solitaire/score` as `list players` shows them.
pub const SPECS: &[PlayerSpec] = &{
    const MACROS: PlayerSpec = PlayerSpec {
        name: "macros(PLAYER)",
        side: "player",
        summary: "PLAYER, choosing among whole ways to the next unknown card",
    };
    let by_plays = Strategy::list(
        "safe cards home, then what turns a card, then the waste, then the stock",
        "any of the plays that `greedy` considers, all equally likely",
        "the best mean score over N worlds, each then solved within the budget",
    );
    let mut all = [MACROS; 9];
    let (first, _) = all.split_at_mut(by_plays.len());
    first.copy_from_slice(&by_plays);
    all
};

/// Plays a table to the end. Decision `d` draws from step `d` of sample `index` of `draws`.
pub fn play(
    table: &CardTable,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    draws: (&StreamKey, u64),
) -> PlayedGame<Casino> {
    PlayedGame::play(&Casino, Round::new(*table), player, scratch, draws)
}

/// A game by macro moves, played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroGame {
    /// The most cards on the foundations at one moment.
    pub score: u8,
    /// The single moves.
    pub line: Vec<Move>,
    /// Rounds with two macro moves or more to choose from.
    pub decisions: u64,
    /// Exact searches that the player asked for.
    pub solves: u64,
}

/// Plays a round to the end by macro moves. Where none is left, known cards go on as far as they
/// can.
pub fn play_by_macros(
    mut round: Round,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Macros>,
    (draws, index): (&StreamKey, u64),
) -> MacroGame {
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
    MacroGame {
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
