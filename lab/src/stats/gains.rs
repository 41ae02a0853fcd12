//! What a player of a game for money has after many games.
//!
//! The total of many games is the exact convolution of the distribution that was sampled, but for
//! tails below 10^-30. Its uncertainty is that of the sample, to first order: were one more game in
//! n worth x, the chance to be ahead after N games would move by N / n times how far the chance with
//! one game fixed at x differs from it. The interval is made on the scale of log-odds; that of the
//! median inverts the distribution (Woodruff 1952, *Journal of the American Statistical Association*
//! 47, "Confidence intervals for medians and other position measures").

use super::Level;
use super::critical::student_upper;

/// Points of a distribution at most; beyond them it is not convolved.
const MOST_POINTS: u64 = 100_000;
/// Parts of a unit that amounts are rounded to.
const PARTS: f64 = 1000.0;
/// Ends of a distribution that are rarer are cut off.
const NEVER: f64 = 1e-30;
/// Amounts nearer to each other are the same.
const SAME: f64 = 1e-6;

/// A distribution of gains on evenly spaced amounts.
#[derive(Clone, Debug, PartialEq)]
pub struct Gains {
    first: f64,
    step: f64,
    shares: Vec<f64>,
}

/// What players have after so many games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Purse {
    /// How many.
    pub games: u64,
    /// The chance to have gained.
    pub ahead: f64,
    /// Its interval; `None` where no sampled game can bring it about, or all do.
    pub ahead_interval: Option<(f64, f64)>,
    /// The chance to have neither gained nor lost.
    pub even: f64,
    /// The amounts at [`Purse::QUANTILES`].
    pub quantiles: [f64; 5],
    /// The interval of the median.
    pub median_interval: (f64, f64),
}

impl Gains {
    /// What is left of payments after the stake; `None` without any.
    pub fn of(payments: impl IntoIterator<Item = (f64, u64)>, stake: f64) -> Option<Self> {
        let seen = payments.into_iter().filter(|(_, count)| *count > 0);
        let parts = |amount: f64| (amount * PARTS).round() as i64;
        let amounts: Vec<(i64, u64)> = seen
            .map(|(payment, count)| (parts(payment - stake), count))
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
        let mut total = self.nothing();
        for bit in (0..u64::BITS - games.leading_zeros()).rev() {
            total = total.plus(&total);
            if games >> bit & 1 == 1 {
                total = total.plus(self);
            }
        }
        Some(total)
    }

    /// What players have after 1, 10, 100, 1,000 and `own` games of which `samples` were sampled, as
    /// far as the totals do not have too many points.
    pub fn purses(&self, own: u64, samples: u64, level: Level) -> Vec<Purse> {
        let mut games = vec![1, 10, 100, 1_000, own];
        games.sort_unstable();
        games.dedup();
        let purses = games.into_iter();
        purses
            .filter_map(|games| self.purse(games, samples, level))
            .collect()
    }

