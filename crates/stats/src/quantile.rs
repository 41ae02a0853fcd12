//! Quantiles with a distribution-free interval.
//!
//! The number of samples up to the quantile is binomial, so its exact tails turn into ranks.
//! Reference: David and Nagaraja 2003, *Order Statistics*, 7.1.

use super::binomial::Coin;
use super::halving::first;
use super::sequence::Bet;
use super::{Accumulator, Bounded, Confidence, Estimate, Histogram, Interval, Looks, Method, Span};

/// The lower `p`-quantile of a tally, `p` strictly between 0 and 1 (no number otherwise).
/// `limits` are the least and greatest value the quantity can have: where the samples are too
/// few for an interval, they end it.
pub fn quantile_estimate(
    tally: &Bounded<Histogram>,
    p: f64,
    confidence: Confidence,
    limits: Option<(i64, i64)>,
) -> Estimate {
    let inside = p > 0.0 && p < 1.0 && !tally.is_empty();
    let (low, high) = (tally.low_end(), tally.high_end());
    let quantile = |end: &Histogram| end.quantile(p).map(|value| value as f64);
    let (lower, upper) = (quantile(&low), quantile(&high));
    let interval = || {
        let method = match confidence.looks {
            Looks::Once | Looks::Exhaustive => Method::OrderStatistics,
            Looks::Many { .. } => Method::OrderSequence,
        };
        let validity = confidence.looks.validity();
        let (bottom, top) = ranks(low.count(), p, confidence);
        let lo = low.at_rank(bottom).or(limits.map(|(least, _)| least))?;
        let hi = high.at_rank(top).or(limits.map(|(_, most)| most))?;
        Interval::new(
            Span::new(lo as f64, hi as f64),
            confidence.level,
            method,
            validity,
        )
    };
    let estimate = Estimate {
        value: lower.filter(|_| inside && lower == upper),
        interval: inside.then(interval).flatten(),
        n: tally.count(),
        unresolved: tally.unresolved(),
        lower: lower.filter(|_| inside),
        upper: upper.filter(|_| inside),
        ..Estimate::default()
    };
    match confidence.looks {
        Looks::Exhaustive => estimate.exact(),
        _ => estimate,
    }
}

/// The ranks of the samples that end the interval, among `n`: rank 0 and `n + 1` stand for no sample.
pub(super) fn ranks(n: u64, p: f64, confidence: Confidence) -> (u64, u64) {
    let tail = confidence.level.tail();
    match confidence.looks {
        Looks::Many { planned } => sequence_ranks(n, p, Bet::new(tail, planned)),
        Looks::Once | Looks::Exhaustive => order_ranks(n, p, tail),
    }
}

/// The ranks of order statistics. On its own side of the mean a tail exceeds 1/2 and need not be summed.
fn order_ranks(n: u64, p: f64, tail: f64) -> (u64, u64) {
    let (coin, mean) = (Coin::new(p), n as f64 * p);
    let bottom = first(0, n, |rank| {
        rank as f64 >= mean || coin.lower_tail(n, rank) > tail
    });
    let top = first(0, n, |rank| {
        rank as f64 > mean && coin.upper_tail(n, rank) <= tail
    });
    (bottom, top)
}

