//! The rules as data: how cards are drawn from the stock, and what a deck holds.

use super::card::Card;

/// The most passes a limit may allow: enough to tell them from unlimited ones, few enough for the
/// fast search to count in four bits.
pub const MOST_PASSES: u8 = 15;

/// The price of a deck, in dollars.
pub const STAKE: i64 = 52;
/// The payment for each card on the foundations, in dollars.
pub const PRIZE: i64 = 5;

/// The price and the payment, in words.
const MONEY: &str = "You pay $52, and get $5 for every card on the foundations.";

/// Returns the payment of the casino for so many cards on the foundations, in dollars.
pub fn payout(foundation: u8) -> i64 {
    PRIZE * i64::from(foundation)
}

/// The gain of a game with so many cards on the foundations, in dollars.
pub fn money(foundation: u8) -> i64 {
    payout(foundation) - STAKE
}

/// The rules of play on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Cards drawn to the waste at once, at least 1; all that remain where there are fewer.
    pub draw: u8,
    /// The largest number of passes through the stock, 1 to [`MOST_PASSES`]; `None` without limit.
    pub passes: Option<u8>,
    /// True if a foundation's top card may be taken back to a column.
    pub worrying_back: bool,
}

impl Rules {
    /// Draw three, as often as one likes.
    pub const DRAW_3: Rules = Rules::new(3, None);
    /// Draw one, as often as one likes.
    pub const DRAW_1: Rules = Rules::new(1, None);
    /// The casino's game of three cards: three passes.
    pub const VEGAS_3: Rules = Rules::new(3, Some(3));
    /// The casino's game of one card: a single pass.
    pub const VEGAS_1: Rules = Rules::new(1, Some(1));
    /// The names of the four.
    pub const NAMES: &[&str] = &["draw-3", "draw-1", "vegas-3", "vegas-1"];

    /// Rules with worrying back.
    pub const fn new(draw: u8, passes: Option<u8>) -> Rules {
        Rules {
            draw,
            passes,
            worrying_back: true,
        }
    }

    /// The rules of a name.
    pub fn named(name: &str) -> Option<Rules> {
        match name {
            "draw-3" => Some(Rules::DRAW_3),
            "draw-1" => Some(Rules::DRAW_1),
            "vegas-3" => Some(Rules::VEGAS_3),
            "vegas-1" => Some(Rules::VEGAS_1),
            _ => None,
        }
    }

    /// The rules in three lines, with the casino's money where passes are limited.
    pub fn in_words(&self) -> String {
        let cards = match self.draw {
            1 => "one card".to_owned(),
            3 => "three cards".to_owned(),
            cards => format!("{cards} cards"),
        };
        let passes = match self.passes {
            None => "you may go through it as often as you like.".to_owned(),
            Some(1) => format!("you go through it once. {MONEY}"),
            Some(passes) => format!("you may go through it {passes} times. {MONEY}"),
        };
        let back = if self.worrying_back {
            "their top card may come back to a column"
        } else {
            "their cards stay there"
        };
        format!(
            "Columns build down in alternating colours; any run, or part of one, moves as one; a king may go \
             to an empty column.\nFoundations build up by suit from the ace; {back}.\nThe stock deals {cards} \
             at a time, and {passes}"
        )
    }

    /// Returns the rules with or without worrying back.
    pub const fn with_worrying_back(self, worrying_back: bool) -> Rules {
        Rules {
            worrying_back,
            ..self
        }
    }

    /// Returns whether a pass may begin after `passes` of them.
    pub(crate) fn allow_pass(self, passes: u8) -> bool {
        self.passes.is_none_or(|limit| passes < limit)
    }
}

/// The shape of a deck: its suits and ranks, and the columns it is dealt to; smaller ones serve
/// tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeckShape {
    columns: u8,
    suits: u8,
    ranks: u8,
}

impl DeckShape {
    /// 52 cards, seven columns.
    pub const FULL: DeckShape = DeckShape {
        columns: 7,
        suits: 4,
        ranks: 13,
    };

    /// The lowest `ranks` ranks of the first `suits` suits of hearts, clubs, diamonds, spades,
    /// dealt to `columns` columns; `None` if a number is out of its range, or if there are too few
    /// cards for the columns or more than 24 for the stock.
    pub fn new(columns: u8, suits: u8, ranks: u8) -> Option<DeckShape> {
        let in_range =
            (1..=7).contains(&columns) && (1..=4).contains(&suits) && (1..=13).contains(&ranks);
        let deck = DeckShape {
            columns,
            suits,
            ranks,
        };
        let fits = in_range && deck.dealt() <= deck.len() && deck.len() - deck.dealt() <= 24;
        fits.then_some(deck)
    }

    /// The number of columns.
    pub(crate) fn columns(self) -> usize {
        usize::from(self.columns)
    }

    /// The highest rank, which plays the king's part.
    pub(crate) fn king(self) -> u8 {
        self.ranks - 1
    }

    /// The number of cards.
    pub(crate) fn len(self) -> usize {
        usize::from(self.suits) * usize::from(self.ranks)
    }

    /// The number of cards dealt to the columns: 1 to the first, 2 to the second, and so on.
    pub(crate) fn dealt(self) -> usize {
        self.columns() * (self.columns() + 1) / 2
    }

    /// Returns whether it has a suit, 0 to 3.
    fn has_suit(self, suit: u8) -> bool {
        // Hearts, clubs, diamonds, spades: two suits already alternate in colour.
        [0, 2, 1, 3].get(usize::from(suit)) < Some(&self.suits)
    }

    /// The deck's cards in order.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        (0..4 * self.ranks)
            .filter_map(Card::from_number)
            .filter(move |card| self.has_suit(card.suit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_rules_are_those_of_the_casino_and_of_the_parlour() {
        let named = |name| Rules::named(name).unwrap();
        let facts = |rules: Rules| (rules.draw, rules.passes, rules.worrying_back);
        assert_eq!(facts(named("vegas-3")), (3, Some(3), true));
        assert_eq!(facts(named("vegas-1")), (1, Some(1), true));
        assert_eq!(facts(named("draw-3")), (3, None, true));
        assert_eq!(facts(named("draw-1")), (1, None, true));
        assert!(Rules::NAMES.iter().all(|name| Rules::named(name).is_some()));
        assert_eq!(Rules::named("draw-2"), None);
    }

    #[test]
    fn decks_have_the_cards_they_say() {
        assert_eq!(DeckShape::FULL.cards().count(), 52);
        assert_eq!(DeckShape::new(7, 4, 13), Some(DeckShape::FULL));
        let small = DeckShape::new(3, 2, 4).unwrap();
        let symbols: Vec<String> = small.cards().map(|card| card.to_string()).collect();
        assert_eq!(symbols.join(" "), "AH AC 2H 2C 3H 3C 4H 4C");
        for (columns, suits, ranks) in [(0, 4, 13), (8, 4, 13), (7, 4, 6), (5, 4, 13), (3, 5, 3)] {
            assert_eq!(DeckShape::new(columns, suits, ranks), None);
        }
    }
}
