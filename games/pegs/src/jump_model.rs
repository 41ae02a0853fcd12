//! The source's own model, as a baseline: one variable a jump, the fewest new moves.
//!
//! Plain iterative deepening over jumps: depth-first, at most so many moves, one more when that
//! fails. It forgets positions and prunes nothing, which is what the exact engine is measured
//! against. The model lists eight directions where its text forbids diagonals: both are offered.

use super::board::{Jump, Position};
use super::solve::PegProblem;
use kit::search::{Budget, Meter};

/// The result of the model's search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAnswer {
    /// A solution with the fewest moves, if one was found.
    pub example: Option<Vec<Jump>>,
    /// The number of moves below which there is certainly no solution.
    pub(crate) at_least: u32,
    /// True if the search was complete: a solution, or a proof that there is none.
    pub(crate) complete: bool,
    /// Jumps tried.
    pub(crate) nodes: u64,
}

/// Searches with at most 1, 2, ... moves; each jump tried is a node of the budget.
pub fn search(problem: &PegProblem, budget: Budget) -> ModelAnswer {
    let mut model = PackedJumps {
        problem,
        meter: budget.meter(),
        cut: false,
        line: Vec::new(),
    };
    let mut moves = 0;
    loop {
        model.cut = false;
        let is_solved = model.descend(problem.start, moves);
        let stopped = model.meter.is_exhausted() && !is_solved;
        if is_solved || stopped || !model.cut {
            return ModelAnswer {
                example: is_solved.then_some(model.line),
                at_least: moves,
                complete: !stopped,
                nodes: model.meter.spent(),
            };
        }
        moves += 1;
    }
}

struct PackedJumps<'a> {
    problem: &'a PegProblem,
    meter: Meter,
    /// True if the limit of moves forbade a jump.
    cut: bool,
    line: Vec<Jump>,
}

impl PackedJumps<'_> {
    /// Returns whether the end can be reached with this many further moves.
    fn descend(&mut self, pegs: Position, moves: u32) -> bool {
        if self.line.len() as u32 == self.problem.jumps() {
            return pegs == self.problem.end;
        }
        let board = &self.problem.board;
        for jump in board.jumps(pegs) {
            let goes_on = self.line.last().is_some_and(|last| last.to == jump.from);
            if !goes_on && moves == 0 {
                self.cut = true;
                continue;
            }
            if !self.meter.spend() {
                return false;
            }
            self.line.push(jump);
            if self.descend(pegs ^ jump.mask(), moves - u32::from(!goes_on)) {
                return true;
            }
            self.line.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::{NamedProblem, parse};
    use super::super::solve::{ExactAnswer, count_moves};
    use super::*;

    #[test]
    fn the_model_and_the_engine_agree_on_the_fewest_moves() {
        for (name, diagonal) in [
            ("latin-cross", false),
            ("latin-cross", true),
            ("greek-cross", false),
        ] {
            let problem = NamedProblem::find(name).unwrap().problem(diagonal).unwrap();
            let ExactAnswer::Solved(exact) = problem.solve(&mut Budget::UNLIMITED.meter()) else {
                panic!("{name} can be solved");
            };
            let model = search(&problem, Budget::UNLIMITED);
            let example = model.example.unwrap();
            assert_eq!(
                (count_moves(&example), model.at_least),
                (exact.moves, exact.moves)
            );
        }
    }

    #[test]
    fn the_model_stops_at_its_budget_and_when_nothing_is_left() {
        let central = NamedProblem::find("central")
            .unwrap()
            .problem(false)
            .unwrap();
        let answer = search(&central, Budget::nodes(1_000));
        assert!(!answer.complete && answer.example.is_none() && answer.nodes == 1_000);
        let stuck = parse("stuck", "english", ("44 54 13", "44"), false).unwrap();
        let answer = search(&stuck, Budget::UNLIMITED);
        assert!(answer.complete && answer.example.is_none());
    }
}
