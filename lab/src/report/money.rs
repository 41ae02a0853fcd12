//! What a player gains or loses, in one game and in many.
//!
//! The total after many games is the exact convolution of the sampled distribution. Its
//! uncertainty is that of the sample.

use super::plot::Bin;

/// Points of a distribution at most; beyond them it is not convolved.
const MOST_POINTS: u64 = 100_000;
/// Parts of a unit that amounts are rounded to.
const PARTS: f64 = 1000.0;

/// A distribution of gains on evenly spaced amounts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gains {
    first: f64,
    step: f64,
    shares: Vec<f64>,
}

impl Gains {
    /// What is left of payments after the stake; `None` without any. Unresolved payments count at
    /// their least.
    pub fn of(bins: &[Bin], stake: f64) -> Option<Self> {
        let seen = bins.iter().filter(|bin| bin.count + bin.open > 0);
        let parts = |amount: f64| (amount * PARTS).round() as i64;
        let amounts: Vec<(i64, u64)> = seen
            .map(|bin| (parts(bin.value - stake), bin.count + bin.open))
            .collect();
        let first = amounts.iter().map(|(amount, _)| *amount).min()?;
        let last = amounts.iter().map(|(amount, _)| *amount).max()?;
        let distances = amounts
            .iter()
            .map(|(amount, _)| (amount - first).unsigned_abs());
        let step = distances.fold(0, greatest_common_divisor).max(1);
        let points = (last - first) as u64 / step + 1;
        let all: u64 = amounts.iter().map(|(_, count)| *count).sum();
        let mut shares = vec![0.0; usize::try_from(points.min(MOST_POINTS)).ok()?];
        for (amount, count) in amounts {
            let place = (amount - first) as u64 / step;
            *shares.get_mut(place as usize)? += count as f64 / all as f64;
        }
        Some(Self {
            first: first as f64 / PARTS,
            step: step as f64 / PARTS,
            shares,
        })
    }

    /// The total of so many independent games; `None` where it has too many points.
    pub fn after(&self, games: u64) -> Option<Self> {
        if self.shares.len() as u64 * games > MOST_POINTS {
            return None;
        }
        let mut total = vec![1.0];
        for bit in (0..u64::BITS - games.leading_zeros()).rev() {
            total = convolved(&total, &total);
            if games >> bit & 1 == 1 {
                total = convolved(&total, &self.shares);
            }
        }
        Some(Self {
            first: self.first * games as f64,
            step: self.step,
            shares: total,
        })
    }

    /// Every amount with its share.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let amount = |place: usize| self.first + self.step * place as f64;
        let shares = self.shares.iter().enumerate();
        shares.map(move |(place, &share)| (amount(place), share))
    }

    /// The shares of losses, of games without gain or loss, and of gains.
    pub fn outcomes(&self) -> [f64; 3] {
        let share = |fits: fn(f64) -> bool| {
            let points = self.points().filter(|(amount, _)| fits(*amount));
            points.map(|(_, share)| share).sum()
        };
        [
            share(|amount| amount < -1e-9),
            share(|amount| amount.abs() <= 1e-9),
            share(|amount| amount > 1e-9),
        ]
    }

    /// The least amount that at least this share of players does not exceed.
    pub fn quantile(&self, wanted: f64) -> f64 {
        let mut sum = 0.0;
        let reached = self.points().find(|(_, share)| {
            sum += share;
            sum >= wanted
        });
        reached.map_or(f64::NAN, |(amount, _)| amount)
    }
}

/// The same shares in whole parts of a hundred, which sum to a hundred: largest remainders first.
pub(super) fn of_a_hundred(shares: [f64; 3]) -> [u32; 3] {
    let mut parts = shares.map(|share| (share * 100.0).floor() as u32);
    let mut order = [0, 1, 2];
    let remainder = |place: usize| shares[place] * 100.0 - (shares[place] * 100.0).floor();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)));
    let missing = 100 - parts.iter().sum::<u32>().min(100);
    for place in order.into_iter().cycle().take(missing as usize) {
        parts[place] += 1;
    }
    parts
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => greatest_common_divisor(b, a % b),
    }
}

fn convolved(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; one.len() + other.len() - 1];
    for (at, a) in one.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        for (sum, b) in sums[at..].iter_mut().zip(other) {
            *sum += a * b;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin() -> Gains {
        let bin = |value, count| Bin {
            value,
            count,
            open: 0,
        };
        Gains::of(&[bin(0.0, 5), bin(4.0, 5)], 1.5).unwrap()
    }

    #[test]
    fn a_fair_coin_is_binomial_after_many_games() {
        let total = coin().after(10).unwrap();
        let points: Vec<(f64, f64)> = total.points().collect();
        assert_eq!(points.len(), 11);
        assert_eq!((points[0].0, points[10].0), (-15.0, 25.0));
        assert!((points[5].1 - 252.0 / 1024.0).abs() < 1e-12);
        assert_eq!(total.quantile(0.5), 5.0);
    }

    #[test]
    fn outcomes_are_told_apart_and_sum_to_a_hundred() {
        assert_eq!(coin().outcomes(), [0.5, 0.0, 0.5]);
        assert_eq!(of_a_hundred([0.8867, 0.0065, 0.1068]), [89, 0, 11]);
        assert_eq!(of_a_hundred([1.0 / 3.0; 3]).iter().sum::<u32>(), 100);
    }

    #[test]
    fn there_are_no_gains_without_values_or_with_too_many_points() {
        assert_eq!(Gains::of(&[], 1.0), None);
        assert_eq!(coin().after(MOST_POINTS), None);
    }
}
