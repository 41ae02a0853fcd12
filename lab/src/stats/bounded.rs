//! Tallies of samples whose value is exact, only bounded, or not defined.
//!
//! An unresolved sample keeps both ends of what it can be; nothing is dropped or guessed, so an
//! estimate is a pair of ends until every sample is resolved (Manski 2003, *Partial
//! Identification of Probability Distributions*).

use super::encoding::{MAX_COUNT, encode_fields};
use super::{Accumulator, Histogram, Moments};

/// A tally of exact and of bounded values.
///
/// The two ends of unresolved samples are tallies of their own, not one of pairs: an estimate asks for
/// the distribution of either end alone, and each merges as any tally does. Both are empty where every
/// sample is resolved, so that costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounded<A> {
    resolved: A,
    lows: A,
    highs: A,
    missing: u64,
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
        self.lows.push(lower.min(upper));
        self.highs.push(lower.max(upper));
    }

    /// Notes a sample for which the quantity is not defined; it does not count.
    #[inline]
    pub fn push_missing(&mut self) {
        self.missing += 1;
    }

    /// Adds everything another tally counted.
    pub fn merge(&mut self, other: &Self) {
        self.resolved.merge(&other.resolved);
        self.lows.merge(&other.lows);
        self.highs.merge(&other.highs);
        self.missing += other.missing;
    }

    /// Samples that count: resolved and unresolved.
    pub fn count(&self) -> u64 {
        self.resolved.count() + self.lows.count()
    }

    /// Samples known only within bounds.
    pub fn unresolved(&self) -> u64 {
        self.lows.count()
    }

    /// Samples for which the quantity was not defined.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Returns whether no sample counts.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The resolved samples.
    pub fn resolved(&self) -> &A {
        &self.resolved
    }

    /// The least the unresolved samples can be.
    pub fn lows(&self) -> &A {
        &self.lows
    }

    /// The most the unresolved samples can be.
    pub fn highs(&self) -> &A {
        &self.highs
    }

    /// All samples, the unresolved ones at their minimum.
    pub fn low_end(&self) -> A {
        self.with(&self.lows)
    }

    /// All samples, the unresolved ones at the most they can be.
    pub fn high_end(&self) -> A {
        self.with(&self.highs)
    }

    /// Returns whether the tally can come from so many samples, each with two ends in order.
    fn is_consistent(&self) -> bool {
        let (lows, highs) = (&self.lows, &self.highs);
        self.missing <= MAX_COUNT
            && lows.count() == highs.count()
            && lows.moments().sum() <= highs.moments().sum()
    }

    fn with(&self, ends: &A) -> A {
        let mut all = self.resolved.clone();
        all.merge(ends);
        all
    }
}

encode_fields!(
    Bounded<A: Accumulator>, "|", [resolved, lows, highs, missing], Self::is_consistent
);

impl Bounded<Moments> {
    /// The tally of the negative values; `None` where one has no negative.
    pub(super) fn negated(&self) -> Option<Self> {
        Some(Self {
            resolved: self.resolved.negated()?,
            lows: self.highs.negated()?,
            highs: self.lows.negated()?,
            missing: self.missing,
        })
    }
}

impl Bounded<Histogram> {
    /// The sums alone.
    pub fn sums(&self) -> Bounded<Moments> {
        Bounded {
            resolved: self.resolved.moments(),
            lows: self.lows.moments(),
            highs: self.highs.moments(),
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
        self.lows.push_repeated(lower, times);
        self.highs.push_repeated(upper, times);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Encode;
    use super::*;

    fn tally<A: Accumulator>() -> Bounded<A> {
        let mut tally = Bounded::default();
        tally.push(3);
        tally.push_bounds(9, 2);
        tally.push_bounds(5, 5);
        tally.push_missing();
        tally
    }

    #[test]
    fn an_unresolved_sample_counts_at_both_ends_and_a_missing_one_nowhere() {
        let tally = tally::<Histogram>();
        assert_eq!(
            (tally.count(), tally.unresolved(), tally.missing()),
            (3, 1, 1)
        );
        assert_eq!(tally.low_end().encode(), "2:1;3:1;5:1");
        assert_eq!(tally.high_end().encode(), "3:1;5:1;9:1");
    }

    #[test]
    fn text_comes_back_for_either_kind_of_tally() {
        let histogram = tally::<Histogram>();
        assert_eq!(histogram.encode(), "3:1;5:1|2:1|9:1|1");
        assert_eq!(Bounded::decode(&histogram.encode()), Some(histogram));
        let moments = tally::<Moments>();
        assert_eq!(Bounded::decode(&moments.encode()), Some(moments));
    }

    #[test]
    fn bounds_that_do_not_pair_are_refused() {
        for text in ["", "||", "|1:1||0", "|2:1|1:1|0", "|||-1", "|||0|"] {
            assert!(Bounded::<Histogram>::decode(text).is_none(), "{text}");
        }
    }
}
