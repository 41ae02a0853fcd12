//! Confidence sequences of means of bounded integers, valid at all numbers of samples at once.
//!
//! Against a mean `m` of values in `[0, 1]` one bets on more: a fraction `f` of the wealth grows
//! by `1 + f (x / m - 1)` a sample. Spread over a fixed ladder of fractions, the wealth exceeds
//! `1 / alpha` with probability at most `alpha` if the mean is `m` or less, and it depends on the
//! histogram alone, not on the order of samples or on the looks. Where only sums are kept, Fan's
//! inequality `ln(1 + f y) >= f y + (f + ln(1 - f)) y^2` bounds that wealth from below.
//! References: Waudby-Smith and Ramdas 2024, *JRSS B* 86; Fan, Grama, Liu 2015, *EJP* 20.

use super::halving::halved;
use super::{Accumulator, Bounded, Estimate, Interval, Level, Method, Validity, mean_estimate};

/// The mean of a tally of integers within `limits`, with an interval valid however often one looks:
/// from the whole histogram where that is kept, else from the sums alone, and somewhat wider. It is
/// narrowest at about `planned` samples. The lower limit comes from the least the samples can be, the
/// upper one from the most, by betting that the mirrored values are more.
pub fn mean_sequence<A: Accumulator>(
    tally: &Bounded<A>,
    level: Level,
    limits: (i64, i64),
    planned: u64,
) -> Estimate {
    let (least, most) = (limits.0 as f64, limits.1 as f64);
    let ladder = Ladder::new(level.tail(), planned);
    let interval = || {
        let [low, high] = [
            Wealth::of(&tally.low_end(), (least, most)),
            Wealth::of(&tally.high_end(), (most, least)),
        ];
        let ends = (
            least + ladder.lower(&low) * (most - least),
            most - ladder.lower(&high) * (most - least),
        );
        Interval::new(ends, level, low.method(), Validity::AnyTime)
    };
    Estimate {
        interval: (!tally.is_empty() && least < most).then(interval).flatten(),
        ..mean_estimate(tally, level, None)
    }
}

/// Half the width that [`mean_sequence`] has after `n` samples with this standard deviation, in the
/// middle of the limits; `None` where no values have it.
pub fn sequence_half_width(
    sd: f64,
    n: u64,
    (least, most): (f64, f64),
    level: Level,
    planned: u64,
) -> Option<f64> {
    let share = sd / (most - least);
    let half = n as f64 / 2.0;
    let wealth = Wealth::Betting(vec![(0.5 - share, half), (0.5 + share, half)]);
    let width = || (0.5 - Ladder::new(level.tail(), planned).lower(&wealth)) * (most - least);
    (share > 0.0 && share <= 0.5 && n > 0).then(width)
}

/// A summary of samples in `[0, 1]`.
enum Wealth {
    /// Values with the number of times they occurred.
    Betting(Vec<(f64, f64)>),
    /// Number, mean and variance with divisor n.
    Bernstein { n: f64, mean: f64, variance: f64 },
}

impl Wealth {
    /// The summary of values from the first number to the second, as shares of the way between them.
    fn of<A: Accumulator>(end: &A, (from, to): (f64, f64)) -> Self {
        let share = |value: f64| ((value - from) / (to - from)).clamp(0.0, 1.0);
        if let Some(histogram) = end.histogram() {
            let shares = histogram.iter();
            let shares = shares.map(|(value, times)| (share(value as f64), times as f64));
            return Wealth::Betting(shares.collect());
        }
        let moments = end.moments();
        let n = moments.count() as f64;
        let unbiased = moments.variance().unwrap_or(0.0);
        Wealth::Bernstein {
            n,
            mean: moments.mean().map_or(0.0, share),
            variance: unbiased * (n - 1.0) / n / ((to - from) * (to - from)),
        }
    }

    fn method(&self) -> Method {
        match self {
            Wealth::Betting(_) => Method::Betting,
            Wealth::Bernstein { .. } => Method::EmpiricalBernstein,
        }
    }

    fn mean(&self) -> f64 {
        match self {
            Wealth::Betting(shares) => {
                let n: f64 = shares.iter().map(|(_, times)| times).sum();
                shares.iter().map(|(x, times)| x * times).sum::<f64>() / n
            }
            Wealth::Bernstein { mean, .. } => *mean,
        }
    }

    /// Returns the logarithm of the wealth of betting the fraction `f` against the mean `m`.
    fn log(&self, f: f64, m: f64) -> f64 {
        match *self {
            Wealth::Betting(ref shares) => {
                let growth = |&(x, times): &(f64, f64)| times * libm::log1p(f * (x / m - 1.0));
                shares.iter().map(growth).sum()
            }
            Wealth::Bernstein { n, mean, variance } => {
                let gap = (mean - m) / m;
                let squares = variance / (m * m) + gap * gap;
                n * (f * gap + (f + libm::log1p(-f)) * squares)
            }
        }
    }
}

/// Equal stakes on a geometric ladder of fractions.
struct Ladder {
    fractions: Vec<f64>,
    /// The logarithm of the wealth at which a mean is given up.
    goal: f64,
}

const RUNGS: i32 = 40;
const TOP: f64 = 0.9;

