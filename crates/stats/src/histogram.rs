//! Exact counts of integer values: for quantities with at most a few thousand of them.
//!
//! Knows only `i64` values. They are counted in a list while they are few; then those near zero in a vector with
//! room for each, the rest in a tree: the usual push is one increment, and neither an outlier nor one of very
//! many histograms costs much memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::storable::{MAX_COUNT, Storable};
use super::{Accumulator, Moments};

/// A histogram: the count of each value.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Entries", try_from = "Entries")]
pub struct Histogram {
    counts: Counts,
    count: u64,
}

/// Counts of values.
#[derive(Clone, Debug)]
enum Counts {
    /// Values that occurred with their counts, ascending.
    Few(Entries),
    /// Counts of all values: very many histograms never have them.
    Many(Box<ManyCounts>),
}

/// Counts of values that have room.
#[derive(Clone, Debug, Default)]
struct ManyCounts {
    /// Counts of values near zero in the order 0, -1, 1, -2, 2, ...; the last is not zero.
    dense: Vec<u64>,
    /// Counts of all other values, none zero.
    sparse: BTreeMap<i64, u64>,
}

/// Values from `-NEAR` up to but excluding `NEAR` are counted densely.
const NEAR: i64 = 4096;

/// Values that are listed at least before all have room.
const FEW: usize = 8;

/// Values that are listed at most.
const LISTED: usize = 1024;

/// Counts in a vector for each value that occurs, at most, when the list becomes one.
const ROOM: usize = 4;

impl Histogram {
    /// Counts `value` `times` times.
    #[inline]
    pub fn push_repeated(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        self.count += times;
        match &mut self.counts {
            Counts::Few(listed) => {
                if push_listed(listed, value, times) {
                    self.counts.make_room();
                }
            }
            Counts::Many(counts) => counts.push(value, times),
        }
    }

    /// Returns the count of `value`.
    pub fn count_of(&self, value: i64) -> u64 {
        match &self.counts {
            Counts::Few(listed) => {
                let place = listed.binary_search_by_key(&value, |&(value, _)| value);
                place.map_or(0, |place| listed[place].1)
            }
            Counts::Many(counts) => counts.get(value),
        }
    }

    /// The values that occurred and how often, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let (listed, counts) = match &self.counts {
            Counts::Few(listed) => (listed.as_slice(), None),
            Counts::Many(counts) => (&[][..], Some(counts)),
        };
        let counted = counts.into_iter().flat_map(|counts| counts.iter());
        listed.iter().copied().chain(counted)
    }

    /// The smallest value; `None` if there is none.
    pub fn min(&self) -> Option<i64> {
        self.iter().next().map(|(value, _)| value)
    }

    /// The largest value; `None` if there is none.
    pub fn max(&self) -> Option<i64> {
        self.moments().max()
    }

    /// The lower `p`-quantile: the smallest value that at least the share `p` of all values does
    /// not exceed. `None` if there are no values or `p` is not in `0..=1`.
    pub(crate) fn quantile(&self, p: f64) -> Option<i64> {
        if !(0.0..=1.0).contains(&p) {
            return None;
        }
        // A product that should be whole may be rounded up; 0.07 * 100 must stay rank 7.
        let rank = (p * self.count as f64 * (1.0 - 4.0 * f64::EPSILON)).ceil() as u64;
        self.at_rank(rank.max(1))
    }

    /// The value of rank `rank` in ascending order, the least having rank 1; `None` outside
    /// `1..=count`.
    pub(crate) fn at_rank(&self, rank: u64) -> Option<i64> {
        let mut seen = 0;
        let mut reached = self.iter().filter(|&(_, times)| {
            seen += times;
            seen >= rank
        });
        let (value, _) = reached.next().filter(|_| rank > 0)?;
        Some(value)
    }
}

/// Equal counts, however they are kept.
impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl Eq for Histogram {}

impl Default for Counts {
    fn default() -> Self {
        Counts::Few(Vec::new())
    }
}

impl Counts {
    /// Gives all values of a list room once that takes little more memory, or there are many.
    fn make_room(&mut self) {
        let Counts::Few(listed) = self else {
            return;
        };
        let near = listed.iter().filter_map(|&(value, _)| dense_index(value));
        let (near, reach) = (near.clone().count(), near.max());
        let is_close = reach.is_some_and(|reach| reach < ROOM * near) && near == listed.len();
        if listed.len() < FEW || !(is_close || listed.len() >= LISTED) {
            return;
        }
        let mut counts = ManyCounts::default();
        let listed = listed.iter();
        listed.for_each(|&(value, times)| counts.push(value, times));
        *self = Counts::Many(Box::new(counts));
    }
}

impl ManyCounts {
    #[inline]
    fn push(&mut self, value: i64, times: u64) {
        match dense_index(value) {
            Some(index) => push_dense(&mut self.dense, index, times),
            None => *self.sparse.entry(value).or_default() += times,
        }
    }

    /// The count of a value.
    fn get(&self, value: i64) -> u64 {
        let counted = match dense_index(value) {
            Some(index) => self.dense.get(index),
            None => self.sparse.get(&value),
        };
        counted.copied().unwrap_or(0)
    }

    /// The values that occurred and how often, in ascending order.
    fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let reach = self.dense.len() as i64 / 2;
        let near = (-reach..=reach).filter_map(|value| {
            let times = self.dense.get(dense_index(value)?).copied();
            Some((value, times.filter(|&n| n > 0)?))
        });
        let part = |(&value, &n): (&i64, &u64)| (value, n);
        let below = self.sparse.range(..0).map(part);
        let above = self.sparse.range(0..).map(part);
        below.chain(near).chain(above)
    }
}

