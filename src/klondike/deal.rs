//! Deals: the 52 cards in their columns, read, written and shuffled.
//!
//! One line, columns separated by `|`, head first, a lower-case suit for a card face down:
//! `AC | 5c 4S QC 7D 9S 6S | ...`. Knows no moves.

use std::fmt;
use std::str::FromStr;

use super::card::{Card, CardSet};
use super::layout::{ColumnShape, Layout, LayoutError};
use lab::rng::{Stream, shuffle};

/// A dealt deck: a layout and its deck's cards in the order they are dealt into it, column by column
/// and from the head of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    layout: Layout,
    cards: [Card; 52],
}

impl Deal {
    /// A shuffled deck dealt in order: column by column, the head of each column first.
    pub fn draw(layout: &Layout, stream: &mut Stream) -> Deal {
        let mut deal = Deal::sorted(layout);
        deal.redraw(stream);
        deal
    }

    /// The deck in order of suit and rank, dealt unshuffled.
    pub fn sorted(layout: &Layout) -> Deal {
        Deal {
            layout: layout.clone(),
            cards: layout.deck().sorted(),
        }
    }

    /// Replaces the cards by those [`Deal::draw`] would deal, keeping the layout's memory.
    pub fn redraw(&mut self, stream: &mut Stream) {
        self.cards = self.layout.deck().sorted();
        let size = self.layout.deck().size();
        shuffle(stream, &mut self.cards[..size]);
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The same layout with other cards, column by column, heads first; `None` unless they are the
    /// deck's.
    pub fn with_cards(layout: &Layout, cards: &[Card]) -> Option<Deal> {
        let deck = layout.deck();
        let is_deck = cards.len() == deck.size()
            && cards.iter().copied().collect::<CardSet>() == deck.cards();
        let mut deal = Deal::sorted(layout);
        let slots = deal.cards.get_mut(..cards.len()).filter(|_| is_deck)?;
        slots.copy_from_slice(cards);
        Some(deal)
    }

    /// The cards, column by column, heads first.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.layout.deck().size()]
    }

    /// The columns in order: the shape of each and its cards, head first.
    pub fn columns(&self) -> impl Iterator<Item = (ColumnShape, &[Card])> {
        let mut rest: &[Card] = self.cards();
        self.layout.columns().iter().map(move |&shape| {
            let (column, others) = rest.split_at(shape.cards().min(rest.len()));
            rest = others;
            (shape, column)
        })
    }
}

impl FromStr for Deal {
    type Err = DealError;

    fn from_str(text: &str) -> Result<Deal, DealError> {
        let mut reader = DealReader::default();
        for (i, column) in text.split('|').enumerate() {
            reader.column(i + 1, column)?;
        }
        reader.finish()
    }
}

/// What has been read of a deal so far.
#[derive(Default)]
struct DealReader {
    cards: Vec<Card>,
    seen: CardSet,
    shapes: Vec<ColumnShape>,
}

impl DealReader {
    fn column(&mut self, column: usize, text: &str) -> Result<(), DealError> {
        let mut shape = ColumnShape { down: 0, up: 0 };
        for (i, symbol) in text.split_whitespace().enumerate() {
            let place = TextPlace {
                column,
                card: i + 1,
            };
            let (card, face_down) = read_symbol(symbol).ok_or_else(|| DealError::Symbol {
                place,
                symbol: symbol.to_owned(),
            })?;
            if self.seen.contains(card) {
                return Err(DealError::Twice { place, card });
            }
            if face_down && shape.up > 0 {
                return Err(DealError::FaceDownOnFaceUp { place, card });
            }
            self.seen.insert(card);
            self.cards.push(card);
            let side = if face_down {
                &mut shape.down
            } else {
                &mut shape.up
            };
            *side += 1;
        }
        self.shapes.push(shape);
        Ok(())
    }

    fn finish(self) -> Result<Deal, DealError> {
        if let Some(card) = (CardSet::DECK - self.seen).pop() {
            return Err(DealError::Missing {
                card,
                cards: self.cards.len(),
            });
        }
        let layout = Layout::new(self.shapes)?;
        let mut deal = Deal::sorted(&layout);
        for (slot, card) in deal.cards.iter_mut().zip(self.cards) {
            *slot = card;
        }
        Ok(deal)
    }
}

