//! An upper bound: what could ever be reached if no move had a drawback.
//!
//! Delete relaxation (Bonet and Geffner 2001, "Planning as heuristic search"): moves are made
//! without ever taking away what makes other moves possible. A card that cannot be founded so can
//! never be founded, and a card that cannot move so will never move.

use super::super::card::CardSet;
use super::board::{Board, State};

/// Everything that can happen from a position, and perhaps more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Future {
    /// The cards that may be founded, those founded already included.
    pub founded: CardSet,
    /// The cards that may still move.
    pub movable: CardSet,
    /// The places of those cards.
    pub restless: u64,
}

impl Future {
    /// The future of a position.
    #[inline]
    pub fn of(board: &Board, state: &State) -> Future {
        let mut dream = *state;
        let mut restless = 0;
        loop {
            board.settle(&mut dream);
            let places = board.move_all(&mut dream, state);
            restless |= places;
            if places == 0 {
                return Future {
                    founded: dream.founded,
                    movable: dream.moved - state.moved,
                    restless,
                };
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
    /// Makes every move that is possible in the dream; returns the places of the cards moved.
    /// Cards founded in the dream move as well: they may have moved before.
    #[inline]
    fn move_all(&self, dream: &mut State, state: &State) -> u64 {
        let mut places = 0;
        for card in self.candidates(dream, dream.moved | state.founded) {
            if !self.lands_on_itself(card, state, dream.starts) {
                dream.moved.insert(card);
                dream.starts |= self.place_bit(card);
                self.lift(dream, card);
                places |= self.place_bit(card);
            }
        }
        places
    }
}
