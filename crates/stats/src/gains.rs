//! The total gain of a player of a game for money after many games.
//!
//! The total of many games is the exact convolution of the distribution that was sampled, but for
//! tails below 10^-30. The chance to be ahead after one game is a proportion. That after N games
//! would move by N / n times how far the chance with one game fixed at x differs from it, were one
//! more game in n worth x; the interval is made on the scale of log-odds and raised for skewness. It
//! reaches at least as far as rare payments that no sample met can move the chance. The first order
//! does not hold for more games than were sampled: these have no intervals. The median is where the
//! chance to have more may be one half (Woodruff 1952, *Journal of the American Statistical
//! Association* 47): every amount is tested with its own interval, because the spread at the
//! sample's own median says nothing of the others. That of one game lies between order statistics.

use super::binomial::unseen_share;
use super::critical::student_upper;
use super::quantile::ranks;
use super::skew::critical;
use super::steps::gcd;
use super::{Interval, Level, Margins, Proportion, Span};

/// Points of a distribution at most; beyond them it is not convolved.
const MOST_POINTS: u64 = 100_000;
/// Parts of a unit that amounts are counted in.
const PARTS: f64 = PayoffDistribution::PARTS as f64;
/// Ends of a distribution that are rarer are cut off.
const NEVER: f64 = 1e-30;
/// Amounts nearer to each other are the same.
const SAME: f64 = 1e-6;

/// A distribution of gains on evenly spaced amounts.
#[derive(Clone, Debug, PartialEq)]
pub struct PayoffDistribution {
    first: f64,
    step: f64,
    shares: Vec<f64>,
    /// The share of amounts above each.
    beyond: Vec<f64>,
}

/// An amount, and the share of games that gain it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainShare {
    /// The amount.
    pub amount: f64,
    /// The share of games.
    pub share: f64,
}

/// The way in which a distribution of gains was sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Games that were sampled.
    pub samples: u64,
    /// The level of intervals.
    pub level: Level,
    /// The least and the greatest gain of a game, if known. Without them there are intervals of the
    /// chance to be ahead after one game only.
    pub limits: Option<Span>,
}

/// The total gain of players after a number of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TotalGain {
    /// The number of games.
    pub games: u64,
    /// The chance to have gained.
    pub ahead: f64,
    /// The interval of the chance to be ahead; `None` where none holds.
    pub ahead_interval: Option<Span>,
    /// The chance to have neither gained nor lost.
    pub even: f64,
    /// The amounts at `TotalGain::QUANTILES`.
    pub quantiles: [f64; 5],
    /// The interval of the median; `None` where none holds.
    pub median_interval: Option<Span>,
}

impl PayoffDistribution {
    /// Parts of a unit that payments and stakes should be whole numbers of; others are rounded.
    pub const PARTS: u64 = 1000;

    /// Builds the distribution of payments less the stake; `None` without any, and where they are too
    /// large or too many.
    pub fn of(payments: impl IntoIterator<Item = (f64, u64)>, stake: f64) -> Option<Self> {
        let seen = payments.into_iter().filter(|(_, count)| *count > 0);
        let amounts: Vec<(i64, u64)> = seen
            .map(|(payment, count)| Some((parts(payment - stake)?, count)))
            .collect::<Option<_>>()?;
        let first = amounts.iter().map(|(amount, _)| *amount).min()?;
        let last = amounts.iter().map(|(amount, _)| *amount).max()?;
        let distances = amounts
            .iter()
            .map(|(amount, _)| u128::from(amount.abs_diff(first)));
        let step = distances.fold(0, gcd).max(1) as u64;
        let points = (last.abs_diff(first) / step).saturating_add(1);
        let all: u64 = amounts.iter().map(|(_, count)| *count).sum();
        let mut shares = vec![0.0; usize::try_from(points.min(MOST_POINTS)).ok()?];
        for (amount, count) in amounts {
            let index = amount.abs_diff(first) / step;
            *shares.get_mut(usize::try_from(index).ok()?)? += count as f64 / all as f64;
        }
        let (first, step) = (first as f64 / PARTS, step as f64 / PARTS);
        Some(Self::new(first, step, shares))
    }

