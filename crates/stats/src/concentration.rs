//! The concentration of weights: whether a mean rests on a few of them, and whether its interval can be trusted.
//!
//! A skewed sample hides its own skewness: as long as the rare large weights have not occurred,
//! the spread looks small too, and the interval is short and wrong. The effective sample size
//! alone is therefore not enough; the contribution of one weight to the spread says more
//! (Chatterjee and Diaconis 2018, "The sample size required in importance sampling"; Owen, *Monte
//! Carlo theory*, 9.3). The index of the tail tells what the samples may have missed (Vehtari et al. 2024).

use super::Level;
use super::critical::{normal_upper, student_upper};
use super::pareto::tail_size;
use super::skew::critical;

/// The concentration of a sample of weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Concentration {
    /// The number of weights.
    pub n: u64,
    /// Kish's effective sample size, `(sum of weights)^2 / sum of squares`; 0 if all are zero.
    pub effective_size: f64,
    /// The largest weight's share of the sum; `None` if all are zero.
    pub largest_share: Option<f64>,
    /// The largest weight's share of the sum of squared deviations from the mean; `None` where
    /// the weights do not differ.
    pub spread_share: Option<f64>,
    /// The index of the tail, as the k of Pareto-smoothed importance sampling; `None` if all are zero, or where
    /// it was not kept.
    pub tail_index: Option<f64>,
    /// The number of weights that the index was found from, where that is fewer than of so many weights usually: a
    /// tail behind a plateau.
    pub tail_count: Option<u64>,
}

/// The least number of weights of an interval that is believed. What is shown must hold given that
/// it is shown; a rule of what the weights look like shows an interval when the rare large ones
/// were not met, so the first rule is one of numbers alone.
const LEAST: u64 = 200;
/// The least effective sample size.
const LEAST_EFFECTIVE: f64 = 50.0;
/// The most that one weight may contribute to the spread.
const MOST_SPREAD_SHARE: f64 = 0.5;
/// The largest index of a tail of which any number of weights tells enough.
const MOST_INDEX: f64 = 0.7;

impl Concentration {
    /// Returns whether an interval of the mean can be believed: the weights met are even, and their tail is
    /// short enough.
    pub fn is_trusted(&self) -> bool {
        let is_short = self
            .tail_index
            .is_none_or(|index| index <= self.most_trusted_index());
        self.is_even() && is_short
    }

    /// Returns whether the weights are many, many of them count, and none of them makes most of the spread.
    pub fn is_even(&self) -> bool {
        let spread = self
            .spread_share
            .is_none_or(|share| share <= MOST_SPREAD_SHARE);
        spread && self.n >= LEAST && self.margin() >= 1.0
    }

    /// The largest index of a tail of which so many weights tell enough (Vehtari et al.).
    pub fn most_trusted_index(&self) -> f64 {
        (1.0 - 1.0 / libm::log10(self.n as f64)).min(MOST_INDEX)
    }

    /// The largest index that the tail may have at this level: what no sample met is reckoned with it. `None`
    /// from 1 on, where there is no mean.
    pub(super) fn most_index(&self, level: Level) -> Option<f64> {
        let index = self.tail_index.unwrap_or(0.0);
        let count = self
            .tail_count
            .map_or(tail_size(self.n), |count| count as f64);
        let error = (1.0 + index.max(0.0)) / count.min(tail_size(self.n)).sqrt();
        let most = index.max(0.0) + normal_upper(tail_beyond(level)) * error;
        (most < 1.0).then_some(most)
    }

    /// Returns whether there is an interval at this level: the further out its tails, the less may one weight
    /// make of the spread, and the less must be known of larger ones.
    pub fn allows(&self, level: Level) -> bool {
        let t = student_upper(level.tail(), self.n.saturating_sub(1) as f64);
        let is_bounded = critical(t, self.reach()).is_some() && self.most_index(level).is_some();
        self.is_trusted() && is_bounded
    }

    /// A bound on the skewness over the root of the number of samples: twice what the largest weight
    /// tells, for weights hide more of their skewness than most.
    pub(super) fn reach(&self) -> f64 {
        2.0 * self.spread_share.unwrap_or(0.0).sqrt()
    }

