//! The positions met so far, with the best stock in which each was met.
//!
//! An open-addressed table of whole positions, one 64-bit word each: nothing is ever taken for
//! something else. It grows with the search up to a stated size and then refuses.

use prefetch_index::prefetch_index;

/// A place that holds nothing: no entry has all bits set.
const NOTHING: u64 = u64::MAX;
/// The entries a search begins with.
const FIRST: usize = 1 << 11;

/// The bits of an entry that tell positions apart whatever their stock's state.
const POSITION_BITS: u32 = 55;
/// Wastes of any size, as bits.
pub(crate) const ANY: u32 = u32::MAX;
/// Stands for no waste with a remainder.
const NO_PACKETS: u64 = 0xf;

/// The rule by which one position is as good as another that differs from it in passes and waste
/// alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StockOrder {
    /// A position with the same waste and no more passes used is as good.
    #[default]
    Passes,
    /// A position with fewer passes used, or as many and no larger waste, is as good: where one card is
    /// drawn at a time.
    PassesAndWaste,
    /// A position with no more whole packets in the waste and as many cards beyond them is as good, if passes
    /// are not limited and so many cards, two or three, are drawn at a time. Any waste is as good as none.
    Remainders(u8),
}

impl StockOrder {
    /// The lower bits of an entry in which alike positions agree.
    #[inline]
    fn key_bits(self) -> u32 {
        match self {
            StockOrder::Passes => POSITION_BITS + 5,
            _ => POSITION_BITS,
        }
    }

    /// Returns whether the position of `found`, which the table holds, is as good as that of
    /// `entry`.
    #[inline]
    fn covers(self, held: u64, entry: u64) -> bool {
        match self {
            StockOrder::Remainders(draw) => match remainder(entry, draw) {
                Some((shift, packets)) => held >> shift & NO_PACKETS <= packets,
                None => true,
            },
            _ => held <= entry,
        }
    }

    /// The waste sizes, as bits, that contain all that the position of `entry` comes by and the
    /// same one of `held`, which is not as good, did not.
    #[inline]
    fn offered_only_by(self, entry: u64, held: u64) -> u32 {
        match self {
            // Both come by whole packets, by the whole stock, and by what lies above `held`.
            StockOrder::Remainders(draw) => {
                let sizes = waste(entry)..32;
                let known = match remainder(entry, draw) {
                    Some((shift, _)) => held >> shift & NO_PACKETS,
                    None => 0,
                };
                let is_new = |&size: &u8| u64::from(size / draw) < known;
                sizes
                    .step_by(usize::from(draw))
                    .filter(is_new)
                    .fold(0, |set, size| set | 1 << size)
            }
            _ => ANY,
        }
    }

    /// Returns the new entry of the table for a position that is offered as `entry`, given the one
    /// that it held.
    #[inline]
    fn joined(self, held: Option<u64>, entry: u64) -> u64 {
        let StockOrder::Remainders(draw) = self else {
            return entry;
        };
        let none = entry & ((1 << POSITION_BITS) - 1) | 0xff << POSITION_BITS;
        let held = held.unwrap_or(none);
        match remainder(entry, draw) {
            Some((shift, packets)) => held & !(NO_PACKETS << shift) | packets << shift,
            None => held,
        }
    }
}

/// The waste of an entry.
#[inline]
fn waste(entry: u64) -> u8 {
    (entry >> POSITION_BITS) as u8 & 31
}

/// Returns the bit position at which the table keeps the fewest packets met with the remainder of
/// an entry's waste, and the number of packets of the entry; `None` without remainder.
#[inline]
fn remainder(entry: u64, draw: u8) -> Option<(u32, u64)> {
    let waste = waste(entry);
    let (packets, remainder) = (waste / draw, waste % draw);
    let shift = POSITION_BITS + 4 * u32::from(remainder).checked_sub(1)?;
    Some((shift, u64::from(packets)))
}

/// The result of offering a position to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// The position is new; it is remembered now.
    New,
    /// The position was met before, but not with a stock as good; it is remembered now. The waste
    /// sizes, as bits, contain all whose top cards it did not offer then.
    Again {
        /// The sizes.
        sizes: u32,
    },
    /// The position was met before with a stock at least as good.
    Before,
    /// The table has no room for the position.
    Full,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    entries: Vec<u64>,
    size: usize,
    filled: usize,
    most: usize,
    order: StockOrder,
}

impl Seen {
    /// Forgets everything, to take no more than `memory` bytes from now on, the room for growing
    /// included.
    pub(crate) fn clear(&mut self, order: StockOrder, memory: u64) {
        let most = (memory / 8 * 3 / 4).max(FIRST as u64);
        self.most = usize::try_from(most).unwrap_or(usize::MAX);
        self.order = order;
        self.filled = 0;
        self.make_room(0, FIRST.min(self.most));
    }

    /// The number of positions remembered.
    pub(crate) fn len(&self) -> usize {
        self.filled
    }

    /// Returns the hash of an entry's position, by which the entry is looked up.
    #[inline]
    pub(crate) fn hash(&self, entry: u64) -> u64 {
        let key = entry << (64 - self.order.key_bits());
        let mixed = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    /// Asks the memory for the entry at which the search for a hash begins, without waiting for it.
    #[inline]
    pub(crate) fn ask_for(&self, hash: u64) {
        prefetch_index(&self.entries, self.home(hash));
    }

    /// Returns whether a position was met with a stock as good.
    #[inline]
    pub(crate) fn has(&self, hash: u64, entry: u64) -> bool {
        let held = self.entries[self.slot(hash, entry)];
        held != NOTHING && self.order.covers(held, entry)
    }

    /// Remembers a position.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, entry: u64) -> Met {
        let slot = self.slot(hash, entry);
        let held = self.entries[slot];
        if held == NOTHING {
            return self.add(hash, entry, slot);
        }
        if self.order.covers(held, entry) {
            return Met::Before;
        }
        self.entries[slot] = self.order.joined(Some(held), entry);
        let sizes = self.order.offered_only_by(entry, held);
        Met::Again { sizes }
    }

