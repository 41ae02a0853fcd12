//! Draws among the legal moves. Eating is forced by the rules, so even this fox eats.

use super::{BOTH, Build, Choice, Entry, Player};
use crate::games::foxes::game::Game;
use crate::games::foxes::moves::Move;
use crate::rng::Stream;
use crate::search::Budget;
use crate::task::PlayerSpec;

pub(super) const ENTRY: Entry = Entry {
    name: "random",
    spec: PlayerSpec {
        name: "random",
        side: "both",
        summary: "draws among the legal moves, each equally likely",
    },
    sides: BOTH,
    arguments: &[],
    build: Build::WithNumbers(|_| Box::new(Random::default())),
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
