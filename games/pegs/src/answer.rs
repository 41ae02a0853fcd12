//! The algorithms that solve a problem, and the answer that each of them gives.

use super::board::Jump;
use super::jump_model;
use super::solve::{ExactAnswer, PegProblem, Reason, count_moves};
use kit::search::Budget;

/// A way to solve a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Exact search: the fewest moves, and how many solutions there are.
    Exact,
    /// Arsac's program with iterative deepening: the fewest moves.
    JumpModel,
    /// Any solution, from a limited number of positions after each number of jumps.
    Any(usize),
}

/// The answer to a problem.
#[derive(Debug, Default)]
pub struct PegAnswer {
    /// True if the end can be reached; `None` where the algorithm did not find out.
    pub reachable: Option<bool>,
    /// The moves of the solution.
    pub moves: u32,
    /// The solutions, and those with the fewest moves, where the algorithm counts them.
    pub counts: Option<[u128; 2]>,
    /// The jumps of a solution, if there is one.
    pub example: Vec<Jump>,
    /// The reason why there is none, where the algorithm knows it.
    pub reason: Option<Reason>,
    /// The number of moves below which there is certainly no solution.
    pub at_least: u32,
    /// Positions stored, or jumps tried.
    pub nodes: u64,
}

impl Algorithm {
    /// Solves a problem within a budget of positions stored, or of jumps tried.
    pub fn solve(self, problem: &PegProblem, budget: Budget) -> PegAnswer {
        let mut meter = budget.meter();
        let search = match self {
            Self::Exact => problem.solve(&mut meter),
            Self::Any(width) => problem.solve_within(width, &mut meter),
            Self::JumpModel => return by_model(problem, budget),
        };
        let answer = PegAnswer {
            at_least: 1,
            nodes: meter.spent(),
            ..PegAnswer::default()
        };
        match search {
            ExactAnswer::Solved(solution) => PegAnswer {
                reachable: Some(true),
                moves: solution.moves,
                counts: (self == Self::Exact).then_some([solution.solutions, solution.fewest]),
                example: solution.example,
                ..answer
            },
            ExactAnswer::Unreachable(reason) => PegAnswer {
                reachable: Some(false),
                reason: Some(reason),
                ..answer
            },
            ExactAnswer::Unresolved => answer,
        }
    }
}

fn by_model(problem: &PegProblem, budget: Budget) -> PegAnswer {
    let search = jump_model::search(problem, budget);
    let is_solved = search.example.is_some();
    let example = search.example.unwrap_or_default();
    PegAnswer {
        reachable: (is_solved || search.complete).then_some(is_solved),
        moves: count_moves(&example),
        example,
        at_least: search.at_least,
        nodes: search.nodes,
        ..PegAnswer::default()
    }
}
