//! Deals: the 52 cards in their columns, read, written and shuffled.
//!
//! One line, columns separated by `|`, head first, a lower-case suit for a card face down:
//! `AC | 5c 4S QC 7D 9S 6S | ...`. A game in progress is a deal with cards on its foundations.
//! Knows no moves.

use std::fmt;
use std::str::FromStr;

use super::card::{Card, CardSet};
use super::layout::{ColumnShape, Layout};
use cards::text::{Pile, Place};
use cards::{DealError, Face, Slot, WrittenTable};
use kit::rng::{Stream, shuffle};

/// A dealt deck: a layout and its deck's cards in the order they are dealt into it, column by column
/// and from the head of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    layout: Layout,
    cards: [Card; 52],
    /// Cards of the deck that are on the foundations already.
    founded: CardSet,
}

impl Deal {
    /// A shuffled deck dealt in order: column by column, the head of each column first.
    pub fn draw(layout: &Layout, stream: &mut Stream) -> Deal {
        let mut deal = Deal::sorted(layout);
        deal.shuffle(stream);
        deal
    }

    /// The deck in order of suit and rank, dealt unshuffled.
    pub(crate) fn sorted(layout: &Layout) -> Deal {
        Deal {
            layout: layout.clone(),
            cards: layout.deck().sorted(),
            founded: CardSet::EMPTY,
        }
    }

    /// Reads a table of the 52 cards.
    ///
    /// # Errors
    /// Says which card is at fault.
    pub(crate) fn read_table(text: &str) -> Result<WrittenTable, DealError> {
        let faces: Vec<Face> = CardSet::DECK.map(Card::face).collect();
        WrittenTable::read(text, &faces)
    }

    /// The deal or the game in progress that was written. A mere list of cards is dealt to
    /// `layout`.
    ///
    /// # Errors
    /// Says which part or which card does not belong where it is.
    pub(crate) fn of(table: &WrittenTable, layout: &Layout) -> Result<Deal, DealError> {
        if table.stock.is_some() || table.waste.is_some() || table.pass.is_some() {
            let message = "this game has columns and foundations, and nothing else";
            return Err(DealError::Rules(message.to_owned()));
        }
        let slots = table.columns.iter().flatten();
        let cards: Vec<Card> = slots.map(|slot| slot.face.into()).collect();
        let mut deal = Deal::sorted(layout);
        if table.is_divided {
            deal.founded = table.founded().into_iter().map(Card::from).collect();
            deal.layout = read_layout(&table.columns, cards.len())?;
        }
        deal.cards[..cards.len()].copy_from_slice(&cards);
        table.refuse_unseen(deal.face_up())?;
        Ok(deal)
    }

    /// Tells for each card in dealing order whether it lies face up.
    fn face_up(&self) -> impl Iterator<Item = bool> {
        self.layout.columns().iter().flat_map(|shape| {
            let down = usize::from(shape.down);
            (0..shape.cards()).map(move |card| card >= down)
        })
    }

    fn shuffle(&mut self, stream: &mut Stream) {
        let size = self.layout.deck().size();
        shuffle(stream, &mut self.cards[..size]);
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Builds a deal of a layout from its cards, column by column, heads first; `None` unless they
    /// are the deck's.
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
        &self.cards[..self.layout.deck().size() - self.founded.len() as usize]
    }

    /// The cards on the foundations from the start, those that a small deck lacks included.
    pub(crate) fn founded(&self) -> CardSet {
        self.founded | self.layout.deck().missing()
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

fn read_layout(columns: &[Vec<Slot>], cards: usize) -> Result<Layout, DealError> {
    let shapes = (1..).zip(columns);
    let shapes = shapes.map(|(column, slots)| read_shape(column, slots));
    let layout = Layout::of_cards(shapes.collect::<Result<_, _>>()?, cards);
    layout.map_err(|error| DealError::Rules(error.to_string()))
}

/// The cards of a column that lie face down, and those on them.
fn read_shape(column: usize, slots: &[Slot]) -> Result<ColumnShape, DealError> {
    let down = slots.iter().take_while(|slot| slot.is_down).count();
    match (1..).zip(slots).skip(down).find(|(_, slot)| slot.is_down) {
        Some((card, slot)) => {
            let pile = Pile::Column(column);
            let (place, face) = (Place { pile, card }, slot.face);
            let message = format!("{place}: {face} is face down but lies on a face-up card");
            Err(DealError::Rules(message))
        }
        None => Ok(ColumnShape {
            down: down as u8,
            up: (slots.len() - down) as u8,
        }),
    }
}

impl FromStr for Deal {
    type Err = DealError;

    /// Reads a deal without unknown cards. A mere list of cards is one column.
    fn from_str(text: &str) -> Result<Deal, DealError> {
        let one = Layout::of_cards(vec![ColumnShape { down: 0, up: 52 }], 52);
        let one = one.map_err(|error| DealError::Rules(error.to_string()))?;
        Deal::of(&Deal::read_table(text)?.all_known()?, &one)
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.founded.is_empty() {
            let tops = tops(self.founded).into_iter().flatten();
            let tops: Vec<String> = tops.map(|card| card.to_string()).collect();
            write!(f, "foundations: {} | ", tops.join(" "))?;
        }
        for (i, (shape, cards)) in self.columns().enumerate() {
            f.write_str(if i == 0 { "" } else { " | " })?;
            let is_down = |j: usize| j < usize::from(shape.down);
            let cards = cards.iter().enumerate();
            let symbols = cards.map(|(j, card)| card.face().symbol(is_down(j)));
            let symbols: Vec<String> = symbols.collect();
            f.write_str(&if symbols.is_empty() {
                "--".to_owned()
            } else {
                symbols.join(" ")
            })?;
        }
        Ok(())
    }
}

/// The top card of each foundation.
pub fn tops(founded: CardSet) -> [Option<Card>; 4] {
    [0, 1, 2, 3].map(|suit| {
        let mut ranks = (1..=13).rev().filter_map(|rank| Card::new(suit, rank));
        ranks.find(|&card| founded.contains(card))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

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

    /// Seed 3. Written as nothing, an empty column would be refused as a slip.
    #[test]
    fn an_empty_column_is_written_with_a_sign() {
        let layout: Layout = "3:6,3:6,3:6,3:6,3:5,3:5,0:0".parse().unwrap();
        let deal = Deal::draw(&layout, &mut Streams::new(3).key("deal").stream(0));
        let text = deal.to_string();
        assert!(text.ends_with(" | --"));
        assert_eq!(text.parse(), Ok(deal));
        let error = text.replace(" --", "").parse::<Deal>().unwrap_err();
        assert_eq!(error, DealError::Blank(Pile::Column(7)));
        let slip = yukon(1).to_string().replacen('|', "||", 1);
        let error = slip.parse::<Deal>().unwrap_err().to_string();
        assert!(
            error.starts_with("column 2 is blank; write `--`"),
            "{error}"
        );
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