    fn add(&mut self, hash: u64, entry: u64, slot: usize) -> Met {
        let last = self.size == self.most;
        let room = if last {
            self.size / 8 * 7
        } else {
            self.size / 8 * 5
        };
        if self.filled < room {
            self.entries[slot] = self.order.joined(None, entry);
            self.filled += 1;
            return Met::New;
        }
        if last {
            return Met::Full;
        }
        self.grow();
        self.add(hash, entry, self.slot(hash, entry))
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.size as u128) >> 64) as usize
    }

    /// Returns whether two entries are one position.
    #[inline]
    fn same(&self, one: u64, other: u64) -> bool {
        (one ^ other) << (64 - self.order.key_bits()) == 0
    }

    /// Returns the index of an entry's position, or the empty one at which it would be.
    #[inline]
    fn slot(&self, hash: u64, entry: u64) -> usize {
        let mut slot = self.home(hash);
        loop {
            let held = self.entries[slot];
            if held == NOTHING || self.same(held, entry) {
                return slot;
            }
            slot += 1;
            if slot == self.size {
                slot = 0;
            }
        }
    }

    /// Makes the table four times as large, or as large as it may be.
    ///
    /// Hashes lie in the order of their homes, in a table of any size. So from the last entry on
    /// nearly each moves up, past those that have not moved yet; the few others are set aside.
    fn grow(&mut self) {
        let old = self.size;
        // Another growth by a factor below two would be spent on moving.
        let next = if 8 * old > self.most {
            self.most
        } else {
            4 * old
        };
        self.make_room(old, next);
        let mut aside = Vec::new();
        for from in (0..old).rev() {
            let entry = std::mem::replace(&mut self.entries[from], NOTHING);
            if entry != NOTHING {
                let hash = self.hash(entry);
                let (home, slot) = (self.home(hash), self.slot(hash, entry));
                if home > from && slot >= home {
                    self.entries[slot] = entry;
                } else {
                    aside.push(entry);
                }
            }
        }
        for entry in aside {
            let slot = self.slot(self.hash(entry), entry);
            self.entries[slot] = entry;
        }
    }

    /// Makes the table `size` entries large, those from `first` on empty.
    fn make_room(&mut self, first: usize, size: usize) {
        self.size = size;
        let used = size.min(self.entries.len());
        self.entries[first.min(used)..used].fill(NOTHING);
        if self.entries.len() < size {
            self.entries.reserve_exact(size - self.entries.len());
            self.entries.resize(size, NOTHING);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(seen: &mut Seen, entry: u64) -> Met {
        seen.insert(seen.hash(entry), entry)
    }

    fn has(seen: &Seen, entry: u64) -> bool {
        let hash = seen.hash(entry);
        seen.has(hash, entry)
    }

    #[test]
    fn positions_are_remembered_with_their_best_stock() {
        let mut seen = Seen::default();
        seen.clear(StockOrder::Passes, 1 << 20);
        let (early, late) = (5, 5 | 2 << 60);
        assert_eq!(insert(&mut seen, late), Met::New);
        assert!(has(&seen, late) && !has(&seen, early));
        let sizes = ANY;
        assert_eq!(insert(&mut seen, early), Met::Again { sizes });
        assert_eq!(insert(&mut seen, late), Met::Before);
        assert_eq!(seen.len(), 1);
        seen.clear(StockOrder::Passes, 1 << 20);
        assert!(!has(&seen, early) && seen.len() == 0);
    }

    #[test]
    fn wastes_with_the_same_remainder_are_ordered_and_each_is_as_good_as_none() {
        let mut seen = Seen::default();
        seen.clear(StockOrder::Remainders(3), 1 << 20);
        let waste = |size: u64| 7 | size << POSITION_BITS;
        assert_eq!(insert(&mut seen, waste(7)), Met::New);
        assert!(has(&seen, waste(0)) && has(&seen, waste(10)));
        assert!(!has(&seen, waste(4)) && !has(&seen, waste(8)));
        let sizes = [8, 11, 14, 17, 20, 23, 26, 29]
            .map(|size| 1 << size)
            .iter()
            .sum();
        assert_eq!(insert(&mut seen, waste(8)), Met::Again { sizes });
        assert_eq!(insert(&mut seen, waste(4)), Met::Again { sizes: 1 << 4 });
        assert!(has(&seen, waste(7)) && has(&seen, waste(11)) && !has(&seen, waste(5)));
        assert_eq!(seen.len(), 1);
    }

    #[test]
    fn a_growing_table_forgets_nothing_and_a_full_one_says_so() {
        let mut seen = Seen::default();
        seen.clear(StockOrder::PassesAndWaste, 1 << 20);
        let entries = (0..200_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9) & ((1 << 55) - 1));
        let mut kept = Vec::new();
        for entry in entries {
            match insert(&mut seen, entry) {
                Met::New => kept.push(entry),
                met => {
                    assert_eq!(met, Met::Full);
                    break;
                }
            }
        }
        assert_eq!(kept.len(), (1 << 20) / 8 * 3 / 4 / 8 * 7);
        assert!(kept.iter().all(|&entry| has(&seen, entry)));
    }
}
