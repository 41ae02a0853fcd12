//! [Arsac's fox](crate::arsac) as a player; it draws among moves that are equal to it.

use super::{Best, Choice, Player, PlayerBuild, PlayerEntry};
use crate::arsac::score;
use crate::game::Game;
use crate::moves::Move;
use kit::rng::Stream;
use kit::search::Budget;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "arsac",
    side: "foxes",
    summary: "the longest chain; else a move after which the fox could eat; else any",
    arguments: &[],
    build: PlayerBuild::WithNumbers(|_| Box::new(Arsac::default())),
};

#[derive(Default)]
struct Arsac {
    moves: Vec<Move>,
    best: Best,
}

impl Player for Arsac {
    fn choose(&mut self, game: &Game, rng: &mut Stream, _: Budget) -> Choice {
        let (rules, position) = (game.rules(), game.position());
        self.moves.clear();
        self.best.clear();
        rules.moves(position, &mut self.moves);
        for &play in &self.moves {
            self.best.offer(play, score(rules, position, play));
        }
        self.best.choice(rng)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::{CROSS, cell_name};
    use super::super::super::notation::read_position;
    use super::super::super::rules::Rules;
    use super::*;
    use kit::rng::Streams;

    fn moves_chosen(text: &str) -> Vec<String> {
        let game = Game::from(Rules::ARSAC, read_position(text, &CROSS).unwrap());
        let mut stream = Streams::new(6).key("fox").stream(0);
        let mut chosen: Vec<String> = (0..50)
            .map(|_| Arsac::default().choose(&game, &mut stream, Budget::UNLIMITED))
            .map(|choice| cell_name(choice.play.piece) + &cell_name(choice.play.landing))
            .collect();
        chosen.sort();
        chosen.dedup();
        chosen
    }

    #[test]
    fn it_threatens_where_it_cannot_eat() {
        let lone_hen = "3/3/7/3h3/7/1f1/f2 f 10";
        assert_eq!(moves_chosen(lone_hen), ["d2d3"]);
    }
}
