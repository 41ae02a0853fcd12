//! Proportions: Wilson's and Clopper and Pearson's intervals, unresolved samples included.
//!
//! An unresolved sample is a failure for the lower limit and a success for the upper one.
//! Reference: Brown, Cai, DasGupta 2001, *Interval Estimation for a Binomial Proportion*.

use super::binomial::{log_odds_of_tail, share, unseen_share};
use super::critical::normal_upper;
use super::{Bounded, Estimate, Histogram, Interval, Level, Method, mean_estimate};

/// Successes among `n` samples, of which some may be unresolved:
/// `certain <= possible <= n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    certain: u64,
    possible: u64,
    n: u64,
}

/// Wilson's interval holds on average over shares. Where either answer was seen less often than
/// this, it misses some shares much more often than it says: up to 16 % at a level of 95 %. From
/// here on it is at most 5.6 %, and 0.12 % at a level of 99.9 %.
const COMMON: u64 = 100;
/// The least tail in which it does: farther out Wilson's interval is too short at any count.
const FARTHEST: f64 = 0.000_499;

impl Proportion {
    /// `successes` certain ones among `n` samples, `unresolved` more being possible; `None` if
    /// they are more than `n`.
    ///
    /// ```
    /// use lab::stats::{Level, Proportion};
    /// let heads = Proportion::new(480, 10, 1_000).unwrap();
    /// let interval = heads.wilson(Level::DEFAULT).unwrap();
    /// assert!(interval.lo < 0.48 && interval.hi > 0.49);
    /// ```
    pub fn new(successes: u64, unresolved: u64, n: u64) -> Option<Self> {
        let possible = successes.checked_add(unresolved)?;
        (possible <= n).then_some(Self {
            certain: successes,
            possible,
            n,
        })
    }

    /// The share of ones in a tally of flags; any other value is no success.
    pub fn of(tally: &Bounded<Histogram>) -> Self {
        let certain = tally.low_end().count_of(1);
        Self {
            certain,
            possible: tally.high_end().count_of(1).max(certain),
            n: tally.count(),
        }
    }

    /// Wilson's interval; `None` without samples.
    pub fn wilson(self, level: Level) -> Option<Interval> {
        let method = self.choose(Method::Wilson, Method::WilsonBounds);
        self.interval(level, method, wilson_limits)
    }

    /// Clopper and Pearson's interval; `None` without samples.
    pub fn clopper_pearson(self, level: Level) -> Option<Interval> {
        let method = self.choose(Method::ClopperPearson, Method::ClopperPearsonBounds);
        self.interval(level, method, clopper_pearson_limits)
    }

    /// Returns whether Wilson's interval misses hardly more often than it says, whatever the share.
    pub fn is_common(self, level: Level) -> bool {
        self.rarer() >= COMMON && level.tail() >= FARTHEST
    }

    /// All samples.
    pub fn samples(self) -> u64 {
        self.n
    }

    /// The certain successes.
    pub fn certain(self) -> u64 {
        self.certain
    }

    /// The certain successes and the unresolved samples that may be some.
    pub fn possible(self) -> u64 {
        self.possible
    }

    /// Samples that certainly gave the rarer answer.
    fn rarer(self) -> u64 {
        self.certain.min(self.n - self.possible)
    }

    fn choose(self, exact: Method, bounds: Method) -> Method {
        if self.certain == self.possible {
            exact
        } else {
            bounds
        }
    }

    /// Wilson's interval where both answers are common, the exact one where either is rare.
    pub fn fixed_interval(self, level: Level) -> Option<Interval> {
        if self.is_common(level) {
            self.wilson(level)
        } else {
            self.clopper_pearson(level)
        }
    }

    fn interval(
        self,
        level: Level,
        method: Method,
        limits: fn(u64, u64, f64) -> (f64, f64),
    ) -> Option<Interval> {
        if self.n == 0 {
            return None;
        }
        let (lo, _) = limits(self.certain, self.n, level.tail());
        let (_, hi) = limits(self.possible, self.n, level.tail());
        Interval::fixed((lo, hi), level, method)
    }
}

/// The share of ones in a tally of flags, with this interval of it.
pub fn share_estimate(
    tally: &Bounded<Histogram>,
    interval: impl FnOnce(Proportion) -> Option<Interval>,
) -> Estimate {
    Estimate {
        interval: interval(Proportion::of(tally)),
        ..mean_estimate(tally, Level::DEFAULT, None)
    }
}

/// An upper confidence bound on the share of exceptions after `n` samples without one:
/// `1 - alpha^(1/n)`, about `3/n` at 95 % (the rule of three). `None` without samples.
pub fn exceptions_bound(n: u64, level: Level) -> Option<f64> {
    (n > 0).then(|| unseen_share(n, level.alpha()))
}

/// Wilson's limits for `successes` among `n > 0`.
fn wilson_limits(successes: u64, n: u64, tail: f64) -> (f64, f64) {
    let z = normal_upper(tail);
    let (s, n_f) = (successes as f64, n as f64);
    let mean = s / n_f;
    let scale = 1.0 / (1.0 + z * z / n_f);
    let centre = (mean + z * z / (2.0 * n_f)) * scale;
    let half = z * scale * (mean * (1.0 - mean) / n_f + z * z / (4.0 * n_f * n_f)).sqrt();
    let lo = if successes == 0 { 0.0 } else { centre - half };
    let hi = if successes == n { 1.0 } else { centre + half };
    (lo.max(0.0), hi.min(1.0))
}

