//! Decks: the whole pack of 52, or a small one whose games are solved in full.
//!
//! A small deck has fewer suits or ranks, and its highest rank is the king. A game with it is a
//! game of 52 cards in which the missing cards, the low ones and whole suits, were founded
//! beforehand. The rules therefore need no change. Its lowest rank plays the part of the ace.

use std::fmt;
use std::str::FromStr;

use super::card::{Card, CardSet};

/// A deck of 1 to 4 suits with 1 to 13 ranks each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deck {
    suits: u8,
    ranks: u8,
}

impl Deck {
    /// All 52 cards.
    pub const FULL: Deck = Deck {
        suits: 4,
        ranks: 13,
    };

    /// A deck of 1 to 4 suits and 1 to 13 ranks; `None` outside that.
    pub fn new(suits: u8, ranks: u8) -> Option<Deck> {
        let exists = (1..=4).contains(&suits) && (1..=13).contains(&ranks);
        exists.then_some(Deck { suits, ranks })
    }

    /// The number of suits, 1 to 4.
    pub fn suits(self) -> u8 {
        self.suits
    }

    /// The number of ranks, 1 to 13.
    pub fn ranks(self) -> u8 {
        self.ranks
    }

    /// The number of cards, 1 to 52.
    pub fn size(self) -> usize {
        usize::from(self.suits) * usize::from(self.ranks)
    }

    /// The deck's cards: the highest ranks of the first suits.
    pub(crate) fn cards(self) -> CardSet {
        CardSet::highest(self.suits, self.ranks)
    }

    /// The cards it lacks, which are on the foundations from the start.
    pub(crate) fn missing(self) -> CardSet {
        CardSet::DECK - self.cards()
    }

    /// The deck's cards in order of suit and rank, in the first [`Deck::size`] places. What follows has
    /// no meaning.
    pub(super) fn sorted(self) -> [Card; 52] {
        let mut cards = self.cards();
        let filler = Card::LAST;
        std::array::from_fn(|_| cards.pop().unwrap_or(filler))
    }
}

impl Default for Deck {
    fn default() -> Deck {
        Deck::FULL
    }
}

impl FromStr for Deck {
    type Err = DeckError;

    /// Reads `suits x ranks`, such as `2x5`.
    fn from_str(text: &str) -> Result<Deck, DeckError> {
        let numbers = text.split_once('x').and_then(|(suits, ranks)| {
            let (suits, ranks) = (suits.trim().parse().ok()?, ranks.trim().parse().ok()?);
            Deck::new(suits, ranks)
        });
        numbers.ok_or_else(|| DeckError {
            text: text.trim().to_owned(),
        })
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.suits, self.ranks)
    }
}

/// A text that is no deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a deck")]
pub struct DeckError {
    /// The text.
    pub text: String,
}

impl DeckError {
    /// The text to write instead.
    pub const HELP: &'static str =
        "give suits x ranks, 1 to 4 suits and 1 to 13 ranks: `4x13`, or a small deck such as `2x5`";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_deck_has_the_high_cards_of_the_first_suits() {
        let deck: Deck = "2x5".parse().unwrap();
        let cards: Vec<String> = deck.cards().map(|card| card.to_string()).collect();
        assert_eq!(
            cards,
            ["9C", "TC", "JC", "QC", "KC", "9D", "TD", "JD", "QD", "KD"]
        );
        assert_eq!(deck.size(), 10);
        assert_eq!(deck.missing().len(), 42);
        assert_eq!(Deck::FULL.cards(), CardSet::DECK);
        assert_eq!(deck.to_string(), "2x5");
    }

    #[test]
    fn what_is_no_deck_is_refused() {
        for text in ["", "2", "0x5", "5x5", "2x14", "2x0", "x", "2xa", "-1x4"] {
            assert_eq!(text.parse::<Deck>().unwrap_err().text, text);
        }
    }
}
