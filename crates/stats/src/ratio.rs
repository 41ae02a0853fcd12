//! A ratio of two totals, such as successes per attempt over samples of several attempts.
//!
//! The delta method: the residuals `x - r y` have mean zero, and their standard error over the
//! mean of `y` is the ratio's. Residuals that are almost always small, but rarely large, are as skewed
//! as rare values are, so the sums of their cubes are kept too. Reference: Cochran 1977, *Sampling
//! Techniques*, 6.4.

use serde::{Deserialize, Serialize};

use super::co_moments::CoMoments;
use super::critical::student_upper;
use super::quotients::Quotients;
use super::skew::{MeanTails, Reach};
use super::storable::{MAX_COUNT, Storable};
use super::wide::Wide;
use super::{Estimate, Interval, Level, Margins, Method, Span};

/// Exact sums of numerators and denominators, and of their products of two and of three.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatioSums {
    /// The co-moments of the numerator and the denominator.
    sums: CoMoments,
    /// The sums of the products of three numerators, of two and one denominator, of one and two, of three denominators.
    cubes: [Wide; 4],
    quotients: Quotients,
}

/// The pairs are of 64-bit values.
impl Storable for RatioSums {
    fn is_consistent(&self) -> bool {
        let n = i128::from(self.count());
        let largest = Wide::product(n, 1 << 126);
        let largest_cube = largest.times(1 << 63);
        let sum_fits = |sum: &i128| sum.unsigned_abs() <= n.unsigned_abs() << 63;
        let fits = |sum: &Wide, most: Wide| *sum <= most && Wide::default() - *sum <= most;
        let is_sound = || {
            self.sums.sums.iter().all(sum_fits)
                && self.sums.products.iter().all(|sum| fits(sum, largest))
                && self.cubes.iter().all(|cube| fits(cube, largest_cube))
                && [0, 1]
                    .into_iter()
                    .all(|one| self.sums.spread(one, one) >= Wide::default())
                && self.quotients.is_consistent()
        };
        *self == Self::default() || ((1..=MAX_COUNT).contains(&self.count()) && is_sound())
    }
}

/// Relative residuals below this are rounding, not variation.
const NEGLIGIBLE: f64 = 1e-13;

/// The effective number of denominators, their sum squared over the sum of their squares, of an interval at least.
const LEAST_EFFECTIVE: f64 = 2.0;
/// The effective number of denominators below which they are counted instead of the samples.
const FEW_EFFECTIVE: f64 = 30.0;

impl RatioSums {
    /// Counts a sample's numerator and denominator.
    #[inline]
    pub fn push(&mut self, numerator: i64, denominator: i64) {
        self.sums.push(numerator, denominator);
        let (x, y) = (i128::from(numerator), i128::from(denominator));
        let cubes = [(x * x, x), (x * x, y), (y * y, x), (y * y, y)];
        for (sum, (square, factor)) in self.cubes.iter_mut().zip(cubes) {
            *sum += Wide::product(square, factor);
        }
        self.quotients.push(numerator, denominator);
    }

    /// Adds everything another tally counted.
    pub fn merge(&mut self, other: &Self) {
        self.sums.merge(&other.sums);
        for (mine, theirs) in self.cubes.iter_mut().zip(other.cubes) {
            *mine += theirs;
        }
        self.quotients.merge(&other.quotients);
    }

    /// Returns the number of samples counted.
    pub fn count(&self) -> u64 {
        self.sums.count
    }

