//! Random openings. The start position is a decided game, so strong players meet elsewhere too.

use super::board::{Cells, each};
use super::moves::Move;
use super::position::Position;
use super::rules::Rules;
use kit::rng::{Stream, shuffle};

/// The way in which a match's first position is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position before anything is drawn.
    pub root: Position,
    /// Hens taken off at random beforehand; they count as eaten.
    pub missing: u32,
    /// Plies of random legal play.
    pub plies: u32,
}

/// Decided positions redrawn before the root itself is taken.
const ATTEMPTS: u32 = 1_000;

impl Opening {
    /// Returns whether anything is drawn at all.
    pub const fn is_random(&self) -> bool {
        self.missing > 0 || self.plies > 0
    }

    /// An undecided position; the root where none was found.
    pub fn draw(&self, rules: &Rules, rng: &mut Stream) -> Position {
        (0..ATTEMPTS)
            .find_map(|_| self.attempt(rules, rng))
            .unwrap_or(self.root)
    }

    fn attempt(&self, rules: &Rules, rng: &mut Stream) -> Option<Position> {
        let mut position = without_some(self.root, self.missing, rng);
        let mut scratch: Vec<Move> = Vec::new();
        for _ in 0..self.plies {
            if rules.ending(&position).is_some() {
                return None;
            }
            let (play, _) = rules.random_move(&position, rng, &mut scratch);
            position = rules.after(&position, play);
        }
        rules.ending(&position).is_none().then_some(position)
    }
}

fn without_some(position: Position, missing: u32, rng: &mut Stream) -> Position {
    if missing == 0 {
        return position;
    }
    let mut hens: Vec<Cells> = each(position.hens).collect();
    shuffle(rng, &mut hens);
    hens.truncate(missing as usize);
    Position {
        hens: hens.iter().fold(position.hens, |left, hen| left & !hen),
        eaten: position.eaten + hens.len() as u32,
        ..position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

    /// Seed 8.
    #[test]
    fn openings_are_undecided_and_count_missing_hens_as_eaten() {
        let rules = Rules::ARSAC;
        let mut stream = Streams::new(8).key("opening").stream(0);
        for (missing, plies) in [(0, 0), (3, 0), (1, 7), (0, 20)] {
            let opening = Opening {
                root: rules.start(),
                missing,
                plies,
            };
            for _ in 0..200 {
                let position = opening.draw(&rules, &mut stream);
                assert_eq!(rules.ending(&position), None);
                assert_eq!(position.hens.count_ones() + position.eaten, 20);
                assert!(position.eaten >= missing);
            }
        }
    }
}