    fn new(first: f64, step: f64, shares: Vec<f64>) -> Self {
        let mut beyond = vec![0.0; shares.len()];
        for index in (1..beyond.len()).rev() {
            beyond[index - 1] = beyond[index] + shares[index];
        }
        Self {
            first,
            step,
            shares,
            beyond,
        }
    }

    /// Returns the total of a number of independent games; `None` if it has too many points.
    pub fn after(&self, games: u64) -> Option<Self> {
        if self.shares.len() as u64 * games > MOST_POINTS {
            return None;
        }
        let mut total = Self::new(0.0, self.step, vec![1.0]);
        for bit in (0..u64::BITS - games.leading_zeros()).rev() {
            total = total.plus(&total);
            if games >> bit & 1 == 1 {
                total = total.plus(self);
            }
        }
        Some(total)
    }

    /// Returns the total gains after 1, 10, 100, 1,000 and `own` games, as far as the totals do not have
    /// too many points.
    pub fn total_gains(&self, own: u64, sampling: &Sampling) -> Vec<TotalGain> {
        let mut games = vec![1, 10, 100, 1_000, own];
        games.sort_unstable();
        games.dedup();
        let numbers = games.into_iter();
        numbers
            .filter_map(|games| self.total_gain(games, sampling))
            .collect()
    }

    /// Returns the total gain after so many games; `None` without games, and where the total has too many
    /// points.
    pub fn total_gain(&self, games: u64, sampling: &Sampling) -> Option<TotalGain> {
        let before = self.after(games.checked_sub(1)?)?;
        let total = before.plus(self);
        let [_, even, ahead] = total.outcomes();
        let error = SamplingError {
            game: self,
            games,
            sampling,
            before: &before,
            total: &total,
            extremes: self.extremes(games, sampling),
        };
        Some(TotalGain {
            games,
            ahead,
            ahead_interval: error.ahead(ahead),
            even,
            quantiles: TotalGain::QUANTILES.map(|share| total.quantile(share)),
            median_interval: error.median(),
        })
    }

    /// The totals of so many games where as many as the samples can miss have the least
    /// gain, and where they have the most; `None` where that is not known, or the games are too many.
    fn extremes(&self, games: u64, sampling: &Sampling) -> Option<[Self; 2]> {
        let limits = sampling.limits.filter(|_| games <= sampling.samples)?;
        let unseen = unseen_share(sampling.samples, sampling.level.tail());
        let total = |gain| self.mixed(unseen, gain)?.after(games);
        Some([total(limits.lo)?, total(limits.hi)?])
    }

    /// Returns this distribution but for a share of the games, whose gain is this or, where the steps do
    /// not meet it, a little farther out.
    fn mixed(&self, share: f64, gain: f64) -> Option<Self> {
        let index = (gain - self.first) / self.step;
        let index = if index < 0.0 {
            (index + SAME).floor() as i64
        } else {
            (index - SAME).ceil() as i64
        };
        let before = usize::try_from(index.saturating_neg().max(0)).ok()?;
        let len = self.shares.len() + before;
        let index = usize::try_from(index.max(0)).ok()?;
        if len.max(index) as u64 > MOST_POINTS {
            return None;
        }
        let mut shares = vec![0.0; len.max(index + 1)];
        for (mixed, seen) in shares[before..].iter_mut().zip(&self.shares) {
            *mixed = seen * (1.0 - share);
        }
        shares[index] += share;
        let first = self.first - self.step * before as f64;
        Some(Self::new(first, self.step, shares))
    }

