//! Means of weights far beyond `f64`: importance weights and tree-size estimates.
//!
//! A weight is a whole mantissa times a power of two. Sums are kept exactly, one for each quarter of
//! an octave, so merging is exact; logarithms appear only in the estimate. Counts and sums of these
//! groups tell the tail, and with it what the weights that no sample met may add to the mean.
//! Reference: Owen, *Monte Carlo theory*, 9.3 (effective sample size).

use std::collections::BTreeMap;
use std::f64::consts::{LN_2, LN_10};

use serde::{Deserialize, Serialize};

use super::binomial::unseen_share;
use super::concentration::{Concentration, tail_beyond};
use super::critical::student_upper;
use super::pareto::ParetoTail;
use super::skew::critical;
use super::storable::{MAX_COUNT, Storable};
use super::{Estimate, Interval, Level, Method, Span, Withheld};

/// Exact counts and sums of weights and of their squares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightSums {
    count: u64,
    /// The groups by quarter of an octave, counted from the weight 2^40.
    groups: BTreeMap<i64, Group>,
    largest: Option<Normal>,
}

/// Weights of about one size: their number, and sums of their mantissas and of the squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Group {
    count: u64,
    sum: u128,
    squares: u128,
}

/// A weight whose mantissa has as many bits as all others, so that order of fields is order of size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Normal {
    exponent: i64,
    mantissa: u64,
}

/// The largest mantissa.
const MAX_MANTISSA: u64 = 1 << MANTISSA_BITS;
/// The bits of a normal mantissa.
const MANTISSA_BITS: u32 = 41;
/// The largest exponent in size: far beyond any weight, and doubling it cannot overflow.
const MAX_EXPONENT: i64 = 1 << 40;
/// Groups an octave.
const QUARTERS: i64 = 4;

