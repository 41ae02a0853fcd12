//! Sets of positions and maps from them, spread over shards small enough for the cache.
//!
//! Children are gathered shard by shard and looked up in large batches, so that most lookups find
//! their part of the shard in the cache. Open addressing with linear probing (Knuth, TAOCP 6.4,
//! algorithm L); the empty position marks a free slot and is never stored. Knows no rules.

use super::board::Position;
use prefetch_index::prefetch_index;

/// Positions that a shard should hold, about.
const SHARD_SIZE: usize = 16_384;
const MAX_SHARD_BITS: u32 = 12;
/// Items of one shard gathered before they are looked up.
const BATCH: usize = 16_384;
/// Positions whose slots are read before the first of them is decided on.
const AHEAD: usize = 32;
const FREE: Position = 0;

/// A map from positions with at least one peg.
#[derive(Clone, Debug)]
pub(crate) struct PositionMap<V = ()> {
    shards: Vec<MapShard<V>>,
    spread: ShardSpread,
}

/// A set of positions.
pub(crate) type Positions = PositionMap<()>;

#[derive(Clone, Debug, Default)]
struct MapShard<V> {
    keys: Vec<Position>,
    values: Vec<V>,
    len: usize,
}

impl<V: Copy + Default> Default for PositionMap<V> {
    fn default() -> Self {
        Self::sized(0)
    }
}

impl<V: Copy + Default> PositionMap<V> {
    /// An empty table.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// An empty table that expects about so many positions; it takes any number.
    pub(crate) fn sized(expected: usize) -> Self {
        let spread = ShardSpread::over(expected);
        let shards = (0..spread.shards()).map(|_| MapShard::default()).collect();
        Self { shards, spread }
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.len).sum()
    }

    /// Returns whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a position, added with the default if it is new.
    #[inline]
    pub(crate) fn entry(&mut self, key: Position) -> &mut V {
        let hash = hash(key);
        self.shards[self.spread.shard_of(hash)].entry(key, hash)
    }

    /// The value of a position.
    #[inline]
    pub(crate) fn get(&self, key: Position) -> Option<&V> {
        let hash = hash(key);
        self.shards[self.spread.shard_of(hash)].get(key, hash)
    }

    /// Returns whether a position is there.
    #[inline]
    pub(crate) fn contains(&self, key: Position) -> bool {
        self.get(key).is_some()
    }

    /// Positions and values, in the order of the slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Position, &V)> {
        self.shards.iter().flat_map(|shard| {
            let slots = shard.keys.iter().copied().zip(&shard.values);
            slots.filter(|&(key, _)| key != FREE)
        })
    }
}

impl PositionMap<u128> {
    /// Adds to the values of positions of one shard, as they come out of a [`Gather`]. The slots of a group are
    /// asked for before the first is needed, so that the waits for memory overlap.
    pub(crate) fn add_to_all(&mut self, batch: &[(Position, u128)]) {
        let Some(&(key, _)) = batch.first() else {
            return;
        };
        let shard = &mut self.shards[self.spread.shard_of(hash(key))];
        for group in batch.chunks(AHEAD) {
            group.iter().for_each(|&(key, _)| shard.ask_for(key));
            for &(key, more) in group {
                *shard.entry(key, hash(key)) += more;
            }
        }
    }
}

impl Positions {
    /// The set of one position.
    pub(crate) fn single(position: Position) -> Self {
        let mut set = Self::new();
        set.entry(position);
        set
    }

    /// Adds positions of one shard, as they come out of a [`Gather`].
    pub(crate) fn add_all(&mut self, batch: &[(Position, ())]) {
        if let Some(&(key, ())) = batch.first() {
            self.shards[self.spread.shard_of(hash(key))].add_all(batch);
        }
    }

    /// The positions, in the order of the slots.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        self.iter().map(|(key, ())| key)
    }

    /// The `count` positions that cost least, of equal ones the smallest.
    pub(crate) fn cheapest(&self, count: usize, cost: impl Fn(Position) -> u32) -> Self {
        let mut priced: Vec<(u32, Position)> = self.positions().map(|p| (cost(p), p)).collect();
        priced.sort_unstable();
        let mut cheapest = Self::sized(count);
        for &(_, key) in priced.iter().take(count) {
            cheapest.entry(key);
        }
        cheapest
    }

    /// The positions in both sets.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut both = Self::new();
        for key in self.positions().filter(|&key| other.contains(key)) {
            both.entry(key);
        }
        both
    }
}

