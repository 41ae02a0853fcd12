//! What does not change during a search: the cards in their places at its root, and the rules.

use super::super::card::{Card, DECK};
use super::super::rules::Rules;
use super::super::table::{CardTable, TableauColumn};

/// The most columns.
pub const COLUMNS: usize = 7;
/// Every card of a full deck, as bits.
const ALL: u64 = (1 << DECK) - 1;

/// The bit of a card in a set of cards.
#[inline]
pub fn bit(card: Card) -> u64 {
    1 << card.number()
}

/// The cards of a set, lowest first.
pub fn cards(set: u64) -> impl Iterator<Item = Card> {
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
pub struct SearchConstants {
    /// The rules.
    pub rules: Rules,
    /// The locked cards of each column at the root, lowest first.
    pub locked: [[Card; 8]; COLUMNS],
    /// The column each card is locked in.
    pub column: [u8; DECK],
    /// Waste and stock at the root, in the order of a pass.
    pub stock: [Card; 24],
    /// The place of each card in it.
    pub place: [u8; DECK],
    /// The four cards that may go to empty columns.
    pub kings: u64,
    /// Bit `i` is set where `i` is a multiple of the number of cards drawn.
    pub packets: u32,
    /// The weight of each column's locked cards in the code of a state.
    pub lock_weight: [u32; COLUMNS],
    /// The weight of each foundation's height.
    pub height_weight: [u32; 4],
    /// The number of cards in play.
    pub cards: u8,
}

impl SearchConstants {
    /// The constants for searching from a table on.
    pub fn new(table: &CardTable) -> SearchConstants {
        let mut world = SearchConstants {
            rules: table.rules(),
            locked: [[Card::default(); 8]; COLUMNS],
            column: [0; DECK],
            stock: [Card::default(); 24],
            place: [0; DECK],
            kings: 0xf << (4 * table.king()),
            packets: packets(table.rules().draw),
            lock_weight: [0; COLUMNS],
            height_weight: [0; 4],
            cards: table.cards(),
        };
        let mut weight = 1;
        for (i, column) in table.columns().iter().enumerate() {
            let locked = locked(column, table.king());
            world.lock_weight[i] = weight;
            weight *= locked.len() as u32 + 1;
            for (slot, &card) in world.locked[i].iter_mut().zip(locked) {
                *slot = card;
                world.column[usize::from(card.number())] = i as u8;
            }
        }
        for height_weight in &mut world.height_weight {
            *height_weight = weight;
            weight = weight.wrapping_mul(u32::from(table.king()) + 2);
        }
        for (i, &card) in table.talon().iter().enumerate() {
            world.stock[i] = card;
            world.place[usize::from(card.number())] = i as u8;
        }
        world
    }
}

/// The locked cards of a column, lowest first.
pub fn locked(column: &TableauColumn, king: u8) -> &[Card] {
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
