//! The census of a game: how many positions are reachable, dead, or still winning.
//!
//! Positions are counted one by one and up to the symmetries that keep the start and, if there is
//! one, the end. A position is dead if no peg can jump, and winning if the end can still be
//! reached.

use super::board::{PegBoard, Position};
use super::engine::{JumpEngine, StepDirection};
use super::symmetry::SymmetryGroup;
use super::table::Positions;
use kit::search::{Budget, Meter};

/// A number of positions, raw and up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrbitCount {
    /// The number of all positions.
    pub raw: u64,
    /// The number of classes of symmetric positions.
    pub classes: u64,
}

impl OrbitCount {
    fn add(&mut self, class_size: u64) {
        self.raw += class_size;
        self.classes += 1;
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: OrbitCount) {
        self.raw += other.raw;
        self.classes += other.classes;
    }
}

/// The positions with one number of pegs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CensusLevel {
    /// Pegs on the board.
    pub pegs: u32,
    /// Positions that can be reached from the start.
    pub reachable: OrbitCount,
    /// The positions in which no peg can jump.
    pub dead: OrbitCount,
    /// The positions from which the end can be reached; without an end, none.
    pub winning: OrbitCount,
}

/// Counts the positions reachable from `start`, from the start on, or `None` past the budget: one
/// node a class of positions.
pub fn census(
    board: &PegBoard,
    start: Position,
    end: Option<Position>,
    budget: Budget,
) -> Option<Vec<CensusLevel>> {
    let kept: Vec<Position> = [start].into_iter().chain(end).collect();
    let ends = (start, end);
    let meter = &mut budget.meter();
    match SymmetryGroup::keeping(board, &kept) {
        SymmetryGroup::One(group) => count(&JumpEngine::new(board, group), ends, meter),
        SymmetryGroup::Two(group) => count(&JumpEngine::new(board, group), ends, meter),
        SymmetryGroup::Four(group) => count(&JumpEngine::new(board, group), ends, meter),
        SymmetryGroup::Eight(group) => count(&JumpEngine::new(board, group), ends, meter),
    }
}

fn count<const G: usize>(
    engine: &JumpEngine<G>,
    (start, end): (Position, Option<Position>),
    meter: &mut Meter,
) -> Option<Vec<CensusLevel>> {
    let mut positions = Positions::single(engine.canonical(start));
    let mut reached = Vec::new();
    let mut levels = Vec::new();
    while !positions.is_empty() {
        if !meter.spend_many(positions.len() as u64) {
            return None;
        }
        levels.push(level(engine, &positions));
        let next = engine.step(&positions, StepDirection::Jump, None);
        // Only a way back from the end needs the positions again.
        if end.is_some() {
            reached.push(positions);
        }
        positions = next;
    }
    if let Some(end) = end {
        mark_winning(engine, end, reached, &mut levels);
    }
    Some(levels)
}

fn level<const G: usize>(engine: &JumpEngine<G>, positions: &Positions) -> CensusLevel {
    let mut level = CensusLevel::default();
    for position in positions.positions() {
        let size = engine.class_size(position);
        level.pegs = position.count_ones();
        level.reachable.add(size);
        if engine.board().is_dead(position) {
            level.dead.add(size);
        }
    }
    level
}

fn mark_winning<const G: usize>(
    engine: &JumpEngine<G>,
    end: Position,
    mut reached: Vec<Positions>,
    levels: &mut [CensusLevel],
) {
    let end = engine.canonical(end);
    let mut winning = Positions::new();
    while let (Some(positions), Some(level)) = (reached.pop(), levels.get_mut(reached.len())) {
        winning = engine.step(&winning, StepDirection::Unjump, Some(&positions));
        if positions.contains(end) {
            winning.entry(end);
        }
        for position in winning.positions() {
            level.winning.add(engine.class_size(position));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::NamedProblem;
    use super::*;
    use std::collections::BTreeSet;

    /// Every position reachable, by sets of raw positions and nothing else.
    fn reachable(board: &PegBoard, start: Position) -> BTreeSet<Position> {
        let mut reached = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(pegs) = open.pop() {
            for jump in board.jumps(pegs) {
                if reached.insert(pegs ^ jump.mask()) {
                    open.push(pegs ^ jump.mask());
                }
            }
        }
        reached
    }

    #[test]
    fn figures_are_counted_as_by_plain_sets() {
        for name in ["latin-cross", "greek-cross", "pyramid"] {
            let problem = NamedProblem::find(name).unwrap().problem(false).unwrap();
            let (board, start) = (&problem.board, problem.start);
            let all = reachable(board, start);
            let levels = census(board, start, Some(problem.end), Budget::UNLIMITED).unwrap();
            let sum =
                |of: fn(&CensusLevel) -> OrbitCount| levels.iter().map(|l| of(l).raw).sum::<u64>();
            assert_eq!(sum(|l| l.reachable), all.len() as u64, "{name}");
            let dead = all.iter().filter(|&&p| board.is_dead(p)).count();
            assert_eq!(sum(|l| l.dead), dead as u64, "{name}");
            let won = all
                .iter()
                .filter(|&&p| reachable(board, p).contains(&problem.end));
            assert_eq!(sum(|l| l.winning), won.count() as u64, "{name}");
            let group = SymmetryGroup::keeping(board, &[start, problem.end]);
            let least = |&pegs: &Position| group.symmetries().iter().map(|s| s.image(pegs)).min();
            let classes: BTreeSet<_> = all.iter().map(least).collect();
            let found: u64 = levels.iter().map(|level| level.reachable.classes).sum();
            assert_eq!(found, classes.len() as u64, "{name}");
            for (jumps, level) in (0..).zip(&levels) {
                assert_eq!(level.pegs, start.count_ones() - jumps, "{name}");
            }
        }
    }

    #[test]
    fn counts_of_positions_and_of_their_classes_are_added_apart() {
        let count = |raw, classes| OrbitCount { raw, classes };
        let mut sum = count(8, 2);
        sum.merge(count(4, 1));
        assert_eq!(sum, count(12, 3));
    }

    #[test]
    fn a_census_past_its_budget_says_nothing() {
        let problem = NamedProblem::find("central")
            .unwrap()
            .problem(false)
            .unwrap();
        let levels = census(&problem.board, problem.start, None, Budget::nodes(1_000));
        assert_eq!(levels, None);
    }

    /// 23,475,688 positions up to symmetry, 187,636,299 in all: Beasley's figures, found again by
    /// every enumeration since. Run with `cargo test --release -- --ignored`; some seconds.
    #[test]
    #[ignore = "seconds in release"]
    fn the_central_game_has_its_known_census() {
        let problem = NamedProblem::find("central")
            .unwrap()
            .problem(false)
            .unwrap();
        let (board, start) = (&problem.board, problem.start);
        let levels = census(board, start, Some(problem.end), Budget::UNLIMITED).unwrap();
        let mut reachable = OrbitCount::default();
        let mut winning = OrbitCount::default();
        for level in &levels {
            reachable.merge(level.reachable);
            winning.merge(level.winning);
        }
        assert_eq!(
            (reachable.classes, reachable.raw),
            (23_475_688, 187_636_299)
        );
        assert_eq!(winning.classes, 1_679_072);
    }
}