/// The card of a symbol, and whether it lies face down.
fn read_symbol(symbol: &str) -> Option<(Card, bool)> {
    let mut letters = symbol.chars();
    let (rank, suit) = (letters.next()?, letters.next()?);
    let card = Card::from_symbol(rank, suit.to_ascii_uppercase())?;
    letters
        .next()
        .is_none()
        .then_some((card, suit.is_ascii_lowercase()))
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (shape, cards)) in self.columns().enumerate() {
            f.write_str(if i == 0 { "" } else { " | " })?;
            let symbol = |(j, card): (usize, &Card)| card.symbol(j < usize::from(shape.down));
            let symbols: Vec<String> = cards.iter().enumerate().map(symbol).collect();
            f.write_str(&symbols.join(" "))?;
        }
        Ok(())
    }
}

/// A place in the text of a deal, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The column.
    pub column: usize,
    /// The card in the column, from the head.
    pub card: usize,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, card {}", self.column, self.card)
    }
}

/// Why a text is not a deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// A symbol that is no card.
    #[error("{place}: `{symbol}` is not a card")]
    Symbol {
        /// Where.
        place: TextPlace,
        /// The text found.
        symbol: String,
    },
    /// A card that occurs a second time.
    #[error("{place}: {card} occurs a second time")]
    Twice {
        /// Where it occurs again.
        place: TextPlace,
        /// The card.
        card: Card,
    },
    /// A face-down card that lies on a face-up one.
    #[error("{place}: {card} is face down but lies on a face-up card")]
    FaceDownOnFaceUp {
        /// Where.
        place: TextPlace,
        /// The card.
        card: Card,
    },
    /// A card that does not occur.
    #[error("{card} is missing; cards given: {cards}")]
    Missing {
        /// The first missing card.
        card: Card,
        /// How many cards there are.
        cards: usize,
    },
    /// Columns that make no layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

impl DealError {
    /// What to write instead.
    pub const HELP: &'static str = "a deal is 52 cards such as `TD`, columns separated by `|`, \
        the head of each first, the suit in lower case for a card face down";
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::rng::Streams;

    fn yukon(seed: u64) -> Deal {
        let mut stream = Streams::new(seed).key("deal").stream(0);
        Deal::draw(&"yukon".parse().unwrap(), &mut stream)
    }

    /// Seeds 0 to 19.
    #[test]
    fn deals_read_back_from_their_text_with_or_without_blanks() {
        for deal in (0..20).map(yukon) {
            let text = deal.to_string();
            assert_eq!(text.parse().as_ref(), Ok(&deal));
            assert_eq!(text.replace(" | ", "|").parse(), Ok(deal));
        }
    }

    /// Seed 1978, sample 0: pins the order in which a shuffled deck is dealt.
    #[test]
    fn the_first_deal_of_a_seed_stays_what_it_was() {
        assert_eq!(yukon(1978).to_string(), GOLDEN);
    }

    /// Seed 1.
    #[test]
    fn bad_deals_are_refused_with_the_place_at_fault() {
        let text = yukon(1).to_string();
        let error = |text: String| text.parse::<Deal>().unwrap_err().to_string();
        let symbols: Vec<&str> = text.split_whitespace().collect();
        let (first, second) = (symbols[0], symbols[2]);
        let replaced = |new: &str| text.replacen(first, new, 1);
        assert_eq!(
            error(replaced("1C")),
            "column 1, card 1: `1C` is not a card"
        );
        assert_eq!(
            error(replaced("ACE")),
            "column 1, card 1: `ACE` is not a card"
        );
        let twice = second.to_uppercase();
        let expected = format!("column 2, card 1: {twice} occurs a second time");
        assert_eq!(error(replaced(&twice)), expected);
        let missing = format!("{first} is missing; cards given: 51");
        assert_eq!(error(replaced("")), missing);
        let hidden =
            replaced(&format!("{first} {second}")).replacen(&format!("| {second}"), "| ", 1);
        assert!(error(hidden).starts_with("column 1, card 2: "));
        assert!(error(String::new()).contains("is missing; cards given: 0"));
    }

    const GOLDEN: &str = "7H | 2s 3C QH 5S 8D QS | 5c Ts 4S AD TH 9H AS | 5d 7s Jh KS 7C 2D 2C 2H | \
        8h 5h 6s 3h TD 8S QD AC 6C | Jd Kh 6d Qc 3s 7D 9C 6H JC 9S | 3d 4d Js 4c 8c Kd AH KC 4H 9D TC";
}
