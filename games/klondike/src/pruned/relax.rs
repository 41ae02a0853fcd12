//! An upper bound: the score that could be reached if no move had a drawback.
//!
//! Delete relaxation (Bonet and Geffner 2001, "Planning as heuristic search"): moves are made
//! without ever taking away what makes other moves possible. A card that cannot reach its
//! foundation in this way can never reach it, and a card that cannot move will never move.

use super::super::card::{Card, CardSet};
use super::board::{DealtCards, PrunedPosition};

/// The events that can happen from a position, and perhaps more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Future {
    /// The cards that may reach the foundations, including those already there.
    pub(crate) founded: CardSet,
    /// The cards that may still move.
    pub(crate) movable: CardSet,
    /// The upper bound on the score: the number of cards founded.
    pub(crate) bound: u8,
    /// The cards that stay until their targets have come to lie on them.
    deferred: CardSet,
    /// True if one of these moves.
    frees_deferred: bool,
    /// True if the target of one of these cannot come to lie on it any more.
    pub(crate) is_hopeless: bool,
}

impl Future {
    /// The future of a position in which a `deferred` card stays until its target has come to lie
    /// on it.
    #[inline]
    pub(crate) fn of(board: &DealtCards, state: &PrunedPosition, deferred: CardSet) -> Future {
        let mut dream = Dream::new(board, state, deferred);
        while dream.go_on() {}
        Future {
            founded: dream.founded,
            movable: dream.movers,
            bound: dream.founded.len() as u8,
            deferred,
            frees_deferred: !(dream.free & deferred).is_empty(),
            is_hopeless: dream.is_hopeless,
        }
    }

    /// The future after moves by which cards were `trapped` under their targets, if it is the same
    /// as before: no trapped card could move, the same cards are deferred and stay, and no king took
    /// a column. The dream may then begin with these moves, and nothing in it is lost by them.
    #[inline]
    pub(crate) fn after(
        &self,
        state: &PrunedPosition,
        deferred: CardSet,
        trapped: CardSet,
    ) -> Option<Future> {
        let lost = trapped & (self.movable | deferred);
        let kings = self.movable & state.moved & CardSet::KINGS;
        let is_same =
            (lost | kings).is_empty() && deferred == self.deferred && !self.frees_deferred;
        is_same.then(|| Future {
            movable: self.movable - (state.moved | state.founded),
            ..*self
        })
    }
}

/// A game in which all that was ever possible stays so.
struct Dream<'a> {
    board: &'a DealtCards,
    state: &'a PrunedPosition,
    deferred: CardSet,
    /// The cards that may move once they lie face up and their targets are clear.
    free: CardSet,
    /// The kings that have a column to go to.
    kings: CardSet,
    /// The cards that have left the cards they were dealt on.
    lifted: CardSet,
    /// The cards that were uncovered so.
    uncovered: CardSet,
    /// The cards that can move, and those that can be founded. Cards founded in the dream move as
    /// well: they may have moved before.
    movers: CardSet,
    founded: CardSet,
    is_hopeless: bool,
}

impl<'a> Dream<'a> {
    #[inline]
    fn new(board: &'a DealtCards, state: &'a PrunedPosition, deferred: CardSet) -> Self {
        let mut dream = Dream {
            board,
            state,
            deferred: deferred - state.founded,
            free: CardSet::DECK - (state.moved | state.founded | state.blocked | deferred),
            kings: CardSet::EMPTY,
            lifted: CardSet::EMPTY,
            uncovered: CardSet::EMPTY,
            movers: CardSet::EMPTY,
            founded: state.founded,
            is_hopeless: false,
        };
        if state.empty > 0 {
            dream.kings = dream.kings_in_columns();
        }
        dream
    }

    /// The kings that do not head a column.
    #[inline]
    fn kings_in_columns(&self) -> CardSet {
        CardSet::KINGS - self.board.heads
    }

    /// Founds and moves all that the free cards allow, and frees others; says whether it did.
    #[inline]
    fn go_on(&mut self) -> bool {
        self.saturate();
        let mut freed = self.freed_from_targets();
        if freed.is_empty() {
            freed = self.freed_from_deferral();
        }
        self.free = self.free | freed;
        !freed.is_empty()
    }

    /// Founds and moves all that can be without a card that is not free.
    ///
    /// Two cards are lifted at a time, the same twice if there is one only: the processor cannot
    /// foresee the end of a loop over all, which costs more.
    #[inline]
    fn saturate(&mut self) {
        let settled = self.state.moved | self.state.founded;
        loop {
            let clear = self.state.clear | self.uncovered;
            self.founded = self.state.founded.built_with(clear);
            self.movers = self.candidates() & self.free;
            let leaving = ((self.founded - settled) | self.movers) - self.lifted;
            if !leaving.is_empty() {
                self.lift(leaving);
            } else if !self.make_room() {
                return;
            }
        }
    }

    /// The first and the last of these cards leave the cards they were dealt on.
    #[inline]
    fn lift(&mut self, cards: CardSet) {
        let [first, last] = cards.ends();
        self.lifted = self.lifted | cards.outermost();
        self.uncovered = self.uncovered | self.board.beneath[first] | self.board.beneath[last];
    }

    /// Gives the kings a column if one has become empty; says whether that is new.
    #[inline]
    fn make_room(&mut self) -> bool {
        let gone = (self.founded - self.state.founded) & self.state.moved & CardSet::KINGS;
        let has_room = !((self.lifted & self.board.heads) | gone).is_empty();
        let is_new = has_room && self.kings.is_empty();
        if is_new {
            self.kings = self.kings_in_columns();
        }
        is_new && !self.kings.is_empty()
    }

    /// The cards that could move if all were free.
    #[inline]
    fn candidates(&self) -> CardSet {
        let targeted = (self.state.clear | self.uncovered).one_lower() | self.kings;
        targeted & (self.state.face_up | self.uncovered)
    }

    /// The blocked cards that can move, as a card between them and their targets has.
    #[inline]
    fn freed_from_targets(&self) -> CardSet {
        let (board, state) = (self.board, self.state);
        let is_freed = |&card: &Card| !(board.between(card, state) & self.movers).is_empty();
        let blocked = state.blocked - (self.free | state.moved | state.founded);
        (self.candidates() & blocked).filter(is_freed).collect()
    }

    /// The deferred cards that can move when no others do: of the cards that could come to lie on
    /// one, one that moves brings the target, and another must take it away.
    #[inline]
    fn freed_from_deferral(&mut self) -> CardSet {
        self.is_hopeless = false;
        let mut freed = CardSet::EMPTY;
        for card in self.deferred - self.free {
            let arrivals = (self.board).arrivals(card, self.state, self.movers, 2);
            self.is_hopeless |= arrivals == 0;
            if arrivals >= 2 {
                freed.insert(card);
            }
        }
        freed & self.candidates()
    }
}