impl WeightSums {
    /// Counts the weight `mantissa * 2^exponent`. Mantissas above 2^41 and exponents beyond 2^40
    /// in size are held there.
    #[inline]
    pub fn push(&mut self, mantissa: u64, exponent: i64) {
        self.count += 1;
        if mantissa == 0 {
            return;
        }
        let exponent = exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT);
        let weight = Normal::new(mantissa.min(MAX_MANTISSA), exponent);
        let wide = u128::from(weight.mantissa);
        self.groups.entry(weight.quarter()).or_default().add(Group {
            count: 1,
            sum: wide,
            squares: wide * wide,
        });
        self.largest = self.largest.max(Some(weight));
    }

    /// Adds everything another tally counted.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for (&quarter, &group) in &other.groups {
            self.groups.entry(quarter).or_default().add(group);
        }
        self.largest = self.largest.max(other.largest);
    }

    /// Returns the number of weights counted, zeros included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The decimal logarithm of the mean; `None` if there are no weights or all are zero.
    pub fn log10_mean(&self) -> Option<f64> {
        let (sum, top) = (self.scaled_sum()?, self.top()?);
        Some(libm::log10(sum / self.count as f64) + top * LN_2 / LN_10)
    }

    /// The mean; `None` if there are no weights or it is beyond `f64`.
    pub(crate) fn mean(&self) -> Option<f64> {
        if self.groups.is_empty() {
            return (self.count > 0).then_some(0.0);
        }
        let (sum, top) = (self.scaled_sum()?, self.top()?);
        let half = (top / 2.0).floor();
        let mean = sum / self.count as f64 * power_of_two(half) * power_of_two(top - half);
        mean.is_normal().then_some(mean)
    }

    /// The standard error of the mean over the mean; `None` below two weights, or where all are
    /// equal or zero.
    fn relative_error(&self) -> Option<f64> {
        let n = self.count as f64;
        let excess = n / self.effective_size()? - 1.0;
        // Equal weights leave an excess of rounding alone.
        (self.count > 1 && excess > 1e-12).then(|| (excess / (n - 1.0)).sqrt())
    }

    /// Kish's effective sample size, `(sum of weights)^2 / sum of squares`; `None` if there are
    /// no weights or all are zero.
    pub(crate) fn effective_size(&self) -> Option<f64> {
        let sum = self.scaled_sum()?;
        Some(sum * sum / self.scaled(2, |group| group.squares)?)
    }

    /// The largest weight's share of the sum; `None` if there are no weights or all are zero.
    pub(crate) fn largest_share(&self) -> Option<f64> {
        Some(self.largest_scaled()? / self.scaled_sum()?)
    }

    /// Returns the concentration of the mean on a few of the weights.
    pub fn concentration(&self) -> Concentration {
        Concentration {
            n: self.count,
            effective_size: self.effective_size().unwrap_or(0.0),
            largest_share: self.largest_share(),
            spread_share: self.spread_share(),
            tail_index: self.tail().map(|tail| tail.index),
            tail_count: self.tail().map(|tail| tail.count as u64),
        }
    }

    /// The tail of the weights, scaled like everything.
    fn tail(&self) -> Option<ParetoTail> {
        let top = self.top()?;
        let mean = |(&quarter, group): (&i64, &Group)| {
            let unit = power_of_two(octave(quarter) as f64 - top);
            (group.sum as f64 / group.count as f64 * unit, group.count)
        };
        let groups: Vec<(f64, u64)> = self.groups.iter().map(mean).collect();
        // Weights too small for the scale are no part of a tail.
        let small = groups.partition_point(|(mean, _)| *mean == 0.0);
        ParetoTail::of(&groups[small..], self.count)
    }

    /// The share of the mean that weights larger than those met may add to it.
    fn unseen(&self, concentration: &Concentration, level: Level) -> Option<f64> {
        let index = concentration.most_index(level)?;
        let beyond = self.tail()?.mean_beyond(self.largest_scaled()?, index);
        let share = unseen_share(self.count, tail_beyond(level));
        Some(share * beyond * self.count as f64 / self.scaled_sum()?)
    }

    /// A bound that the true mean exceeds with the probability `level`, however skewed the
    /// weights are: by Markov's inequality the mean of weights that are not negative is above
    /// `1 / alpha` times its expectation with probability at most `alpha` (Gomes, Sabharwal and
    /// Selman 2006, "Model counting", use it so). `None` if the mean is beyond `f64`.
    pub fn lower_bound(&self, level: Level) -> Option<f64> {
        self.mean().map(|mean| mean * level.alpha())
    }

    /// The mean, where it is within `f64`, with the interval of its logarithm.
    pub fn estimate(&self, level: Level) -> Estimate {
        let concentration = self.concentration();
        let logs = self.log10_limits(&concentration, level);
        let raise = |log: f64| Some(libm::exp(log * LN_10)).filter(|mean| mean.is_normal());
        let value = self.mean();
        let relative = self.relative_error();
        let mcse = value.zip(relative).map(|(mean, relative)| mean * relative);
        let is_doubtful = relative.is_some() || !concentration.is_trusted();
        let is_open = self.count > 0 && logs.is_none() && is_doubtful;
        Estimate {
            value,
            sd: mcse.map(|error| error * (self.count as f64).sqrt()),
            mcse,
            interval: logs.and_then(|logs| {
                let limits = Span::new(raise(logs.lo)?, raise(logs.hi)?);
                Interval::fixed(limits, level, Method::DeltaLog)
            }),
            withheld: is_open.then_some(Withheld::Untrusted),
            n: self.count,
            lower: value,
            upper: value,
            ..Estimate::default()
        }
    }

    /// The limits of the decimal logarithm of the mean, by its delta-method standard error; `None` where the
    /// weights cannot be trusted.
    fn log10_limits(&self, concentration: &Concentration, level: Level) -> Option<Span> {
        if !concentration.is_trusted() {
            return None;
        }
        let (value, error) = (self.log10_mean()?, self.relative_error()? / LN_10);
        let t = student_upper(level.tail(), self.count.saturating_sub(1) as f64);
        let half = critical(t, concentration.reach())? * (error * concentration.caution());
        let above = libm::log10(libm::exp(half * LN_10) + self.unseen(concentration, level)?);
        let limits = Span::new(value - half, value + above);
        limits.hi.is_finite().then_some(limits)
    }

    /// The largest exponent, as what everything is scaled to.
    fn top(&self) -> Option<f64> {
        let (&quarter, _) = self.groups.last_key_value()?;
        Some(octave(quarter) as f64)
    }

    fn scaled_sum(&self) -> Option<f64> {
        self.scaled(1, |group| group.sum)
    }

    fn largest_scaled(&self) -> Option<f64> {
        let (largest, top) = (self.largest?, self.top()?);
        Some(largest.mantissa as f64 * power_of_two(largest.exponent as f64 - top))
    }

    /// The largest weight's share of the sum of squared deviations.
    fn spread_share(&self) -> Option<f64> {
        let (sum, squares) = (self.scaled_sum()?, self.scaled(2, |group| group.squares)?);
        let mean = sum / self.count as f64;
        let spread = squares - sum * mean;
        let deviation = self.largest_scaled()? - mean;
        // Equal weights leave a spread of rounding alone.
        (spread > 1e-12 * squares).then(|| (deviation * deviation / spread).min(1.0))
    }

    /// A sum over all groups in units of 2^(order * top), the smallest first.
    fn scaled(&self, order: i32, part: fn(&Group) -> u128) -> Option<f64> {
        let top = self.top()?;
        let terms = self.groups.iter().map(|(&quarter, group)| {
            let shift = (octave(quarter) as f64 - top) * f64::from(order);
            part(group) as f64 * power_of_two(shift)
        });
        Some(terms.sum())
    }
}

