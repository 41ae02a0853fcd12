//! A transposition table: search results for positions that may occur again.
//!
//! Each bucket has two entries: one keeps the deepest result, the other the latest (Breuker,
//! Uiterwijk and van den Herik 1994, "Replacement schemes for transposition tables"). Keys are
//! compared in full, so a table never confuses positions with different keys. Knows no position and
//! no search.

/// A table of results `V` by 64-bit key, of fixed size.
///
/// Entries of earlier eras count as absent; [`TranspositionTable::forget`] starts a new era at no
/// cost, so what was searched before never matters.
#[derive(Debug)]
pub(crate) struct TranspositionTable<V> {
    buckets: Vec<Bucket<V>>,
    shift: u32,
    era: u32,
}

/// A stored result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableEntry<V> {
    key: u64,
    era: u32,
    /// The remaining depth it was searched to.
    depth: i32,
    /// The result.
    pub(crate) value: V,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bucket<V> {
    deepest: TableEntry<V>,
    latest: TableEntry<V>,
}

impl<V: Copy + Default> TranspositionTable<V> {
    /// A table of `2^log2_buckets` buckets of two entries; at least one bucket, at most `2^40`.
    pub(crate) fn new(log2_buckets: u32) -> Self {
        let log2 = log2_buckets.min(40);
        Self {
            buckets: vec![Bucket::default(); 1 << log2],
            shift: 64 - log2,
            era: 1,
        }
    }

    /// Empties the table.
    pub(crate) fn forget(&mut self) {
        if self.era == u32::MAX {
            self.buckets.fill(Bucket::default());
            self.era = 0;
        }
        self.era += 1;
    }

    /// Returns the entry of `key`, the deeper result first.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<&TableEntry<V>> {
        let bucket = self.buckets.get(self.index(key))?;
        [&bucket.deepest, &bucket.latest]
            .into_iter()
            .find(|entry| entry.era == self.era && entry.key == key)
    }

    /// Returns the value of `key` from a search to exactly `depth`.
    #[inline]
    pub(crate) fn find_at(&self, key: u64, depth: i32) -> Option<V> {
        let bucket = self.buckets.get(self.index(key))?;
        [&bucket.deepest, &bucket.latest]
            .into_iter()
            .find(|entry| entry.era == self.era && entry.key == key && entry.depth == depth)
            .map(|entry| entry.value)
    }

    /// Remembers a result. It takes the place of the deepest one unless that is deeper, and else
    /// of the latest.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, depth: i32, value: V) {
        let (index, era) = (self.index(key), self.era);
        let Some(bucket) = self.buckets.get_mut(index) else {
            return;
        };
        let entry = TableEntry {
            key,
            era,
            depth,
            value,
        };
        if bucket.deepest.era != era || bucket.deepest.depth <= depth {
            if bucket.deepest.key != key {
                bucket.latest = bucket.deepest;
            }
            bucket.deepest = entry;
        } else {
            bucket.latest = entry;
        }
    }

    /// Multiplicative hashing (Knuth, TAOCP 6.4) spreads keys that differ in few bits.
    #[inline]
    fn index(&self, key: u64) -> usize {
        let mixed = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed.checked_shr(self.shift).unwrap_or(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_by_key_and_depth_until_forgotten() {
        let mut table: TranspositionTable<u8> = TranspositionTable::new(4);
        table.insert(17, 3, 30);
        table.insert(17, 2, 20);
        assert_eq!(table.find_at(17, 3), Some(30));
        assert_eq!(table.find_at(17, 2), Some(20));
        assert_eq!(table.find_at(17, 1), None);
        assert_eq!(table.find(17).map(|entry| entry.depth), Some(3));
        assert_eq!(table.find(18), None);
        table.forget();
        assert_eq!(table.find(17), None);
    }

    #[test]
    fn a_deep_result_outlives_shallow_ones_in_its_bucket() {
        let mut table: TranspositionTable<u64> = TranspositionTable::new(0);
        table.insert(1, 9, 100);
        for key in 2..50 {
            table.insert(key, 1, key);
            assert_eq!(table.find_at(1, 9), Some(100));
            assert_eq!(table.find_at(key, 1), Some(key));
            assert_eq!(table.find(key - 1).is_some(), key == 2);
        }
        table.insert(50, 10, 1);
        assert_eq!(
            table.find_at(1, 9),
            Some(100),
            "it moves to the other place"
        );
    }

    /// Of results of one depth the last two stay; and one that is searched again deeper takes no other's place.
    #[test]
    fn a_bucket_holds_the_latest_of_equal_depth_and_a_key_once() {
        let kept = |inserted: &[(u64, i32)]| {
            let mut table: TranspositionTable<u8> = TranspositionTable::new(0);
            for &(key, depth) in inserted {
                table.insert(key, depth, 0);
            }
            let keys = (1..=3).filter(|&key| table.find(key).is_some());
            keys.collect::<Vec<_>>()
        };
        assert_eq!(kept(&[(1, 5), (2, 5), (3, 5)]), [2, 3]);
        assert_eq!(kept(&[(1, 3), (2, 1), (1, 4)]), [1, 2]);
    }

    #[test]
    fn eras_wrap_around_without_reviving_old_results() {
        let mut table: TranspositionTable<u8> = TranspositionTable::new(1);
        table.insert(5, 1, 1);
        table.era = u32::MAX;
        table.insert(6, 1, 1);
        table.forget();
        assert_eq!((table.find(5), table.find(6)), (None, None));
    }

    /// Of keys that differ in their low bits or in their high ones few share a bucket.
    #[test]
    fn keys_are_spread_over_the_buckets() {
        for shift in [0, 16, 32, 48] {
            let mut table: TranspositionTable<u8> = TranspositionTable::new(8);
            (1..=256).for_each(|key| table.insert(key << shift, 1, 0));
            let found = (1..=256).filter(|key| table.find(key << shift).is_some());
            assert!(found.count() > 220, "{shift}");
        }
    }
}
