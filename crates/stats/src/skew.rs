//! The correction of Student's interval for skewness, from the largest deviation among the samples.
//!
//! The tail of a Student statistic is off by `g (2 t^2 + 1) / (6 sqrt n)` in the critical value,
//! `g` being the skewness (Hall 1992, *The Bootstrap and Edgeworth Expansion*, 2.6). A sample hides
//! its own skewness, but its third moment is at most its largest deviation times its variance, and
//! that bound errs on the safe side. Where even the bound asks for as much as the critical value
//! itself, the samples are too few for how skewed they are, and there is no interval.
//!
//! Where no limits are known, a rare value may be any size. A rule that looks at the samples and
//! shows an interval only where they are even makes it worse: it hides the samples that met the
//! rare values. The interval is therefore shown and wide.

use super::binomial::unseen_share;
use super::critical::student_upper;

/// Corrections below this share of the critical value are left away.
pub(super) const NEGLIGIBLE: f64 = 0.01;

/// The distance from the mean at which a quantity without limits may have values that no sample met, in standard
/// deviations.
const ROOM: f64 = 12.0;

/// The least number of samples of an interval without limits: fewer do not tell a standard deviation.
const LEAST: u64 = 10;

/// The reach of a sample to either side of its mean: the largest deviation over the standard
/// deviation times the root of the number of samples, a bound on `g / sqrt n`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// The reach below the mean, which the lower limit depends on.
    pub(crate) below: f64,
    /// The reach above the mean, which the upper limit depends on.
    pub(crate) above: f64,
}

/// The critical value that allows for skewness, on a side with this reach; `None` where the
/// samples are too few for it. The square makes up for the next term of the expansion.
pub(super) fn critical(t: f64, reach: f64) -> Option<f64> {
    raised(t, reach, |share| share)
}

/// Like `critical`, for a quantity without limits, whose rare large values may be any size. The weights of
/// the square and of the cube are the least that held for log-normal, Pareto and mostly zero values.
fn critical_without_limits(t: f64, reach: f64) -> Option<f64> {
    raised(t, reach, |share| share * (5.0 + 40.0 * share))
}

/// The critical value with the correction's share `c` of it, and `more(c)` of that, added.
fn raised(t: f64, reach: f64, more: impl Fn(f64) -> f64) -> Option<f64> {
    let share = reach * leverage(t) / t;
    match share {
        _ if share <= NEGLIGIBLE => Some(t),
        _ if share <= 1.0 => Some(t * (1.0 + share * (1.0 + more(share)))),
        _ => None,
    }
}

/// A standard error, in the unit of its quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StandardError(pub f64);

/// A share of a variance, from 0 to 1, whatever the unit of the quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VarianceShare(pub f64);

/// A standard error of two parts that are not correlated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PartedError {
    /// The part that comes from the samples, and is as skewed as they are.
    pub(crate) sampled: StandardError,
    /// The part that comes from elsewhere.
    pub other: StandardError,
}

impl PartedError {
    fn sampled_alone(error: f64) -> Self {
        Self {
            sampled: StandardError(error),
            other: StandardError(0.0),
        }
    }

    /// Returns the root of the sum of both squares.
    pub(crate) fn whole(self) -> f64 {
        // Not `hypot`: a part that is zero leaves the other as it is.
        match (self.sampled.0, self.other.0) {
            (sampled, 0.0) => sampled,
            (sampled, other) => (sampled * sampled + other * other).sqrt(),
        }
    }

    /// Returns the share of the variance that comes from the samples; all of it where there is none.
    pub(crate) fn sampled_share(self) -> VarianceShare {
        match self.other.0 {
            0.0 => VarianceShare(1.0),
            _ => VarianceShare((self.sampled.0 / self.whole()).powi(2)),
        }
    }
}