    /// Every amount with its share.
    pub fn points(&self) -> impl Iterator<Item = GainShare> + '_ {
        let amount = |index: usize| self.first + self.step * index as f64;
        let shares = self.shares.iter().enumerate();
        shares.map(move |(index, &share)| GainShare {
            amount: amount(index),
            share,
        })
    }

    /// The shares of losses, of games without gain or loss, and of gains.
    pub fn outcomes(&self) -> [f64; 3] {
        let share = |fits: fn(f64) -> bool| {
            let points = self.points().filter(|point| fits(point.amount));
            points.map(|point| point.share).sum::<f64>().min(1.0)
        };
        [
            share(|amount| amount < -SAME),
            share(|amount| amount.abs() <= SAME),
            share(|amount| amount > SAME),
        ]
    }

    /// The least amount that at least this share of players does not exceed.
    pub(crate) fn quantile(&self, wanted: f64) -> f64 {
        self.reached(wanted).unwrap_or_else(|| self.last())
    }

    /// The greatest amount.
    fn last(&self) -> f64 {
        self.first + self.step * (self.shares.len() as f64 - 1.0)
    }

    /// The share of amounts above this one. Rounded, all shares may sum to more than 1.
    fn above(&self, amount: f64) -> f64 {
        let index = ((amount + SAME - self.first) / self.step).floor();
        if index < 0.0 {
            return 1.0;
        }
        let share = self.beyond.get(index as usize).copied();
        share.map_or(0.0, |share| share.min(1.0))
    }

    /// The least amount up to which the shares sum to this one; `None` where all of them do not.
    fn reached(&self, wanted: f64) -> Option<f64> {
        let mut sum = 0.0;
        let reached = self.points().find(|point| {
            sum += point.share;
            sum >= wanted
        });
        reached.map(|point| point.amount)
    }

    /// The amount of rank `rank` among so many samples, the least having rank 1.
    fn at_rank(&self, rank: u64, samples: u64) -> Option<f64> {
        let half_a_sample_less = (rank as f64 - 0.5) / samples as f64;
        (rank > 0)
            .then(|| self.reached(half_a_sample_less))
            .flatten()
    }

    /// Returns the interval of the median of one game: a quantile of the sample.
    fn median_interval(&self, sampling: &Sampling) -> Option<Span> {
        let (bottom, top) = ranks(sampling.samples, 0.5, sampling.level.into());
        let [lo, hi] = [bottom, top].map(|rank| self.at_rank(rank, sampling.samples));
        let limits = sampling.limits;
        let least = limits.map(|limits| limits.lo);
        let most = limits.map(|limits| limits.hi);
        Some(Span::new(lo.or(least)?, hi.or(most)?))
    }

    /// Returns the spread of a function of one game's gain.
    fn spread(&self, of: impl Fn(f64) -> f64) -> Spread {
        let seen = || self.points().filter(|point| point.share > 0.0);
        let mean: f64 = seen().map(|point| of(point.amount) * point.share).sum();
        let deviations = || seen().map(|point| of(point.amount) - mean);
        let squares = seen().map(|point| (of(point.amount) - mean).powi(2) * point.share);
        Spread {
            deviation: squares.sum::<f64>().sqrt(),
            below: -deviations().fold(0.0, f64::min),
            above: deviations().fold(0.0, f64::max),
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
        let first = self.first + other.first + self.step * start as f64;
        Self::new(first, self.step, shares[start..end].to_vec())
    }
}

/// The standard deviation of a quantity, and how far it reaches to either side of its mean.
struct Spread {
    deviation: f64,
    below: f64,
    above: f64,
}

/// The sampling error of the total of some games.
struct SamplingError<'game> {
    game: &'game PayoffDistribution,
    games: u64,
    sampling: &'game Sampling,
    /// The total without the last game.
    before: &'game PayoffDistribution,
    total: &'game PayoffDistribution,
    /// The total with as many of the poorest games as the samples can miss, and of the richest.
    extremes: Option<[PayoffDistribution; 2]>,
}

