//! The exact law of random play: how a game ends when every legal jump is equally likely.
//!
//! Probability flows from level to level over all reachable positions, as integers in units of
//! 2^-120. Dividing a position's probability among its jumps loses at most one unit for each jump,
//! so each figure is below the truth by less than 2^-120 times the number of jumps examined.

use super::board::{PegBoard, Position};
use super::engine::JumpEngine;
use super::symmetry::SymmetryGroup;
use super::table::{Gather, PositionMap};
use kit::search::{Budget, Meter};

const UNITS: u32 = 120;

/// The law of the ends of random games.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// The probability of ending with this many pegs, from 0.
    pub pegs_left: Vec<f64>,
    /// The probability of ending in the end asked for.
    pub solved: f64,
}

impl Law {
    /// The law of games from `start`, or `None` past the budget: one node a class of positions.
    pub fn of(board: &PegBoard, start: Position, end: Position, budget: Budget) -> Option<Self> {
        let ends = (start, end);
        let meter = &mut budget.meter();
        match SymmetryGroup::keeping(board, &[start, end]) {
            SymmetryGroup::One(group) => flow(&JumpEngine::new(board, group), ends, meter),
            SymmetryGroup::Two(group) => flow(&JumpEngine::new(board, group), ends, meter),
            SymmetryGroup::Four(group) => flow(&JumpEngine::new(board, group), ends, meter),
            SymmetryGroup::Eight(group) => flow(&JumpEngine::new(board, group), ends, meter),
        }
    }

    /// The mean number of pegs left.
    pub fn mean_pegs_left(&self) -> f64 {
        let terms = self.pegs_left.iter().enumerate();
        terms.map(|(pegs, p)| pegs as f64 * p).sum()
    }
}

fn flow<const G: usize>(
    engine: &JumpEngine<G>,
    (start, end): (Position, Position),
    meter: &mut Meter,
) -> Option<Law> {
    let end = engine.canonical(end);
    let mut ended = [0u128; 65];
    let mut solved = 0;
    let mut level = PositionMap::<u128>::new();
    *level.entry(engine.canonical(start)) = 1 << UNITS;
    while !level.is_empty() {
        if !meter.spend_many(level.len() as u64) {
            return None;
        }
        let expected = 3 * level.len();
        let mut next = PositionMap::<u128>::sized(expected);
        let mut sink = |batch: &[(Position, u128)]| next.add_to_all(batch);
        let mut gather = Gather::sized(expected);
        for (position, &mass) in level.iter() {
            let jumps = jump_count(engine.board(), position);
            if jumps == 0 {
                ended[position.count_ones() as usize] += mass;
                solved += if position == end { mass } else { 0 };
                continue;
            }
            let share = mass / u128::from(jumps);
            engine.children(position, |child| {
                gather.push(child.position, share, &mut sink)
            });
        }
        gather.finish(&mut sink);
        level = next;
    }
    Some(Law {
        pegs_left: ended.iter().map(|&mass| probability(mass)).collect(),
        solved: probability(solved),
    })
}

fn jump_count(board: &PegBoard, position: Position) -> u32 {
    let ways = board.directions().iter();
    ways.map(|way| way.movable(position).count_ones()).sum()
}

fn probability(mass: u128) -> f64 {
    mass as f64 / (1u128 << UNITS) as f64
}

#[cfg(test)]
mod tests {
    use super::super::problem::NamedProblem;
    use super::*;

    /// Computes this law by following every game.
    fn by_games(board: &PegBoard, pegs: Position, p: f64, law: &mut [f64]) {
        let jumps: Vec<_> = board.jumps(pegs).collect();
        if jumps.is_empty() {
            law[pegs.count_ones() as usize] += p;
        }
        for jump in &jumps {
            by_games(board, pegs ^ jump.mask(), p / jumps.len() as f64, law);
        }
    }

    #[test]
    fn the_law_is_that_of_all_games_followed_one_by_one() {
        for name in ["latin-cross", "greek-cross", "fireplace"] {
            let problem = NamedProblem::find(name).unwrap().problem(false).unwrap();
            let (board, start) = (&problem.board, problem.start);
            let law = Law::of(board, start, problem.end, Budget::UNLIMITED).unwrap();
            let mut games = vec![0.0; 65];
            by_games(board, start, 1.0, &mut games);
            for (found, expected) in law.pegs_left.iter().zip(&games) {
                assert!((found - expected).abs() < 1e-12, "{name}");
            }
            assert!((law.pegs_left.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(law.solved > 0.0 && law.solved <= law.pegs_left[1]);
        }
    }
}