impl Ladder {
    /// The ladder that errs with probability `tail`. The best fraction at `n` samples is about
    /// `m sqrt(2 goal / n) / sd`; the ladder reaches down to it at `planned` samples as long as
    /// the standard deviation is below some thirty times the mean.
    fn new(tail: f64, planned: u64) -> Self {
        let bottom = 0.1 / (planned.max(1) as f64).sqrt();
        let ratio = libm::pow(bottom / TOP, 1.0 / f64::from(RUNGS - 1));
        Self {
            fractions: (0..RUNGS).map(|rung| TOP * ratio.powi(rung)).collect(),
            goal: -libm::log(tail) + libm::log(f64::from(RUNGS)),
        }
    }

    /// The least mean not given up, in `[0, 1]`. The wealth falls as the mean tested grows, so
    /// whatever lies below a mean given up is given up too, by its lower bound as well.
    fn lower(&self, wealth: &Wealth) -> f64 {
        let mean = wealth.mean();
        let gap = |halvings: i32| mean * 0.5f64.powi(halvings);
        let gives_up = |gap: f64| self.gives_up(wealth, mean - gap);
        let all: Vec<i32> = (1..=52).collect();
        let halvings = all.partition_point(|&halvings| gives_up(gap(halvings))) as i32;
        if halvings == 0 {
            return self.near_zero(wealth, mean);
        }
        let (far, _) = halved((gap(halvings), gap(halvings + 1)), 50, gives_up);
        mean - far
    }

    /// Like `near_half`, where the limit is below half the mean.
    fn near_zero(&self, wealth: &Wealth, mean: f64) -> f64 {
        let mut candidates =
            (2..400).map(|eighths| mean * libm::pow(0.5, f64::from(eighths) / 8.0));
        candidates
            .find(|&m| m > 0.0 && self.gives_up(wealth, m))
            .unwrap_or(0.0)
    }

    fn gives_up(&self, wealth: &Wealth, m: f64) -> bool {
        if m <= 0.0 {
            return false;
        }
        let mut logs = Vec::with_capacity(self.fractions.len());
        for &fraction in &self.fractions {
            let log = wealth.log(fraction, m);
            // One stake that has grown enough is enough for all of them.
            if log >= self.goal {
                return true;
            }
            logs.push(log);
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scaled: f64 = logs.iter().map(|log| libm::exp(log - largest)).sum();
        largest + libm::log(scaled) >= self.goal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    fn tally(values: &[(i64, u64)]) -> Bounded<Histogram> {
        let mut tally = Bounded::default();
        for &(value, times) in values {
            (0..times).for_each(|_| tally.push(value));
        }
        tally
    }

    fn limits(estimate: Estimate) -> (f64, f64) {
        estimate.interval.map(|found| (found.lo, found.hi)).unwrap()
    }

    #[test]
    fn sums_alone_give_a_wider_interval_than_the_histogram() {
        let skewed = tally(&[(0, 900), (1, 50), (7, 40), (50, 10)]);
        let (lo, hi) = limits(mean_sequence(&skewed, Level::DEFAULT, (0, 50), 1000));
        let (lower, higher) = limits(mean_sequence(&skewed.sums(), Level::DEFAULT, (0, 50), 1000));
        assert!(0.0 < lower && lower <= lo && lo < 0.83, "{lower} {lo}");
        assert!(0.83 < hi && hi <= higher && higher < 50.0, "{hi} {higher}");
    }

    #[test]
    fn a_small_spread_makes_a_narrow_interval() {
        let narrow = tally(&[(20, 500), (21, 500)]);
        let (lo, hi) = limits(mean_sequence(&narrow, Level::DEFAULT, (0, 52), 1000));
        // A value of 0 may come any time, so the range counts as range / n.
        assert!(20.3 < lo && hi < 20.8, "{lo} {hi}");
    }

    #[test]
    fn equal_samples_leave_a_finite_interval_within_the_limits() {
        for value in [0, 3, 10] {
            let equal = tally(&[(value, 200)]);
            for (lo, hi) in [
                limits(mean_sequence(&equal, Level::DEFAULT, (0, 10), 200)),
                limits(mean_sequence(&equal.sums(), Level::DEFAULT, (0, 10), 200)),
            ] {
                let mean = value as f64;
                assert!(0.0 <= lo && lo <= mean && mean <= hi && hi <= 10.0);
                assert!(hi - lo < 2.5, "{value}: {lo} {hi}");
            }
        }
    }

    #[test]
    fn unresolved_samples_widen_it_on_their_own_side() {
        let mut open = tally(&[(2, 60), (8, 40)]);
        let (lo, hi) = limits(mean_sequence(&open, Level::DEFAULT, (0, 10), 100));
        (0..20).for_each(|_| open.push_bounds(0, 10));
        let (lower, higher) = limits(mean_sequence(&open, Level::DEFAULT, (0, 10), 100));
        assert!(lower < lo && hi < higher);
        let empty = mean_sequence(&tally(&[]), Level::DEFAULT, (0, 10), 9);
        assert_eq!(empty.interval, None);
    }

    #[test]
    fn the_wealth_falls_as_the_mean_tested_grows() {
        let wealth = Wealth::Betting(vec![(0.0, 30.0), (0.2, 50.0), (1.0, 5.0)]);
        let logs: Vec<f64> = (1..100)
            .map(|m| wealth.log(0.3, f64::from(m) / 100.0))
            .collect();
        assert!(logs.is_sorted_by(|a, b| a >= b));
    }
}