    /// Returns the factor by which a trusted interval is widened: 2 at the edge of the rule,
    /// no wider where the rule is met twice over. At the edge many samples pass because they err: of
    /// those that should have 30 effective weights, the few that have 50 found too many large ones.
    pub(crate) fn caution(&self) -> f64 {
        (3.0 - self.margin()).clamp(1.0, 2.0)
    }

    /// Returns the effective sample size as a multiple of the least that is enough.
    fn margin(&self) -> f64 {
        self.effective_size / LEAST_EFFECTIVE
    }
}

/// The tail of a level at which what no sample met is reckoned: of weights that look even, most have missed
/// the large ones, so lower levels than the usual one do not hold.
pub(super) fn tail_beyond(level: Level) -> f64 {
    level.tail().min(Level::DEFAULT.tail())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(n: u64, effective_size: f64, spread_share: f64) -> Concentration {
        Concentration {
            n,
            effective_size,
            largest_share: Some(0.1),
            spread_share: Some(spread_share),
            tail_index: Some(0.1),
            tail_count: None,
        }
    }

    #[test]
    fn weights_with_a_long_tail_are_not_trusted() {
        let long = |n, index| Concentration {
            tail_index: Some(index),
            ..sample(n, 150.0, 0.1)
        };
        assert!(long(3_000, 0.69).is_trusted() && !long(3_000, 0.71).is_trusted());
        // 1 - 1 / log10(220) = 0.573.
        assert!(long(220, 0.57).is_trusted() && !long(220, 0.58).is_trusted());
        assert!(long(220, 0.58).is_even());
        let [usual, far] = [0.95, 0.9999].map(|level| Level::new(level).unwrap());
        assert!(long(220, 0.5).allows(usual) && !long(220, 0.5).allows(far));
        // 0.5 and 1.96 of 1.5 over the root of the 44 largest.
        let most = long(220, 0.5).most_index(usual).unwrap();
        assert!((most - (0.5 + 1.959_964 * 1.5 / 44f64.sqrt())).abs() < 1e-6);
        let low = Level::new(0.5).unwrap();
        assert_eq!(long(220, 0.5).most_index(low), Some(most));
        // A tail of equal weights beyond those tells no more, and one of fewer tells less.
        let of_tail = |count| {
            let tail = Concentration {
                tail_count: Some(count),
                ..long(220, 0.5)
            };
            tail.most_index(usual)
        };
        assert_eq!(of_tail(90), Some(most));
        assert!(of_tail(40) > Some(most));
    }

    #[test]
    fn few_effective_weights_or_one_that_rules_the_spread_are_not_trusted() {
        assert!(sample(1_000, 50.0, 0.5).is_trusted());
        assert!(!sample(1_000, 49.0, 0.1).is_trusted());
        assert!(!sample(1_000, 500.0, 0.6).is_trusted());
        assert!(!sample(199, 150.0, 0.1).is_trusted());
    }

    #[test]
    fn few_weights_are_not_trusted_however_equal() {
        assert!(sample(200, 199.5, 0.4).is_trusted());
        assert!(!sample(199, 198.9, 0.4).is_trusted());
        assert!(!sample(1, 1.0, 0.0).is_trusted());
        assert!(!Concentration::default().is_trusted());
        let zeros = Concentration {
            n: 900,
            ..Concentration::default()
        };
        assert!(!zeros.is_trusted());
    }

    #[test]
    fn the_further_out_the_tails_the_less_may_one_weight_make_of_the_spread() {
        let [usual, far] = [0.95, 0.9999].map(|level| Level::new(level).unwrap());
        assert!(sample(1_000, 500.0, 0.4).allows(usual));
        assert!(!sample(1_000, 500.0, 0.49).allows(usual));
        assert!(!sample(1_000, 500.0, 0.4).allows(far));
        assert!(sample(1_000, 500.0, 0.05).allows(far));
        assert!(!sample(1_000, 40.0, 0.05).allows(usual));
    }

    #[test]
    fn intervals_at_the_edge_of_the_rule_are_twice_as_wide() {
        assert_eq!(sample(1_000, 50.0, 0.1).caution(), 2.0);
        assert_eq!(sample(1_000, 75.0, 0.1).caution(), 1.5);
        assert_eq!(sample(1_000, 100.0, 0.1).caution(), 1.0);
        assert_eq!(sample(1_000, 1_000.0, 0.1).caution(), 1.0);
    }
}