/// Clopper and Pearson's limits for `successes` among `n > 0`.
fn clopper_pearson_limits(successes: u64, n: u64, tail: f64) -> (f64, f64) {
    let failures = n - successes;
    let all_fail_below = unseen_share(n, tail);
    let lo = match (successes, failures) {
        (0, _) => 0.0,
        (_, 0) => 1.0 - all_fail_below,
        _ => share(lower_log_odds(successes, n, tail)),
    };
    let hi = match (successes, failures) {
        (_, 0) => 1.0,
        (0, _) => all_fail_below,
        _ => share(-lower_log_odds(failures, n, tail)),
    };
    (lo, hi)
}

/// The log odds of the lower limit for `0 < successes < n`, from Wilson's limit as a guess.
fn lower_log_odds(successes: u64, n: u64, tail: f64) -> f64 {
    let (guess, _) = wilson_limits(successes, n, tail);
    log_odds_of_tail(n, successes, tail, (guess / (1.0 - guess)).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOPPER_PEARSON: &str = include_str!("../../tests/data/stats/clopper_pearson.csv");

    #[test]
    fn clopper_pearson_agrees_with_the_golden_table() {
        let rows = CLOPPER_PEARSON
            .lines()
            .filter(|line| !line.starts_with('#'));
        for row in rows.skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            let [successes, n] = [0, 1].map(|i| cells[i].parse().unwrap());
            let [level, lo, hi] = [2, 3, 4].map(|i| cells[i].parse::<f64>().unwrap());
            let proportion = Proportion::new(successes, 0, n).unwrap();
            let interval = proportion
                .clopper_pearson(Level::new(level).unwrap())
                .unwrap();
            assert!((interval.lo - lo).abs() <= 1e-9 * lo, "{row}: {interval:?}");
            assert!((interval.hi - hi).abs() <= 1e-9 * hi, "{row}: {interval:?}");
        }
    }

    #[test]
    fn wilson_agrees_with_newcombes_published_examples() {
        // Newcombe 1998, Statistics in Medicine 17, table I, method 3.
        let cases = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (successes, n, lo, hi) in cases {
            let proportion = Proportion::new(successes, 0, n).unwrap();
            let interval = proportion.wilson(Level::DEFAULT).unwrap();
            assert!((interval.lo - lo).abs() < 5e-5 && (interval.hi - hi).abs() < 5e-5);
        }
    }

    #[test]
    fn wilsons_interval_is_shown_where_both_answers_are_common_and_the_level_is_not_extreme() {
        let method = |successes, level| {
            let mut tally = Bounded::<Histogram>::default();
            tally.push_repeated(1, successes);
            tally.push_repeated(0, 1_000 - successes);
            let interval = Proportion::of(&tally).fixed_interval(Level::new(level).unwrap());
            interval.map(|interval| interval.method)
        };
        assert_eq!(method(100, 0.95), Some(Method::Wilson));
        assert_eq!(method(900, 0.999), Some(Method::Wilson));
        assert_eq!(method(99, 0.95), Some(Method::ClopperPearson));
        assert_eq!(method(901, 0.95), Some(Method::ClopperPearson));
        assert_eq!(method(500, 0.9995), Some(Method::ClopperPearson));
    }

    #[test]
    fn unresolved_samples_widen_the_interval_at_both_ends() {
        let part = |s, u| Proportion::new(s, u, 100).unwrap();
        let bounds = part(30, 20).wilson(Level::DEFAULT).unwrap();
        let (low, high) = (
            part(30, 0).wilson(Level::DEFAULT),
            part(50, 0).wilson(Level::DEFAULT),
        );
        assert_eq!(Some(bounds.lo), low.map(|interval| interval.lo));
        assert_eq!(Some(bounds.hi), high.map(|interval| interval.hi));
        assert_eq!(bounds.method, Method::WilsonBounds);
        assert_eq!(Proportion::new(90, 20, 100), None);
    }

    #[test]
    fn flags_give_an_estimate_only_when_they_are_resolved() {
        let mut tally = Bounded::<Histogram>::default();
        let estimate =
            |tally: &_| share_estimate(tally, |share| share.fixed_interval(Level::DEFAULT));
        assert_eq!(estimate(&tally), Estimate::default());
        (0..10).for_each(|i| tally.push(i64::from(i < 3)));
        assert_eq!(estimate(&tally).value, Some(0.3));
        tally.push_bounds(0, 1);
        let open = estimate(&tally);
        assert_eq!((open.value, open.n, open.unresolved), (None, 11, 1));
        assert_eq!(
            (open.lower, open.upper),
            (Some(3.0 / 11.0), Some(4.0 / 11.0))
        );
    }

    #[test]
    fn the_rule_of_three_is_near_three_in_n() {
        let bound = exceptions_bound(1000, Level::DEFAULT).unwrap();
        assert!((bound - 0.002_991_249).abs() < 1e-8);
        assert_eq!(exceptions_bound(0, Level::DEFAULT), None);
    }
}
