//! A position of the search: which cards are locked, founded, in the stock; not who lies on whom.
//!
//! The arrangement of free face-up cards is left out. Of the two cards of a rank and colour, the
//! *parents*, and the two cards that fit on them, the *children*, it matters only how many lie in
//! the columns: as long as there are more parents than free children, any parent can be bared by
//! moving a child, and if there are as many, none can. SOUNDNESS.md has the argument.

use super::super::card::Card;
use super::super::table::Table;
use super::world::{COLUMNS, World, bit, locked};

/// The lower bit of each pair of cards of a rank and a colour.
const PAIRS: u64 = 0x5555_5555_5555_5555;
/// The red cards.
const RED: u64 = 0x3333_3333_3333_3333;
/// The aces.
const ACES: u64 = 0xf;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Cards face up in the columns.
    pub visible: u64,
    /// Those of them that are bases: they lie on face-down cards, or on none and are no kings.
    pub bases: u64,
    /// Cards in stock and waste.
    pub in_stock: u64,
    /// The places of `World::stock` that still hold a card.
    pub stock: u32,
    /// The mixed-radix number of locked cards and heights.
    code: u32,
    /// The number of locked cards of each column.
    pub locked: [u8; COLUMNS],
    /// The height of each foundation; 14 for a suit that the deck has not.
    pub heights: [u8; 4],
    /// Cards in the waste.
    pub waste: u8,
    /// Passes completed.
    pub pass: u8,
    /// Columns without cards.
    pub empty: u8,
    /// Cards on the foundations.
    pub founded: u8,
}

/// Which cards can be bared and placed.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// Cards that would find a place in the columns.
    pub landing: u64,
    /// Cards that are the last of their columns, or can be made so.
    pub bare: u64,
}

impl State {
    /// The position of a table.
    pub fn new(world: &World, table: &Table) -> State {
        let mut state = State {
            visible: 0,
            bases: 0,
            in_stock: table.talon().iter().map(|&card| bit(card)).sum(),
            stock: ((1_u64 << table.talon().len()) - 1) as u32,
            code: 0,
            locked: [0; COLUMNS],
            heights: table.foundations(),
            waste: table.waste().len() as u8,
            pass: table.pass(),
            empty: 0,
            founded: table.founded(),
        };
        for (i, column) in table.columns().iter().enumerate() {
            let locked = locked(column, table.king());
            state.locked[i] = locked.len() as u8;
            state.code += world.lock_weight[i] * locked.len() as u32;
            state.bases |= locked.last().map_or(0, |&base| bit(base));
            state.visible |= column.run().iter().map(|&card| bit(card)).sum::<u64>();
            state.empty += u8::from(column.cards().is_empty());
        }
        for (weight, height) in world.height_weight.iter().zip(state.heights) {
            state.code += weight * u32::from(height);
        }
        state.set_missing_suits(table);
        state.rest(world);
        state
    }

    /// Suits that the deck has not count as complete: their cards wait nowhere.
    fn set_missing_suits(&mut self, table: &Table) {
        let hidden = table.columns().iter().flat_map(|column| column.cards());
        let cards = hidden.chain(table.talon());
        let seen = cards.fold(0, |suits, card| suits | 1_u8 << card.suit());
        for (suit, height) in self.heights.iter_mut().enumerate() {
            if *height == 0 && seen >> suit & 1 == 0 {
                *height = 14;
            }
        }
    }

    /// One number for the position, its parts in the order: passes, waste, stock, code.
    #[inline]
    pub fn entry(&self) -> u64 {
        u64::from(self.pass) << 60
            | u64::from(self.waste) << 55
            | u64::from(self.stock) << 31
            | u64::from(self.code)
    }

    /// The cards that the foundations wait for.
    #[inline]
    pub fn next(&self) -> u64 {
        let [h, d, c, s] = self.heights.map(u32::from);
        1 << (4 * h) | 2 << (4 * d) | 4 << (4 * c) | 8 << (4 * s)
    }

    /// What can be bared and placed.
    #[inline]
    pub fn slots(&self, world: &World) -> Slots {
        let (any_parent, both_parents) = pairs(swap_colours(self.visible) >> 4);
        let (any_child, both_children) = pairs(self.visible & !self.bases);
        let pairs = any_parent & !any_child | both_parents & !both_children;
        let open = pairs | pairs << 1;
        let kings = if self.empty > 0 { world.kings } else { 0 };
        Slots {
            landing: open | kings,
            bare: swap_colours(open) << 4 | ACES,
        }
    }

