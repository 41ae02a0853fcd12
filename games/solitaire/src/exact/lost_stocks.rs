//! The stocks with which positions are lost, drawing one.
//!
//! Drawing one without limit, a position with more cards in the stock, and so fewer in the columns,
//! is at least as good as one with the same locked cards and heights. So a lost one answers for all
//! whose stock is a part of its own. Positions are given by their entries, without passes and waste.

/// A place that holds nothing: no entry has all bits set.
const NOTHING: u64 = u64::MAX;
/// The entries of the first table.
const FIRST: usize = 1 << 12;
/// The bits of a code of locked cards and heights.
const CODE_BITS: u32 = 31;

/// An open-addressed table in which the stocks of one code lie one after another.
#[derive(Clone, Debug)]
pub(crate) struct LostStocks {
    entries: Vec<u64>,
    filled: usize,
    most: usize,
}

impl LostStocks {
    /// An empty table, to take no more than `memory` bytes unless the first table does.
    pub(crate) fn new(memory: u64) -> LostStocks {
        LostStocks {
            entries: vec![NOTHING; FIRST],
            filled: 0,
            most: usize::try_from(memory / 8).unwrap_or(usize::MAX),
        }
    }

    /// Returns whether a position with the code of this one, and a stock that holds its own, is lost.
    #[inline]
    pub(crate) fn has_superset(&self, entry: u64) -> bool {
        let stock = stock_of(entry);
        self.of(code_of(entry))
            .any(|(_, held)| held & stock == stock)
    }

    /// Remembers that a position is lost, if there is room.
    pub(crate) fn insert(&mut self, entry: u64) {
        let (stock, mut part) = (stock_of(entry), None);
        for (slot, held) in self.of(code_of(entry)) {
            if held & stock == stock {
                return;
            }
            part = part.or((held & stock == held).then_some(slot));
        }
        match part {
            Some(slot) => self.entries[slot] = entry,
            None => self.add(entry),
        }
    }

    fn add(&mut self, entry: u64) {
        if 2 * self.filled >= self.entries.len() && !self.grow() {
            return;
        }
        let slot = self.free_slot(entry);
        self.entries[slot] = entry;
        self.filled += 1;
    }

    /// Makes the table twice as large; false if it may not be.
    fn grow(&mut self) -> bool {
        let size = 2 * self.entries.len();
        // Both tables are there while entries move.
        if size + self.entries.len() > self.most {
            return false;
        }
        for entry in std::mem::replace(&mut self.entries, vec![NOTHING; size]) {
            if entry != NOTHING {
                let slot = self.free_slot(entry);
                self.entries[slot] = entry;
            }
        }
        true
    }

    fn free_slot(&self, entry: u64) -> usize {
        let slots = self.from(self.home(code_of(entry)));
        slots
            .into_iter()
            .find(|&slot| self.entries[slot] == NOTHING)
            .expect("half of the slots are empty")
    }

    /// The stocks of a code, with their slots.
    #[inline]
    fn of(&self, code: u32) -> impl Iterator<Item = (usize, u32)> {
        self.from(self.home(code))
            .map(|slot| (slot, self.entries[slot]))
            .take_while(|&(_, entry)| entry != NOTHING)
            .filter(move |&(_, entry)| code_of(entry) == code)
            .map(|(slot, entry)| (slot, stock_of(entry)))
    }

    /// All slots from one on, in a circle.
    #[inline]
    fn from(&self, first: usize) -> impl Iterator<Item = usize> {
        let mask = self.entries.len() - 1;
        (first..first + self.entries.len()).map(move |slot| slot & mask)
    }

    #[inline]
    fn home(&self, code: u32) -> usize {
        let mixed = u64::from(code).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 32) as usize & (self.entries.len() - 1)
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
