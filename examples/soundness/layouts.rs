//! Games of solitaire in progress, of the whole deck.
//!
//! They are not played but laid out: foundations of nearly the same height, short runs on face-down cards, and the
//! rest in stock and waste. There the positions are common in which a rule of the search matters.

use std::cmp::Reverse;

use kit::rng::{Stream, below, shuffle};
use solitaire::card::Card;
use solitaire::rules::{DeckShape, Rules};
use solitaire::table::CardTable;

/// A game in progress, whatever the rules.
#[derive(Clone, Debug)]
pub struct Layout {
    columns: Vec<(Vec<Card>, usize)>,
    foundations: [u8; 4],
    waste: Vec<Card>,
    stock: Vec<Card>,
}

impl Layout {
    /// Draws a layout.
    pub fn draw(stream: &mut Stream) -> Layout {
        loop {
            if let Some(layout) = Layout::attempt(stream) {
                return layout;
            }
        }
    }

    /// A layout; `None` if the stock would have more cards than a game has there.
    fn attempt(stream: &mut Stream) -> Option<Layout> {
        let kind = Kind::draw(stream);
        let foundations = kind.foundations(stream);
        let mut rest: Vec<Card> = DeckShape::FULL.cards().collect();
        rest.retain(|card| card.rank() >= foundations[usize::from(card.suit())]);
        shuffle(stream, &mut rest);
        let mut buried = Vec::new();
        if !matches!(kind, Kind::Open { .. }) {
            let is_king = |card: &mut Card| card.rank() == 12;
            buried = rest.extract_if(.., is_king).collect();
            let spread = 1 + below(stream, 6);
            rest.sort_by_cached_key(|card| Reverse(u64::from(card.rank()) + below(stream, spread)));
        }
        let [twins, place] = kind.runs(&mut rest);
        let dead = match below(stream, 2) {
            0 => dead_column(&mut buried, &mut rest, stream),
            _ => None,
        };
        if let Kind::Twins { other, .. } = kind {
            let missing = Card::new(foundations[usize::from(other ^ 1)], other ^ 1);
            buried.extend(rest.extract_if(.., |card| Some(*card) == missing));
        }
        let chance = if buried.is_empty() { 1 } else { 3 };
        let mut columns = Vec::new();
        for number in 0..7 - dead.iter().len() as u64 {
            let run = match number {
                2 => &place,
                5 => &twins,
                _ => &Vec::new(),
            };
            columns.push(match below(stream, 6) {
                luck if luck < chance && run.is_empty() => (Vec::new(), 0),
                _ => column(number, run, [&mut buried, &mut rest], stream),
            });
        }
        columns.extend(dead);
        if rest.len() > 24 || !buried.is_empty() {
            return None;
        }
        shuffle(stream, &mut rest);
        let turned = below(stream, 3) * below(stream, rest.len() as u64 + 1) / 2;
        let stock = rest.split_off(turned as usize);
        Some(Layout {
            columns,
            foundations,
            waste: rest,
            stock,
        })
    }

    /// The table in its first pass.
    pub fn table(&self, rules: Rules) -> CardTable {
        self.table_after(0, rules)
    }

    /// The table after so many passes.
    pub fn table_after(&self, passes: u8, rules: Rules) -> CardTable {
        let talon = (self.waste.as_slice(), self.stock.as_slice());
        CardTable::in_progress(rules, &self.columns, self.foundations, talon, passes)
    }

    /// Renames the suits, colours staying apart, and puts the columns into another order.
    pub fn relabelled(&self, stream: &mut Stream) -> Layout {
        let mut pairs = [[0, 1], [2, 3]];
        pairs.iter_mut().for_each(|pair| shuffle(stream, pair));
        shuffle(stream, &mut pairs);
        let names = pairs.as_flattened();
        let rename = |card: &Card| {
            let suit = names[usize::from(card.suit())];
            Card::new(card.rank(), suit).unwrap_or(*card)
        };
        let all = |cards: &[Card]| cards.iter().map(rename).collect::<Vec<_>>();
        let mut foundations = [0; 4];
        for (height, name) in self.foundations.iter().zip(names) {
            foundations[usize::from(*name)] = *height;
        }
        let columns = self.columns.iter().map(|(cards, down)| (all(cards), *down));
        let mut columns: Vec<_> = columns.collect();
        shuffle(stream, &mut columns);
        Layout {
            columns,
            foundations,
            waste: all(&self.waste),
            stock: all(&self.stock),
        }
    }
}

/// The way in which a game in progress is laid out.
#[derive(Clone, Copy)]
enum Kind {
    /// Foundations from this height on.
    Open { low: u8 },
    /// The kings lie face down, so that most columns are empty and useless, low cards lie in the others, and high ones
    /// in the stock.
    Tight { low: u8 },
    /// A tight table with a card of this rank and suit that is next on its foundation. It lies under its child, which
    /// fits on its twin alone. The twin is on its foundation, and so is the card that it could come back to, mostly. What
    /// the child's foundation waits for lies face down.
    Twins { rank: u8, suit: u8, other: u8 },
}

