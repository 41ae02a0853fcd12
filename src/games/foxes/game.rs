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
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies since a hen last stepped up or was eaten.
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

    /// How the game ended, if it has.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.rules.ending(&self.position) {
            return Some(ending);
        }
        if self.is_repeated() {
            return Some(Ending::Repetition);
        }
        let limit = self.rules.quiet as usize;
        (limit != 0 && self.quiet_plies() >= limit).then_some(Ending::Quiet)
    }

    /// Whether the present position has occurred often enough for a draw. It returns after four
    /// plies at the earliest, with the same side to move.
    #[inline]
    fn is_repeated(&self) -> bool {
        let limit = self.rules.repetition as usize;
        if limit == 0 || self.seen.len() < 5 {
            return false;
        }
        let present = (self.position.hens, self.position.foxes);
        let earlier = self.seen.iter().rev().skip(4).step_by(2);
        1 + earlier.filter(|&&seen| seen == present).count() >= limit
    }
}
