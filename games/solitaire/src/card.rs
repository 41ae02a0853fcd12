//! Playing cards as small numbers.
//!
//! A card's number is `4 * rank + suit`, ranks from 0 (ace), suits hearts, diamonds, clubs,
//! spades: the upper bit of a suit is its colour. Knows no rules.

use std::fmt;

use cards::Face;

/// Cards in a full deck.
pub(crate) const DECK: usize = 52;

/// A playing card: one of four suits, a rank from 0 (ace) to 12 (king).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a rank (0 to 12, ace low) and a suit (0 to 3: hearts, diamonds, clubs, spades).
    pub const fn new(rank: u8, suit: u8) -> Option<Card> {
        if rank < 13 && suit < 4 {
            Some(Card(4 * rank + suit))
        } else {
            None
        }
    }

    /// The card with a number below 52.
    pub(crate) const fn from_number(number: u8) -> Option<Card> {
        Card::new(number / 4, number % 4)
    }

    /// The card of a symbol such as `TD`, however people write it.
    pub fn read(symbol: &str) -> Option<Card> {
        Face::read(symbol).map(|(face, _)| Card::from(face))
    }

    /// The card's number, below 52.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The card's rank, 0 (ace) to 12 (king).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 4
    }

    /// The card's suit, 0 to 3: hearts, diamonds, clubs, spades.
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 % 4
    }

    /// Returns whether the card is a heart or a diamond.
    #[inline]
    pub(crate) const fn is_red(self) -> bool {
        self.0 & 2 == 0
    }

    /// Twice its rank, plus one where it is black: cards of one class fit on the same cards.
    #[inline]
    pub(crate) const fn class(self) -> u8 {
        self.0 >> 1
    }

    /// The class of the cards that it may lie on: one rank higher, of the other colour.
    #[inline]
    pub(crate) const fn parent_class(self) -> u8 {
        (self.class() + 2) ^ 1
    }

    /// Returns whether the card may lie on `parent` in a column: one rank lower, of the other colour.
    #[inline]
    pub const fn fits_on(self, parent: Card) -> bool {
        self.parent_class() == parent.class()
    }

    /// Returns the face of the card: its suit and rank.
    pub fn face(self) -> Face {
        let suit = OTHER_ORDER[usize::from(self.suit())];
        Face::new(suit, self.rank() + 1).unwrap_or(Face::KING_OF_SPADES)
    }
}

/// The suits in the order of faces, and those of faces in the order here.
const OTHER_ORDER: [u8; 4] = [2, 1, 0, 3];

impl From<Face> for Card {
    fn from(face: Face) -> Card {
        let suit = OTHER_ORDER[usize::from(face.suit())];
        Card(4 * (face.rank() - 1) + suit)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.face().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cards_read_back_from_their_symbols() {
        for card in (0..52).map(|number| Card::from_number(number).unwrap()) {
            assert_eq!(Card::read(&card.to_string()), Some(card));
            assert_eq!(Card::new(card.rank(), card.suit()), Some(card));
        }
        assert_eq!(Card::from_number(52), None);
    }

    #[test]
    fn a_card_fits_on_two_cards_one_rank_higher() {
        let card = |symbol| Card::read(symbol).unwrap();
        let parents = ["QH", "QD", "QC", "QS"].map(|parent| card("JS").fits_on(card(parent)));
        assert_eq!(parents, [true, true, false, false]);
        for (low, high) in (0..52).flat_map(|low| (0..52).map(move |high| (low, high))) {
            let [low, high] = [low, high].map(|number| Card::from_number(number).unwrap());
            let fits = low.rank() + 1 == high.rank() && low.is_red() != high.is_red();
            assert_eq!(low.fits_on(high), fits);
        }
        assert!(!card("QH").fits_on(card("JS")) && !card("KH").fits_on(card("AS")));
    }
}
