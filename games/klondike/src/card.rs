//! Cards and sets of cards.
//!
//! A card's number is `16 * suit + rank`, so that a set of cards is one 64-bit word in which a
//! shift by one bit takes every card to its neighbour in rank at once. Knows no rules.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{BitAnd, BitOr, Sub};

use cards::Face;

/// The highest rank.
const KING: u8 = 13;
/// The length of an array that is indexed by card numbers; numbers without a card stay unused.
pub(crate) const SLOTS: usize = 64;

/// A playing card: one of four suits, a rank from 1 (ace) to 13 (king).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(NonZeroU8);

impl Card {
    /// The last card of a sorted deck, the king of spades.
    pub(super) const LAST: Card = Card(NonZeroU8::new(3 * 16 + KING).expect("not 0"));

    /// The card of a suit (0 to 3: clubs, diamonds, hearts, spades) and a rank (1 to 13).
    pub fn new(suit: u8, rank: u8) -> Option<Card> {
        let exists = suit < 4 && (1..=KING).contains(&rank);
        NonZeroU8::new(16 * suit + rank)
            .filter(|_| exists)
            .map(Card)
    }

    /// The card of a symbol such as `TD`, however people write it.
    pub fn read(symbol: &str) -> Option<Card> {
        Face::read(symbol).map(|(face, _)| Card::from(face))
    }

    /// The card with this number, if there is one.
    pub(super) fn from_number(number: u8) -> Option<Card> {
        Card::new(number / 16, number % 16)
    }

    /// The suit, 0 to 3.
    pub fn suit(self) -> usize {
        usize::from(self.0.get() / 16)
    }

    /// The rank, 1 to 13.
    pub fn rank(self) -> u8 {
        self.0.get() % 16
    }

    /// The card's number, below [`SLOTS`].
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0.get()) % SLOTS
    }

    /// The card's number as a byte, never 0.
    pub(super) fn number(self) -> u8 {
        self.0.get()
    }

    /// Returns whether the card is a king.
    #[inline]
    pub(crate) fn is_king(self) -> bool {
        self.rank() == KING
    }

    /// The card of the same suit one rank higher; `None` of a king.
    #[inline]
    pub(crate) fn higher(self) -> Option<Card> {
        (!self.is_king()).then(|| Card(self.0.saturating_add(1)))
    }

    /// The card of the same suit one rank lower; `None` of an ace.
    pub(crate) fn lower(self) -> Option<Card> {
        Card::new(self.0.get() / 16, self.rank() - 1)
    }

    /// Returns the face of the card: its suit and rank.
    pub(crate) fn face(self) -> Face {
        Face::new(self.0.get() / 16, self.rank()).unwrap_or(Face::KING_OF_SPADES)
    }
}

impl From<Face> for Card {
    fn from(face: Face) -> Card {
        Card::new(face.suit(), face.rank()).unwrap_or(Card::LAST)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.face().fmt(f)
    }
}

/// A set of cards: bit `n` is the card with number `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

/// Bit 0 of each suit's sixteen bits: below the ace, never a card.
const FLOORS: u64 = 0x0001_0001_0001_0001;

impl CardSet {
    /// No card.
    pub(crate) const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub(crate) const DECK: CardSet = CardSet(FLOORS * 0x3ffe);
    /// The four aces.
    const ACES: CardSet = CardSet(FLOORS << 1);
    /// The four kings.
    pub(crate) const KINGS: CardSet = CardSet(FLOORS << KING);

    /// The 1 to 13 highest ranks of the first 1 to 4 suits.
    pub(super) fn highest(suits: u8, ranks: u8) -> CardSet {
        let first = u64::MAX >> (64 - 16 * u32::from(suits));
        let high = FLOORS * (0x3ffe & 0x3ffe << (13 - ranks));
        CardSet(first & high)
    }

    /// The set of one card.
    #[inline]
    pub(crate) fn of(card: Card) -> CardSet {
        CardSet(1 << card.index())
    }

