//! Random play to the end: every legal jump equally likely.
//!
//! Knows nothing of samples and streams; the random numbers come in from outside.

use super::board::{Board, Direction, Jump, Position};
use crate::rng::{Stream, below};

/// How a random game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The pegs left.
    pub pegs: Position,
    /// Jumps made.
    pub jumps: u32,
    /// Moves made, consecutive jumps of one peg being one.
    pub moves: u32,
}

/// A board's directions, in an array of known length.
pub struct Player<const D: usize> {
    ways: [Direction; D],
}

impl<const D: usize> Player<D> {
    /// The player of a board with `D` directions; `None` if it has another number of them.
    pub fn new(board: &Board) -> Option<Self> {
        let ways = board.directions().try_into().ok()?;
        Some(Self { ways })
    }

    /// Plays from `pegs` until no peg can jump.
    pub fn play(&self, mut pegs: Position, stream: &mut Stream) -> Ending {
        let (mut jumps, mut moves, mut last) = (0, 0, 64);
        while let Some(jump) = self.draw(pegs, stream) {
            pegs ^= jump.mask();
            jumps += 1;
            moves += u32::from(last != jump.from);
            last = jump.to;
        }
        Ending { pegs, jumps, moves }
    }

    /// A uniform legal jump. One jump costs a draw too, which keeps the loop free of a branch.
    #[inline(always)]
    pub fn draw(&self, pegs: Position, stream: &mut Stream) -> Option<Jump> {
        let starts: [Position; D] = std::array::from_fn(|i| self.ways[i].movable(pegs));
        let counts = starts.map(Position::count_ones);
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let mut rank = below(stream, u64::from(total)) as u32;
        let mut way = 0;
        while rank >= counts[way] {
            rank -= counts[way];
            way += 1;
        }
        let mut from = starts[way];
        for _ in 0..rank {
            from &= from - 1;
        }
        Some(self.ways[way].jump(from.trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::Named;
    use super::*;
    use crate::rng::Streams;

    /// Seed 5: 60,000 draws among the jumps of one position; chi-square beyond its 0.1 % point
    /// would be a fault.
    #[test]
    fn every_legal_jump_is_equally_likely() {
        let problem = Named::find("lamp").unwrap().problem(false).unwrap();
        let player = Player::<4>::new(&problem.board).unwrap();
        let jumps: Vec<Jump> = problem.board.jumps(problem.start).collect();
        let mut counts = vec![0u32; jumps.len()];
        let mut stream = Streams::new(5).key("jumps").stream(0);
        for _ in 0..60_000 {
            let jump = player.draw(problem.start, &mut stream).unwrap();
            counts[jumps.iter().position(|&legal| legal == jump).unwrap()] += 1;
        }
        let expected = 60_000.0 / jumps.len() as f64;
        let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi_square: f64 = counts.iter().map(square).sum();
        let freedom = jumps.len() as f64 - 1.0;
        assert!(
            chi_square < freedom + 3.1 * (2.0 * freedom).sqrt() + 6.0,
            "{chi_square}"
        );
    }

    #[test]
    fn games_end_when_no_peg_can_jump() {
        let problem = Named::find("central").unwrap().problem(false).unwrap();
        let player = Player::<4>::new(&problem.board).unwrap();
        assert!(Player::<8>::new(&problem.board).is_none());
        for index in 0..200 {
            let mut stream = Streams::new(6).key("games").stream(index);
            let ending = player.play(problem.start, &mut stream);
            assert!(problem.board.is_dead(ending.pegs));
            assert_eq!(ending.pegs.count_ones() + ending.jumps, 32);
            assert!(ending.moves <= ending.jumps);
        }
    }
}