impl SamplingError<'_> {
    /// The interval of the chance to be ahead.
    fn ahead(&self, ahead: f64) -> Option<Span> {
        let Sampling { samples, level, .. } = *self.sampling;
        if self.games == 1 {
            let count = (ahead * samples as f64).round() as u64;
            let interval = Proportion::new(count, 0, samples)?.clopper_pearson(level);
            return interval.map(Interval::ends);
        }
        self.above(0.0)
    }

    /// The interval of the share of totals above an amount.
    fn above(&self, amount: f64) -> Option<Span> {
        let [poorest, richest] = self.extremes.as_ref()?;
        let Span { lo, hi } = on_log_odds(self.total.above(amount), self.margins(amount)?);
        Some(Span::new(
            lo.min(poorest.above(amount)),
            hi.max(richest.above(amount)),
        ))
    }

    /// The interval of the median: from the least amount that half of the totals may not exceed to
    /// the least that half of them certainly do not.
    fn median(&self) -> Option<Span> {
        if self.games == 1 {
            return self.game.median_interval(self.sampling);
        }
        let [poorest, richest] = self.extremes.as_ref()?;
        let (step, half) = (self.game.step, 0.5);
        let median = self.total.quantile(half);
        // Counted, because a step may be lost in the rounding of a large amount.
        let room = |distance: f64| (((distance + SAME) / step) as u64).min(MOST_POINTS);
        let (below, above) = (room(median - poorest.first), room(richest.last() - median));
        let amount = |steps: f64| median + step * steps;
        let (mut lo, mut hi) = (0, 0);
        while lo < below && self.above(amount(-(lo as f64 + 1.0)))?.lo <= half {
            lo += 1;
        }
        while hi < above && self.above(amount(hi as f64))?.hi > half {
            hi += 1;
        }
        Some(Span::new(amount(-(lo as f64)), amount(hi as f64)))
    }

    /// Returns the margins of the share of totals above an amount, to either side, to first order.
    fn margins(&self, amount: f64) -> Option<Margins> {
        let Sampling { samples, level, .. } = *self.sampling;
        let n = samples as f64;
        let spread = self.game.spread(|gain| self.before.above(amount - gain));
        let error = self.games as f64 * spread.deviation / n.sqrt();
        if error <= 0.0 {
            return Some(Margins::default());
        }
        let t = student_upper(level.tail(), n - 1.0);
        let margin = |reach: f64| Some(critical(t, reach / (spread.deviation * n.sqrt()))? * error);
        Some(Margins {
            below: margin(spread.below)?,
            above: margin(spread.above)?,
        })
    }
}

impl TotalGain {
    /// Widens the intervals up to those of `higher`, where unresolved games paid their most instead
    /// of their least.
    pub fn up_to(self, higher: Option<&Self>) -> Self {
        let both = |lower: Option<Span>, upper: Option<Span>| Some(Span::new(lower?.lo, upper?.hi));
        Self {
            ahead_interval: both(
                self.ahead_interval,
                higher.and_then(|total| total.ahead_interval),
            ),
            median_interval: both(
                self.median_interval,
                higher.and_then(|total| total.median_interval),
            ),
            ..self
        }
    }

    /// The shares of players that have the [`quantiles`](Self::quantiles) at most.
    const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
}

/// The interval about a chance with these margins, made on the scale of log-odds.
fn on_log_odds(chance: f64, margins: Margins) -> Span {
    let rest = 1.0 - chance;
    if chance <= 0.0 || rest <= 0.0 {
        return Span::point(chance);
    }
    let factor = |margin: f64| libm::exp(margin / (chance * rest));
    let odds = chance / rest;
    // Written so that neither tiny nor infinite odds lose their share.
    let share = |odds: f64| (1.0 + odds.recip()).recip();
    Span::new(
        share(odds / factor(margins.below)),
        share(odds * factor(margins.above)),
    )
}

