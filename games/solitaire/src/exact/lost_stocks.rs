//! The stocks with which positions are lost, drawing one.
//!
//! Drawing one without limit, a position with more cards in the stock, and so fewer in the columns,
//! is at least as good as one with the same locked cards and heights. So a lost one answers for all
//! whose stock is a part of its own. Positions are given by their entries, without passes and waste.

use prefetch_index::prefetch_index;

/// The lists for which there is room at first.
const FIRST: usize = 1 << 11;
/// The bits of a code of locked cards and heights.
const CODE_BITS: u32 = 31;

/// The memory for a stock, its share of the lists and the room for growing included.
const BYTES: u64 = 32;

/// The place of the stocks of one code.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    code: u32,
    /// The place of its first stock. Behind it there is room for as many as the next power of two.
    start: u32,
    /// The number of its stocks; no list is empty.
    len: u32,
}

/// The stocks of each code in a row, and an open-addressed table that tells where.
#[derive(Clone, Debug)]
pub(crate) struct LostStocks {
    lists: Vec<List>,
    /// The lists in use.
    codes: usize,
    stocks: Vec<u32>,
    /// The stocks in use.
    filled: usize,
    most: usize,
}

impl LostStocks {
    /// An empty table, to take no more than `memory` bytes unless the first table does.
    pub(crate) fn new(memory: u64) -> LostStocks {
        LostStocks {
            lists: vec![List::default(); FIRST],
            codes: 0,
            stocks: Vec::new(),
            filled: 0,
            most: usize::try_from(memory / BYTES)
                .unwrap_or(usize::MAX)
                .max(FIRST),
        }
    }

    /// Asks the memory for the place of a position's list, without waiting for it.
    #[inline]
    pub(crate) fn ask_for(&self, entry: u64) {
        prefetch_index(&self.lists, self.home(code_of(entry)));
    }

    /// Returns whether a position with the code of this one, and a stock that holds its own, is lost.
    #[inline]
    pub(crate) fn has_superset(&self, entry: u64) -> bool {
        let stock = stock_of(entry);
        let list = self.lists[self.slot(code_of(entry))];
        self.stocks_of(list)
            .iter()
            .any(|held| held & stock == stock)
    }

    /// Remembers that a position is lost, if there is room.
    pub(crate) fn insert(&mut self, entry: u64) {
        let (stock, slot) = (stock_of(entry), self.slot(code_of(entry)));
        let list = self.lists[slot];
        let mut part = None;
        for (place, &held) in (list.start as usize..).zip(self.stocks_of(list)) {
            if held & stock == stock {
                return;
            }
            part = part.or((held & stock == held).then_some(place));
        }
        match part {
            Some(place) => self.stocks[place] = stock,
            None if self.filled < self.most => self.add(slot, entry),
            None => (),
        }
    }

    #[inline]
    fn stocks_of(&self, list: List) -> &[u32] {
        &self.stocks[list.start as usize..][..list.len as usize]
    }

    /// Adds a stock to the list at a slot; a list without room moves to the end.
    fn add(&mut self, slot: usize, entry: u64) {
        let mut list = self.lists[slot];
        if list.len == 0 {
            self.codes += 1;
            list.code = code_of(entry);
        }
        let (start, len) = (list.start as usize, list.len as usize);
        if len == 0 || len.is_power_of_two() {
            list.start = self.stocks.len() as u32;
            self.stocks.extend_from_within(start..start + len);
            self.stocks.resize(self.stocks.len() + len.max(1), 0);
        }
        self.stocks[list.start as usize + len] = stock_of(entry);
        list.len += 1;
        self.filled += 1;
        self.lists[slot] = list;
        if 2 * self.codes > self.lists.len() {
            self.grow();
        }
    }

    /// Makes room for twice as many lists.
    fn grow(&mut self) {
        let size = 2 * self.lists.len();
        for list in std::mem::replace(&mut self.lists, vec![List::default(); size]) {
            if list.len > 0 {
                let slot = self.slot(list.code);
                self.lists[slot] = list;
            }
        }
    }

    /// Returns the index of a code's list, or the empty one at which it would be.
    #[inline]
    fn slot(&self, code: u32) -> usize {
        let mut slot = self.home(code);
        while self.lists[slot].len > 0 && self.lists[slot].code != code {
            slot = (slot + 1) & (self.lists.len() - 1);
        }
        slot
    }

    #[inline]
    fn home(&self, code: u32) -> usize {
        let mixed = u64::from(code).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 32) as usize & (self.lists.len() - 1)
    }
}

#[inline]
fn code_of(entry: u64) -> u32 {
    (entry & ((1 << CODE_BITS) - 1)) as u32
}

#[inline]
fn stock_of(entry: u64) -> u32 {
    (entry >> CODE_BITS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(code: u32, stock: u32) -> u64 {
        u64::from(stock) << CODE_BITS | u64::from(code)
    }

    #[test]
    fn a_part_of_a_lost_stock_is_lost_under_the_same_code_alone() {
        let mut lost = LostStocks::new(1 << 20);
        lost.insert(entry(7, 0b1010));
        assert!(
            lost.has_superset(entry(7, 0b1010))
                && lost.has_superset(entry(7, 0b1000))
                && lost.has_superset(entry(7, 0))
        );
        assert!(!lost.has_superset(entry(7, 0b1011)) && !lost.has_superset(entry(8, 0b1010)));
        lost.insert(entry(7, 0b1110));
        assert!(lost.has_superset(entry(7, 0b0110)) && lost.has_superset(entry(7, 0b1010)));
        assert!(!lost.has_superset(entry(7, 0b1111)));
    }

    /// Sets of 24 bits of a linear congruence, under 97 codes.
    #[test]
    fn a_growing_table_forgets_nothing_and_a_full_one_stays_as_it_is() {
        for memory in [1 << 24, 1 << 16] {
            let mut lost = LostStocks::new(memory);
            let mut kept: Vec<(u32, u32)> = Vec::new();
            for i in 0..20_000_u32 {
                let (code, stock) = (i % 97, i.wrapping_mul(0x9e37_79b9) >> 8);
                lost.insert(entry(code, stock));
                kept.extend(
                    lost.has_superset(entry(code, stock))
                        .then_some((code, stock)),
                );
            }
            assert!(
                kept.iter()
                    .all(|&(code, stock)| lost.has_superset(entry(code, stock)))
            );
            assert_eq!(kept.len() == 20_000, memory == 1 << 24);
        }
    }
}