    /// Adds a card.
    #[inline]
    pub(crate) fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.index();
    }

    /// Removes a card.
    #[inline]
    pub(crate) fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.index());
    }

    /// Returns whether the set holds a card.
    #[inline]
    pub fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Returns whether the set holds no card.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cards, 0 to 52.
    #[inline]
    pub(crate) fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns, for every card of the set, the card of its suit one rank lower.
    #[inline]
    pub(crate) fn one_lower(self) -> CardSet {
        CardSet(self.0 >> 1) & CardSet::DECK
    }

    /// Returns, for foundations holding these cards, the next card of each suit.
    #[inline]
    pub(crate) fn next_on_foundations(self) -> CardSet {
        (CardSet(self.0 << 1) | CardSet::ACES) & (CardSet::DECK - self)
    }

    /// Foundations holding these cards, built as high as they go with others.
    #[inline]
    pub(crate) fn built_with(self, cards: CardSet) -> CardSet {
        // A carry from below the ace runs through every card that is there.
        let there = self.0 | cards.0 | FLOORS;
        CardSet(there & !(there + FLOORS)) & CardSet::DECK
    }

    /// Returns, for foundations holding these cards, one bit a suit that tells how high each is built: the
    /// top card's, or the floor's where the foundation is empty. No card bit of another suit or of
    /// a card still to come is set.
    #[inline]
    pub(super) fn foundation_marks(self) -> u64 {
        let built = self.0 | FLOORS;
        built & !(built >> 1)
    }

    /// The slots of its lowest and its highest card, the same if there is one only. The set must
    /// not be empty.
    #[inline]
    pub(super) fn ends(self) -> [usize; 2] {
        let (low, high) = (self.0.trailing_zeros(), 63 ^ self.0.leading_zeros());
        [low as usize % SLOTS, high as usize % SLOTS]
    }

    /// The lowest and the highest card of the set. The set must not be empty.
    #[inline]
    pub(super) fn outermost(self) -> CardSet {
        let [low, high] = self.ends();
        CardSet(1 << low | 1 << high)
    }

    /// The bits of the set.
    #[inline]
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// Takes the lowest card out of the set.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Card> {
        let number = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        NonZeroU8::new(number as u8)
            .filter(|_| number < 64)
            .map(Card)
    }
}

impl Iterator for CardSet {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        self.pop()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards
            .into_iter()
            .fold(CardSet::EMPTY, |set, card| set | CardSet::of(card))
    }
}

impl BitOr for CardSet {
    type Output = CardSet;

    #[inline]
    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    #[inline]
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = CardSet;

    #[inline]
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_has_52_cards_that_read_back_from_their_symbols() {
        let cards: Vec<Card> = CardSet::DECK.collect();
        assert_eq!(cards.len(), 52);
        for card in cards {
            assert_eq!(Card::read(&card.to_string()), Some(card));
        }
    }

    #[test]
    fn neighbours_in_rank_stay_in_their_suit() {
        for card in CardSet::DECK {
            assert_eq!(
                card.higher().and_then(Card::lower),
                card.higher().map(|_| card)
            );
            assert_eq!(card.higher().is_none(), CardSet::KINGS.contains(card));
            assert_eq!(card.lower().is_none(), CardSet::ACES.contains(card));
            let lower: Vec<Card> = CardSet::of(card).one_lower().collect();
            assert_eq!(lower, card.lower().into_iter().collect::<Vec<_>>());
        }
    }

    /// Seed 41: random cards on random foundations, against a card at a time.
    #[test]
    fn foundations_are_built_as_high_as_they_go() {
        let mut stream = kit::rng::Streams::new(41).key("cards").stream(0);
        for _ in 0..2_000 {
            let chance = 1 + kit::rng::below(&mut stream, 9);
            let mut cards = CardSet::DECK;
            for card in CardSet::DECK {
                if kit::rng::below(&mut stream, 10) >= chance {
                    cards.remove(card);
                }
            }
            let heights = [0, 1, 2, 3].map(|_| kit::rng::below(&mut stream, 14));
            let is_founded = |card: &Card| u64::from(card.rank()) <= heights[card.suit()];
            let founded: CardSet = CardSet::DECK.filter(is_founded).collect();
            let mut built = founded;
            while let Some(card) = (built.next_on_foundations() & cards).pop() {
                built.insert(card);
            }
            assert_eq!(founded.built_with(cards), built, "{cards:?} on {founded:?}");
        }
    }

    #[test]
    fn foundations_ask_for_the_next_card_of_each_suit() {
        assert_eq!(CardSet::EMPTY.next_on_foundations(), CardSet::ACES);
        assert_eq!(CardSet::DECK.next_on_foundations(), CardSet::EMPTY);
        let clubs: CardSet = (1..=5).fold(CardSet::EMPTY, |set, rank| {
            set | CardSet::of(Card::new(0, rank).unwrap())
        });
        assert!(
            clubs
                .next_on_foundations()
                .contains(Card::new(0, 6).unwrap())
        );
    }
}