/// An amount in whole parts of a unit; `None` of one so large that its parts are lost.
fn parts(amount: f64) -> Option<i64> {
    const LARGEST: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    let parts = (amount * PARTS).round();
    (parts.abs() < LARGEST).then_some(parts as i64)
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
    use kit::rng::{Streams, below};

    fn sampling(samples: u64, limits: Span) -> Sampling {
        Sampling {
            samples,
            level: Level::DEFAULT,
            limits: Some(limits),
        }
    }

    fn coin() -> PayoffDistribution {
        PayoffDistribution::of([(0.0, 5), (4.0, 5)], 1.5).unwrap()
    }

    #[test]
    fn a_fair_coin_is_binomial_after_many_games() {
        let total = coin().after(10).unwrap();
        let points: Vec<GainShare> = total.points().collect();
        assert_eq!(points.len(), 11);
        assert_eq!((points[0].amount, points[10].amount), (-15.0, 25.0));
        assert!((points[5].share - 252.0 / 1024.0).abs() < 1e-12);
        assert_eq!(total.quantile(0.5), 5.0);
    }

    #[test]
    fn outcomes_are_told_apart() {
        assert_eq!(coin().outcomes(), [0.5, 0.0, 0.5]);
    }

    /// A game that always gains does so after any number: 100 games of thirds, a tenth and a seventh.
    #[test]
    fn no_share_of_players_is_above_one() {
        for (wins, losses) in [(1, 2), (1, 9), (1, 6)] {
            let game = PayoffDistribution::of([(1.0, wins), (0.5, losses)], 0.01).unwrap();
            let sampling = sampling(wins + losses, Span::new(0.49, 0.99));
            for games in [10, 100, 1_000] {
                let total = game.total_gain(games, &sampling).unwrap();
                assert!(total.ahead <= 1.0 && total.even == 0.0, "{total:?}");
                assert!(total.ahead_interval.is_none_or(|ends| ends.hi <= 1.0));
            }
        }
    }

    #[test]
    fn nothing_is_told_of_nothing_or_of_too_much() {
        assert_eq!(PayoffDistribution::of([], 1.0), None);
        assert_eq!(PayoffDistribution::of([(1.0, 0)], 1.0), None);
        assert_eq!(coin().after(MOST_POINTS), None);
        assert_eq!(
            coin().total_gain(0, &sampling(10, Span::new(-1.5, 2.5))),
            None
        );
    }

    /// A game wins 3 with a chance of 1/10 and else loses 1. To be ahead after 1,000 takes 251 wins,
    /// which by Chernoff's bound has a chance below exp(-1000 D(1/4 | 1/10)) < 10^-40.
    #[test]
    fn far_tails_are_cut_and_near_ones_kept() {
        let game = PayoffDistribution::of([(0.0, 9), (4.0, 1)], 1.0).unwrap();
        let total = game.after(1_000).unwrap();
        assert!(total.shares.len() < 500, "{}", total.shares.len());
        assert!((total.points().map(|point| point.share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(total.quantile(0.5), -600.0);
        let few = game
            .total_gain(1_000, &sampling(10, Span::new(-1.0, 3.0)))
            .unwrap();
        assert_eq!(
            (few.ahead, few.ahead_interval, few.median_interval),
            (0.0, None, None)
        );
    }

    #[test]
    fn intervals_hold_their_chance_however_small_or_uncertain_it_is() {
        for chance in [7e-23, 1e-9, 0.5, 1.0 - 1e-9] {
            for half in [0.0, chance * 0.1, chance, 0.9] {
                let Span { lo, hi } = on_log_odds(
                    chance,
                    Margins {
                        below: half,
                        above: half,
                    },
                );
                assert!(lo <= chance * (1.0 + 1e-9) && chance <= hi * (1.0 + 1e-9));
                assert!((0.0..=1.0).contains(&lo) && (0.0..=1.0).contains(&hi));
            }
        }
    }

    /// Odds of 1/4 divided by exp(0.05 / 0.16), and times exp(0.1 / 0.16).
    #[test]
    fn an_interval_has_to_either_side_the_margin_of_that_side() {
        let margins = Margins {
            below: 0.05,
            above: 0.1,
        };
        let Span { lo, hi } = on_log_odds(0.2, margins);
        assert!(
            (lo - 0.154_622_794).abs() < 1e-9 && (hi - 0.318_365_312).abs() < 1e-9,
            "{lo} {hi}"
        );
    }

    #[test]
    fn the_total_of_one_game_is_the_share_itself() {
        let total = coin()
            .total_gain(1, &sampling(400, Span::new(-1.5, 2.5)))
            .unwrap();
        assert_eq!(
            (total.ahead, total.even, total.quantiles[2]),
            (0.5, 0.0, -1.5)
        );
        let share = Proportion::new(200, 0, 400).unwrap();
        let summary = share.clopper_pearson(Level::DEFAULT);
        let expected = summary.map(Interval::ends);
        assert_eq!(total.ahead_interval, expected);
        assert_eq!(total.median_interval, Some(Span::new(-1.5, 2.5)));
    }

    /// Ranks 40 and 61 of 100 end the interval; the spread at the sample's median, 60 to 40, is 0.
    #[test]
    fn the_median_of_one_game_lies_between_order_statistics() {
        let median = |counts: [u64; 2], samples| {
            let game = PayoffDistribution::of([0.0, 4.0].into_iter().zip(counts), 1.5).unwrap();
            let total = game
                .total_gain(1, &sampling(samples, Span::new(-1.5, 98.5)))
                .unwrap();
            (total.quantiles[2], total.median_interval.unwrap())
        };
        assert_eq!(median([60, 40], 100), (-1.5, Span::new(-1.5, 2.5)));
        assert_eq!(median([61, 39], 100), (-1.5, Span::new(-1.5, -1.5)));
        assert_eq!(median([40, 60], 100), (2.5, Span::new(-1.5, 2.5)));
        assert_eq!(median([2, 1], 3), (-1.5, Span::new(-1.5, 98.5)));
    }

    /// A step of 0.001 is lost in the rounding of a loss of 8 * 10^13.
    #[test]
    fn a_stake_beyond_all_payments_ends() {
        let game = |stake| PayoffDistribution::of([(0.0, 50), (0.5, 30), (0.501, 20)], stake);
        for stake in [1e9, 8e12] {
            let limits = sampling(100, Span::new(-stake, 1.0 - stake));
            let gains = game(stake).unwrap().total_gains(10, &limits);
            assert_eq!(gains.len(), 3, "{stake}");
            assert!(gains.iter().all(|total| total.ahead == 0.0), "{stake}");
        }
        for stake in [3e14, 1e17, 1e300, f64::INFINITY, f64::NAN] {
            assert_eq!(game(stake), None, "{stake}");
        }
        assert_eq!(PayoffDistribution::of([(-1e18, 1), (1e18, 1)], 0.0), None);
    }

    /// Of two games that pay with a chance of 0.3 half are paid at least once; a sample with a chance
    /// of 0.28 has its median a step lower.
    #[test]
    fn every_amount_is_tested_with_its_own_spread() {
        let game = |chance: u64| {
            PayoffDistribution::of([(0.0, 100 - chance), (4.0, chance)], 1.0).unwrap()
        };
        let two = |chance| {
            game(chance)
                .total_gain(2, &sampling(100, Span::new(-1.0, 3.0)))
                .unwrap()
        };
        assert_eq!((two(28).quantiles[2], two(31).quantiles[2]), (-2.0, 2.0));
        for chance in [23, 28, 31, 36] {
            assert_eq!(
                two(chance).median_interval,
                Some(Span::new(-2.0, 2.0)),
                "{chance}"
            );
        }
    }

    /// One gain in ten is 9, the others lose 1. With one game of two fixed, the chance to be ahead is 0.1 or 1: 0.09 below
    /// its mean or 0.81 above, with a deviation of 0.27.
    #[test]
    fn margins_of_a_skewed_chance_are_wider_where_it_reaches_farther() {
        let game = PayoffDistribution::of([(0.0, 360), (10.0, 40)], 1.0).unwrap();
        let sampling = sampling(400, Span::new(-1.0, 9.0));
        let error = SamplingError {
            game: &game,
            games: 2,
            sampling: &sampling,
            before: &game,
            total: &game.after(2).unwrap(),
            extremes: None,
        };
        let found = error.margins(0.0).unwrap();
        let (error, t) = (2.0 * 0.27 / 20.0, student_upper(0.025, 399.0));
        let margin = |reach: f64| critical(t, reach / (0.27 * 20.0)).unwrap() * error;
        assert!((found.below - margin(0.09)).abs() < 1e-12, "{found:?}");
        assert!((found.above - margin(0.81)).abs() < 1e-12, "{found:?}");
        assert!(margin(0.81) > 1.01 * margin(0.09));
    }

    #[test]
    fn total_gains_are_after_powers_of_ten_and_the_players_own_games() {
        let games = |own| -> Vec<u64> {
            let totals = coin()
                .total_gains(own, &sampling(40, Span::new(-1.5, 2.5)))
                .into_iter();
            totals.map(|total| total.games).collect()
        };
        assert_eq!(games(7), [1, 7, 10, 100, 1_000]);
        assert_eq!(games(10), [1, 10, 100, 1_000]);
        // A million games of two payments would have more points than are convolved.
        assert_eq!(games(1_000_000), [1, 10, 100, 1_000]);
    }

    /// Tenths do not sum to 0.8 in the machine, and the eighth of ten samples is the eighth amount all the same.
    #[test]
    fn a_rank_among_the_samples_is_an_amount_that_was_met() {
        let payments = (1..=10).map(|amount| (f64::from(amount), 1));
        let game = PayoffDistribution::of(payments, 0.0).unwrap();
        for rank in 1..=10 {
            assert_eq!(game.at_rank(rank, 10), Some(rank as f64));
        }
        assert_eq!((game.at_rank(0, 10), game.at_rank(11, 10)), (None, None));
    }

    /// Open games pay their least for the one end and their most for the other.
    #[test]
    fn an_interval_with_open_games_goes_up_to_that_of_the_most() {
        let total = |ahead: Option<Span>, median: Option<Span>| TotalGain {
            ahead_interval: ahead,
            median_interval: median,
            ..coin()
                .total_gain(2, &sampling(40, Span::new(-1.5, 2.5)))
                .unwrap()
        };
        let span = |lo, hi| Some(Span::new(lo, hi));
        let least = total(span(0.1, 0.3), span(-4.0, 1.0));
        let most = total(span(0.2, 0.6), span(-2.0, 5.0));
        let both = total(span(0.1, 0.6), span(-4.0, 5.0));
        assert_eq!(least.up_to(Some(&most)), both);
        let none = total(None, None);
        assert_eq!(least.up_to(None), none);
        assert_eq!(least.up_to(Some(&none)), none);
    }

    #[test]
    fn what_was_not_met_is_mixed_in_at_its_place() {
        // Gains -1.5 and 2.5, step 4: -2 lies a step before them, 7 two steps behind.
        let shares = |gain| {
            let mixed = coin().mixed(0.1, gain).unwrap();
            (mixed.first, mixed.shares)
        };
        assert_eq!(shares(-1.5), (-1.5, vec![0.45 + 0.1, 0.45]));
        assert_eq!(shares(-2.0), (-5.5, vec![0.1, 0.45, 0.45]));
        assert_eq!(shares(7.0), (-1.5, vec![0.45, 0.45, 0.0, 0.1]));
        for far in [1e9, -1e9, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(coin().mixed(0.1, far), None, "{far}");
        }
        let unknown = Sampling {
            limits: None,
            ..sampling(100, Span::new(0.0, 0.0))
        };
        let total = coin().total_gain(10, &unknown).unwrap();
        assert_eq!((total.ahead_interval, total.median_interval), (None, None));
    }

    /// A hundred games lost 1 each, and 1 - 0.025^(1/100) of all may pay otherwise: after two games one of them, after
    /// forty at least one with 77 % and two with 43 %. Mirrored, a hundred won.
    #[test]
    fn payments_that_no_sample_met_move_the_chance_and_the_median() {
        let unseen: f64 = 0.036_216_693_195_0;
        let all = |gain: f64, limits, games| {
            let game = PayoffDistribution::of([(gain, 100)], 0.0).unwrap();
            game.total_gain(games, &sampling(100, limits)).unwrap()
        };
        let near = |found: Option<Span>, expected: Span| {
            let Span { lo, hi } = found.unwrap();
            let is_near = |a: f64, b: f64| (a - b).abs() < 1e-6;
            assert!(
                is_near(lo, expected.lo) && is_near(hi, expected.hi),
                "{lo} {hi} {expected:?}"
            );
        };
        let none_of_two = (1.0 - unseen).powi(2);
        let (lost, won) = (
            all(-1.0, Span::new(-1.0, 40.0), 2),
            all(1.0, Span::new(-40.0, 1.0), 2),
        );
        assert_eq!((lost.ahead, won.ahead), (0.0, 1.0));
        near(lost.ahead_interval, Span::new(0.0, 1.0 - none_of_two));
        near(won.ahead_interval, Span::new(none_of_two, 1.0));
        near(lost.median_interval, Span::new(-2.0, -2.0));
        near(
            all(-1.0, Span::new(-1.0, 1.4), 40).median_interval,
            Span::new(-40.0, -37.6),
        );
        near(
            all(1.0, Span::new(-1.4, 1.0), 40).median_interval,
            Span::new(37.6, 40.0),
        );
        // More games than samples: the first order does not hold.
        assert_eq!(all(-1.0, Span::new(-1.0, -0.9), 101).ahead_interval, None);
        assert!(
            all(-1.0, Span::new(-1.0, -0.9), 100)
                .ahead_interval
                .is_some()
        );
    }

    /// Seed 55: of some samples of some games each, the intervals miss the chance to be ahead and the
    /// median after several games no more often than they say, but for three standard errors.
    fn total_gains_are_covered(runs: u64) {
        let key = Streams::new(55).key("games");
        let game = |counts: &[u64]| {
            let payments = [0.0, 5.0, 30.0, 260.0];
            PayoffDistribution::of(payments.into_iter().zip(counts.iter().copied()), 6.0).unwrap()
        };
        for (shares, samples, games) in [
            ([70, 15, 15, 0], 400, 10),
            ([70, 15, 15, 0], 100, 100),
            ([690, 200, 100, 10], 30, 10),
            ([690, 200, 100, 10], 100, 100),
            ([690, 200, 100, 10], 400, 100),
        ] {
            let (limits, all) = (
                sampling(samples, Span::new(-6.0, 254.0)),
                shares.iter().sum(),
            );
            let truth = game(&shares).total_gain(games, &limits).unwrap();
            let mut missed = [0; 2];
            for run in 0..runs {
                let mut stream = key.stream(run);
                let mut counts = [0; 4];
                for _ in 0..samples {
                    let mut rest = below(&mut stream, all);
                    let index = shares.iter().position(|&share| {
                        let is_here = rest < share;
                        rest = rest.saturating_sub(share);
                        is_here
                    });
                    counts[index.unwrap()] += 1;
                }
                let total = game(&counts).total_gain(games, &limits).unwrap();
                let misses = |ends: Option<Span>, truth| {
                    u32::from(ends.is_some_and(|Span { lo, hi }| truth < lo || hi < truth))
                };
                missed[0] += misses(total.ahead_interval, truth.ahead);
                missed[1] += misses(total.median_interval, truth.quantiles[2]);
            }
            let n = runs as f64;
            let most = 0.05 * n + 3.0 * (0.05 * 0.95 * n).sqrt();
            assert!(
                f64::from(missed[0].max(missed[1])) <= most,
                "{samples} {games}: {missed:?}"
            );
        }
    }

    #[test]
    fn intervals_of_total_gains_cover() {
        total_gains_are_covered(10);
    }

    #[test]
    #[ignore = "long; the short form runs always"]
    fn intervals_of_total_gains_cover_in_many_runs() {
        total_gains_are_covered(125);
    }
}
