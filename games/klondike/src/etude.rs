//! The program of chapter 19 as the book describes it: depth first over all sequences of moves,
//! with a stack of positions and their ordered moves, and a table of the positions already
//! examined.
//!
//! It prunes nothing. It is the baseline of every comparison and the oracle of the tests.
//! Wetherell, *Etudes for Programmers*, chapter 19.

use rustc_hash::FxHashSet;

use super::card::Card;
use super::deal::Deal;
use super::outcome::SearchOutcome;
use super::position::{Arrangement, Position};
use kit::search::{Budget, Meter, Verdict};

/// The most positions the table may hold.
pub(crate) const TABLE_LIMIT: usize = 400_000;

/// Solves a deal by looking at every position that can be reached.
///
/// Past the budget, or with the table full, the score is bounded by the best reached and all cards.
pub fn solve(deal: &Deal, budget: Budget) -> SearchOutcome {
    let cards = deal.layout().deck().size();
    let mut search = PlainSearch::new(cards as u8, budget);
    search.examine(Position::new(deal));
    while search.step() {}
    search.outcome()
}

/// A position waiting on the stack, with its moves in order and how many of them are made.
struct StackFrame {
    position: Position,
    moves: Vec<Card>,
    made: usize,
}

impl StackFrame {
    /// Makes the next move, if there is one left.
    fn next(&mut self) -> Option<Position> {
        let &card = self.moves.get(self.made)?;
        self.made += 1;
        let mut position = self.position.clone();
        position.play(card);
        Some(position)
    }
}

struct PlainSearch {
    /// The cards of the deck.
    cards: u8,
    stack: Vec<StackFrame>,
    examined: FxHashSet<Arrangement>,
    meter: Meter,
    complete: bool,
    best: u8,
    best_moves: Vec<Card>,
    first_moves: Option<usize>,
    widest: usize,
}

impl PlainSearch {
    fn new(cards: u8, budget: Budget) -> PlainSearch {
        PlainSearch {
            cards,
            stack: Vec::new(),
            examined: FxHashSet::default(),
            meter: budget.meter(),
            complete: true,
            best: 0,
            best_moves: Vec::new(),
            first_moves: None,
            widest: 0,
        }
    }

    /// Makes one move or goes back by one; `false` when nothing is left to do.
    fn step(&mut self) -> bool {
        let Some(entry) = self.stack.last_mut() else {
            return false;
        };
        match entry.next() {
            Some(position) => self.examine(position),
            None => self.stack.truncate(self.stack.len() - 1),
        }
        self.complete
    }

    /// Puts a position on the stack unless it was examined before.
    fn examine(&mut self, position: Position) {
        self.complete = self.examined.len() < TABLE_LIMIT && self.meter.spend();
        if !self.complete || !self.examined.insert(position.arrangement().clone()) {
            return;
        }
        if position.score() > self.best {
            self.best = position.score();
            self.best_moves = self.path();
        }
        let moves = position.moves();
        self.first_moves.get_or_insert(moves.len());
        self.widest = self.widest.max(moves.len());
        self.stack.push(StackFrame {
            position,
            moves,
            made: 0,
        });
    }

    /// The moves made on the stack.
    fn path(&self) -> Vec<Card> {
        let made = |entry: &StackFrame| entry.moves.get(entry.made.wrapping_sub(1)).copied();
        self.stack.iter().filter_map(made).collect()
    }

    fn outcome(self) -> SearchOutcome {
        let upper = if self.complete { self.best } else { self.cards };
        SearchOutcome {
            score: Verdict::from_bounds(self.best, upper),
            positions: self.examined.len() as u64,
            nodes: self.meter.spent(),
            first_moves: self.first_moves.unwrap_or(0) as u8,
            widest: self.widest as u8,
            moves: self.best_moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/data/deals.csv`: optimum and reachable positions of 200 deals, from an
    /// independent brute force.
    #[test]
    fn the_score_and_the_reachable_positions_of_200_deals_are_the_known_ones() {
        for line in include_str!("../tests/data/deals.csv").lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let outcome = solve(&fields[0].parse().unwrap(), Budget::UNLIMITED);
            assert_eq!(
                outcome.score,
                Verdict::Proved(fields[1].parse().unwrap()),
                "{line}"
            );
            assert_eq!(
                outcome.positions,
                fields[2].parse::<u64>().unwrap(),
                "{line}"
            );
        }
    }
}
