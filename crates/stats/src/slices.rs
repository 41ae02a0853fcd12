//! Estimates from slices of floating-point numbers: for programs that keep no tallies.
//!
//! The numbers are put on a grid of 2^60 steps to the largest of them, which is finer than their own
//! digits wherever these count; from there on, sums are exact and the order of the numbers is of no account. Each
//! function returns `None` for no numbers, and where one is not finite or outside the limits.

use super::quantile::ranks;
use super::{
    Bounded, Confidence, Dependence, Estimate, Interval, Level, Looks, Method, Moments, Paired,
    Span, mean, mean_estimate, subtracted,
};

/// Estimates the mean of independent samples whose number was fixed beforehand. The interval allows for how skewed
/// they are; fewer than ten have none.
pub fn mean_of(values: &[f64], level: Level) -> Option<Estimate> {
    let grid = Grid::of(values)?;
    Some(grid.estimate(mean_estimate(&grid.tally(values), level, None)))
}

/// Estimates the mean of independent samples of a quantity between two limits, as the looks at them allow: with
/// [`Looks::Many`] one may look after every sample, and stop at any look.
pub fn mean_within(values: &[f64], limits: Span, confidence: Confidence) -> Option<Estimate> {
    let grid = Grid::of(&[limits.lo, limits.hi])?;
    let is_inside = |value: &f64| limits.lo <= *value && *value <= limits.hi;
    let is_known = !values.is_empty() && values.iter().all(is_inside);
    let limits = Some((grid.steps(limits.lo), grid.steps(limits.hi)));
    is_known.then(|| grid.estimate(mean(&grid.tally(values), confidence, limits)))
}

/// Estimates the difference of two means, first minus second, from samples that are independent of each other.
pub fn difference_of(first: &[f64], second: &[f64], level: Level) -> Option<Estimate> {
    let [first, second] = [mean_of(first, level)?, mean_of(second, level)?];
    let independent = Dependence::Correlation(0.0);
    Some(subtracted(&first, &second, independent, false))
}

/// Estimates the mean difference, first minus second, of two numbers for each instance. `None` also where the slices are
/// not of the same length.
pub fn paired_difference_of(first: &[f64], second: &[f64], level: Level) -> Option<Estimate> {
    let grid = Grid::of(&[first, second].concat()).filter(|_| first.len() == second.len())?;
    let mut pairs = Paired::default();
    for (&first, &second) in first.iter().zip(second) {
        pairs.push(grid.steps(first), grid.steps(second));
    }
    Some(grid.estimate(pairs.estimate(level, None)))
}

/// Estimates the lower `p`-quantile of independent samples, `p` strictly between 0 and 1, without an assumption on their
/// distribution. It has no interval where the samples are too few for one.
pub fn quantile_of(values: &[f64], p: f64, level: Level) -> Option<Estimate> {
    let is_known = !values.is_empty() && values.iter().all(|value| value.is_finite());
    let is_share = p > 0.0 && p < 1.0;
    if !(is_known && is_share) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as u64;
    let at_rank = |rank: u64| sorted.get(rank.checked_sub(1)? as usize).copied();
    let looks = Looks::Once;
    let (bottom, top) = ranks(n, p, Confidence { level, looks });
    let ends = Span::between(at_rank(bottom), at_rank(top));
    let value = at_rank(((p * n as f64).ceil() as u64).clamp(1, n));
    Some(Estimate {
        value,
        interval: ends.and_then(|ends| Interval::fixed(ends, level, Method::OrderStatistics)),
        n,
        lower: value,
        upper: value,
        ..Estimate::default()
    })
}

/// A grid on which numbers become integers: multiples of a power of two.
#[derive(Clone, Copy, Debug)]
struct Grid {
    step: f64,
}

impl Grid {
    /// The steps to the largest number, as a power of two: two numbers differ by an `i64` of steps.
    const FINENESS: i32 = 60;

    /// The finest grid that holds all of these numbers; `None` where there are none, or one is not finite.
    fn of(values: &[f64]) -> Option<Self> {
        let is_known = !values.is_empty() && values.iter().all(|value| value.is_finite());
        let largest = values
            .iter()
            .fold(0.0, |most: f64, value| most.max(value.abs()));
        let (_, exponent) = libm::frexp(largest);
        // Below this, a power of two has fewer digits than a number should.
        let exponent = (exponent - Self::FINENESS).max(f64::MIN_EXP);
        is_known.then(|| Self {
            step: libm::ldexp(1.0, exponent),
        })
    }

    fn steps(self, value: f64) -> i64 {
        libm::rint(value / self.step) as i64
    }

