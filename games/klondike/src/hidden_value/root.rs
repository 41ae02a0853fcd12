//! All orders of a small deck, grouped by the cards in sight after the deal.
//!
//! Columns of one shape may be exchanged: one deal of each kind is played, and counts for all.

use super::super::card::{Card, CardSet};
use super::super::deal::Deal;
use super::super::layout::Layout;
use super::super::pruned::View;
use super::{Beliefs, Totals};

/// The most cards of a deck whose orders are all played: 11! is 40 million.
pub const MOST_CARDS: usize = 11;

/// The totals over all orders of a layout's deck; `None` of decks with more than [`MOST_CARDS`].
pub fn totals(layout: &Layout) -> Option<Totals> {
    if layout.deck().size() > MOST_CARDS {
        return None;
    }
    let mut beliefs = Beliefs::default();
    let mut totals = Totals::default();
    each_view(layout, &mut |deal| {
        totals += beliefs.totals(&View::new(deal))
    });
    Some(totals * exchanges(layout))
}

/// Returns the number of ways to exchange columns of one shape with cards in sight.
fn exchanges(layout: &Layout) -> u64 {
    let columns = layout.columns();
    let like_it = |column: usize| {
        let before = columns[..=column].iter();
        before.filter(|&&shape| shape == columns[column]).count() as u64
    };
    let places = (0..columns.len()).filter(|&column| columns[column].up > 0);
    places.map(like_it).product()
}

/// Calls `each` with one deal for every way the cards in sight may fall, up to exchanges of columns
/// of one shape: of two such columns the first shows the lower first card.
fn each_view(layout: &Layout, each: &mut dyn FnMut(&Deal)) {
    let mut dealing = Dealing {
        layout,
        cards: Vec::new(),
        columns: Vec::new(),
        each,
    };
    dealing.next_column(layout.deck().cards());
}

/// A deal being put together.
struct Dealing<'a> {
    layout: &'a Layout,
    /// The face-up cards of the columns dealt.
    cards: Vec<Card>,
    /// The offset of each column among these cards.
    columns: Vec<usize>,
    each: &'a mut dyn FnMut(&Deal),
}

impl Dealing<'_> {
    /// Deals the next column, and all after it, in every way; `rest` are the cards left.
    fn next_column(&mut self, rest: CardSet) {
        self.columns.push(self.cards.len());
        self.next_card(rest);
        self.columns.pop();
    }

    fn next_card(&mut self, rest: CardSet) {
        let column = self.columns.len() - 1;
        let start = self.columns[column];
        let Some(shape) = self.layout.columns().get(column) else {
            return self.finish(rest);
        };
        if self.cards.len() - start == usize::from(shape.up) {
            return self.next_column(rest);
        }
        let floor = self.floor(column).filter(|_| self.cards.len() == start);
        for card in rest.filter(|&card| Some(card) > floor) {
            self.cards.push(card);
            self.next_card(rest - CardSet::of(card));
            self.cards.pop();
        }
    }

    /// The first card in sight of the last column of the same shape before this one.
    fn floor(&self, column: usize) -> Option<Card> {
        let shapes = self.layout.columns();
        let like_it = |&before: &usize| shapes[before] == shapes[column] && shapes[column].up > 0;
        let before = (0..column).rev().find(like_it)?;
        self.cards.get(self.columns[before]).copied()
    }

    /// Puts the cards of `rest` face down in order.
    fn finish(&mut self, mut rest: CardSet) {
        let mut cards = Vec::new();
        for (&start, shape) in self.columns.iter().zip(self.layout.columns()) {
            cards.extend(rest.by_ref().take(usize::from(shape.down)));
            cards.extend(&self.cards[start..start + usize::from(shape.up)]);
        }
        if let Some(deal) = Deal::with_cards(self.layout, &cards) {
            (self.each)(&deal);
        }
    }
}
