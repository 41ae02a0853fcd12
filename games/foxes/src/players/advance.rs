//! Hens in a hurry: a step up if there is one, otherwise any move.

use super::{Choice, Player, PlayerBuild, PlayerEntry};
use crate::game::Game;
use crate::moves::Steps;
use kit::rng::{Stream, below};
use kit::search::Budget;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "advance",
    side: "hens",
    summary: "a random step up; else any move",
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Advance)),
};

struct Advance;

impl Player for Advance {
    fn choose(&mut self, game: &Game, rng: &mut Stream, _: Budget) -> Choice {
        let all = game.rules().steps(game.position());
        let up = all.upward();
        let steps: Steps = if up.is_empty() { all } else { up };
        let candidates = steps.len();
        Choice {
            play: steps.nth(below(rng, u64::from(candidates)) as u32),
            candidates: candidates as usize,
            nodes: 0,
        }
    }
}
