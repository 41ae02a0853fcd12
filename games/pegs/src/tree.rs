//! The tree of all games from a start, for the estimators: its leaves are the games, its value is
//! the number of solutions.
//!
//! Positions that differ only by a symmetry that keeps the end have the same games below them, so
//! they merge. Promise and strata count the legal jumps; a dead position has none. Near the end
//! they also know in how many ways a position can still be solved, because hardly any can.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{PegBoard, Position, bits};
use super::solve::PegProblem;
use super::symmetry::{Symmetry, SymmetryGroup};
use kit::rng::{Stream, unit};
use kit::search::Tree;
use kit::search::estimate::{Estimator, TracedRun, TreeEstimates};

/// The promise of a position without jumps: not zero, for it is a game's end.
const DEAD: f64 = 0.05;

/// The factor by which a solvable position is more promising than others with
/// as many pegs do on average.
const SOLVABLE: f64 = 1_000.0;

/// The positions that may be known to be solvable, about.
const KNOWN: usize = 50_000;

/// All games of one problem.
#[derive(Clone, Debug)]
pub struct GameTree {
    board: PegBoard,
    start: Position,
    end: Position,
    symmetries: Vec<Symmetry>,
    /// The positions that can be solved with the last jumps, from the end back.
    endings: Vec<Endings>,
}

/// Positions with one number of pegs that can be solved, and in how many ways: those from which
/// the end can be reached, by their smallest image.
#[derive(Clone, Debug)]
struct Endings {
    ways: BTreeMap<Position, f64>,
    mean: f64,
}

impl Endings {
    fn new(ways: BTreeMap<Position, f64>) -> Self {
        let mean = ways.values().sum::<f64>() / ways.len().max(1) as f64;
        Self { ways, mean }
    }
}

impl GameTree {
    /// The tree of a problem's games.
    pub fn new(problem: &PegProblem) -> Self {
        let symmetries = SymmetryGroup::keeping(&problem.board, &[problem.end]);
        let mut tree = Self {
            board: problem.board.clone(),
            start: problem.start,
            end: problem.end,
            symmetries: symmetries.symmetries().to_vec(),
            endings: vec![Endings::new(BTreeMap::from([(problem.end, 1.0)]))],
        };
        // At most half of the jumps: the rest is left to chance.
        let mut known = 1;
        while known < KNOWN && 2 * tree.endings.len() <= problem.jumps() as usize {
            let earlier = tree.earlier();
            known += earlier.ways.len();
            tree.endings.push(earlier);
        }
        tree
    }

    /// The positions one jump before the earliest endings known.
    fn earlier(&self) -> Endings {
        let later = &self.endings[self.endings.len() - 1].ways;
        let parents: BTreeSet<Position> = (later.keys())
            .flat_map(|&pegs| self.unjumped(pegs))
            .map(|pegs| self.smallest_image(pegs))
            .collect();
        let ways = |pegs| -> f64 {
            let children = self.board.jumps(pegs).map(|jump| pegs ^ jump.mask());
            let ways = children.filter_map(|pegs| later.get(&self.smallest_image(pegs)));
            ways.sum()
        };
        Endings::new(parents.into_iter().map(|pegs| (pegs, ways(pegs))).collect())
    }

    /// The positions from which a jump leads to `pegs`.
    fn unjumped(&self, pegs: Position) -> impl Iterator<Item = Position> {
        self.board.directions().iter().flat_map(move |way| {
            bits(way.unmovable(pegs)).map(move |from| pegs ^ way.jump(from).mask())
        })
    }

    fn smallest_image(&self, pegs: Position) -> Position {
        let images = self.symmetries.iter().map(|symmetry| symmetry.image(pegs));
        images.fold(pegs, Position::min)
    }

    fn jumps(&self, pegs: Position) -> u32 {
        let ways = self.board.directions().iter();
        ways.map(|way| way.movable(pegs).count_ones()).sum()
    }

    /// Returns in how many ways a position can be solved, of the average of those that can be; 0 where it
    /// cannot, or where it is not known.
    fn solvability(&self, pegs: Position) -> f64 {
        let jumps = pegs.count_ones().checked_sub(self.end.count_ones());
        let endings = jumps.and_then(|jumps| self.endings.get(jumps as usize));
        endings.map_or(0.0, |endings| {
            let ways = endings.ways.get(&self.smallest_image(pegs));
            ways.map_or(0.0, |ways| ways / endings.mean)
        })
    }

    /// Returns what a run of an estimator finds.
    pub fn estimate(&self, estimator: Estimator, stream: &mut Stream) -> TreeEstimates {
        estimator.run(self, &mut || unit(stream))
    }

    /// Returns what a run finds, with its way down.
    pub fn trace(&self, estimator: Estimator, stream: &mut Stream) -> TracedRun<Position> {
        estimator.trace(self, &mut || unit(stream))
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
        Some(u128::from(self.smallest_image(pegs)))
    }

    fn stratum(&self, &pegs: &Position) -> u64 {
        let solvable = self.solvability(pegs) > 0.0;
        u64::from(solvable) << 32 | u64::from(self.jumps(pegs))
    }

    fn promise(&self, &pegs: &Position) -> f64 {
        let jumps = DEAD + f64::from(self.jumps(pegs));
        jumps * (1.0 + SOLVABLE * self.solvability(pegs))
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::NamedProblem;
    use super::super::solve::ExactAnswer;
    use super::*;
    use kit::search::{Budget, measure};

    /// The inclined square, of 23 jumps: from the earliest endings known, counted again.
    #[test]
    fn endings_know_in_how_many_ways_a_position_can_be_solved() {
        let problem = NamedProblem::find("inclined-square").unwrap();
        let problem = problem.problem(false).unwrap();
        let tree = GameTree::new(&problem);
        assert!(tree.endings.len() > 5 && 2 * tree.endings.len() <= 25);
        let few = tree.endings.iter().skip(1).take(7);
        for (&start, &ways) in few.flat_map(|endings| &endings.ways) {
            let problem = PegProblem {
                start,
                ..problem.clone()
            };
            let ExactAnswer::Solved(exact) = problem.solve(&mut Budget::UNLIMITED.meter()) else {
                panic!("{start} can be solved");
            };
            assert_eq!(ways, exact.solutions as f64);
        }
    }

    #[test]
    fn the_tree_holds_every_solution_once() {
        for name in ["latin-cross", "greek-cross", "fireplace"] {
            let problem = NamedProblem::find(name).unwrap().problem(false).unwrap();
            let tree = GameTree::new(&problem);
            let size = measure(&tree, Budget::UNLIMITED).unwrap();
            let ExactAnswer::Solved(exact) = problem.solve(&mut Budget::UNLIMITED.meter()) else {
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
