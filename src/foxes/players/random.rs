//! Draws among the legal moves. Eating is forced by the rules, so even this fox eats.

use super::{Choice, Chosen, Player, PlayerBuild, PlayerEntry};
use crate::foxes::game::Game;
use crate::foxes::moves::Move;
use kit::rng::Stream;
use kit::search::Budget;
use task::PlayerSpec;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    spec: PlayerSpec {
        name: "random",
        side: "both",
        summary: "draws among the legal moves, each equally likely",
    },
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Random::default())),
};

#[derive(Default)]
struct Random {
    scratch: Vec<Move>,
}

impl Player for Random {
    fn choose(&mut self, game: &Game, rng: &mut Stream, _: Budget) -> Chosen {
        let (play, candidates) = game
            .rules()
            .random_move(game.position(), rng, &mut self.scratch);
        Ok(Choice {
            play,
            candidates,
            nodes: 0,
        })
    }
}
