//! Tallies of samples with exact, bounded or undefined values.
//!
//! An unresolved sample keeps both ends of what it can be; nothing is dropped or guessed, so an
//! estimate is a pair of ends until every sample is resolved (Manski 2003, *Partial
//! Identification of Probability Distributions*).

use serde::{Deserialize, Serialize};

use super::storable::{MAX_COUNT, Storable};
use super::{Accumulator, Histogram, Moments};

/// A tally of exact and of bounded values.
///
/// The two ends of unresolved samples are tallies of their own, not one of pairs: an estimate asks for
/// the distribution of either end alone, and each merges as any tally does. Both are empty where every
/// sample is resolved, so that costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounded<A> {
    resolved: A,
    lows: Ends<A>,
    highs: Ends<A>,
    missing: u64,
}

/// The tally of one end of the unresolved samples, in a box because a sweep has very many tallies; `None`
/// while there are none.
type Ends<A> = Option<Box<A>>;

fn merge_ends<A: Accumulator>(mine: &mut Ends<A>, theirs: &Ends<A>) {
    if let Some(theirs) = theirs {
        mine.get_or_insert_default().merge(theirs);
    }
}

fn count_ends<A: Accumulator>(ends: &Ends<A>) -> u64 {
    ends.as_ref().map_or(0, |ends| ends.count())
}

impl<A: Accumulator> Bounded<A> {
    /// Counts a sample whose value is known.
    #[inline]
    pub fn push(&mut self, value: i64) {
        self.resolved.push(value);
    }

    /// Counts a sample known to lie between two values, given in either order; one whose bounds
    /// meet is resolved.
    #[inline]
    pub fn push_bounds(&mut self, lower: i64, upper: i64) {
        if lower == upper {
            return self.push(lower);
        }
        self.lows.get_or_insert_default().push(lower.min(upper));
        self.highs.get_or_insert_default().push(lower.max(upper));
    }

    /// Notes a sample for which the quantity is not defined; it does not count.
    #[inline]
    pub fn push_missing(&mut self) {
        self.missing += 1;
    }

    /// Adds everything another tally counted.
    pub fn merge(&mut self, other: &Self) {
        self.resolved.merge(&other.resolved);
        merge_ends(&mut self.lows, &other.lows);
        merge_ends(&mut self.highs, &other.highs);
        self.missing += other.missing;
    }

    /// Samples that count: resolved and unresolved.
    pub fn count(&self) -> u64 {
        self.resolved.count() + self.unresolved()
    }

    /// Samples known only within bounds.
    pub fn unresolved(&self) -> u64 {
        count_ends(&self.lows)
    }

    /// Samples for which the quantity was not defined.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Returns whether no sample counts.
    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The resolved samples.
    pub fn resolved(&self) -> &A {
        &self.resolved
    }

    /// The least the unresolved samples can be; `None` where there are none.
    pub fn lows(&self) -> Option<&A> {
        self.lows.as_deref()
    }

    /// The most the unresolved samples can be; `None` where there are none.
    pub fn highs(&self) -> Option<&A> {
        self.highs.as_deref()
    }

    /// Returns the tally of all samples, the unresolved ones at their minimum.
    pub fn low_end(&self) -> A {
        self.with(&self.lows)
    }

    /// Returns the tally of all samples, the unresolved ones at their maximum.
    pub fn high_end(&self) -> A {
        self.with(&self.highs)
    }

    fn with(&self, ends: &Ends<A>) -> A {
        let mut all = self.resolved.clone();
        ends.iter().for_each(|ends| all.merge(ends));
        all
    }
}

/// Each sample has two ends, in order.
impl<A: Accumulator> Storable for Bounded<A> {
    fn is_consistent(&self) -> bool {
        let sum = |ends: &Ends<A>| ends.as_ref().map_or(0, |ends| ends.moments().sum());
        let is_sound = |ends: &A| !ends.is_empty() && ends.is_consistent();
        self.missing <= MAX_COUNT
            && self.resolved.is_consistent()
            && self.lows().is_none_or(is_sound)
            && self.highs().is_none_or(is_sound)
            && count_ends(&self.lows) == count_ends(&self.highs)
            && sum(&self.lows) <= sum(&self.highs)
    }
}

impl Bounded<Moments> {
    /// The tally of the negative values; `None` where one has no negative.
    pub(super) fn negated(&self) -> Option<Self> {
        let negated = |ends: &Ends<Moments>| match ends {
            Some(ends) => Some(Some(Box::new(ends.negated()?))),
            None => Some(None),
        };
        Some(Self {
            resolved: self.resolved.negated()?,
            lows: negated(&self.highs)?,
            highs: negated(&self.lows)?,
            missing: self.missing,
        })
    }
}

impl Bounded<Histogram> {
    /// The sums alone.
    pub fn sums(&self) -> Bounded<Moments> {
        Bounded {
            resolved: self.resolved.moments(),
            lows: self.lows().map(|lows| Box::new(lows.moments())),
            highs: self.highs().map(|highs| Box::new(highs.moments())),
            missing: self.missing,
        }
    }

    /// Counts `times` samples of a known value.
    pub fn push_repeated(&mut self, value: i64, times: u64) {
        self.resolved.push_repeated(value, times);
    }

    /// Counts `times` samples known to lie between two values, the lower one first.
    pub fn push_repeated_bounds(&mut self, (lower, upper): (i64, i64), times: u64) {
        if lower == upper {
            return self.push_repeated(lower, times);
        }
        if times > 0 {
            let (lows, highs) = (&mut self.lows, &mut self.highs);
            lows.get_or_insert_default().push_repeated(lower, times);
            highs.get_or_insert_default().push_repeated(upper, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.push(value));
        histogram
    }

    #[test]
    fn an_unresolved_sample_counts_at_both_ends_and_a_missing_one_nowhere() {
        let mut tally = Bounded::<Histogram>::default();
        tally.push(3);
        tally.push_bounds(9, 2);
        tally.push_bounds(5, 5);
        tally.push_missing();
        assert_eq!(
            (tally.count(), tally.unresolved(), tally.missing()),
            (3, 1, 1)
        );
        assert_eq!(tally.low_end(), of(&[2, 3, 5]));
        assert_eq!(tally.high_end(), of(&[3, 5, 9]));
    }

    #[test]
    fn repeated_samples_count_as_if_each_were_pushed() {
        let mut one_by_one = Bounded::<Histogram>::default();
        let mut repeated = one_by_one.clone();
        for (bounds, times) in [((2, 9), 3), ((5, 5), 2), ((1, 4), 0)] {
            (0..times).for_each(|_| one_by_one.push_bounds(bounds.0, bounds.1));
            repeated.push_repeated_bounds(bounds, times);
        }
        assert_eq!(repeated, one_by_one);
    }

    #[test]
    fn bounds_that_do_not_pair_are_refused() {
        let bounded = |lows: &[i64], highs: &[i64]| {
            let ends = |values: &[i64]| (!values.is_empty()).then(|| Box::new(of(values)));
            let tally = Bounded::<Histogram> {
                lows: ends(lows),
                highs: ends(highs),
                ..Bounded::default()
            };
            tally.is_consistent()
        };
        assert!(bounded(&[1], &[2]) && bounded(&[], &[]));
        assert!(!bounded(&[1], &[]) && !bounded(&[], &[1]) && !bounded(&[2], &[1]));
        let empty = Bounded::<Moments> {
            lows: Some(Box::default()),
            highs: Some(Box::default()),
            ..Bounded::default()
        };
        assert!(!empty.is_consistent());
    }
}
