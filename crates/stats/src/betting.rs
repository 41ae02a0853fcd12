//! Confidence sequences of means of bounded integers, valid at all numbers of samples at once.
//!
//! Against a mean `m` of values in `[0, 1]` one bets on more: a fraction `f` of the wealth grows
//! by `1 + f (x / m - 1)` a sample. Spread over a fixed ladder of fractions, the wealth exceeds
//! `1 / alpha` with probability at most `alpha` if the mean is `m` or less, and it depends on the
//! histogram alone, not on the order of samples or on the looks. Where only sums are kept, Fan's
//! inequality `ln(1 + f y) >= f y + (f + ln(1 - f)) y^2` bounds that wealth from below.
//! References: Waudby-Smith and Ramdas 2024, *JRSS B* 86; Fan, Grama, Liu 2015, *EJP* 20.

use std::cell::Cell;

use super::halving::halved;
use super::mean::float_limits;
use super::{
    Accumulator, Bounded, Estimate, Interval, Level, Method, Span, Validity, mean_estimate,
};

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
    let [least, most] = float_limits(Some(limits)).to_array();
    let ladder = Ladder::new(level.tail(), planned);
    let interval = || {
        let [low, high] = [
            Wealth::of(&tally.low_end(), least, most),
            Wealth::of(&tally.high_end(), most, least),
        ];
        let ends = Span::new(
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
pub(crate) fn sequence_half_width(
    sd: f64,
    n: u64,
    limits: Span,
    level: Level,
    planned: u64,
) -> Option<f64> {
    let share = sd / limits.width();
    let half = n as f64 / 2.0;
    let wealth = Wealth::Betting(
        [0.5 - share, 0.5 + share]
            .map(|x| Occurrence { x, times: half })
            .into(),
    );
    let width = || (0.5 - Ladder::new(level.tail(), planned).lower(&wealth)) * limits.width();
    (share > 0.0 && share <= 0.5 && n > 0).then(width)
}

/// A value in `[0, 1]`, with the number of times it occurred.
struct Occurrence {
    x: f64,
    times: f64,
}

/// A summary of samples in `[0, 1]`.
enum Wealth {
    /// Values with the number of times they occurred.
    Betting(Vec<Occurrence>),
    /// Number, mean and variance with divisor n.
    Bernstein { n: f64, mean: f64, variance: f64 },
}

impl Wealth {
    /// The summary of values as shares of the way from one number to the other.
    fn of<A: Accumulator>(end: &A, from: f64, to: f64) -> Self {
        let share = |value: f64| ((value - from) / (to - from)).clamp(0.0, 1.0);
        if let Some(histogram) = end.histogram() {
            let shares = histogram.iter();
            let shares = shares.map(|(value, times)| Occurrence {
                x: share(value as f64),
                times: times as f64,
            });
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

    /// A bound on the rounding in the logarithm of the wealth of a stake, divided by the stake's odds. It follows
    /// from `|ln(1 + f (x / m - 1))| <= f (x / m + 1) / (1 - f)` for means at least half of that of the
    /// samples, with room for twice as much; infinite where nobody has worked it out.
    fn rounding(&self) -> f64 {
        match self {
            Wealth::Betting(shares) => {
                let n: f64 = shares.iter().map(|share| share.times).sum();
                6.0 * f64::EPSILON * n * (shares.len() as f64 + 4.0)
            }
            Wealth::Bernstein { .. } => f64::INFINITY,
        }
    }

    fn mean(&self) -> f64 {
        match self {
            Wealth::Betting(shares) => {
                let n: f64 = shares.iter().map(|share| share.times).sum();
                shares
                    .iter()
                    .map(|share| share.x * share.times)
                    .sum::<f64>()
                    / n
            }
            Wealth::Bernstein { mean, .. } => *mean,
        }
    }

    /// Returns the logarithm of the wealth of betting the fraction `f` against the mean `m`.
    fn log(&self, f: f64, m: f64) -> f64 {
        match *self {
            Wealth::Betting(ref shares) => {
                let growth =
                    |share: &Occurrence| share.times * libm::log1p(f * (share.x / m - 1.0));
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
        let search = GapSearch::new(self, wealth, mean);
        let all: Vec<i32> = (1..=52).collect();
        let gives_up = |&halvings: &i32| search.gives_up(gap(halvings));
        let halvings = all.partition_point(gives_up) as i32;
        if halvings == 0 {
            return self.near_zero(wealth, mean);
        }
        search.close_in();
        mean - halved(gap(halvings), gap(halvings + 1), 50, |gap| {
            search.gives_up(gap)
        })
        .kept
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
        m > 0.0 && self.excess(wealth, m).value >= 0.0
    }

    /// The logarithm of the wealth of all stakes against a mean above 0, over the goal.
    fn excess(&self, wealth: &Wealth, m: f64) -> Excess {
        let (mut logs, mut largest) = (Vec::with_capacity(self.fractions.len()), f64::NEG_INFINITY);
        for &fraction in self.fractions.iter().rev() {
            let log = wealth.log(fraction, m);
            logs.push((fraction, log));
            largest = log.max(largest);
            // The logarithm is concave in the fraction: larger ones have lost still more, and add 0.
            if log < largest - NOTHING {
                break;
            }
        }
        let (mut scaled, mut rounding) = (0.0, 0.0);
        for (fraction, log) in logs.into_iter().rev() {
            let share = libm::exp(log - largest);
            scaled += share;
            rounding += share * fraction / (1.0 - fraction);
        }
        Excess {
            value: largest + libm::log(scaled) - self.goal,
            rounding: 1e-13 + wealth.rounding() * rounding / scaled,
        }
    }
}

/// A number to whose negative power e is 0, with room for rounding.
const NOTHING: f64 = 800.0;

/// The logarithm of a wealth over the goal, and a bound on the rounding in it.
#[derive(Clone, Copy)]
struct Excess {
    value: f64,
    rounding: f64,
}

/// A gap between the mean of the samples and the mean tested, with the excess there.
#[derive(Clone, Copy)]
struct TestedGap {
    gap: f64,
    excess: f64,
}

/// The search for the least mean not given up, by its gap. The larger the gap, the larger the wealth, which is
/// computed only where its side of the goal does not follow from what was computed before.
struct GapSearch<'a> {
    ladder: &'a Ladder,
    wealth: &'a Wealth,
    mean: f64,
    /// The largest gap that is kept and the smallest that is given up, both by more than rounding can do.
    surely: [Cell<TestedGap>; 2],
    /// The last gap that was kept, and the last that was given up.
    last: [Cell<TestedGap>; 2],
}

impl<'a> GapSearch<'a> {
    fn new(ladder: &'a Ladder, wealth: &'a Wealth, mean: f64) -> Self {
        let excess = f64::NAN;
        let unknown = || [0.0, f64::INFINITY].map(|gap| Cell::new(TestedGap { gap, excess }));
        Self {
            ladder,
            wealth,
            mean,
            surely: unknown(),
            last: unknown(),
        }
    }

    fn gives_up(&self, gap: f64) -> bool {
        // Many small gaps leave one and the same mean.
        let is_last = |side: usize| self.mean - self.last[side].get().gap == self.mean - gap;
        if gap >= self.surely[1].get().gap || is_last(1) {
            return true;
        }
        let is_kept = gap <= self.surely[0].get().gap || is_last(0);
        !is_kept && self.excess(gap).value >= 0.0
    }

    /// Computes the excess of a gap that is not known, and takes it in.
    fn excess(&self, gap: f64) -> Excess {
        let found = self.ladder.excess(self.wealth, self.mean - gap);
        let side = usize::from(found.value >= 0.0);
        let tested = TestedGap {
            gap,
            excess: found.value,
        };
        self.last[side].set(tested);
        if found.value.abs() > found.rounding {
            self.surely[side].set(tested);
        }
        found
    }

    /// Narrows the gaps that are not known down to those that rounding decides, by secants.
    fn close_in(&self) {
        let [mut before, mut last] = [0, 1].map(|side| self.last[side].get());
        let aim = |before: TestedGap, last: TestedGap, excess: f64| {
            let slope = (last.excess - before.excess) / (last.gap - before.gap);
            let gap = last.gap + (excess - last.excess) / slope;
            let [kept, given_up] = [0, 1].map(|side| self.surely[side].get().gap);
            (kept < gap && gap < given_up).then_some(gap)
        };
        let mut rounding = 0.0;
        for _ in 0..SECANTS {
            let Some(gap) = aim(before, last, 0.0) else {
                break;
            };
            let found = self.excess(gap);
            rounding = NEAR * found.rounding;
            let excess = found.value;
            (before, last) = (last, TestedGap { gap, excess });
            if excess.abs() <= rounding {
                break;
            }
        }
        for side in [-rounding, rounding] {
            if let Some(gap) = aim(before, last, side) {
                self.excess(gap);
            }
        }
    }
}

/// Secants at most: each has about the digits of the two before it together.
const SECANTS: usize = 8;
/// A distance from the goal, in units of what rounding can do, that is near and yet sure.
const NEAR: f64 = 4.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;
    use kit::rng::{Streams, below, unit};

    fn tally(values: &[(i64, u64)]) -> Bounded<Histogram> {
        let mut tally = Bounded::default();
        for &(value, times) in values {
            (0..times).for_each(|_| tally.push(value));
        }
        tally
    }

    fn limits(estimate: Estimate) -> Span {
        estimate.interval.unwrap().ends()
    }

    #[test]
    fn sums_alone_give_a_wider_interval_than_the_histogram() {
        let skewed = tally(&[(0, 900), (1, 50), (7, 40), (50, 10)]);
        let Span { lo, hi } = limits(mean_sequence(&skewed, Level::DEFAULT, (0, 50), 1000));
        let [lower, higher] =
            limits(mean_sequence(&skewed.sums(), Level::DEFAULT, (0, 50), 1000)).to_array();
        assert!(0.0 < lower && lower <= lo && lo < 0.83, "{lower} {lo}");
        assert!(0.83 < hi && hi <= higher && higher < 50.0, "{hi} {higher}");
    }

    #[test]
    fn a_small_spread_makes_a_narrow_interval() {
        let narrow = tally(&[(20, 500), (21, 500)]);
        let Span { lo, hi } = limits(mean_sequence(&narrow, Level::DEFAULT, (0, 52), 1000));
        // A value of 0 may come any time, so the range counts as range / n.
        assert!(20.3 < lo && hi < 20.8, "{lo} {hi}");
    }

    #[test]
    fn equal_samples_leave_a_finite_interval_within_the_limits() {
        for value in [0, 3, 10] {
            let equal = tally(&[(value, 200)]);
            for Span { lo, hi } in [
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
        let Span { lo, hi } = limits(mean_sequence(&open, Level::DEFAULT, (0, 10), 100));
        (0..20).for_each(|_| open.push_bounds(0, 10));
        let [lower, higher] = limits(mean_sequence(&open, Level::DEFAULT, (0, 10), 100)).to_array();
        assert!(lower < lo && hi < higher);
        let empty = mean_sequence(&tally(&[]), Level::DEFAULT, (0, 10), 9);
        assert_eq!(empty.interval, None);
    }

    /// A sequence moves with its values and their limits, and grows with their unit; of two values it is as wide as planned.
    #[test]
    fn a_sequence_is_in_the_unit_of_its_values() {
        let of = |origin: i64, unit: i64, sums: bool| {
            let at = |value: i64| origin + unit * value;
            let values = tally(&[(at(0), 60), (at(3), 30), (at(10), 10)]);
            let limits = (at(0), at(12));
            let level = Level::DEFAULT;
            let found = if sums {
                mean_sequence(&values.sums(), level, limits, 200)
            } else {
                mean_sequence(&values, level, limits, 200)
            };
            let interval = found.interval.unwrap();
            [interval.lo, interval.hi].map(|end| (end - origin as f64) / unit as f64)
        };
        for sums in [false, true] {
            let plain = of(0, 1, sums);
            for (origin, unit) in [(7, 1), (-30, 1), (0, 4), (5, 3)] {
                let moved = of(origin, unit, sums);
                let is_near = |side: usize| (moved[side] - plain[side]).abs() < 1e-9;
                assert!(is_near(0) && is_near(1), "{origin} {unit}: {moved:?}");
            }
        }
        let even = tally(&[(0, 500), (20, 500)]);
        let Span { lo, hi } = limits(mean_sequence(&even, Level::DEFAULT, (-10, 30), 1_000));
        let width = |sd: f64, n: u64| {
            sequence_half_width(sd, n, Span::new(-10.0, 30.0), Level::DEFAULT, 1_000)
        };
        assert!((width(10.0, 1_000).unwrap() - (hi - lo) / 2.0).abs() < 1e-9);
        for (sd, n) in [(0.0, 9), (20.1, 9), (5.0, 0)] {
            assert_eq!(width(sd, n), None, "{sd} {n}");
        }
        assert!(width(20.0, 9).is_some());
    }

    /// Six ones and four halves against a half: stakes of 1/2 and 1/4 grow to 1.5^6 and 1.25^6, at odds of 1 and 1/3.
    #[test]
    fn the_wealth_is_that_of_all_stakes_and_its_rounding_that_of_their_odds() {
        let ladder = Ladder {
            fractions: vec![0.5, 0.25],
            goal: 1.0,
        };
        let shares = [(1.0, 6.0), (0.5, 4.0)].map(|(x, times)| Occurrence { x, times });
        let found = ladder.excess(&Wealth::Betting(shares.into()), 0.5);
        let part = libm::pow(1.25 / 1.5, 6.0);
        let value = 6.0 * libm::log(1.5) + libm::log(1.0 + part) - 1.0;
        assert!((found.value - value).abs() < 1e-12);
        // Ten samples of two values.
        let rounding = 360.0 * f64::EPSILON * (1.0 + part / 3.0) / (1.0 + part);
        let expected = 1e-13 + rounding;
        assert!((found.rounding - expected).abs() < 1e-20, "{expected}");
    }

    /// Halving alone, every mean tested by all stakes.
    fn lower_by_halving(ladder: &Ladder, wealth: &Wealth) -> f64 {
        let mean = wealth.mean();
        let gap = |halvings: i32| mean * 0.5f64.powi(halvings);
        let gives_up = |gap: f64| {
            let logs = ladder
                .fractions
                .iter()
                .map(|&fraction| wealth.log(fraction, mean - gap));
            let logs: Vec<f64> = logs.collect();
            let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let scaled: f64 = logs.iter().map(|log| libm::exp(log - largest)).sum();
            mean > gap && largest + libm::log(scaled) >= ladder.goal
        };
        let all: Vec<i32> = (1..=52).collect();
        match all.partition_point(|&halvings| gives_up(gap(halvings))) as i32 {
            0 => ladder.near_zero(wealth, mean),
            halvings => mean - halved(gap(halvings), gap(halvings + 1), 50, gives_up).kept,
        }
    }

    /// Seed 61: tallies of one to a billion samples, of values that are close, far apart, rare or equal.
    fn limits_are_those_of_halving_alone(tallies: u64) {
        let mut stream = Streams::new(61).key("tallies").stream(0);
        for _ in 0..tallies {
            let values = 1 + below(&mut stream, 60);
            let size = libm::pow(10.0, 7.5 * unit(&mut stream));
            let share = |index| (unit(&mut stream), (size * unit(&mut stream)).ceil(), index);
            let shares: Vec<_> = (0..values).map(share).collect();
            let is_grid = below(&mut stream, 2) == 0;
            let value = |x: f64, index: u64| if is_grid { index as f64 / 60.0 } else { x };
            let shares = shares.into_iter().map(|(x, times, index)| Occurrence {
                x: value(x, index),
                times,
            });
            let betting = Wealth::Betting(shares.collect());
            let n = size.ceil();
            let (mean, variance) = (unit(&mut stream), 0.2 * unit(&mut stream));
            for wealth in [betting, Wealth::Bernstein { n, mean, variance }] {
                for (tail, planned) in [(0.025, 1_000), (1e-6, 1_000_000), (0.4, 7)] {
                    let ladder = Ladder::new(tail, planned);
                    let (found, expected) =
                        (ladder.lower(&wealth), lower_by_halving(&ladder, &wealth));
                    assert_eq!(found.to_bits(), expected.to_bits(), "{n} {mean} {tail}");
                }
            }
        }
    }

    #[test]
    fn the_limit_is_the_number_that_halving_alone_finds() {
        limits_are_those_of_halving_alone(40);
    }

    #[test]
    #[ignore = "long; the short form runs always"]
    fn the_limits_of_many_tallies_are_the_numbers_that_halving_alone_finds() {
        limits_are_those_of_halving_alone(300);
    }

    #[test]
    fn the_wealth_falls_as_the_mean_tested_grows() {
        let wealth = Wealth::Betting(
            [(0.0, 30.0), (0.2, 50.0), (1.0, 5.0)]
                .map(|(x, times)| Occurrence { x, times })
                .into(),
        );
        let logs: Vec<f64> = (1..100)
            .map(|m| wealth.log(0.3, f64::from(m) / 100.0))
            .collect();
        assert!(logs.is_sorted_by(|a, b| a >= b));
    }
}
