//! Careful hens: a move after which the foxes' longest chain is shortest. One of the two players
//! here prefers steps up among such moves.

use super::{Best, Choice, Player, PlayerBuild, PlayerEntry};
use crate::game::Game;
use crate::position::Side;
use crate::rules::Rules;
use kit::rng::Stream;
use kit::search::Budget;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "safe",
    side: "hens",
    summary: "a move that leaves the foxes least to eat",
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Safe::new(false))),
};

pub(super) const ADVANCING: PlayerEntry = PlayerEntry {
    title: "safe-advance",
    side: "hens",
    summary: "a move that leaves the foxes least to eat, if possible a step up",
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Safe::new(true))),
};

pub(super) struct Safe {
    advancing: bool,
    best: Best,
}

impl Safe {
    pub(super) fn new(advancing: bool) -> Self {
        Self {
            advancing,
            best: Best::default(),
        }
    }
}

impl Player for Safe {
    fn choose(&mut self, game: &Game, rng: &mut Stream, _: Budget) -> Choice {
        let (rules, position) = (game.rules(), game.position());
        self.best.clear();
        for play in rules.steps(position).iter() {
            let danger = rules.longest_chain(&rules.after(position, play));
            let sideways = self.advancing && !Rules::is_irreversible(Side::Hens, play);
            self.best
                .offer(play, 2 * i64::from(danger) + i64::from(sideways));
        }
        self.best.choice(rng)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::CROSS;
    use super::super::super::notation::read_position;
    use super::*;
    use kit::rng::Streams;

    /// Seed 7. At the start c4 c5 is impossible; every step leaves the foxes nothing but those
    /// that open a hole behind a hen.
    #[test]
    fn safe_hens_never_give_more_than_they_must() {
        let mut stream = Streams::new(7).key("hens").stream(0);
        let text = "3/3/2f1f2/h1hhhhh/hhhhhhh/hhh/hhh h 1";
        let game = Game::from(Rules::ARSAC, read_position(text, &CROSS).unwrap());
        let rules = game.rules();
        let danger = |play| rules.longest_chain(&rules.after(game.position(), play));
        let least = rules
            .steps(game.position())
            .iter()
            .map(danger)
            .min()
            .unwrap();
        for _ in 0..100 {
            let choice = Safe::new(false).choose(&game, &mut stream, Budget::UNLIMITED);
            assert_eq!(danger(choice.play), least);
        }
    }
}
