//! The constants of a search: the cards in their places at its root, and the rules.

use super::super::card::{Card, DECK};
use super::super::rules::Rules;
use super::super::table::{CardTable, TableauColumn};

/// Every card of a full deck, as bits.
const ALL: u64 = (1 << DECK) - 1;

/// The bit of a card in a set of cards.
#[inline]
pub(crate) fn bit(card: Card) -> u64 {
    1 << card.number()
}

/// The cards of a set, lowest first.
pub(crate) fn cards(set: u64) -> impl Iterator<Item = Card> {
    let mut rest = set & ALL;
    std::iter::from_fn(move || {
        let card = Card::from_number(rest.trailing_zeros() as u8)?;
        rest &= rest - 1;
        Some(card)
    })
}

/// The constants of a search.
///
/// A column's *locked* cards are those face down and the lowest one face up, its *base*; a king
/// that lies on no card is not locked, since it is as good as in any other empty column.
#[derive(Clone, Debug)]
pub(crate) struct SearchConstants {
    /// The rules.
    pub rules: Rules,
    /// The set that holds the locked card under each locked card; empty for the lowest.
    pub(crate) below: [u64; DECK],
    /// The locked cards that lie on none.
    pub(crate) lowest: u64,
    /// The weight of its column's locked cards in the code of a state, for each locked card.
    pub(crate) lock_weight: [u32; DECK],
    /// The weight of each foundation's height.
    pub(crate) height_weight: [u32; 4],
    /// The cards of waste and stock at the root, as sets of one, in the order of a pass.
    pub(crate) stock: [u64; 24],
    /// The place of each card in it.
    pub(crate) place: [u8; DECK],
    /// The four cards that may go to empty columns.
    pub(crate) kings: u64,
    /// Bit `i` is set where `i` is a multiple of the number of cards drawn.
    pub(crate) packets: u32,
    /// The number of cards in play.
    pub(crate) cards: u8,
    /// The bases that lie on cards at the root.
    pub(crate) covering: u64,
    /// The cards among them that may not be the first to leave these cards.
    pub(crate) barred: u64,
}

impl SearchConstants {
    /// The constants for searching from a table on.
    pub(crate) fn new(table: &CardTable) -> SearchConstants {
        let mut world = SearchConstants {
            rules: table.rules(),
            below: [0; DECK],
            lowest: 0,
            lock_weight: [0; DECK],
            height_weight: [0; 4],
            stock: [0; 24],
            place: [0; DECK],
            kings: 0xf << (4 * table.king()),
            packets: packets(table.rules().draw),
            cards: table.cards(),
            covering: 0,
            barred: 0,
        };
        let mut weight = 1;
        for column in table.columns() {
            let locked = locked(column, table.king());
            world.lock(locked, weight);
            weight *= locked.len() as u32 + 1;
        }
        for height_weight in &mut world.height_weight {
            *height_weight = weight;
            weight = weight.wrapping_mul(u32::from(table.king()) + 2);
        }
        for (i, &card) in table.talon().iter().enumerate() {
            world.stock[i] = bit(card);
            world.place[usize::from(card.number())] = i as u8;
        }
        world
    }

    /// Lets no face-down card be turned before the one under a base.
    pub(crate) fn begin_under(&mut self, base: Card) {
        self.barred = self.covering & !bit(base);
    }

    /// Returns whether the whole stock can be drawn at any moment: one card at a time, without limit.
    #[inline]
    pub(crate) fn is_all_at_hand(&self) -> bool {
        self.rules.draw == 1 && self.rules.passes.is_none()
    }

    /// The constants of the same table in the game that draws one card at a time, without limit.
    pub(crate) fn drawing_one(&self) -> SearchConstants {
        SearchConstants {
            rules: Rules {
                draw: 1,
                passes: None,
                ..self.rules
            },
            packets: packets(1),
            ..self.clone()
        }
    }

    fn lock(&mut self, locked: &[Card], weight: u32) {
        if let [_, .., base] = locked {
            self.covering |= bit(*base);
        }
        let mut below = 0;
        for &card in locked {
            let number = usize::from(card.number());
            self.below[number] = below;
            self.lock_weight[number] = weight;
            below = bit(card);
        }
        self.lowest |= locked.first().map_or(0, |&card| bit(card));
    }
}

/// The locked cards of a column, lowest first.
pub(crate) fn locked(column: &TableauColumn, king: u8) -> &[Card] {
    let is_free = |card: &Card| column.face_down() == 0 && card.rank() == king;
    match column.run().first() {
        Some(base) if !is_free(base) => &column.cards()[..=column.face_down()],
        _ => &[],
    }
}

fn packets(draw: u8) -> u32 {
    let draw = usize::from(draw.max(1));
    (0..32)
        .step_by(draw)
        .fold(0, |bits, place| bits | 1 << place)
}

#[cfg(test)]
mod tests {
    use super::super::super::deal::Deal;
    use super::super::super::rules::DeckShape;
    use super::*;
    use std::collections::HashSet;

    /// Two columns of one and two locked cards, four foundations of up to three.
    #[test]
    fn codes_tell_all_heights_and_locked_cards_apart() {
        let deck = DeckShape::new(2, 4, 3).unwrap();
        let deal = Deal::read(deck, "AH 2D 2H AC 3H 2C 3C AD 3D AS 2S 3S").unwrap();
        let world = SearchConstants::new(&CardTable::new(&deal, Rules::DRAW_3));
        let weight = |card: Card| world.lock_weight[usize::from(card.number())];
        let tops = [
            deal.columns().next().unwrap()[0],
            deal.columns().nth(1).unwrap()[1],
        ];
        let mut codes = HashSet::new();
        for number in 0..2 * 3 * 4_u32.pow(4) {
            let locked = [number % 2, number / 2 % 3];
            let heights = (0..4).map(|suit| number / 6 / 4_u32.pow(suit) % 4);
            let of_locks = tops
                .iter()
                .zip(locked)
                .map(|(&top, locked)| weight(top) * locked);
            let of_heights = world.height_weight.iter().zip(heights);
            let code = of_locks.chain(of_heights.map(|(weight, height)| weight * height));
            assert!(codes.insert(code.sum::<u32>()), "{number}");
        }
    }
}
