//! The plain solver: every position that single moves reach, each looked at once.
//!
//! It prunes nothing and orders nothing but the moves of a position, so it is slow and easy to
//! trust: the baseline of the fast search. Cards of small decks, and easy full deals within a
//! budget, are its size.

use std::collections::HashSet;

use super::table::{CardTable, Move};
use kit::search::{Budget, Verdict};

/// The solution of the plain solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainSolution {
    /// The largest number of cards on the foundations at one moment.
    pub foundation: Verdict<u8>,
    /// Distinct positions met.
    pub(crate) positions: u64,
    /// Single moves that reach the lower bound.
    pub(crate) line: Vec<Move>,
}

/// A position met, and how.
struct MetPosition {
    table: CardTable,
    parent: usize,
    play: Option<Move>,
}

/// Searches all positions reachable from a table, until all cards are on the foundations or
/// `budget` positions were looked at.
pub fn solve(start: &CardTable, budget: Budget) -> PlainSolution {
    let mut seen = HashSet::from([*start]);
    let mut met = vec![MetPosition {
        table: *start,
        parent: 0,
        play: None,
    }];
    let (mut best, mut meter) = (0, budget.meter());
    let mut open = vec![0];
    let mut moves = Vec::new();
    while let Some(current) = open.pop() {
        let table = met[current].table;
        if table.founded() > met[best].table.founded() {
            best = current;
        }
        if table.is_won() || !meter.spend() {
            open.push(current);
            break;
        }
        moves.clear();
        table.push_moves(&mut moves);
        for &play in moves.iter().rev() {
            let next = table.after(play);
            if seen.insert(next) {
                open.push(met.len());
                met.push(MetPosition {
                    table: next,
                    parent: current,
                    play: Some(play),
                });
            }
        }
    }
    let lower = met[best].table.founded();
    let is_exact = open.is_empty() || met[best].table.is_won();
    PlainSolution {
        foundation: Verdict::from_bounds(lower, if is_exact { lower } else { start.cards() }),
        positions: met.len() as u64,
        line: line(&met, best),
    }
}

/// The moves that led to a position.
fn line(met: &[MetPosition], mut index: usize) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some(play) = met[index].play {
        line.push(play);
        index = met[index].parent;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use super::super::deal::Deal;
    use super::super::rules::{DeckShape, Rules};
    use super::*;
    use kit::rng::Streams;

    fn table(deck: DeckShape, rules: Rules, index: u64) -> CardTable {
        let mut stream = Streams::new(5).key("deal").stream(index);
        CardTable::new(&Deal::draw(deck, &mut stream), rules)
    }

    /// One column, one suit: the stock holds three cards, and the waste is a stack.
    #[test]
    fn a_deck_of_four_cards_is_solved_as_by_hand() {
        let deck = DeckShape::new(1, 1, 4).unwrap();
        let solved = |text: &str, draw, passes| {
            let deal = Deal::read(deck, text).unwrap();
            let table = CardTable::new(&deal, Rules::new(draw, passes));
            solve(&table, Budget::UNLIMITED).foundation
        };
        assert_eq!(solved("AH 2H 3H 4H", 1, Some(1)), Verdict::Proved(4));
        assert_eq!(solved("4H 3H 2H AH", 1, Some(1)), Verdict::Proved(4));
        assert_eq!(solved("4H 2H 3H AH", 1, Some(1)), Verdict::Proved(1));
        assert_eq!(solved("4H 2H 3H AH", 1, Some(2)), Verdict::Proved(4));
        assert_eq!(solved("4H 2H 3H AH", 3, None), Verdict::Proved(1));
        assert_eq!(solved("4H AH 3H 2H", 3, None), Verdict::Proved(0));
    }

    /// Seed 5, samples 0 to 199.
    #[test]
    fn lines_are_legal_and_reach_what_they_promise() {
        let deck = DeckShape::new(3, 4, 3).unwrap();
        for index in 0..200 {
            let mut table = table(deck, Rules::new(3, Some(2)), index);
            let plain = solve(&table, Budget::UNLIMITED);
            for &play in &plain.line {
                assert!(table.allows(play), "{play} is not legal");
                table.play(play);
            }
            assert_eq!(Verdict::Proved(table.founded()), plain.foundation);
        }
    }

    /// Seed 5, sample 0.
    #[test]
    fn a_budget_bounds_what_it_does_not_solve() {
        let table = table(DeckShape::FULL, Rules::VEGAS_3, 0);
        let plain = solve(&table, Budget::nodes(3));
        assert!(matches!(
            plain.foundation,
            Verdict::Bounds { upper: 52, .. }
        ));
    }
}
