//! A column of the table.

use crate::card::Card;

/// The longest column: six face-down cards and a run from king to ace.
const LONGEST: usize = 19;

/// A column of cards, base first; the lowest `down` of them lie face down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TableauColumn {
    pub(super) cards: [Card; LONGEST],
    pub(super) len: u8,
    pub(super) down: u8,
}

impl TableauColumn {
    /// The column's cards from the base up, those face down included.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// The number of face-down cards.
    #[inline]
    pub fn face_down(&self) -> usize {
        usize::from(self.down)
    }

    /// The column's face-up run, highest card first.
    #[inline]
    pub fn run(&self) -> &[Card] {
        &self.cards[usize::from(self.down)..usize::from(self.len)]
    }

    /// The column's last card, the one that can be moved.
    #[inline]
    pub(crate) fn top(&self) -> Option<Card> {
        self.cards().last().copied()
    }

    pub(super) fn push(&mut self, card: Card) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
    }

    /// Takes the last `count` cards away and turns the card below them face up.
    pub(super) fn shorten(&mut self, count: u8) {
        self.len -= count;
        // What lies above the end must not tell equal columns apart.
        self.cards[usize::from(self.len)..].fill(Card::default());
        self.down = self.down.min(self.len.saturating_sub(1));
    }
}