/// The samples of a mean, as far as both sides of its interval share them.
#[derive(Clone, Copy)]
pub(super) struct MeanTails {
    /// The number of samples.
    pub n: u64,
    /// The critical value.
    pub(crate) t: f64,
    /// The most that the values which no sample met can make of all.
    pub(crate) unseen: f64,
}

impl MeanTails {
    /// The samples of a mean of which each limit may be passed with probability `tail`.
    pub(crate) fn new(n: u64, tail: f64) -> Self {
        Self {
            n,
            t: student_upper(tail, n.saturating_sub(1) as f64),
            unseen: unseen_share(n, tail),
        }
    }

    /// Returns the margin of an interval to a side with this reach and `room` for possible values beyond
    /// the mean, infinite without limits, where the standard error comes from these samples alone; `None`
    /// where they are too few.
    pub(crate) fn margin(self, error: f64, reach: f64, room: f64) -> Option<f64> {
        self.margin_of_parts(PartedError::sampled_alone(error), reach, room)
    }

    /// Returns the margin like [`margin`](Self::margin), where a part of the standard error comes from elsewhere.
    pub(crate) fn margin_of_parts(self, error: PartedError, reach: f64, room: f64) -> Option<f64> {
        let (whole, unseen) = (error.whole(), self.unseen * room);
        if whole <= 0.0 {
            return Some(unseen);
        }
        if unseen.is_finite() {
            return Some((critical(self.t, reach)? * whole).max(unseen));
        }
        let deviation = error.sampled.0 * (self.n as f64).sqrt();
        let raised = critical_without_limits(self.t, reach)? * whole;
        (self.n >= LEAST).then_some(raised.max(self.unseen * ROOM * deviation))
    }
}

fn leverage(t: f64) -> f64 {
    (2.0 * t * t + 1.0) / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_is_edgeworths_and_grows_with_the_reach() {
        // (2 * 4 + 1) / 6 = 1.5, so a reach of 0.2 adds 0.3 to 2: 15 %, and its square.
        let found = critical(2.0, 0.2).unwrap();
        assert!((found - 2.0 * (1.0 + 0.15 * 1.15)).abs() < 1e-12);
        assert_eq!(critical(2.0, 0.01), Some(2.0));
    }

    #[test]
    fn a_margin_allows_for_what_no_sample_met() {
        let margin = |error, reach, room, t| {
            let (n, unseen) = (30, 0.1);
            MeanTails { n, t, unseen }.margin(error, reach, room)
        };
        assert_eq!(margin(0.5, 0.0, 7.0, 2.0), Some(1.0));
        assert_eq!(margin(0.5, 0.0, 30.0, 2.0), Some(3.0));
        assert_eq!(margin(0.0, 0.0, 30.0, 2.0), Some(3.0));
        assert_eq!(margin(0.0, 0.0, f64::INFINITY, 2.0), Some(f64::INFINITY));
        assert_eq!(margin(0.5, 0.9, 30.0, 4.0), None);
    }

    #[test]
    fn without_limits_a_value_may_be_twelve_standard_deviations_off() {
        let margin = |reach, unseen, n| {
            let t = 2.0;
            MeanTails { n, t, unseen }.margin(1.0, reach, f64::INFINITY)
        };
        // An eighth of all values, 12 standard deviations of 5 standard errors away.
        assert_eq!(margin(0.0, 0.125, 25), Some(7.5));
        assert_eq!(margin(0.0, 0.125, 9), None);
        // A share of 0.15, five times its square and forty times its cube.
        let found = margin(0.2, 0.01, 25).unwrap();
        assert!((found - 2.0 * (1.0 + 0.15 + 5.0 * 0.0225 + 40.0 * 0.003375)).abs() < 1e-12);
    }

    #[test]
    fn far_tails_ask_for_more_samples() {
        assert!(critical(2.0, 0.9).is_some());
        assert_eq!(critical(4.0, 0.9), None);
        assert_eq!(critical(f64::INFINITY, 0.5), None);
        assert_eq!(critical(2.0, f64::NAN), None);
    }
}