/// Like the ranks of order statistics, valid under many looks: the ranks from which on the share of samples up to
/// there may be `p`, and is at least `p`.
fn sequence_ranks(n: u64, p: f64, bet: Bet) -> (u64, u64) {
    let bottom = first(0, n, |rank| bet.upper(rank, n) >= p);
    let top = first(0, n, |rank| bet.lower(rank, n) >= p);
    (bottom, top)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::{Level, Proportion, Validity};

    fn estimate(n: i64, p: f64, limits: Option<(i64, i64)>) -> Estimate {
        let mut tally = Bounded::<Histogram>::default();
        (1..=n).for_each(|value| tally.push(value));
        quantile_estimate(&tally, p, Level::DEFAULT.into(), limits)
    }

    #[test]
    fn the_median_of_a_hundred_lies_between_the_40th_and_the_61st() {
        // The textbook ranks: P(40 <= X < 61) = 0.9648 for X ~ Bin(100, 1/2).
        let median = estimate(100, 0.5, None);
        assert_eq!(median.value, Some(50.0));
        assert_eq!(median.interval.map(|i| (i.lo, i.hi)), Some((40.0, 61.0)));
    }

    /// 1 to 80, and 20 samples somewhere from -1 to 200.
    fn open() -> Bounded<Histogram> {
        let mut tally = Bounded::<Histogram>::default();
        (1..=80).for_each(|value| tally.push(value));
        (0..20).for_each(|_| tally.push_bounds(-1, 200));
        tally
    }

    #[test]
    fn unresolved_samples_count_low_for_the_lower_limit_and_high_for_the_upper_one() {
        let estimate = quantile_estimate(&open(), 0.5, Level::DEFAULT.into(), None);
        assert_eq!((estimate.value, estimate.unresolved), (None, 20));
        // The 50th of a hundred, and the 40th and the 61st: 20 fewer where the open ones are low.
        assert_eq!((estimate.lower, estimate.upper), (Some(30.0), Some(50.0)));
        assert_eq!(estimate.interval.map(|i| (i.lo, i.hi)), Some((20.0, 61.0)));
        let exact = Confidence {
            level: Level::DEFAULT,
            looks: Looks::Exhaustive,
        };
        let known = quantile_estimate(&open(), 0.5, exact, None).interval;
        assert_eq!(known.map(|i| (i.lo, i.hi)), Some((30.0, 50.0)));
    }

    /// The ranks by the definition: from where on a proportion's sequence, either tail of which has half
    /// the error, holds the share.
    #[test]
    fn under_looking_each_limit_has_a_tail_of_the_error() {
        let ranks = |level: f64, n: u64, p: f64| {
            let limits = |rank| {
                let share = Proportion::new(rank, 0, n).unwrap();
                share.sequence(Level::new(level).unwrap(), 1_000).unwrap()
            };
            let first = |passes: &dyn Fn(u64) -> bool| (0..=n).find(|&rank| passes(rank));
            let bottom = first(&|rank| limits(rank).hi >= p);
            let top = first(&|rank| limits(rank).lo >= p);
            (bottom.unwrap() as f64, top.unwrap_or(n + 1) as f64)
        };
        let confidence = Confidence {
            level: Level::DEFAULT,
            looks: Looks::Many { planned: 1_000 },
        };
        for (n, p) in [(100, 0.5), (400, 0.5), (1_000, 0.9)] {
            let mut tally = Bounded::<Histogram>::default();
            (1..=n).for_each(|value| tally.push(value));
            let estimate = quantile_estimate(&tally, p, confidence, Some((0, n + 1)));
            let interval = estimate.interval.unwrap();
            assert_eq!(
                (interval.method, interval.validity),
                (Method::OrderSequence, Validity::AnyTime)
            );
            let [half, whole] = [0.975, 0.95].map(|level| ranks(level, n as u64, p));
            assert_eq!((interval.lo, interval.hi), half, "{n} {p}");
            assert!(half.0 < whole.0 && half.1 > whole.1, "{half:?} {whole:?}");
        }
        let interval = quantile_estimate(&open(), 0.5, confidence, None).interval;
        let (bottom, top) = ranks(0.975, 100, 0.5);
        assert_eq!(interval.map(|i| (i.lo, i.hi)), Some((bottom - 20.0, top)));
    }

    #[test]
    fn too_few_samples_end_at_the_limits_or_not_at_all() {
        assert_eq!(estimate(3, 0.9, None).interval, None);
        let ended = estimate(3, 0.9, Some((0, 9))).interval.unwrap();
        assert_eq!((ended.lo, ended.hi), (1.0, 9.0));
    }

    #[test]
    fn shares_outside_zero_to_one_have_no_quantile() {
        for p in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(estimate(9, p, None).value, None);
        }
        assert_eq!(estimate(0, 0.5, None).interval, None);
    }
}