    /// The sum of numerators over the sum of denominators; `None` unless the latter is positive.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let [numerators, denominators] = self.sums.sums;
        (denominators > 0).then(|| numerators as f64 / denominators as f64)
    }

    /// The ratio with its delta-method standard error and interval, which are `None` where all
    /// samples have the same ratio; the interval also where they are too few. `limits` are those of the
    /// ratio of each sample.
    ///
    /// ```
    /// use etude_stats::{Level, RatioSums, Span};
    /// let mut hits = RatioSums::default();
    /// (0..200).for_each(|sample| hits.push(sample % 3, 2));
    /// let shares = Span::new(0.0, 1.0);
    /// assert!(hits.estimate(Level::DEFAULT, shares).interval.unwrap().contains(0.5));
    /// ```
    pub fn estimate(&self, level: Level, limits: Span) -> Estimate {
        let value = self.ratio();
        let mcse = value.and_then(|ratio| self.standard_error(ratio));
        Estimate {
            value,
            mcse,
            interval: value.zip(mcse).and_then(|(ratio, error)| {
                let limits = self.limits(ratio, error, limits, level.tail())?;
                Interval::fixed(limits, level, Method::DeltaRatio)
            }),
            n: self.count(),
            lower: value,
            upper: value,
            ..Estimate::default()
        }
    }

    /// The limits of an interval that each may be passed with probability `tail`.
    fn limits(&self, ratio: f64, error: f64, quotients: Span, tail: f64) -> Option<Span> {
        let sampled = self.tails(tail)?;
        let margin = |reach, room: f64| {
            let margin = sampled.margin(error, reach, f64::INFINITY)?;
            Some(margin.max(sampled.unseen * room))
        };
        let reach = self.reach(ratio, error);
        let room = self.room(ratio, quotients);
        let below = margin(reach.below, room.below)?;
        let above = margin(reach.above, room.above)?;
        Some(Span::new(ratio - below, ratio + above))
    }

    /// The samples as the limits depend on them: where a few have most of the denominators, the others tell
    /// nothing of how the ratio varies, and the critical value is that of the few. `None` of too few.
    fn tails(&self, tail: f64) -> Option<MeanTails> {
        let all = MeanTails::new(self.count(), tail);
        let squares = self.sums.products[2].to_f64();
        let effective = (self.sums.sums[1] as f64).powi(2) / squares;
        match effective {
            LEAST_EFFECTIVE..FEW_EFFECTIVE => Some(MeanTails {
                t: student_upper(tail, effective - 1.0).max(all.t),
                ..all
            }),
            _ => Some(all).filter(|_| effective >= FEW_EFFECTIVE),
        }
    }

    /// Returns how far a sample may lie below and above the ratio, in mean denominators, when its denominator
    /// is the largest. Where all numerators are equal, the samples' ratios follow from their denominators, and
    /// nothing more is to be met.
    fn room(&self, ratio: f64, limits: Span) -> Margins {
        if self.sums.spread(0, 0) == Wide::default() {
            return Margins::default();
        }
        let Margins { below, above } = self.quotients.residuals(ratio, limits);
        let mean = self.sums.mean(1);
        Margins {
            below: below / mean,
            above: above / mean,
        }
    }

    /// The reach of the residuals to either side: at least as their own skewness says, which rare
    /// large ones make, and at least as far as the laws of both totals do.
    fn reach(&self, ratio: f64, error: f64) -> Reach {
        let skewness = self.residual_skewness(ratio, error);
        let laws = self.reach_of_totals();
        Reach {
            below: laws.max(-skewness),
            above: laws.max(skewness),
        }
    }

    /// The skewness of the residuals over the root of the number of samples, in -1..=1; 0 where it is
    /// lost in rounding.
    fn residual_skewness(&self, ratio: f64, error: f64) -> f64 {
        let factors = [1.0, -3.0 * ratio, 3.0 * ratio.powi(2), -ratio.powi(3)];
        let terms = self.cubes.iter().zip(factors);
        let (mut sum, mut rounding) = (0.0, 0.0);
        for (cube, factor) in terms {
            let term = cube.to_f64() * factor;
            sum += term;
            rounding += 1e-14 * term.abs();
        }
        let scale = (error * self.sums.sums[1] as f64).powi(3);
        if sum.abs() > rounding {
            (sum / scale).clamp(-1.0, 1.0)
        } else {
            0.0
        }
    }

    /// Twice the coefficients of variation of both totals over the root of the number of samples: the
    /// skewness of a gamma law, and more than that of a binomial one.
    fn reach_of_totals(&self) -> f64 {
        let variation = |one: usize| {
            let spread = self.sums.spread(one, one).to_f64();
            (spread.sqrt() / self.sums.sums[one] as f64).abs()
        };
        2.0 * (variation(0) + variation(1)) / (self.count() as f64).sqrt()
    }

    fn standard_error(&self, ratio: f64) -> Option<f64> {
        let xx = self.sums.spread(0, 0).to_f64();
        let xy = self.sums.spread(0, 1).to_f64();
        let yy = ratio * ratio * self.sums.spread(1, 1).to_f64();
        let residual = xx - 2.0 * ratio * xy + yy;
        let varies = self.count() > 1 && residual > NEGLIGIBLE * (xx + yy);
        let freedom = self.count() as f64 - 1.0;
        varies.then(|| (residual / freedom).sqrt() / self.sums.sums[1] as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(i64, i64)]) -> RatioSums {
        let mut sums = RatioSums::default();
        pairs.iter().for_each(|&(x, y)| sums.push(x, y));
        sums
    }

    #[test]
    fn the_standard_error_is_that_of_the_residuals() {
        // r = 1/2; residuals x - y/2 are 0, 1/2, -1/2; their variance is 5/29; mean y is 10/3.
        let pairs = [(1, 2), (2, 3), (2, 5)];
        let estimate = of(&pairs.repeat(10)).estimate(Level::DEFAULT, Span::OPEN);
        assert_eq!(estimate.value, Some(0.5));
        let expected = (5f64 / 29.0 / 30.0).sqrt() / (10.0 / 3.0);
        assert!((estimate.mcse.unwrap() - expected).abs() < 1e-12);
        assert!(estimate.interval.unwrap().contains(0.5));
        assert_eq!(
            of(&pairs).estimate(Level::DEFAULT, Span::OPEN).interval,
            None
        );
    }

    #[test]
    fn residuals_that_are_rarely_large_widen_the_side_on_which_they_lie() {
        // Of 500 ratios, 497 are 1 and three are 0: the limit below suffers, the one above does not.
        let pairs = [[(4, 4); 497].as_slice(), &[(0, 4); 3]].concat();
        let found = of(&pairs).estimate(Level::DEFAULT, Span::OPEN);
        let (ratio, error) = (found.value.unwrap(), found.mcse.unwrap());
        let reach = of(&pairs).reach(ratio, error);
        // The skewness of a rare value is (1 - 2p) / sqrt(p q); over the root of 500.
        let p: f64 = 0.006;
        let skewness = (1.0 - 2.0 * p) / (p * (1.0 - p) * 500.0).sqrt();
        assert!(
            (reach.below - skewness).abs() < 5e-3,
            "{reach:?} {skewness}"
        );
        assert!(reach.above < 0.01, "{reach:?}");
        let interval = found.interval.unwrap();
        assert!(interval.lo < 0.98 && interval.hi < 1.01, "{interval:?}");
    }

    #[test]
    fn a_deviation_met_on_small_denominators_alone_may_come_on_large_ones() {
        // 1 - 0.025^(1/250): the share of samples that all 250 may have missed.
        let unseen = 0.014_647_188_635_7;
        let mut pairs = vec![(1, 1); 220];
        pairs.extend([(100, 100); 25]);
        pairs.extend([(0, 1); 5]);
        let found = of(&pairs).estimate(Level::DEFAULT, Span::OPEN);
        let (ratio, interval) = (found.value.unwrap(), found.interval.unwrap());
        let mean = (225.0 + 2_500.0) / 250.0;
        let below = unseen * 100.0 * ratio / mean;
        assert!((ratio - interval.lo - below).abs() < 1e-6, "{interval:?}");
        // The mirror image, and twice instead of none.
        let mirrored: Vec<_> = pairs.iter().map(|&(x, y)| (y - x, y)).collect();
        let mirrored = of(&mirrored)
            .estimate(Level::DEFAULT, Span::OPEN)
            .interval
            .unwrap();
        assert!((mirrored.hi - (1.0 - ratio) - below).abs() < 1e-6);
        let doubled: Vec<_> = pairs.iter().map(|&(x, y)| (2 * y - x, y)).collect();
        let doubled = of(&doubled)
            .estimate(Level::DEFAULT, Span::OPEN)
            .interval
            .unwrap();
        let above = unseen * 100.0 * 2.0 * (2.0 - ratio) / mean;
        assert!((doubled.hi - (2.0 - ratio) - above).abs() < 1e-6);
    }

    #[test]
    fn large_denominators_that_came_with_one_ratio_may_come_with_others() {
        // 1 - 0.025^(1/80): the share of samples that all 80 may have missed.
        let unseen = 0.045_064_063_443_8;
        let pairs = [[(21, 20); 56].as_slice(), &[(1_500, 1_500); 24]].concat();
        let of_limits = |least, most| {
            let limits = Span::new(least, most);
            let found = of(&pairs).estimate(Level::DEFAULT, limits);
            (found.value.unwrap(), found.interval.unwrap())
        };
        let (ratio, open) = of_limits(f64::NEG_INFINITY, f64::INFINITY);
        let per_unit = unseen * 1_500.0 / (56.0 * 20.0 + 24.0 * 1_500.0) * 80.0;
        assert!(
            (ratio - open.lo - per_unit * ratio).abs() < 1e-6,
            "{open:?}"
        );
        assert!(
            (open.hi - ratio - per_unit * 2.0 * ratio).abs() < 1e-6,
            "{open:?}"
        );
        let (_, limited) = of_limits(-1.0, 3.0);
        assert!((ratio - limited.lo - per_unit * (ratio + 1.0)).abs() < 1e-6);
        assert!((limited.hi - ratio - per_unit * (3.0 - ratio)).abs() < 1e-6);
    }

    #[test]
    fn samples_without_a_denominator_do_not_count_for_the_critical_value() {
        let with_zeros = |zeros: usize| {
            let pairs = [(48, 100), (55, 100), (51, 100), (43, 100)];
            let pairs = [pairs.as_slice(), &vec![(0, 0); zeros]].concat();
            let sums = of(&pairs);
            let (ratio, error) = (sums.ratio().unwrap(), sums.standard_error(0.4925).unwrap());
            (ratio, error, sums.tails(0.025).map(|tails| tails.t))
        };
        let (ratio, _, t) = with_zeros(96);
        assert_eq!(ratio, 0.4925);
        // Student's deviate at three degrees of freedom.
        assert!((t.unwrap() - 3.182_446).abs() < 1e-6, "{t:?}");
        let one = of(&[[(7, 9)].as_slice(), &[(0, 0); 99]].concat());
        assert!(one.tails(0.025).is_none());
    }

    #[test]
    fn equal_numerators_are_no_deviations_however_their_denominators_differ() {
        let pairs: Vec<_> = (1..=1_000).map(|draws| (1, draws)).collect();
        let found = of(&pairs).estimate(Level::DEFAULT, Span::OPEN);
        let plain = 1.96 * found.mcse.unwrap();
        assert!(found.interval.unwrap().half_width() < 1.5 * plain);
    }

    #[test]
    fn equal_ratios_and_empty_denominators_give_no_interval() {
        let equal = of(&[(1, 3), (2, 6), (5, 15)]).estimate(Level::DEFAULT, Span::OPEN);
        assert_eq!((equal.value, equal.interval), (Some(1.0 / 3.0), None));
        assert_eq!(of(&[(1, 0)]).ratio(), None);
        assert_eq!(
            RatioSums::default().estimate(Level::DEFAULT, Span::OPEN),
            Estimate::default()
        );
    }

    #[test]
    fn impossible_sums_are_refused() {
        let good = of(&[(2, 3), (1, 4)]);
        assert!(good.is_consistent() && RatioSums::default().is_consistent());
        let bad: [fn(&mut RatioSums); 6] = [
            |sums| sums.sums.count = 0,
            |sums| sums.sums.sums[0] = 9,
            |sums| sums.sums.products[0] = Wide::from(-1),
            |sums| sums.sums.products[2] = Wide::from(1),
            |sums| sums.cubes[0] = Wide::product(i128::MAX, 1 << 126),
            |sums| sums.sums.count = MAX_COUNT + 1,
        ];
        for spoil in bad {
            let mut sums = good.clone();
            spoil(&mut sums);
            assert!(!sums.is_consistent(), "{sums:?}");
        }
        let extreme = of(&[(i64::MIN, i64::MAX), (i64::MAX, i64::MIN)]);
        assert!(extreme.is_consistent());
    }
}