impl<V: Copy + Default> MapShard<V> {
    #[inline]
    fn entry(&mut self, key: Position, hash: u64) -> &mut V {
        if (self.len + 1) * 4 > self.keys.len() * 3 {
            self.grow();
        }
        let mask = self.keys.len() - 1;
        let mut slot = slot_of(hash) & mask;
        loop {
            match self.keys[slot] {
                FREE => {
                    self.keys[slot] = key;
                    self.len += 1;
                    return &mut self.values[slot];
                }
                found if found == key => return &mut self.values[slot],
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    #[inline]
    fn get(&self, key: Position, hash: u64) -> Option<&V> {
        let mask = self.keys.len().checked_sub(1)?;
        let mut slot = slot_of(hash) & mask;
        loop {
            match self.keys[slot] {
                FREE => return None,
                found if found == key => return Some(&self.values[slot]),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Adds keys. Most of a batch are there already, many in their first slot: a group of those
    /// slots is read before any branch is taken, so that the waits for memory overlap.
    fn add_all(&mut self, batch: &[(Position, V)]) {
        for group in batch.chunks(AHEAD) {
            let mut met = [FREE; AHEAD];
            for (met, &(key, _)) in met.iter_mut().zip(group) {
                *met = self.first_met(key);
            }
            for (met, &(key, _)) in met.into_iter().zip(group) {
                if met != key {
                    self.entry(key, hash(key));
                }
            }
        }
    }

    /// Returns the content of the first slot where a key may be.
    #[inline]
    fn first_met(&self, key: Position) -> Position {
        let slot = slot_of(hash(key)) & self.keys.len().wrapping_sub(1);
        self.keys.get(slot).copied().unwrap_or(FREE)
    }

    /// Asks the memory for the first slot where a key may be.
    #[inline]
    fn ask_for(&self, key: Position) {
        let slot = slot_of(hash(key)) & self.keys.len().wrapping_sub(1);
        prefetch_index(&self.keys, slot);
        prefetch_index(&self.values, slot);
    }

    #[cold]
    fn grow(&mut self) {
        let capacity = (2 * self.keys.len()).max(8);
        let keys = std::mem::replace(&mut self.keys, vec![FREE; capacity]);
        let values = std::mem::replace(&mut self.values, vec![V::default(); capacity]);
        self.len = 0;
        for (key, value) in keys.into_iter().zip(values) {
            if key != FREE {
                *self.entry(key, hash(key)) = value;
            }
        }
    }
}

/// Items on their way into a table, gathered shard by shard.
pub(crate) struct Gather<T> {
    buffers: Vec<Vec<(Position, T)>>,
    spread: ShardSpread,
}

impl<T: Copy> Gather<T> {
    /// Returns an empty collection for a table that expects about so many positions.
    pub(crate) fn sized(expected: usize) -> Self {
        let spread = ShardSpread::over(expected);
        let buffers = (0..spread.shards()).map(|_| Vec::new()).collect();
        Self { buffers, spread }
    }

    /// Adds an item; a full batch of one shard goes to `sink`.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: Position, item: T, sink: &mut impl FnMut(&[(Position, T)])) {
        let buffer = &mut self.buffers[self.spread.shard_of(hash(key))];
        buffer.push((key, item));
        if buffer.len() == BATCH {
            sink(buffer);
            buffer.clear();
        }
    }

    /// Sends what is left to `sink`.
    pub(crate) fn finish(self, sink: &mut impl FnMut(&[(Position, T)])) {
        self.buffers.iter().for_each(|buffer| sink(buffer));
    }
}

/// Fibonacci hashing (TAOCP 6.4) of the folded key, so that the middle bits depend on all of it.
#[inline(always)]
fn hash(key: Position) -> u64 {
    (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Over how many shards positions are spread, by the upper bits of their hash.
#[derive(Clone, Copy, Debug)]
struct ShardSpread {
    bits: u32,
}

impl ShardSpread {
    fn over(expected: usize) -> Self {
        let shards = (expected / SHARD_SIZE).max(2);
        Self {
            bits: shards.ilog2().min(MAX_SHARD_BITS),
        }
    }

    fn shards(self) -> usize {
        1 << self.bits
    }

    #[inline(always)]
    fn shard_of(self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }
}

#[inline(always)]
fn slot_of(hash: u64) -> usize {
    (hash >> 24) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn tables_agree_with_an_ordered_map() {
        let mut table = PositionMap::<u64>::new();
        let mut model = BTreeMap::new();
        for i in 0..50_000u64 {
            let key = i.wrapping_mul(i) % 30_011 + 1;
            *table.entry(key) += i;
            *model.entry(key).or_insert(0) += i;
        }
        assert_eq!(table.len(), model.len());
        let mut found: Vec<(u64, u64)> = table.iter().map(|(k, &v)| (k, v)).collect();
        found.sort_unstable();
        assert_eq!(found, model.into_iter().collect::<Vec<_>>());
        assert_eq!(table.get(40_000), None);
    }

    #[test]
    fn what_is_gathered_arrives_once() {
        let mut sum = 0;
        let mut add = |batch: &[(Position, u64)]| sum += batch.iter().map(|b| b.1).sum::<u64>();
        let mut gather = Gather::sized(1 << 20);
        for key in 1..=10_000u64 {
            gather.push(key, key, &mut add);
        }
        gather.finish(&mut add);
        assert_eq!(sum, 10_000 * 10_001 / 2);
    }

    /// Keys that repeat within a group, across groups and across batches, in 1 and in 16 shards.
    #[test]
    fn sets_filled_in_batches_are_those_filled_one_by_one() {
        for expected in [0, 16 * SHARD_SIZE] {
            let mut set = Positions::sized(expected);
            let mut model = BTreeMap::new();
            let mut gather = Gather::sized(expected);
            for i in 0..60_000u64 {
                let key = (i / 3).wrapping_mul(i / 3) % 20_011 + 1;
                gather.push(key, (), &mut |batch| set.add_all(batch));
                model.insert(key, ());
            }
            gather.finish(&mut |batch| set.add_all(batch));
            let mut found: Vec<u64> = set.positions().collect();
            found.sort_unstable();
            assert_eq!(found, model.into_keys().collect::<Vec<_>>());
        }
    }

    #[test]
    fn intersections_hold_what_both_hold() {
        let mut a = Positions::single(1);
        a.entry(2);
        let mut b = Positions::single(2);
        b.entry(3);
        let both: Vec<Position> = a.intersection(&b).positions().collect();
        assert_eq!(both, [2]);
    }
}
