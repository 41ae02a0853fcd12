//! Columns as runs of cards lying as dealt, each on the target of its first card, and the cards
//! that could come to lie on a card.

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

    /// Returns whether the target of `card` could ever come to lie on it if the card stayed and no
    /// cards but the `movable` moved.
    #[inline]
    pub fn may_be_blocked(&self, card: Card, state: &PrunedPosition, movable: CardSet) -> bool {
        let burden = self.burden(card, state, movable, 0);
        card.higher().is_some_and(|target| burden.contains(target))
    }

    /// The cards that could come to lie on `card` if it stayed and no cards but the `movable`
    /// moved: all of them, or as many as hold the target and `enough` movable ones. If the target
    /// is not among them, it cannot come, and others may be left out too.
    #[inline]
    pub fn burden(
        &self,
        card: Card,
        state: &PrunedPosition,
        movable: CardSet,
        enough: u32,
    ) -> CardSet {
        let own = CardSet::of(card);
        let Some(target) = card.higher() else {
            return CardSet::EMPTY;
        };
        // The target comes with one of these.
        let carriers = self.chain(target, state) & movable;
        let mut burden = self.pile(card, state) - own;
        loop {
            let is_enough = if burden.contains(target) {
                enough == 0 || (burden & movable).len() >= enough
            } else {
                carriers.is_empty()
            };
            if is_enough {
                return burden;
            }
            let mut arriving = ((burden | own).one_lower() & movable) - (burden | own);
            match (arriving & carriers).pop().or_else(|| arriving.pop()) {
                Some(other) => burden = (burden | self.pile(other, state)) - own,
                None => return burden,
            }
        }
    }
}
