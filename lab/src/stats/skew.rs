//! What skewness costs Student's interval, from the largest deviation among the samples.
//!
//! The tail of a Student statistic is off by `g (2 t^2 + 1) / (6 sqrt n)` in the critical value,
//! `g` being the skewness (Hall 1992, *The Bootstrap and Edgeworth Expansion*, 2.6). A sample hides
//! its own skewness, but its third moment is at most its largest deviation times its variance, and
//! that bound errs on the safe side. Where even the bound asks for as much as the critical value
//! itself, the samples are too few for how skewed they are, and there is no interval.

/// Corrections below this share of the critical value are left away.
const NEGLIGIBLE: f64 = 0.01;

/// The most that one sample of many may contribute to the spread of a quantity without limits: of
/// samples that are nearly all equal, the few others do not tell how large such values are.
const MOST_SPREAD_SHARE: f64 = 2.0 / 3.0;

/// How far a sample reaches to either side of its mean: the largest deviation over the standard
/// deviation times the root of the number of samples, a bound on `g / sqrt n`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// Below the mean: what the lower limit suffers from.
    pub below: f64,
    /// Above the mean: what the upper limit suffers from.
    pub above: f64,
}

/// The critical value that allows for skewness, on a side with this reach; `None` where the
/// samples are too few for it. The square makes up for the next term of the expansion.
pub(super) fn critical(t: f64, reach: f64) -> Option<f64> {
    raised(t, reach, 1.0)
}

/// The same of quantities without limits, whose rare large values may be any size. The weight of the
/// square is the least of 1, 3 and 5 that held for log-normal and mostly zero values.
pub(super) fn critical_without_limits(t: f64, reach: f64) -> Option<f64> {
    raised(t, reach, 5.0)
}

fn raised(t: f64, reach: f64, square: f64) -> Option<f64> {
    let share = reach * leverage(t) / t;
    match share {
        _ if share <= NEGLIGIBLE => Some(t),
        _ if share <= 1.0 => Some(t * (1.0 + share * (1.0 + square * share))),
        _ => None,
    }
}

/// One side of the interval of a mean.
pub(super) struct Tail {
    /// The standard error.
    pub error: f64,
    /// How far the samples reach to this side.
    pub reach: f64,
    /// How far rare values that no sample met can move the mean; infinite without limits.
    pub unseen: f64,
}

impl Tail {
    /// How far the interval of `n` samples reaches to this side, at the critical value `t`; `None`
    /// where they are too few.
    pub fn margin(&self, t: f64, n: u64) -> Option<f64> {
        if self.error <= 0.0 {
            return Some(self.unseen);
        }
        if self.unseen.is_finite() {
            let raised = critical(t, self.reach)? * self.error;
            return Some(raised.max(self.unseen));
        }
        let is_spread = self.reach * self.reach <= MOST_SPREAD_SHARE + 1.0 / n as f64;
        let critical = critical_without_limits(t, self.reach).filter(|_| is_spread)?;
        Some(critical * self.error)
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
        let margin = |error, reach, unseen, t| {
            let side = Tail {
                error,
                reach,
                unseen,
            };
            side.margin(t, 30)
        };
        assert_eq!(margin(0.5, 0.0, 0.7, 2.0), Some(1.0));
        assert_eq!(margin(0.5, 0.0, 3.0, 2.0), Some(3.0));
        assert_eq!(margin(0.5, 0.0, f64::INFINITY, 2.0), Some(1.0));
        assert_eq!(margin(0.0, 0.0, 3.0, 2.0), Some(3.0));
        assert_eq!(margin(0.5, 0.9, 3.0, 4.0), None);
    }

    #[test]
    fn without_limits_one_sample_must_not_make_most_of_the_spread() {
        let side = |reach| Tail {
            error: 1.0,
            reach,
            unseen: f64::INFINITY,
        };
        // 0.83^2 < 2/3 + 1/30 < 0.84^2.
        assert!(side(0.83).margin(2.0, 30).is_some());
        assert_eq!(side(0.84).margin(2.0, 30), None);
        assert!(side(0.84).margin(2.0, 10).is_some());
        // A share of 0.15, and five times its square.
        let found = side(0.2).margin(2.0, 30).unwrap();
        assert!((found - 2.0 * (1.0 + 0.15 * 1.75)).abs() < 1e-12);
    }

    #[test]
    fn far_tails_ask_for_more_samples() {
        assert!(critical(2.0, 0.9).is_some());
        assert_eq!(critical(4.0, 0.9), None);
        assert_eq!(critical(f64::INFINITY, 0.5), None);
        assert_eq!(critical(2.0, f64::NAN), None);
    }
}
