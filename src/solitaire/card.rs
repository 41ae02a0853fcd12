//! Playing cards as small numbers.
//!
//! A card's number is `4 * rank + suit`, ranks from 0 (ace), suits hearts, diamonds, clubs,
//! spades: the upper bit of a suit is its colour. Knows no rules.

use std::fmt;

/// The ranks in order, ace first.
const RANKS: &str = "A23456789TJQK";
/// The suits in order: two red ones, two black ones.
const SUITS: &str = "HDCS";
/// Their signs.
const SIGNS: [char; 4] = ['♥', '♦', '♣', '♠'];
/// Cards in a full deck.
pub const DECK: usize = 52;

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
    pub const fn from_number(number: u8) -> Option<Card> {
        Card::new(number / 4, number % 4)
    }

    /// The card of a symbol such as `TD`, in capitals.
    pub fn from_symbol(symbol: &str) -> Option<Card> {
        let mut letters = symbol.chars();
        let rank = RANKS.find(letters.next()?)?;
        let suit = SUITS.find(letters.next()?)?;
        let card = Card::new(rank as u8, suit as u8)?;
        letters.next().is_none().then_some(card)
    }

    /// Its number, below 52.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its rank, 0 (ace) to 12 (king).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 4
    }

    /// Its suit, 0 to 3: hearts, diamonds, clubs, spades.
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 % 4
    }

    /// Whether it is a heart or a diamond.
    #[inline]
    pub const fn is_red(self) -> bool {
        self.0 & 2 == 0
    }

    /// Twice its rank, plus one where it is black: cards of one class fit on the same cards.
    #[inline]
    pub const fn class(self) -> u8 {
        self.0 >> 1
    }

    /// The class of the cards that it may lie on: one rank higher, of the other colour.
    #[inline]
    pub const fn parent_class(self) -> u8 {
        (self.class() + 2) ^ 1
    }

    /// Whether it may lie on `parent` in a column: one rank lower, of the other colour.
    #[inline]
    pub const fn fits_on(self, parent: Card) -> bool {
        self.parent_class() == parent.class()
    }

    /// Its rank and the sign of its suit, as printed on a card.
    pub fn pip(self) -> String {
        let rank = match self.rank() {
            9 => "10".to_owned(),
            _ => self.to_string().chars().take(1).collect(),
        };
        format!("{rank}{}", SIGNS[usize::from(self.suit())])
    }

    /// Its symbol: the suit in lower case where the card lies face down.
    pub fn symbol(self, face_down: bool) -> String {
        let text = self.to_string();
        match (text.split_at(1), face_down) {
            ((rank, suit), true) => format!("{rank}{}", suit.to_lowercase()),
            _ => text,
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rank, suit) = (usize::from(self.rank()), usize::from(self.suit()));
        write!(f, "{}{}", &RANKS[rank..=rank], &SUITS[suit..=suit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cards_read_back_from_their_symbols() {
        for card in (0..52).map(|number| Card::from_number(number).unwrap()) {
            assert_eq!(Card::from_symbol(&card.to_string()), Some(card));
            assert_eq!(Card::new(card.rank(), card.suit()), Some(card));
        }
        for wrong in ["", "T", "1C", "Ac", "ACE", "TX"] {
            assert_eq!(Card::from_symbol(wrong), None);
        }
        assert_eq!(Card::from_number(52), None);
    }

    #[test]
    fn a_card_fits_on_two_cards_one_rank_higher() {
        let card = |symbol| Card::from_symbol(symbol).unwrap();
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
