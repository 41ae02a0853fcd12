//! The positions already examined: an exact set of 56-bit keys.
//!
//! Open addressing with linear probing. Keys leave eight bits of their word free for a stamp of
//! the search they belong to. A new search therefore starts with an empty table without touching
//! it, and no two positions are ever confused.

/// The smallest table, in entries.
const SMALLEST: usize = 1 << 10;
/// The largest table, in entries: it holds half as many positions.
pub(super) const LARGEST: usize = 1 << 22;
/// The bits that keys leave free: the two highest of each sixteen.
const FREE_BITS: u32 = 8;

/// A set of keys that forgets everything at once.
#[derive(Clone, Debug)]
pub(super) struct KeySet {
    entries: Vec<u64>,
    /// Entries in use by this search, a power of two.
    size: usize,
    len: usize,
    generation: u64,
    /// The generation, spread over the bits that keys leave free.
    stamp: u64,
    /// Entries that any search has used since the table was last wiped.
    used: usize,
    limit: usize,
}

impl KeySet {
    /// An empty set that will hold at most `largest / 2` keys; `largest` is a power of two.
    pub(crate) fn new(largest: usize) -> KeySet {
        KeySet {
            entries: Vec::new(),
            size: 0,
            len: 0,
            generation: 0,
            stamp: 0,
            used: 0,
            limit: largest,
        }
    }

    /// Forgets all keys.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.size = SMALLEST.min(self.limit);
        self.renew();
    }

    /// Returns whether the set has no room for another key.
    pub(crate) fn is_full(&self) -> bool {
        2 * self.len >= self.limit
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds a key; says whether it is new. The set must not be full.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        if 2 * self.len >= self.size {
            self.grow();
        }
        let word = key | self.stamp;
        let slot = self.find(word);
        if let Some(slot) = slot {
            self.entries[slot] = word;
            self.len += 1;
        }
        slot.is_some()
    }

    /// The slot where a word belongs, or `None` if it is there.
    #[inline]
    fn find(&self, word: u64) -> Option<usize> {
        let (entries, stamp) = (&self.entries[..self.size], self.stamp);
        let mask = self.size - 1;
        let mut slot = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            match entries[slot & mask] {
                found if found == word => return None,
                found if found & STAMP != stamp => return Some(slot),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let stamp = self.stamp;
        let mut words = self.entries[..self.size].to_vec();
        words.retain(|word| word & STAMP == stamp);
        self.size *= 2;
        self.len = 0;
        self.renew();
        for word in words {
            self.insert(word & !STAMP);
        }
    }

    /// Starts a new generation in a table of at least `size` entries. What no search has used since
    /// the last wipe is given up, so one huge search does not make all later wipes costly.
    fn renew(&mut self) {
        self.generation += 1;
        if self.generation >> FREE_BITS != 0 {
            self.generation = 1;
            self.entries.truncate(self.used);
            self.entries.fill(0);
            self.used = 0;
        }
        self.stamp = spread(self.generation);
        self.used = self.used.max(self.size);
        if self.entries.len() < self.size {
            self.entries.resize(self.size, 0);
        }
    }
}

/// The eight low bits of a number, spread over the bits that keys leave free.
fn spread(number: u64) -> u64 {
    (0..4).fold(0, |stamp, lane| {
        stamp | (number >> (2 * lane) & 3) << (16 * lane + 14)
    })
}

/// All stamp bits.
const STAMP: u64 = 0xc000_c000_c000_c000;

#[cfg(test)]
mod tests {
    use super::*;

    impl KeySet {
        fn contains(&self, key: u64) -> bool {
            self.len > 0 && self.find(key | self.stamp).is_none()
        }
    }

    fn key(n: u64) -> u64 {
        n.wrapping_mul(0x2545_f491_4f6c_dd1d) & !STAMP
    }

    #[test]
    fn a_key_is_new_once_and_growing_loses_none() {
        let mut set = KeySet::new(LARGEST);
        set.clear();
        assert!((0..50_000).all(|n| set.insert(key(n))));
        assert!((0..50_000).all(|n| !set.insert(key(n)) && set.contains(key(n))));
        assert!(!set.contains(key(50_000)));
        assert_eq!(set.len(), 50_000);
    }

    #[test]
    fn a_thousand_generations_do_not_see_each_other() {
        let mut set = KeySet::new(LARGEST);
        for generation in 0..1_000 {
            set.clear();
            assert!((0..20).all(|n| !set.contains(key(n + generation % 3))));
            assert!((0..20).all(|n| set.insert(key(n + generation % 3))));
        }
    }

    #[test]
    fn a_huge_search_is_paid_once() {
        let mut set = KeySet::new(LARGEST);
        set.clear();
        assert!((0..100_000).all(|n| set.insert(key(n))));
        assert!(set.entries.len() >= 200_000);
        for _ in 0..600 {
            set.clear();
            assert!((0..600).all(|n| set.insert(key(n)) && set.contains(key(n))));
        }
        assert_eq!(set.entries.len(), 2_048);
    }

    #[test]
    fn a_full_set_says_so() {
        let mut set = KeySet::new(1 << 10);
        set.clear();
        assert!((0..512).all(|n| !set.is_full() && set.insert(key(n))));
        assert!(set.is_full() && set.contains(key(511)) && !set.contains(key(512)));
    }
}
