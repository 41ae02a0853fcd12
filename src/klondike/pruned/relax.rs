//! An upper bound: what could ever be reached if no move had a drawback.
//!
//! Delete relaxation (Bonet and Geffner 2001, "Planning as heuristic search"): moves are made
//! without ever taking away what makes other moves possible. A card that cannot be founded so can
//! never be founded, and a card that cannot move so will never move.

use super::super::card::{Card, CardSet};
use super::board::{Board, State};

/// Everything that can happen from a position, and perhaps more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Future {
    /// The cards that may be founded, those founded already included.
    pub founded: CardSet,
    /// The cards that may still move.
    pub movable: CardSet,
}

impl Future {
    /// The future of a position in which a `deferred` card stays until its target has come to lie
    /// upon it.
    #[inline]
    pub fn of(board: &Board, state: &State, deferred: CardSet) -> Future {
        let mut dream = *state;
        loop {
            board.settle(&mut dream);
            let movers = board.movers(&dream, state, deferred);
            if movers.is_empty() {
                return Future {
                    founded: dream.founded,
                    movable: dream.moved - state.moved,
                };
            }
            dream.moved = dream.moved | movers;
            for card in movers {
                board.lift(&mut dream, card);
            }
        }
    }

    /// The upper bound on the score.
    #[inline]
    pub fn bound(&self) -> u8 {
        self.founded.len() as u8
    }
}

impl Board {
    /// The cards that can move in the dream and have not; of the deferred ones those that can move
    /// when no others do. Cards founded in the dream move as well: they may have moved before.
    #[inline]
    fn movers(&self, dream: &State, state: &State, deferred: CardSet) -> CardSet {
        let restless = dream.moved - state.moved;
        let candidates = self.candidates(dream, dream.moved | state.founded);
        let free = |card| !(self.between(card, state) & restless).is_empty();
        let freed = chosen(candidates & state.blocked, free);
        let movers = (candidates - state.blocked - deferred) | freed;
        if !movers.is_empty() {
            return movers;
        }
        chosen(candidates & deferred, |card| {
            self.may_be_blocked_and_freed(card, state, restless)
        })
    }
}

/// The cards for which something holds.
#[inline]
fn chosen(cards: CardSet, holds: impl Fn(Card) -> bool) -> CardSet {
    let mut chosen = cards;
    for card in cards {
        if !holds(card) {
            chosen.remove(card);
        }
    }
    chosen
}
