//! A peg problem and its exact answer.

use super::board::{Board, Jump, Position, bits};
use super::engine::Engine;
use super::graph::{Meeting, meet};
use super::symmetry::{Symmetry, keeping};
use super::tails::Tails;
use crate::search::Budget;

/// From these pegs to those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name.
    pub name: String,
    /// The board and its jumps.
    pub board: Board,
    /// The pegs at first.
    pub start: Position,
    /// The pegs at last.
    pub end: Position,
}

/// What exact search says about a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can be done.
    Solved(Solution),
    /// It cannot be done.
    Unreachable(Reason),
    /// The budget ran out first.
    Unresolved,
}

/// How a problem can be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The fewest moves, consecutive jumps of one peg being one move.
    pub moves: u32,
    /// The jump sequences that solve it.
    pub solutions: u128,
    /// Those with the fewest moves.
    pub fewest: u128,
    /// One of those.
    pub example: Vec<Jump>,
}

/// Why a problem has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Jumps take pegs away: the end has too many, or none.
    Pegs,
    /// Start and end differ in a parity that no jump changes.
    Class,
    /// Everything reachable was examined.
    Exhausted,
}

impl Reason {
    /// As a sentence without its final stop.
    pub const fn text(self) -> &'static str {
        match self {
            Reason::Pegs => "no number of jumps leaves that many pegs",
            Reason::Class => "start and end differ in a parity that no jump changes",
            Reason::Exhausted => "the positions before the end and after the start never meet",
        }
    }
}

impl Problem {
    /// The jumps of any solution: each takes one peg.
    pub fn jumps(&self) -> u32 {
        self.start
            .count_ones()
            .saturating_sub(self.end.count_ones())
    }

    /// The symmetries that keep the board, the start and the end.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        keeping(&self.board, &[self.start, self.end])
    }

    /// Solves it exactly. Every position held counts against the budget.
    pub fn solve(&self, budget: Budget) -> Answer {
        if let Some(reason) = self.obstacle() {
            return Answer::Unreachable(reason);
        }
        let symmetries = self.symmetries();
        match *symmetries.as_slice() {
            [a, b, c, d, e, f, g, h] => self.solve_up_to([a, b, c, d, e, f, g, h], budget),
            [a, b, c, d] => self.solve_up_to([a, b, c, d], budget),
            [a, b] => self.solve_up_to([a, b], budget),
            [a, ..] => self.solve_up_to([a], budget),
            [] => Answer::Unresolved,
        }
    }

    /// A reason against any solution that needs no search.
    pub fn obstacle(&self) -> Option<Reason> {
        if self.start == self.end {
            return None;
        }
        if self.end == 0 || self.jumps() == 0 {
            return Some(Reason::Pegs);
        }
        let differ = parity_class(self.start) != parity_class(self.end);
        (differ && !self.board.has_diagonals()).then_some(Reason::Class)
    }

    fn solve_up_to<const G: usize>(&self, symmetries: [Symmetry; G], budget: Budget) -> Answer {
        if self.start == self.end {
            return Answer::Solved(Solution {
                moves: 0,
                solutions: 1,
                fewest: 1,
                example: Vec::new(),
            });
        }
        let engine = Engine::new(&self.board, symmetries);
        let ends = (self.start, self.end);
        match meet(&engine, ends, self.jumps() as usize, &mut budget.meter()) {
            Meeting::Nowhere => Answer::Unreachable(Reason::Exhausted),
            Meeting::Unresolved => Answer::Unresolved,
            Meeting::Solutions(graph) => {
                let tails = Tails::new(&engine, graph);
                let example = tails.example(self.start);
                Answer::Solved(Solution {
                    moves: count_moves(&example),
                    solutions: tails.solutions,
                    fewest: tails.fewest,
                    example,
                })
            }
        }
    }
}

/// The moves of a sequence of jumps.
pub fn count_moves(jumps: &[Jump]) -> u32 {
    let chained = jumps.windows(2).filter(|pair| pair[0].to == pair[1].from);
    jumps.len() as u32 - chained.count() as u32
}

/// Four parities that no orthogonal jump changes (de Bruijn 1972, "A solitaire game and its
/// relation to a finite field"; Reiss 1857): label the holes by column plus row modulo 3, and by
/// column minus row; a jump changes the number of pegs of every label by one.
pub fn parity_class(pegs: Position) -> u8 {
    let mut odd = [0u8; 6];
    for hole in bits(pegs) {
        let (column, row) = (hole % 8, hole / 8);
        odd[((column + row) % 3) as usize] ^= 1;
        odd[3 + ((column + 9 - row) % 3) as usize] ^= 1;
    }
    let differences = [
        odd[0] ^ odd[1],
        odd[1] ^ odd[2],
        odd[3] ^ odd[4],
        odd[4] ^ odd[5],
    ];
    differences.iter().fold(0, |class, bit| class << 1 | bit)
}