impl Group {
    fn add(&mut self, other: Group) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// Returns whether its sums can come from so many weights of this quarter.
    fn is_of(&self, quarter: i64) -> bool {
        let step = (quarter.rem_euclid(QUARTERS) + QUARTERS) as u128;
        let [least, most] = [step, step + 1].map(|step| step << (MANTISSA_BITS - 3));
        let count = u128::from(self.count);
        let reach = MAX_EXPONENT + i64::from(u64::BITS);
        (-reach..=reach).contains(&octave(quarter))
            && (1..=MAX_COUNT).contains(&self.count)
            && (count * least..count * most).contains(&self.sum)
            && (count * least * least..count * most * most).contains(&self.squares)
    }
}

impl Storable for WeightSums {
    fn is_consistent(&self) -> bool {
        let counts = self.groups.values().map(|group| u128::from(group.count));
        let last = self.groups.last_key_value().map(|(&quarter, _)| quarter);
        self.count <= MAX_COUNT
            && counts.sum::<u128>() <= u128::from(self.count)
            && self.largest.is_none_or(Normal::is_plausible)
            && self.largest.map(Normal::quarter) == last
            && self
                .groups
                .iter()
                .all(|(&quarter, group)| group.is_of(quarter))
            && self.largest_share().is_none_or(|share| share <= 1.0)
    }
}

impl Normal {
    /// The normal form of a positive mantissa up to the largest, which is even.
    fn new(mantissa: u64, exponent: i64) -> Self {
        let shift = i64::from(mantissa.leading_zeros()) - i64::from(u64::BITS - MANTISSA_BITS);
        Self {
            exponent: exponent - shift,
            mantissa: if shift < 0 {
                mantissa >> -shift
            } else {
                mantissa << shift
            },
        }
    }

    /// The quarter of an octave in which it lies.
    fn quarter(self) -> i64 {
        let step = (self.mantissa >> (MANTISSA_BITS - 3)) as i64 - QUARTERS;
        QUARTERS * self.exponent + step
    }

    /// Returns whether it is in its normal form, and no larger than a weight can be.
    fn is_plausible(self) -> bool {
        let reach = MAX_EXPONENT + i64::from(u64::BITS);
        self.mantissa >> (MANTISSA_BITS - 1) == 1 && (-reach..=reach).contains(&self.exponent)
    }
}

/// The exponent of the weights in a quarter of an octave.
fn octave(quarter: i64) -> i64 {
    quarter.div_euclid(QUARTERS)
}

