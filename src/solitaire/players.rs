//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::Round;
use super::table::{CardTable, Move};
use super::unseen::game::{Macro, Macros, last_moves, play_until_turned};
use lab::rng::StreamKey;
use lab::search::hidden::{HiddenGame, HiddenPlayer, Scratch};
use lab::task::{PlayerSpec, Strategy};

/// The strategies of `solitaire/score` as `list players` shows them.
pub const SPECS: &[PlayerSpec] = &{
    let [
        optimal,
        greedy,
        random,
        rollout,
        hindsight,
        nested,
        race,
        ismcts,
    ] = Strategy::list(
        "safe cards home, then what turns a card, then the waste, then the stock",
        "any of the plays that `greedy` considers, all equally likely",
        "the best mean score over N worlds, each then solved within the budget",
    );
    let macros = PlayerSpec {
        name: "macros(PLAYER)",
        side: "player",
        summary: "PLAYER, whose moves are all that is done until the next unknown card",
    };
    [
        optimal, greedy, random, rollout, hindsight, nested, race, ismcts, macros,
    ]
};

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
    seat: (&StreamKey, u64),
) -> FinishedGame {
    referee(
        &Casino,
        table,
        player,
        scratch,
        seat,
        |round, play, line| {
            let Some(play) = play else {
                return false;
            };
            round.play_and_tell(play, |single| line.push(single));
            true
        },
    )
}

/// The same by macro moves. Where none is left, known cards go on as far as they can.
pub fn play_by_macros(
    table: &CardTable,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Macros>,
    seat: (&StreamKey, u64),
) -> FinishedGame {
    let act = |round: &mut Round, play: Option<Macro>, line: &mut Vec<Move>| {
        let moves = play.map_or_else(|| last_moves(round), |play| play.moves(round));
        play_until_turned(round, &moves, |single| line.push(single)) || play.is_some()
    };
    referee(&Macros, table, player, scratch, seat, act)
}

/// Hands a player what it sees, and carries out what it chooses by `act`, which says whether the
/// game goes on.
fn referee<G: HiddenGame<World = Round>>(
    game: &G,
    table: &CardTable,
    player: &HiddenPlayer,
    scratch: &mut Scratch<G>,
    (draws, index): (&StreamKey, u64),
    mut act: impl FnMut(&mut Round, Option<G::Move>, &mut Vec<Move>) -> bool,
) -> FinishedGame {
    let mut round = Round::new(*table);
    let before = scratch.solves;
    let (mut line, mut decisions) = (Vec::new(), 0);
    for step in 0.. {
        let mut stream = draws.step(index, step);
        let play = player.decide(game, scratch, &game.observe(&round), &mut stream);
        decisions += u64::from(play.is_some() && game.moves(&round).len() > 1);
        if !act(&mut round, play, &mut line) {
            break;
        }
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
