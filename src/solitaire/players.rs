//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::{Play, Round};
use super::table::Table;
use lab::rng::StreamKey;
use lab::search::hidden::{HiddenGame, Player, Scratch};

/// A game played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The most cards on the foundations at one moment.
    pub score: u8,
    /// What was played.
    pub plays: Vec<Play>,
    /// Rounds with two plays or more to choose from.
    pub decisions: u64,
}

/// Plays a table to the end. Decision `d` draws from step `d` of sample `index` of `draws`.
pub fn play(
    table: &Table,
    player: &Player,
    scratch: &mut Scratch<Casino>,
    (draws, index): (&StreamKey, u64),
) -> Game {
    let mut round = Round::new(*table);
    let (mut plays, mut decisions) = (Vec::new(), 0);
    loop {
        let mut stream = draws.step(index, plays.len() as u64);
        let Some(play) = player.decide(&Casino, scratch, &round.sight(), &mut stream) else {
            break;
        };
        decisions += u64::from(Casino.moves(&round).len() > 1);
        round.play(play);
        plays.push(play);
    }
    Game {
        score: round.score(),
        plays,
        decisions,
    }
}
