//! What lies on what: columns as runs of cards lying as dealt, each on the target of its first
//! card, and what could come to lie on a card.

use super::super::card::{Card, CardSet, SLOTS};
use super::board::{DealtCards, PrunedPosition};

impl DealtCards {
    /// A card and the cards lying on it.
    #[inline]
    pub fn pile(&self, card: Card, state: &PrunedPosition) -> CardSet {
        let built = state.built();
        let mut pile = CardSet::EMPTY;
        let mut bottom = self.place[card.index()];
        loop {
            let above = (u64::MAX << 1) << (bottom % 64);
            let end = (state.breaks & above).trailing_zeros() as usize;
            pile = pile | (self.upward[usize::from(bottom) % SLOTS] - self.upward[end % SLOTS]);
            let child = self.dealt[end.wrapping_sub(1) % SLOTS].wrapping_sub(1);
            if built.bits() >> (child % 64) & 1 == 0 {
                return pile;
            }
            bottom = self.place[usize::from(child) % SLOTS];
        }
    }

    /// A card and the cards lying on it, in order.
    pub fn column(&self, card: Card, state: &PrunedPosition) -> Vec<Card> {
        let mut column = Vec::new();
        let mut bottom = Some(card);
        while let Some(card) = bottom {
            let start = self.place[card.index()];
            let above = (u64::MAX << 1) << (start % 64);
            let end = (state.breaks & above).trailing_zeros() as usize % SLOTS;
            let segment = self.dealt[usize::from(start) % SLOTS..end].iter();
            column.extend(segment.filter_map(|&number| Card::from_number(number)));
            let last = column.last().and_then(|card| card.lower());
            bottom = last.filter(|&child| state.built().contains(child));
        }
        column
    }

    /// A card and the cards that it lies on, down to the table.
    #[inline]
    pub fn chain(&self, card: Card, state: &PrunedPosition) -> CardSet {
        let on_targets = state.moved - CardSet::KINGS;
        let mut chain = CardSet::EMPTY;
        let mut top = self.place[card.index()];
        loop {
            let up_to = u64::MAX >> (63 - top % 64);
            let start = 63 - (state.breaks & up_to).leading_zeros() as usize % 64;
            chain = chain | (self.upward[start] - self.upward[(usize::from(top) + 1) % SLOTS]);
            let root = self.dealt[start];
            if on_targets.bits() >> (root % 64) & 1 == 0 {
                return chain;
            }
            top = self.place[(usize::from(root) + 1) % SLOTS];
        }
    }

    /// The cards of a blocked card's pile that carry its target, the target included.
    #[inline]
    pub fn between(&self, card: Card, state: &PrunedPosition) -> CardSet {
        let under = card
            .higher()
            .map_or(CardSet::EMPTY, |target| self.chain(target, state));
        (under & self.pile(card, state)) - CardSet::of(card)
    }

    /// Whether the target of `card` could ever come to lie on it if the card stayed and no cards
    /// but the `movable` moved.
    #[inline]
    pub fn may_be_blocked(&self, card: Card, state: &PrunedPosition, movable: CardSet) -> bool {
        let Some(target) = card.higher() else {
            return false;
        };
        let mut burden = self.pile(card, state);
        while !burden.contains(target) {
            match self.heavier(burden, state, movable) {
                Some(heavier) => burden = heavier,
                None => return false,
            }
        }
        true
    }

    /// Whether, after that, the card could be rid of its target again: of the cards that could come
    /// to lie on it, one that moves brings the target, and another must take it away.
    #[inline]
    pub fn may_be_blocked_and_freed(
        &self,
        card: Card,
        state: &PrunedPosition,
        movable: CardSet,
    ) -> bool {
        let mut burden = self.pile(card, state);
        while let Some(heavier) = self.heavier(burden, state, movable) {
            burden = heavier;
        }
        let is_blocked = card.higher().is_some_and(|target| burden.contains(target));
        is_blocked && ((burden - CardSet::of(card)) & movable).len() >= 2
    }

    /// A pile with those that could be moved on it directly; `None` if there are none.
    #[inline]
    fn heavier(
        &self,
        burden: CardSet,
        state: &PrunedPosition,
        movable: CardSet,
    ) -> Option<CardSet> {
        let arriving = (burden.one_lower() & movable) - burden;
        (!arriving.is_empty())
            .then(|| arriving.fold(burden, |burden, card| burden | self.pile(card, state)))
    }
}