    /// Whether a card that its foundation waits for may go there at once: no card that could want
    /// to lie on it is needed in the columns.
    #[inline]
    pub fn is_safe(&self, card: Card) -> bool {
        let (rank, suit) = (card.rank(), usize::from(card.suit()));
        let height = |other: usize| self.heights[suit ^ other];
        height(1) + 2 >= rank && height(2) + 1 >= rank && height(3) + 1 >= rank
    }

    /// The waste size at which a card of the stock is the waste's top.
    #[inline]
    pub fn waste_size(&self, world: &World, card: Card) -> u8 {
        let place = u32::from(world.place[usize::from(card.number())]);
        (self.stock & ((2 << place) - 1)).count_ones() as u8
    }

    /// Cards in stock and waste.
    #[inline]
    pub fn stock_len(&self) -> u8 {
        self.stock.count_ones() as u8
    }

    /// The earliest pass in which the waste can have a size, if any.
    #[inline]
    pub fn pass_for(&self, world: &World, size: u8) -> Option<u8> {
        let is_end = size == self.stock_len();
        let is_packet = |size: u8| world.packets >> size & 1 == 1;
        if size == self.waste || size > self.waste && (is_end || is_packet(size - self.waste)) {
            return Some(self.pass);
        }
        let later = (is_end || is_packet(size)) && world.rules.allow_pass(self.pass + 1);
        let pass = self.pass + u8::from(world.rules.passes.is_some());
        later.then_some(pass)
    }

    /// Takes a card out of the stock; `pass` comes from [`pass_for`](Self::pass_for).
    #[inline]
    pub fn draw(&mut self, world: &World, card: Card, pass: u8) {
        self.waste = self.waste_size(world, card) - 1;
        self.pass = pass;
        self.stock &= !(1 << world.place[usize::from(card.number())]);
        self.in_stock &= !bit(card);
        self.rest(world);
    }

    /// Without limit of passes a waste of whole packets, or the whole stock, is as good as none.
    #[inline]
    fn rest(&mut self, world: &World) {
        let is_whole = world.packets >> self.waste & 1 == 1 || self.waste == self.stock_len();
        if world.rules.passes.is_none() && is_whole {
            self.waste = 0;
        }
    }

    /// Puts a card that lies nowhere on its foundation.
    #[inline]
    pub fn found(&mut self, world: &World, card: Card) {
        let suit = usize::from(card.suit());
        self.heights[suit] += 1;
        self.code += world.height_weight[suit];
        self.founded += 1;
    }

    /// Takes a card out of the columns.
    #[inline]
    pub fn lift(&mut self, world: &World, card: Card) {
        self.visible &= !bit(card);
        if self.bases & bit(card) != 0 {
            self.unlock(world, card);
        } else if world.kings & bit(card) != 0 {
            self.empty += 1;
        }
    }

    /// Puts a card that lies nowhere into the columns.
    #[inline]
    pub fn land(&mut self, world: &World, card: Card) {
        self.visible |= bit(card);
        self.settle_king(world, card);
    }

    /// Takes the top card off its foundation.
    #[inline]
    pub fn take_back(&mut self, world: &World, card: Card) {
        let suit = usize::from(card.suit());
        self.heights[suit] -= 1;
        self.code -= world.height_weight[suit];
        self.founded -= 1;
    }

    /// A base leaves the cards it lies on for another card or, a king, for an empty column.
    #[inline]
    pub fn free_base(&mut self, world: &World, card: Card) {
        self.settle_king(world, card);
        self.unlock(world, card);
    }

    #[inline]
    fn settle_king(&mut self, world: &World, card: Card) {
        self.empty -= u8::from(world.kings & bit(card) != 0);
    }

    /// A base is locked no longer: the card below it becomes the base, or a free king.
    fn unlock(&mut self, world: &World, card: Card) {
        let column = usize::from(world.column[usize::from(card.number())]);
        self.bases &= !bit(card);
        self.pop_lock(world, column);
        let Some(left) = self.locked[column].checked_sub(1) else {
            self.empty += 1;
            return;
        };
        let base = bit(world.locked[column][usize::from(left)]);
        self.visible |= base;
        if left == 0 && world.kings & base != 0 {
            self.pop_lock(world, column);
        } else {
            self.bases |= base;
        }
    }

    fn pop_lock(&mut self, world: &World, column: usize) {
        self.locked[column] -= 1;
        self.code -= world.lock_weight[column];
    }
}

/// Every card of a set changed for the card of its rank and the other colour, hearts for clubs.
#[inline]
fn swap_colours(set: u64) -> u64 {
    (set & RED) << 2 | set >> 2 & RED
}

/// For each pair of cards, at its lower bit: whether the set has one of them, and both.
#[inline]
fn pairs(set: u64) -> (u64, u64) {
    let (one, other) = (set & PAIRS, set >> 1 & PAIRS);
    (one | other, one & other)
}