impl Kind {
    fn draw(stream: &mut Stream) -> Kind {
        let low = below(stream, 8) as u8;
        let suit = below(stream, 4) as u8;
        match below(stream, 3) {
            0 => Kind::Open { low },
            1 => Kind::Tight { low },
            _ => Kind::Twins {
                rank: low + 3,
                suit,
                other: (suit ^ 2) ^ below(stream, 2) as u8,
            },
        }
    }

    /// The number of cards on each foundation.
    fn foundations(self, stream: &mut Stream) -> [u8; 4] {
        match self {
            Kind::Open { low } | Kind::Tight { low } => {
                [0; 4].map(|_: u8| low + below(stream, 5) as u8)
            }
            Kind::Twins { rank, suit, other } => {
                let mut heights = [0; 4];
                let mut set = |suit: u8, height: u64| heights[usize::from(suit)] = height as u8;
                let rank = u64::from(rank);
                set(suit, rank);
                set(suit ^ 1, rank + 1 + below(stream, 4) / 3);
                set(other, rank + 2 + below(stream, 4) / 3);
                set(other ^ 1, rank - 2 - below(stream, 2));
                heights
            }
        }
    }

    /// Takes the cards that are to lie face up on columns: a run with the card under its child, and one on which the
    /// parent of the twin fits.
    fn runs(self, rest: &mut Vec<Card>) -> [Vec<Card>; 2] {
        let Kind::Twins { rank, suit, other } = self else {
            return [Vec::new(), Vec::new()];
        };
        let mut take = |cards: &[(u8, u8)]| -> Vec<Card> {
            let cards = cards
                .iter()
                .filter_map(|&(rank, suit)| Card::new(rank, suit));
            let cards: Vec<Card> = cards.filter(|card| rest.contains(card)).collect();
            rest.retain(|card| !cards.contains(card));
            cards
        };
        let run = take(&[(rank + 1, other ^ 1), (rank, suit), (rank - 1, other ^ 1)]);
        let place = take(&[(rank + 2, suit)]);
        [run, place]
    }
}

/// The last column, dead: a queen lies on all kings and on the jack of her suit. Such a table is lost, so that no short
/// attempt wins it, and the search that goes to the end must find the largest count.
fn dead_column(
    kings: &mut Vec<Card>,
    rest: &mut Vec<Card>,
    stream: &mut Stream,
) -> Option<(Vec<Card>, usize)> {
    let suit = below(stream, 4) as u8;
    let [jack, queen] = [Card::new(10, suit)?, Card::new(11, suit)?];
    if kings.len() < 4 || !rest.contains(&jack) || !rest.contains(&queen) {
        return None;
    }
    rest.retain(|&card| card != jack && card != queen);
    let mut cards = std::mem::take(kings);
    cards.extend([jack, queen]);
    Some((cards, 5))
}

/// Deals a column: face-down cards, first those that must be, and a run face up, or one card and what happens to fit on it.
fn column(
    number: u64,
    run: &[Card],
    [buried, rest]: [&mut Vec<Card>; 2],
    stream: &mut Stream,
) -> (Vec<Card>, usize) {
    let down = match below(stream, 3) {
        0 if buried.is_empty() => 0,
        _ => below(stream, number + 1) as usize,
    };
    let mut cards = buried.split_off(buried.len().saturating_sub(down));
    let down = down.min(cards.len() + rest.len().saturating_sub(1));
    cards.extend(rest.split_off(rest.len() - (down - cards.len())));
    if !run.is_empty() {
        cards.extend(run);
        return (cards, down);
    }
    let Some(mut last) = rest.pop() else {
        // Nothing is left to lie face up: the cards face down go back.
        rest.append(&mut cards);
        return (Vec::new(), 0);
    };
    cards.push(last);
    while below(stream, 4) > 0 {
        let Some(next) = rest.iter().position(|card| card.fits_on(last)) else {
            break;
        };
        last = rest.remove(next);
        cards.push(last);
    }
    (cards, down)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

    /// Seed 1: 3,000 layouts and their relabelled images have each card once, and no run out of order.
    #[test]
    fn layouts_are_whole_decks() {
        let mut stream = Streams::new(1).key("layouts").stream(0);
        for _ in 0..3_000 {
            let layout = Layout::draw(&mut stream);
            for layout in [layout.relabelled(&mut stream), layout] {
                let table = layout.table(Rules::DRAW_1);
                let mut cards = table.talon().to_vec();
                for column in table.columns() {
                    cards.extend(column.cards());
                    assert!(column.run().windows(2).all(|pair| pair[1].fits_on(pair[0])));
                    assert_eq!(column.run().is_empty(), column.cards().is_empty());
                }
                for (suit, height) in (0..).zip(table.foundations()) {
                    cards.extend((0..height).filter_map(|rank| Card::new(rank, suit)));
                }
                cards.sort_unstable();
                assert!(cards.into_iter().eq(DeckShape::FULL.cards()), "{layout:?}");
            }
        }
    }
}
