//! Hens in a hurry: a step up if there is one, otherwise any move.

use super::{Choice, Chosen, Player, PlayerBuild, PlayerEntry};
use crate::foxes::game::Game;
use crate::foxes::moves::Steps;
use kit::rng::{Stream, below};
use kit::search::Budget;
use task::PlayerSpec;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    spec: PlayerSpec {
        name: "advance",
        side: "hens",
        summary: "a random step up; else any move",
    },
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Advance)),
};

struct Advance;

impl Player for Advance {
    fn choose(&mut self, game: &Game, rng: &mut Stream, _: Budget) -> Chosen {
        let all = game.rules().steps(game.position());
        let up = all.upward();
        let steps: Steps = if up.is_empty() { all } else { up };
        let candidates = steps.len();
        Ok(Choice {
            play: steps.nth(below(rng, u64::from(candidates)) as u32),
            candidates: candidates as usize,
            nodes: 0,
        })
    }
}