/// Counts a value of a list, and returns whether it is new there. The list has room for no more than twice
/// what it holds: a flag's has two values.
#[inline]
fn push_listed(listed: &mut Entries, value: i64, times: u64) -> bool {
    match listed.binary_search_by_key(&value, |&(value, _)| value) {
        Ok(place) => {
            listed[place].1 += times;
            false
        }
        Err(place) => {
            if listed.len() == listed.capacity() {
                listed.reserve_exact(listed.len().max(1));
            }
            listed.insert(place, (value, times));
            true
        }
    }
}

#[inline]
fn push_dense(counts: &mut Vec<u64>, index: usize, times: u64) {
    if let Some(counted) = counts.get_mut(index) {
        *counted += times;
    } else {
        counts.resize(index, 0);
        counts.push(times);
    }
}

impl Accumulator for Histogram {
    #[inline]
    fn push(&mut self, value: i64) {
        self.push_repeated(value, 1);
    }

    fn merge(&mut self, other: &Self) {
        for (value, times) in other.iter() {
            self.push_repeated(value, times);
        }
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        for (value, times) in self.iter() {
            moments.push_repeated(value, times);
        }
        moments
    }

    fn histogram(&self) -> Option<&Histogram> {
        Some(self)
    }
}

/// The values and their counts, ascending.
type Entries = Vec<(i64, u64)>;

impl From<Histogram> for Entries {
    fn from(histogram: Histogram) -> Self {
        histogram.iter().collect()
    }
}

impl TryFrom<Entries> for Histogram {
    type Error = &'static str;

    fn try_from(entries: Entries) -> Result<Self, Self::Error> {
        let mut histogram = Self::default();
        let is_sorted = entries.is_sorted_by(|(one, _), (next, _)| one < next);
        for (value, times) in entries {
            let room = MAX_COUNT - histogram.count;
            if !is_sorted || !(1..=room).contains(&times) {
                return Err("not the counts of values in order");
            }
            histogram.push_repeated(value, times);
        }
        Ok(histogram)
    }
}

/// A histogram that could be read is a histogram.
impl Storable for Histogram {
    fn is_consistent(&self) -> bool {
        true
    }
}

/// Returns the index at which a small value is counted.
#[inline]
fn dense_index(value: i64) -> Option<usize> {
    (-NEAR..NEAR)
        .contains(&value)
        .then_some(((value << 1) ^ (value >> 63)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.push(value));
        histogram
    }

    const SPREAD: [i64; 9] = [7, i64::MIN, -1, 4096, -4096, i64::MAX, 0, 4095, -4097];

    #[test]
    fn values_come_back_in_order_wherever_they_are_kept() {
        let mut sorted = SPREAD;
        sorted.sort();
        let values: Vec<i64> = of(&SPREAD).iter().map(|(value, _)| value).collect();
        assert_eq!(values, sorted);
        assert_eq!(of(&SPREAD).min(), Some(i64::MIN));
        assert_eq!(of(&SPREAD).max(), Some(i64::MAX));
    }

    #[test]
    fn a_histogram_does_not_depend_on_the_order_of_pushes() {
        let mut reversed = SPREAD;
        reversed.reverse();
        assert_eq!(of(&SPREAD), of(&reversed));
    }

    /// Lists and vectors of the same values are equal, merge and come back.
    #[test]
    fn counts_are_the_same_in_a_list_and_in_a_vector() {
        for (least, step) in [(0, 1), (-20, 1), (4000, 1), (0, 3), (-4096, 400), (-30, 7)] {
            let values: Vec<i64> = (0..20).map(|n| least + n * step).collect();
            let (mut merged, mut seen) = (Histogram::default(), Vec::new());
            for &value in values.iter().rev().chain(&values) {
                merged.merge(&of(&[value]));
                seen.push(value);
                assert_eq!(merged, of(&seen), "{least}, {step}");
                let entries = Entries::from(merged.clone());
                assert_eq!(Histogram::try_from(entries).as_ref(), Ok(&merged));
            }
            let twice = |&value: &i64| merged.count_of(value) == 2;
            assert!(values.iter().all(twice) && merged.count_of(least - 1) == 0);
            assert_ne!(merged, of(&values));
        }
        assert!(matches!(of(&[0, 4000]).counts, Counts::Few(_)));
        let close: Vec<i64> = (0..FEW as i64).collect();
        assert!(matches!(of(&close).counts, Counts::Many(_)));
        let far: Vec<i64> = (0..LISTED as i64).map(|n| n * 10_000 - 5_000).collect();
        assert!(matches!(of(&far[1..]).counts, Counts::Few(_)));
        assert!(matches!(of(&far).counts, Counts::Many(_)));
        assert!(of(&far).iter().map(|(value, _)| value).eq(far));
    }

    #[test]
    fn quantiles_are_exact_and_lower() {
        let hundred = of(&(1..=100).collect::<Vec<_>>());
        for rank in 1..=100 {
            assert_eq!(hundred.quantile(rank as f64 / 100.0), Some(rank));
        }
        assert_eq!(hundred.quantile(0.0), Some(1));
        assert_eq!(hundred.quantile(0.501), Some(51));
        assert_eq!(hundred.quantile(1.5), None);
        assert_eq!(hundred.quantile(f64::NAN), None);
        assert_eq!(Histogram::default().quantile(0.5), None);
    }

    #[test]
    fn entries_that_are_no_histogram_are_refused() {
        for entries in [
            vec![(3, 0)],
            vec![(4, 1), (3, 1)],
            vec![(3, 1), (3, 1)],
            vec![(1, MAX_COUNT), (2, 1)],
        ] {
            assert!(Histogram::try_from(entries.clone()).is_err(), "{entries:?}");
        }
        assert_eq!(Entries::from(of(&[4, 3, 4])), [(3, 1), (4, 2)]);
    }
}
