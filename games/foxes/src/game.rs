//! A game in progress: a position and as much history as the drawing rules need.
//!
//! Knows the rules; knows no players.

use super::board::Cells;
use super::moves::Move;
use super::position::Position;
use super::rules::{Ending, Rules};

/// A game in progress.
///
/// `seen` holds the positions since the last irreversible move, the present one last; sides
/// alternate along it. No earlier position can come back.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    position: Position,
    seen: Vec<(Cells, Cells)>,
}

impl Game {
    /// A game from `position` on, with no history.
    pub fn from(rules: Rules, position: Position) -> Game {
        Game {
            rules,
            position,
            seen: vec![(position.hens, position.foxes)],
        }
    }

    /// Starts again from another position, keeping the memory.
    pub fn restart(&mut self, rules: Rules, position: Position) {
        self.rules = rules;
        self.position = position;
        self.seen.clear();
        self.seen.push((position.hens, position.foxes));
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The present position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies since a hen last stepped up or was eaten.
    #[inline]
    pub fn quiet_plies(&self) -> usize {
        self.seen.len() - 1
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, play: Move) {
        if Rules::is_irreversible(self.position.side, play) {
            self.seen.clear();
        }
        self.position = self.rules.after(&self.position, play);
        self.seen.push((self.position.hens, self.position.foxes));
    }

    /// Returns the ending of the game, if it has ended.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.rules.ending(&self.position) {
            return Some(ending);
        }
        if self.is_repeated(&self.position, self.seen.iter().rev().skip(4)) {
            return Some(Ending::Repetition);
        }
        self.is_quiet_at(self.quiet_plies())
            .then_some(Ending::Quiet)
    }

    /// Returns whether a legal move would end the game by repetition or quiet play.
    pub fn is_drawn_by(&self, play: Move) -> bool {
        if Rules::is_irreversible(self.position.side, play) {
            return false;
        }
        let after = self.rules.after(&self.position, play);
        if self.rules.ending(&after).is_some() {
            return false;
        }
        self.is_quiet_at(self.seen.len())
            || self.is_repeated(&after, self.seen.iter().rev().skip(3))
    }

    /// Returns whether neither repetition nor quiet play can end the game within `plies` more, where these come to
    /// no position twice. Where a second occurrence is a draw already, it never says so.
    pub(crate) fn has_no_draw_within(&self, plies: usize) -> bool {
        let (quiet, often) = (self.rules.quiet as usize, self.rules.repetition as usize);
        let occurs = |position| self.seen.iter().filter(|seen| *seen == position).count();
        let is_in_time = quiet == 0 || self.quiet_plies() + plies <= quiet;
        is_in_time
            && (often == 0
                || self
                    .seen
                    .iter()
                    .all(|position| occurs(position) + 1 < often))
    }

    /// Returns whether so many quiet plies are a draw.
    #[inline]
    const fn is_quiet_at(&self, plies: usize) -> bool {
        let limit = self.rules.quiet as usize;
        limit != 0 && plies >= limit
    }

    /// Returns whether a position occurs often enough for a draw. The earlier positions begin four plies before it,
    /// because no position returns sooner; only every other one has the same side to move.
    #[inline]
    fn is_repeated<'a>(
        &self,
        position: &Position,
        earlier: impl Iterator<Item = &'a (Cells, Cells)>,
    ) -> bool {
        let limit = self.rules.repetition as usize;
        let present = (position.hens, position.foxes);
        let same = |&&seen: &&(Cells, Cells)| seen == present;
        limit != 0 && 1 + earlier.step_by(2).filter(same).count() >= limit
    }
}

#[cfg(test)]
mod tests {
    use super::super::opening::Opening;
    use super::super::typed::read_move;
    use super::*;
    use kit::rng::Stream;

    fn played(moves: &str) -> Game {
        let mut game = Game::from(Rules::ARSAC, Rules::ARSAC.start());
        for text in moves.split_whitespace() {
            assert_eq!(game.ending(), None, "before {text}");
            let play = read_move(text, game.rules(), game.position()).unwrap();
            game.play(play);
        }
        game
    }

    /// A hen steps sideways there and back: a third time would be a draw.
    #[test]
    fn a_position_that_came_twice_may_end_the_game() {
        let rules = Rules::ARSAC;
        let mut game = Game::from(rules, rules.start());
        assert!(game.has_no_draw_within(200) && !game.has_no_draw_within(201));
        for text in "a4-a5 c5-c6 a5-b5 c6-c5 b5-a5".split_whitespace() {
            assert!(game.has_no_draw_within(20), "before {text}");
            game.play(read_move(text, &rules, game.position()).unwrap());
        }
        assert!(!game.has_no_draw_within(1));
    }

    #[test]
    fn the_third_occurrence_of_a_position_is_a_draw_and_is_foreseen() {
        let opening = "a4-a5 c5-c6 ";
        let cycle = "a5-b5 c6-c5 b5-a5 c5-c6 ";
        let game = played(&(opening.to_owned() + cycle));
        assert_eq!(game.ending(), None);
        let last = played(&(opening.to_owned() + cycle + "a5-b5 c6-c5"));
        let play = read_move("b5-a5", last.rules(), last.position()).unwrap();
        assert!(last.is_drawn_by(play));
        let repeated = played(&(opening.to_owned() + cycle + "a5-b5 c6-c5 b5-a5"));
        assert_eq!(repeated.ending(), Some(Ending::Repetition));
    }

    /// Seed 10: in every position of random games, also from their middle on, as a match with an opening begins. A
    /// limit that is shorter than any repetition, and rules of one kind alone, are among them.
    #[test]
    fn foreseen_draws_are_those_that_come() {
        let mut stream = kit::rng::Streams::new(10).key("draws").stream(0);
        let limits = (0..=8).flat_map(|quiet| [0, 2, 3].map(|repetition| (quiet, repetition)));
        for (quiet, repetition) in limits.filter(|&limits| limits != (0, 0)) {
            let rules = Rules {
                quiet,
                repetition,
                ..Rules::ARSAC
            };
            let mut draws = 0;
            for index in 0..40 {
                let opening = Opening {
                    root: rules.start(),
                    missing: index % 4,
                    plies: index,
                };
                let start = opening.draw(&rules, &mut stream);
                draws += draws_foreseen_in(Game::from(rules, start), &mut stream);
            }
            assert!(draws > 0, "quiet {quiet}, repetition {repetition}");
        }
    }

    /// Plays at random to the end, and returns the number of drawing moves on the way, all of them foreseen.
    fn draws_foreseen_in(mut game: Game, stream: &mut Stream) -> usize {
        let (rules, mut moves, mut draws) = (game.rules, Vec::new(), 0);
        while game.ending().is_none() {
            moves.clear();
            rules.moves(game.position(), &mut moves);
            for &play in &moves {
                let mut next = game.clone();
                next.play(play);
                let drawn = next.ending().is_some_and(|end| end.winner().is_none());
                assert_eq!(game.is_drawn_by(play), drawn, "{rules:?} {game:?} {play:?}");
                draws += usize::from(drawn);
            }
            let (play, _) = rules.random_move(game.position(), stream, &mut moves);
            game.play(play);
        }
        draws
    }
}
