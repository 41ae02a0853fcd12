//! An upper bound: what could be reached if no move had a drawback.
//!
//! Delete relaxation (Bonet and Geffner 2001, "Planning as heuristic search"): moves are made
//! without ever taking away what makes other moves possible. A card that cannot reach its
//! foundation in this way can never reach it, and a card that cannot move will never move.

use super::super::card::{Card, CardSet, SLOTS};
use super::board::{DealtCards, PrunedPosition};

/// Everything that can happen from a position, and perhaps more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Future {
    /// The cards that may reach the foundations, including those already there.
    pub founded: CardSet,
    /// The cards that may still move.
    pub movable: CardSet,
}

impl Future {
    /// The future of a position in which a `deferred` card stays until its target has come to lie
    /// on it.
    #[inline]
    pub fn of(board: &DealtCards, state: &PrunedPosition, deferred: CardSet) -> Future {
        let mut dream = Dream::new(board, state, deferred);
        while dream.go_on() {}
        Future {
            founded: dream.founded,
            movable: dream.moved - state.moved,
        }
    }

    /// The upper bound on the score.
    #[inline]
    pub fn bound(&self) -> u8 {
        self.founded.len() as u8
    }
}

/// A game in which all that was ever possible stays so.
struct Dream<'a> {
    board: &'a DealtCards,
    state: &'a PrunedPosition,
    deferred: CardSet,
    moved: CardSet,
    founded: CardSet,
    clear: CardSet,
    face_up: CardSet,
    /// The kings that have a column to go to.
    kings: CardSet,
    /// The blocked cards looked at.
    asked: CardSet,
    /// For each of these, the cards that carry its target.
    between: [CardSet; SLOTS],
}

impl<'a> Dream<'a> {
    #[inline]
    fn new(board: &'a DealtCards, state: &'a PrunedPosition, deferred: CardSet) -> Self {
        let mut dream = Dream {
            board,
            state,
            deferred,
            moved: state.moved,
            founded: state.founded,
            clear: state.clear,
            face_up: state.face_up,
            kings: CardSet::EMPTY,
            asked: CardSet::EMPTY,
            between: [CardSet::EMPTY; SLOTS],
        };
        if state.empty > 0 {
            dream.make_room();
        }
        dream
    }

    /// A column is empty: kings that head none may go there.
    #[inline]
    fn make_room(&mut self) {
        self.kings = CardSet::KINGS - self.board.heads;
    }

    /// Founds and moves what can be at once; says whether anything was.
    #[inline]
    fn go_on(&mut self) -> bool {
        let built = self.founded.built_with(self.clear);
        let next = built - self.founded;
        let mut movers = self.movers();
        if (next | movers).is_empty() {
            movers = self.deferred_movers();
            if movers.is_empty() {
                return false;
            }
        }
        self.founded = built;
        self.moved = self.moved | movers;
        self.lift((next - self.state.moved) | movers);
        if !(next & self.state.moved & CardSet::KINGS).is_empty() {
            self.make_room();
        }
        true
    }

    /// Cards leave the cards they were dealt on, or their columns if they were heads.
    #[inline]
    fn lift(&mut self, cards: CardSet) {
        let mut uncovered = CardSet::EMPTY;
        for card in cards {
            uncovered = uncovered | self.board.beneath[card.index()];
        }
        self.clear = self.clear | uncovered;
        self.face_up = self.face_up | uncovered;
        if !(cards & self.board.heads).is_empty() {
            self.make_room();
        }
    }

    /// The cards that could move if none were blocked.
    #[inline]
    fn candidates(&self) -> CardSet {
        let targeted = self.clear.one_lower() | self.kings;
        (targeted & self.face_up) - (self.moved | self.state.founded)
    }

    /// The cards moved in the dream.
    #[inline]
    fn restless(&self) -> CardSet {
        self.moved - self.state.moved
    }

    /// The cards, not deferred, that can move and have not. Cards founded in the relaxation move as
    /// well: they may have moved before.
    #[inline]
    fn movers(&mut self) -> CardSet {
        let (candidates, restless) = (self.candidates(), self.restless());
        let mut movers = candidates - self.state.blocked - self.deferred;
        for card in candidates & self.state.blocked {
            if !(self.between(card) & restless).is_empty() {
                movers.insert(card);
            }
        }
        movers
    }

    /// The deferred cards that can move when no others do.
    #[inline]
    fn deferred_movers(&self) -> CardSet {
        let (candidates, restless) = (self.candidates(), self.restless());
        let mut movers = candidates & self.deferred;
        for card in movers {
            let (board, state) = (self.board, self.state);
            if !board.may_be_blocked_and_freed(card, state, restless) {
                movers.remove(card);
            }
        }
        movers
    }

    #[inline]
    fn between(&mut self, card: Card) -> CardSet {
        let slot = card.index();
        if !self.asked.contains(card) {
            self.asked.insert(card);
            self.between[slot] = self.board.between(card, self.state);
        }
        self.between[slot]
    }
}
