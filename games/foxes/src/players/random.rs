//! Draws among the legal moves. Eating is forced by the rules, so even this fox eats.

use super::{Choice, Player, PlayerBuild, PlayerEntry};
use crate::game::Game;
use crate::moves::Move;
use kit::rng::Stream;
use kit::search::Budget;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "random",
    side: "both",
    summary: "draws among the legal moves, each equally likely",
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Random::default())),
};

#[derive(Default)]
struct Random {
    scratch: Vec<Move>,
}

impl Player for Random {
    fn choose(&mut self, game: &Game, rng: &mut Stream, _: Budget) -> Choice {
        let (play, candidates) = game
            .rules()
            .random_move(game.position(), rng, &mut self.scratch);
        Choice {
            play,
            candidates,
            nodes: 0,
        }
    }
}
