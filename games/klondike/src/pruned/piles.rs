//! Columns as runs of cards lying as dealt, each on the target of its first card, and the cards
//! that could come to lie on a card.

use super::super::card::{Card, CardSet, SLOTS};
use super::board::{DealtCards, PrunedPosition};

impl DealtCards {
    /// A card and the cards lying on it.
    #[inline]
    pub(crate) fn pile(&self, card: Card, state: &PrunedPosition) -> CardSet {
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
    pub(crate) fn column(&self, card: Card, state: &PrunedPosition) -> Vec<Card> {
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
    pub(crate) fn chain(&self, card: Card, state: &PrunedPosition) -> CardSet {
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
    pub(crate) fn between(&self, card: Card, state: &PrunedPosition) -> CardSet {
        let on_targets = state.moved - CardSet::KINGS;
        let bottom = self.place[card.index()];
        let mut between = CardSet::EMPTY;
        let mut top = self.place[(card.index() + 1) % SLOTS];
        loop {
            let up_to = u64::MAX >> (63 - top % 64);
            let start = 63 - (state.breaks & up_to).leading_zeros() as usize % 64;
            let above = self.upward[(usize::from(top) + 1) % SLOTS];
            if (start..=usize::from(top)).contains(&usize::from(bottom)) {
                return between | (self.upward[(usize::from(bottom) + 1) % SLOTS] - above);
            }
            between = between | (self.upward[start] - above);
            let root = self.dealt[start];
            if on_targets.bits() >> (root % 64) & 1 == 0 {
                return between;
            }
            top = self.place[(usize::from(root) + 1) % SLOTS];
        }
    }

    /// Returns whether the target of `card`, which is not on it, could ever come to lie on it if the
    /// card stayed and no cards but the `movable` moved.
    #[inline]
    pub(crate) fn may_be_blocked(
        &self,
        card: Card,
        state: &PrunedPosition,
        movable: CardSet,
    ) -> bool {
        self.arrivals(card, state, movable, 1) > 0
    }

    /// The number of `movable` cards that could come to lie on `card` if its target, which is not
    /// on it, came too, the card stayed and no others moved: 0 if the target cannot come, and
    /// counted no further than `enough`.
    pub(crate) fn arrivals(
        &self,
        card: Card,
        state: &PrunedPosition,
        movable: CardSet,
        enough: u32,
    ) -> u32 {
        // The target comes with one of these.
        let carriers = card
            .higher()
            .map_or(CardSet::EMPTY, |target| self.chain(target, state) & movable);
        if carriers.is_empty() {
            return 0;
        }
        let mut pile = self.pile(card, state);
        let mut comes = false;
        loop {
            let mut arriving = (pile.one_lower() & movable) - pile;
            let mut carrying = arriving & carriers;
            comes |= !carrying.is_empty();
            let count = (((pile | arriving) & movable) - CardSet::of(card)).len();
            if comes && count >= enough {
                return count;
            }
            match carrying.pop().or_else(|| arriving.pop()) {
                Some(other) => pile = pile | self.pile(other, state),
                None => return if comes { count } else { 0 },
            }
        }
    }
}
