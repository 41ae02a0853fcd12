//! Whole games: a referee keeps the world and shows a player only what can be seen.

use super::{HiddenGame, HiddenPlayer, Scratch};
use kit::rng::StreamKey;

/// A game played to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame<G: HiddenGame> {
    /// The world at the end.
    pub end: G::World,
    /// The moves.
    pub plays: Vec<G::Move>,
    /// The number of moves to choose from in each position, that at the end included.
    pub widths: Vec<usize>,
    /// Exact searches that the player asked for.
    pub solves: u64,
}

impl<G: HiddenGame> PlayedGame<G> {
    /// Lets a player play on from a world. Decision `d` draws from step `d` of sample `index` of
    /// `draws`.
    pub fn play(
        game: &G,
        world: G::World,
        player: &HiddenPlayer,
        scratch: &mut Scratch<G>,
        (draws, index): (&StreamKey, u64),
    ) -> Self {
        let before = scratch.solves;
        let mut played = Self {
            end: world,
            plays: Vec::new(),
            widths: Vec::new(),
            solves: 0,
        };
        loop {
            played.widths.push(game.width(&played.end));
            let mut stream = draws.step(index, played.plays.len() as u64);
            let seen = game.observe(&played.end);
            let Some(play) = player.decide(game, scratch, &seen, &mut stream) else {
                break;
            };
            game.play(&mut played.end, play);
            played.plays.push(play);
        }
        played.solves = scratch.solves - before;
        played
    }

    /// Positions with two moves or more to choose from.
    pub fn decisions(&self) -> u64 {
        let choices = self.widths.iter().filter(|&&width| width > 1);
        choices.count() as u64
    }
}
