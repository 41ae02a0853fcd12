//! Deals: a shuffled deck in its columns and its stock, read and written on one line.
//!
//! The text is the cards separated by spaces: the columns from left to right, each bottom card
//! first, then the stock in the order of drawing; `|` may part them. Knows no moves.

use std::fmt;
use std::str::FromStr;

use super::card::{Card, DECK};
use super::rules::DeckShape;
use cards::{DealError, Face, Slot, WrittenTable};
use kit::rng::{Stream, shuffle};

/// A deck in the order it is dealt: column 1 (one card), column 2 (two cards), ..., the stock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    deck: DeckShape,
    cards: [Card; DECK],
}

impl Deal {
    /// A shuffled deck.
    pub fn draw(deck: DeckShape, stream: &mut Stream) -> Deal {
        let mut deal = Deal::sorted(deck);
        shuffle(stream, &mut deal.cards[..deck.len()]);
        deal
    }

    /// The cards in the order of rank and suit, unshuffled.
    pub fn sorted(deck: DeckShape) -> Deal {
        let mut cards = [Card::default(); DECK];
        for (slot, card) in cards.iter_mut().zip(deck.cards()) {
            *slot = card;
        }
        Deal { deck, cards }
    }

    /// Reads a table of a deck's cards.
    ///
    /// # Errors
    /// Says which card is at fault.
    pub fn read_table(deck: DeckShape, text: &str) -> Result<WrittenTable, DealError> {
        let faces: Vec<Face> = deck.cards().map(Card::face).collect();
        WrittenTable::read(text, &faces)
    }

    /// Reads the deal of a deck from its text.
    ///
    /// # Errors
    /// If a card is none of the deck, occurs twice or not at all, or lies where none is dealt.
    pub fn read(deck: DeckShape, text: &str) -> Result<Deal, DealError> {
        let table = Deal::read_table(deck, text)?.all_known()?;
        let elsewhere = || DealError::Rules("the cards do not lie as they are dealt".to_owned());
        Deal::of(deck, &table).ok_or_else(elsewhere)
    }

    /// The deal that was written, unknown cards in any order; `None` of a game in progress.
    pub(crate) fn of(deck: DeckShape, table: &WrittenTable) -> Option<Deal> {
        let is_new = table.foundations.is_empty() && table.waste.is_none() && table.pass.is_none();
        let lies_as_dealt = || {
            let sizes = table.columns.iter().chain(&table.stock).map(Vec::len);
            let dealt = (1..=deck.columns()).chain([deck.len() - deck.dealt()]);
            let turned = |column: &Vec<_>| !table.is_marked || turned(column) == 1;
            sizes.eq(dealt) && table.columns.iter().take(deck.columns()).all(turned)
        };
        if !is_new || table.is_divided && !lies_as_dealt() {
            return None;
        }
        let mut deal = Deal::sorted(deck);
        for (slot, (_, written)) in deal.cards.iter_mut().zip(table.slots()) {
            *slot = written.face.into();
        }
        Some(deal)
    }

    /// Returns the deck that was dealt.
    pub(crate) fn deck(&self) -> DeckShape {
        self.deck
    }

    /// Returns all cards in the order of the text.
    pub(crate) fn cards(&self) -> &[Card] {
        &self.cards[..self.deck.len()]
    }

    /// The columns from left to right, each bottom card first.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &[Card]> {
        let start = |column: usize| column * (column + 1) / 2;
        (0..self.deck.columns()).map(move |column| &self.cards[start(column)..start(column + 1)])
    }

    /// The stock in the order of drawing.
    pub(crate) fn stock(&self) -> &[Card] {
        &self.cards[self.deck.dealt()..self.deck.len()]
    }
}

/// The cards of a column from the first that lies face up on.
fn turned(column: &[Slot]) -> usize {
    column.iter().skip_while(|slot| slot.is_down).count()
}

impl FromStr for Deal {
    type Err = DealError;

    fn from_str(text: &str) -> Result<Deal, DealError> {
        Deal::read(DeckShape::FULL, text)
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.cards().iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(f, "{blank}{card}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

    fn deal(seed: u64, deck: DeckShape) -> Deal {
        Deal::draw(deck, &mut Streams::new(seed).key("deal").stream(0))
    }

    /// Seeds 0 to 19.
    #[test]
    fn deals_read_back_from_their_text() {
        for seed in 0..20 {
            for deck in [DeckShape::FULL, DeckShape::new(4, 3, 5).unwrap()] {
                let deal = deal(seed, deck);
                assert_eq!(Deal::read(deck, &deal.to_string()), Ok(deal));
            }
        }
    }

    #[test]
    fn column_j_has_j_cards_and_the_stock_the_rest() {
        let deal = deal(3, DeckShape::FULL);
        let lengths: Vec<usize> = deal.columns().map(<[Card]>::len).collect();
        assert_eq!(lengths, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(deal.stock().len(), 24);
        let parts = [
            deal.columns().collect::<Vec<_>>().concat(),
            deal.stock().to_vec(),
        ];
        assert_eq!(parts.concat(), deal.cards());
    }

    /// Seed 1978, sample 0: pins the order in which a shuffled deck is dealt.
    #[test]
    fn the_first_deal_of_a_seed_stays_what_it_was() {
        assert_eq!(deal(1978, DeckShape::FULL).to_string(), GOLDEN);
    }

    #[test]
    fn bad_deals_are_refused_with_the_card_at_fault() {
        let text = deal(1, DeckShape::FULL).to_string();
        let error = |text: &str| text.parse::<Deal>().unwrap_err().to_string();
        let (first, rest) = text.split_once(' ').unwrap();
        assert_eq!(error(&format!("1C {rest}")), "card 1: `1C` is not a card");
        assert_eq!(error(rest), format!("{first} is missing; cards given: 51"));
        let again = format!("card 53: {first} occurs a second time");
        assert_eq!(error(&format!("{text} {first}")), again);
        assert_eq!(error(""), "AH is missing; cards given: 0");
        let small = DeckShape::new(1, 1, 2).unwrap();
        assert!(Deal::read(small, "AH AC").is_err());
    }

    const GOLDEN: &str = "9H JH AC TD JS 6H KC 2H KH JC 4D 9S 9C TS 5D QD TH KS 2C 4C AD 7S 9D 8C \
        QH 8H 6C QC 7H AH 2D 6S TC 5C 3S JD 5S 3H 8S 3C QS 4S 5H KD AS 2S 7D 7C 4H 8D 6D 3D";
}