/// `2^exponent` for a whole exponent up to 1023; 0 below the normal range.
fn power_of_two(exponent: f64) -> f64 {
    if exponent < -1022.0 {
        return 0.0;
    }
    f64::from_bits(((exponent.min(1023.0) + 1023.0) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(weights: &[(u64, i64)]) -> WeightSums {
        let mut sums = WeightSums::default();
        weights
            .iter()
            .for_each(|&(mantissa, exponent)| sums.push(mantissa, exponent));
        sums
    }

    fn near(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!(
            (found - expected).abs() <= 1e-12 * expected.abs(),
            "{found} {expected}"
        );
    }

    #[test]
    fn small_weights_agree_with_plain_arithmetic() {
        // 1, 2, 3, 6 and 0: mean 2.4, squares 50, effective size 144/50, variance 5.3.
        let sums = of(&[(1, 0), (1, 1), (3, 0), (3, 1), (0, 7)]);
        near(sums.log10_mean(), libm::log10(2.4));
        near(sums.effective_size(), 2.88);
        near(sums.largest_share(), 0.5);
        assert_eq!(sums.count(), 5);
        let estimate = sums.estimate(Level::DEFAULT);
        for value in [estimate.value, estimate.lower, estimate.upper] {
            near(value, 2.4);
        }
        near(estimate.mcse, (5.3f64 / 5.0).sqrt());
        near(estimate.sd, 5.3f64.sqrt());
    }

    #[test]
    fn a_mantissa_above_the_largest_is_held_there() {
        assert_eq!(of(&[(u64::MAX, 3)]), of(&[(1 << 41, 3)]));
        assert_ne!(of(&[((1 << 41) - 2, 3)]), of(&[(1 << 41, 3)]));
    }

    /// The larger one of two largest weights is that of both, whichever tally it comes from.
    #[test]
    fn a_sum_of_weights_has_the_largest_of_both() {
        let (small, large) = ([(1, 0), (3, 0)], [(1, 5), (3, 1)]);
        let whole = of(&[small, large].concat());
        for [mut sum, other] in [[of(&small), of(&large)], [of(&large), of(&small)]] {
            sum.merge(&other);
            assert_eq!(sum, whole);
        }
        near(whole.largest_share(), 32.0 / 42.0);
    }

    #[test]
    fn weights_beyond_f64_have_a_mean_in_logarithms_alone() {
        let sums = of(&[(1, 100_000), (3, 100_000)]);
        near(sums.log10_mean(), 100_001.0 * libm::log10(2.0));
        assert_eq!(sums.estimate(Level::DEFAULT).value, None);
        assert_eq!(of(&[(1, -3_000)]).mean(), None);
        assert_eq!(of(&[(1, 1_000), (1, -900)]).mean(), Some(2f64.powi(999)));
        assert!(sums.relative_error().is_some());
    }

    #[test]
    fn concentrated_weights_have_a_lower_bound_and_no_interval() {
        // 99 weights of 1 and one of 1,000.
        let mut weights = vec![(1, 0); 99];
        weights.push((1_000, 0));
        let sums = of(&weights);
        let concentration = sums.concentration();
        near(concentration.largest_share, 1_000.0 / 1_099.0);
        near(concentration.spread_share, 0.99);
        let estimate = sums.estimate(Level::DEFAULT);
        assert!(estimate.withheld.is_some() && estimate.mcse.is_some());
        assert_eq!(estimate.interval, None);
        near(
            sums.lower_bound(Level::DEFAULT),
            10.99 * Level::DEFAULT.alpha(),
        );
    }

    #[test]
    fn even_weights_have_an_interval() {
        // 120 weights of 2 and 120 of 4: mean 3, sum of squared deviations 240.
        let mut weights = vec![(1, 1); 120];
        weights.extend([(1, 2); 120]);
        let sums = of(&weights);
        near(sums.concentration().spread_share, 1.0 / 240.0);
        let estimate = sums.estimate(Level::DEFAULT);
        assert_eq!(estimate.withheld, None);
        assert!(estimate.interval.unwrap().contains(3.0));
    }

    /// Ones, twos and 400 zeros of an effective size of 37, 53, 76 and 233: without an interval below 50, and from there to
    /// 100 the wider the nearer to 50.
    #[test]
    fn an_effective_size_near_the_edge_widens_the_interval() {
        for (ones, twos) in [(30, 12), (40, 20), (60, 25), (200, 60)] {
            let mut weights = vec![(0, 0); 400];
            weights.extend(vec![(1, 0); ones]);
            weights.extend(vec![(1, 1); twos]);
            let sums = of(&weights);
            let concentration = sums.concentration();
            let n = weights.len() as f64;
            let (sum, squares) = ((ones + 2 * twos) as f64, (ones + 4 * twos) as f64);
            let size = sum * sum / squares;
            near(Some(concentration.effective_size), size);
            let found = sums.estimate(Level::DEFAULT).interval;
            assert_eq!(found.is_some(), size >= 50.0, "{size}");
            let Some(found) = found else { continue };
            let error = ((n / size - 1.0) / (n - 1.0)).sqrt();
            let t = student_upper(0.025, n - 1.0);
            let factor = (3.0 - size / 50.0).clamp(1.0, 2.0);
            let half = critical(t, concentration.reach()).unwrap() * error * factor;
            near(Some(found.lo), sum / n * libm::exp(-half));
            assert!(found.hi > sum / n * libm::exp(half));
        }
    }

    #[test]
    fn what_no_weight_met_widens_the_upper_limit_alone() {
        let mut weights = vec![(1, 1); 120];
        weights.extend([(1, 2); 120]);
        for level in [0.5, 0.95].map(|level| Level::new(level).unwrap()) {
            let interval = of(&weights).estimate(level).interval.unwrap();
            // As far up as down by a factor, and the largest weight at the share that 240 may not meet.
            let plain = 3.0 * 3.0 / interval.lo;
            assert!(
                interval.hi > plain + 4.0 * unseen_share(240, 0.025),
                "{interval:?}"
            );
        }
    }

    /// A lower level does not reckon with fewer of the weights that no sample met than the usual one does.
    #[test]
    fn what_no_weight_met_is_no_less_at_a_low_level() {
        let mut weights = vec![(1, 1); 120];
        weights.extend([(3, 2); 120]);
        let sums = of(&weights);
        let concentration = sums.concentration();
        let unseen = |level| {
            sums.unseen(&concentration, Level::new(level).unwrap())
                .unwrap()
        };
        assert_eq!(unseen(0.5), unseen(0.95));
        assert!(unseen(0.99) > unseen(0.95));
    }

    #[test]
    fn the_tail_is_that_of_the_law_though_weights_are_grouped() {
        let index = |power: f64| {
            let rank = |rank: u32| (f64::from(rank) + 0.5) / 3_000.0;
            let weight = |at: u32| {
                (
                    (libm::pow(rank(at), -power) * f64::from(1 << 20)) as u64,
                    -20,
                )
            };
            let weights: Vec<(u64, i64)> = (0..3_000).map(weight).collect();
            of(&weights).concentration().tail_index.unwrap()
        };
        for expected in [0.2, 0.5, 0.8] {
            let found = index(expected);
            assert!((found - expected).abs() < 0.1, "{expected}: {found}");
        }
        assert_eq!(of(&[(0, 0), (0, 3)]).concentration().tail_index, None);
    }

    #[test]
    fn equal_weights_and_zeros_have_no_standard_error() {
        assert_eq!(of(&[(5, 3); 4]).relative_error(), None);
        let zeros = of(&[(0, 0), (0, 9)]);
        assert_eq!((zeros.log10_mean(), zeros.largest_share()), (None, None));
        assert_eq!(zeros.estimate(Level::DEFAULT).value, Some(0.0));
        assert!(zeros.estimate(Level::DEFAULT).withheld.is_some());
        assert_eq!(
            WeightSums::default().estimate(Level::DEFAULT),
            Estimate::default()
        );
    }

    #[test]
    fn sums_that_hold_no_weights_are_refused() {
        let good = of(&[(1, 40), (0, 0)]);
        assert!(good.is_consistent() && WeightSums::default().is_consistent());
        let bad: [fn(&mut WeightSums); 8] = [
            |sums| sums.count = 0,
            |sums| sums.count = MAX_COUNT + 1,
            |sums| sums.largest = None,
            |sums| {
                sums.largest
                    .iter_mut()
                    .for_each(|largest| largest.mantissa = 5)
            },
            |sums| {
                sums.largest
                    .iter_mut()
                    .for_each(|largest| largest.exponent = i64::MAX)
            },
            |sums| sums.groups.clear(),
            |sums| sums.groups.values_mut().for_each(|group| group.sum -= 1),
            |sums| {
                sums.groups
                    .values_mut()
                    .for_each(|group| group.squares *= 2)
            },
        ];
        for spoil in bad {
            let mut sums = good.clone();
            spoil(&mut sums);
            assert!(!sums.is_consistent(), "{sums:?}");
        }
        // The sum of larger weights beside the squares of these, and of less than the largest of them.
        let mut sums = of(&[(1, 40)]);
        sums.groups
            .values_mut()
            .for_each(|group| group.sum += 1 << 38);
        assert!(!sums.is_consistent());
        let mut sums = of(&[((1 << 40) + 9, 0)]);
        assert!(sums.is_consistent());
        sums.groups.values_mut().for_each(|group| group.sum -= 5);
        assert!(!sums.is_consistent());
        // A group farther down than any weight can be.
        let mut deep = good.clone();
        let (&quarter, &group) = good.groups.first_key_value().unwrap();
        let reach = MAX_EXPONENT + i64::from(u64::BITS);
        deep.groups
            .insert(quarter.rem_euclid(QUARTERS) - QUARTERS * reach, group);
        deep.count += 1;
        assert!(deep.is_consistent());
        deep.groups
            .insert(quarter.rem_euclid(QUARTERS) - QUARTERS * (reach + 1), group);
        deep.count += 1;
        assert!(!deep.is_consistent());
        assert!(of(&[(1, -900), (1 << 41, 900), (0, 0)]).is_consistent());
        assert!(of(&[(0, 0); 7]).is_consistent());
    }
}
