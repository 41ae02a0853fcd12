//! The tree of all games from a start, for the estimators: its leaves are the games, its value
//! the number of solutions.
//!
//! Positions that differ only by a symmetry that keeps the end have the same games below them, so
//! they merge. Strata count the legal jumps, of which a dead position has none; promise counts
//! them too, and falls with every peg far from the centre, for such pegs are hard to bring back.

use super::board::{Board, Position};
use super::solve::Problem;
use super::symmetry::{Group, Symmetry};
use crate::search::Tree;

/// The promise of a position without jumps: not zero, for it is a game's end.
const DEAD: f64 = 0.05;

/// What a unit of distance (see [`Board::spread`]) leaves of a position's promise. Of 0.9, 0.93,
/// 0.95, 0.97 and 1 this gave the central game's solutions the least variance.
const NEARNESS: f64 = 0.95;

/// All games of one problem.
#[derive(Clone, Debug)]
pub struct GameTree {
    board: Board,
    start: Position,
    end: Position,
    symmetries: Vec<Symmetry>,
    /// Powers of [`NEARNESS`], by repeated multiplication: the same on every platform.
    nearness: Vec<f64>,
}

impl GameTree {
    /// The tree of a problem's games.
    pub fn new(problem: &Problem) -> Self {
        Self {
            board: problem.board.clone(),
            start: problem.start,
            end: problem.end,
            symmetries: Group::keeping(&problem.board, &[problem.end])
                .symmetries()
                .to_vec(),
            nearness: std::iter::successors(Some(1.0), |power| Some(power * NEARNESS))
                .take(problem.board.spread(problem.board.holes()) as usize + 1)
                .collect(),
        }
    }

    fn jumps(&self, pegs: Position) -> u32 {
        let ways = self.board.directions().iter();
        ways.map(|way| way.movable(pegs).count_ones()).sum()
    }
}

impl Tree for GameTree {
    type Node = Position;

    fn root(&self) -> Position {
        self.start
    }

    fn children(&self, &pegs: &Position, children: &mut Vec<Position>) {
        children.extend(self.board.jumps(pegs).map(|jump| pegs ^ jump.mask()));
    }

    fn value(&self, &pegs: &Position) -> f64 {
        f64::from(u8::from(pegs == self.end))
    }

    fn merge_key(&self, &pegs: &Position) -> Option<u128> {
        let images = self.symmetries.iter().map(|symmetry| symmetry.image(pegs));
        images.min().map(u128::from)
    }

    fn stratum(&self, &pegs: &Position) -> u64 {
        u64::from(self.jumps(pegs))
    }

    fn promise(&self, &pegs: &Position) -> f64 {
        let nearness = self.nearness.get(self.board.spread(pegs) as usize);
        (DEAD + f64::from(self.jumps(pegs))) * nearness.copied().unwrap_or(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::Named;
    use super::super::solve::Answer;
    use super::*;
    use crate::search::estimate::Estimator;
    use crate::search::{Budget, measure};

    #[test]
    fn the_tree_holds_every_solution_once() {
        for name in ["latin-cross", "greek-cross", "fireplace"] {
            let problem = Named::find(name).unwrap().problem(false).unwrap();
            let tree = GameTree::new(&problem);
            let size = measure(&tree, Budget::UNLIMITED).unwrap();
            let Answer::Solved(exact) = problem.solve(&mut Budget::UNLIMITED.meter()) else {
                panic!("{name} can be solved");
            };
            assert_eq!(size.value, exact.solutions as f64, "{name}");
            // Merged and never resampled, a population counts all games without chance.
            let mut no_chance = || -> f64 { panic!("nothing is left to chance") };
            let whole = Estimator::Population { size: 100_000 }.run(&tree, &mut no_chance);
            assert_eq!(whole.leaves.to_f64(), size.leaves as f64, "{name}");
            assert_eq!(whole.value.to_f64(), size.value, "{name}");
        }
    }
}