    fn tally(self, values: &[f64]) -> Bounded<Moments> {
        let mut tally = Bounded::default();
        values
            .iter()
            .for_each(|&value| tally.push(self.steps(value)));
        tally
    }

    /// The estimate of the numbers from that of their steps.
    fn estimate(self, steps: Estimate) -> Estimate {
        let scaled = |value: f64| value * self.step;
        Estimate {
            sd: steps.sd.map(scaled),
            mcse: steps.mcse.map(scaled),
            ..steps.map(scaled)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval(estimate: Option<Estimate>) -> Interval {
        estimate.unwrap().interval.unwrap()
    }

    #[test]
    fn integers_have_the_estimates_of_their_tally() {
        let values: Vec<f64> = (0..500).map(|i| f64::from(i * i % 17)).collect();
        let mut tally = Bounded::<Moments>::default();
        values.iter().for_each(|&value| tally.push(value as i64));
        let expected = mean_estimate(&tally, Level::DEFAULT, None);
        let found = mean_of(&values, Level::DEFAULT).unwrap();
        assert_eq!(found.value, expected.value);
        let (found, expected) = (found.interval.unwrap(), expected.interval.unwrap());
        // The margin of tallies that come in steps of one is not smaller than that of finer ones.
        assert!(found.lo >= expected.lo && found.hi <= expected.hi);
        assert!(found.half_width() > 0.9 * expected.half_width());
    }

    #[test]
    fn many_looks_cost_width_and_stay_within_limits() {
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 10) / 10.0).collect();
        let at = |looks| {
            let confidence = Confidence {
                level: Level::DEFAULT,
                looks,
            };
            interval(mean_within(&values, Span::new(0.0, 1.0), confidence))
        };
        let (once, often) = (at(Looks::Once), at(Looks::Many { planned: 400 }));
        assert!(0.0 <= often.lo && often.lo < once.lo && once.hi < often.hi && often.hi <= 1.0);
    }

    #[test]
    fn pairs_are_known_better_than_two_samples() {
        let first: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 101)).collect();
        let second: Vec<f64> = first
            .iter()
            .enumerate()
            .map(|(i, value)| value + 1.0 + (i % 3) as f64 / 9.0)
            .collect();
        let paired = interval(paired_difference_of(&first, &second, Level::DEFAULT));
        let apart = interval(difference_of(&first, &second, Level::DEFAULT));
        assert!(paired.hi < -1.0 && -1.2 < paired.lo, "{paired:?}");
        assert!(apart.contains(0.0), "{apart:?}");
    }

    #[test]
    fn the_median_of_skewed_numbers_is_one_of_them() {
        let values: Vec<f64> = (1..=101).map(|i| 1.0 / f64::from(i)).collect();
        let median = quantile_of(&values, 0.5, Level::DEFAULT).unwrap();
        assert_eq!(median.value, Some(1.0 / 51.0));
        assert!(median.interval.unwrap().contains(1.0 / 51.0));
        assert_eq!(
            quantile_of(&values[..3], 0.5, Level::DEFAULT)
                .unwrap()
                .interval,
            None
        );
    }

    #[test]
    fn what_no_number_can_say_is_not_said() {
        let level = Level::DEFAULT;
        let once = Confidence {
            level,
            looks: Looks::Once,
        };
        for values in [&[][..], &[f64::NAN, 1.0], &[f64::INFINITY]] {
            assert_eq!(mean_of(values, level), None);
            assert_eq!(mean_within(values, Span::new(0.0, 2.0), once), None);
            assert_eq!(quantile_of(values, 0.5, level), None);
        }
        assert_eq!(mean_within(&[3.0], Span::new(0.0, 2.0), once), None);
        assert_eq!(paired_difference_of(&[1.0], &[1.0, 2.0], level), None);
        assert_eq!(quantile_of(&[1.0], 1.0, level), None);
    }

    proptest! {
        /// Numbers of any size, in any order, have the mean that exact sums give, to the last digits.
        #[test]
        fn means_are_exact_in_any_order(values in prop::collection::vec(-1e3..1e3f64, 2..50), power in -900..900i32) {
            let scaled: Vec<f64> = values.iter().map(|value| libm::ldexp(*value, power)).collect();
            let mut reversed = scaled.clone();
            reversed.reverse();
            let level = Level::DEFAULT;
            prop_assert_eq!(mean_of(&scaled, level), mean_of(&reversed, level));
            let plain = libm::ldexp(values.iter().sum::<f64>() / values.len() as f64, power);
            let found = mean_of(&scaled, level).unwrap().value.unwrap();
            prop_assert!((found - plain).abs() <= libm::ldexp(1e-11, power), "{} {}", found, plain);
        }
    }
}