    /// What players have after so many games of which `samples` were sampled; `None` without games,
    /// and where the total has too many points.
    pub fn purse(&self, games: u64, samples: u64, level: Level) -> Option<Purse> {
        let before = self.after(games.checked_sub(1)?)?;
        let total = before.plus(self);
        let [_, even, ahead] = total.outcomes();
        let scale = games as f64 / (samples as f64).sqrt();
        let z = student_upper(level.tail(), samples.saturating_sub(1) as f64);
        let error = |amount: f64| scale * self.spread(|gain| before.above(amount - gain));
        let median = total.quantile(0.5);
        let reach = z * error(median);
        Some(Purse {
            games,
            ahead,
            ahead_interval: on_log_odds(ahead, z * error(0.0)),
            even,
            quantiles: Purse::QUANTILES.map(|share| total.quantile(share)),
            median_interval: (total.quantile(0.5 - reach), total.quantile(0.5 + reach)),
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
            share(|amount| amount < -SAME),
            share(|amount| amount.abs() <= SAME),
            share(|amount| amount > SAME),
        ]
    }

    /// The least amount that at least this share of players does not exceed.
    pub fn quantile(&self, wanted: f64) -> f64 {
        let mut sum = 0.0;
        let reached = self.points().find(|(_, share)| {
            sum += share;
            sum >= wanted
        });
        let last = || self.points().last().map_or(f64::NAN, |(amount, _)| amount);
        reached.map_or_else(last, |(amount, _)| amount)
    }

    /// The share of amounts above this one.
    fn above(&self, amount: f64) -> f64 {
        let places = ((amount + SAME - self.first) / self.step).floor() + 1.0;
        let places = places.clamp(0.0, self.shares.len() as f64) as usize;
        self.shares[places..].iter().sum()
    }

    /// The standard deviation of a function of one game's gain.
    fn spread(&self, of: impl Fn(f64) -> f64) -> f64 {
        let values: Vec<(f64, f64)> = (self.points())
            .filter(|(_, share)| *share > 0.0)
            .map(|(gain, share)| (of(gain), share))
            .collect();
        let mean: f64 = values.iter().map(|(value, share)| value * share).sum();
        let squares = values
            .iter()
            .map(|(value, share)| (value - mean).powi(2) * share);
        squares.sum::<f64>().sqrt()
    }

    fn nothing(&self) -> Self {
        Self {
            first: 0.0,
            step: self.step,
            shares: vec![1.0],
        }
    }

    /// The total of a gain of each.
    fn plus(&self, other: &Self) -> Self {
        let shares = convolved(&self.shares, &other.shares);
        let is_seen = |share: &f64| *share > NEVER;
        let start = shares.iter().position(is_seen).unwrap_or_default();
        let end = shares
            .iter()
            .rposition(is_seen)
            .map_or(shares.len(), |last| last + 1);
        Self {
            first: self.first + other.first + self.step * start as f64,
            step: self.step,
            shares: shares[start..end].to_vec(),
        }
    }
}

impl Purse {
    /// The shares of players that have the [`quantiles`](Self::quantiles) at most.
    pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
}

/// The interval about a chance with this half width, made on the scale of log-odds.
fn on_log_odds(chance: f64, half: f64) -> Option<(f64, f64)> {
    let rest = 1.0 - chance;
    if chance <= 0.0 || rest <= 0.0 {
        return None;
    }
    let factor = (half / (chance * rest)).exp();
    let odds = chance / rest;
    // Written so that neither tiny nor infinite odds lose their share.
    let share = |odds: f64| (1.0 + odds.recip()).recip();
    Some((share(odds / factor), share(odds * factor)))
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
    use crate::rng::{Streams, below};

    fn coin() -> Gains {
        Gains::of([(0.0, 5), (4.0, 5)], 1.5).unwrap()
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
    fn outcomes_are_told_apart() {
        assert_eq!(coin().outcomes(), [0.5, 0.0, 0.5]);
    }

    #[test]
    fn nothing_is_told_of_nothing_or_of_too_much() {
        assert_eq!(Gains::of([], 1.0), None);
        assert_eq!(Gains::of([(1.0, 0)], 1.0), None);
        assert_eq!(coin().after(MOST_POINTS), None);
        assert_eq!(coin().purse(0, 10, Level::DEFAULT), None);
    }

    /// A game wins 3 with a chance of 1/10 and else loses 1. To be ahead after 1,000 takes 251 wins,
    /// which by Chernoff's bound has a chance below exp(-1000 D(1/4 | 1/10)) < 10^-40.
    #[test]
    fn far_tails_are_cut_and_near_ones_kept() {
        let game = Gains::of([(0.0, 9), (4.0, 1)], 1.0).unwrap();
        let total = game.after(1_000).unwrap();
        assert!(total.shares.len() < 500, "{}", total.shares.len());
        assert!((total.points().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(total.quantile(0.5), -600.0);
        assert_eq!(game.purse(1_000, 10, Level::DEFAULT).unwrap().ahead, 0.0);
    }

    #[test]
    fn intervals_hold_their_chance_however_small_or_uncertain_it_is() {
        for chance in [7e-23, 1e-9, 0.5, 1.0 - 1e-9] {
            for half in [0.0, chance * 0.1, chance, 0.9] {
                let (lo, hi) = on_log_odds(chance, half).unwrap();
                assert!(lo <= chance * (1.0 + 1e-9) && chance <= hi * (1.0 + 1e-9));
                assert!((0.0..=1.0).contains(&lo) && (0.0..=1.0).contains(&hi));
            }
        }
    }

    #[test]
    fn a_purse_of_one_game_is_the_share_itself() {
        let found = coin().purse(1, 100, Level::DEFAULT).unwrap();
        assert_eq!(
            (found.ahead, found.even, found.quantiles[2]),
            (0.5, 0.0, -1.5)
        );
        let (lo, hi) = found.ahead_interval.unwrap();
        // Half a standard error of 0.05 times 1.984 over 1/4 on the scale of log-odds: 0.397.
        assert!((lo - 1.0 / (1.0 + 0.3969_f64.exp())).abs() < 1e-3, "{lo}");
        assert!((lo + hi - 1.0).abs() < 1e-12);
        assert_eq!(found.median_interval, (-1.5, 2.5));
    }

    /// Seed 55: of 1,000 samples of 400 games each the 95 % interval of the chance to be ahead after
    /// ten games holds the true chance in 93 % to 97.5 %; standard error 0.7 %.
    #[test]
    fn intervals_of_the_chance_to_be_ahead_cover() {
        let game = |counts: [u64; 3]| {
            let payments = [0.0, 5.0, 30.0];
            Gains::of(payments.into_iter().zip(counts), 6.0).unwrap()
        };
        let truth = game([70, 15, 15])
            .purse(10, 1, Level::DEFAULT)
            .unwrap()
            .ahead;
        let key = Streams::new(55).key("games");
        let covers = |run: &u64| {
            let mut stream = key.stream(*run);
            let mut counts = [0; 3];
            for _ in 0..400 {
                let place = match below(&mut stream, 100) {
                    0..70 => 0,
                    70..85 => 1,
                    _ => 2,
                };
                counts[place] += 1;
            }
            let found = game(counts).purse(10, 400, Level::DEFAULT).unwrap();
            let (lo, hi) = found.ahead_interval.unwrap();
            (lo..=hi).contains(&truth)
        };
        let covered = (0..1_000).filter(covers).count();
        assert!((930..975).contains(&covered), "{covered}");
    }
}
