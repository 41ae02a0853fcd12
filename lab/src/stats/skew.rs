//! What skewness costs Student's interval, from the largest deviation among the samples.
//!
//! The tail of a Student statistic is off by `g (2 t^2 + 1) / (6 sqrt n)` in the critical value,
//! `g` being the skewness (Hall 1992, *The Bootstrap and Edgeworth Expansion*, 2.6). A sample hides
//! its own skewness, but its third moment is at most its largest deviation times its variance, and
//! that bound errs on the safe side. Where even the bound asks for as much as the critical value
//! itself, the samples are too few for how skewed they are, and there is no interval.

/// Corrections below this share of the critical value are left away.
const NEGLIGIBLE: f64 = 0.01;

/// How far a sample reaches to either side of its mean: the largest deviation over the standard
/// deviation times the root of the number of samples, a bound on `g / sqrt n`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// Below the mean: what the lower limit suffers from.
    pub below: f64,
    /// Above the mean: what the upper limit suffers from.
    pub above: f64,
}

impl Reach {
    /// The same reach to both sides.
    pub fn both(reach: f64) -> Self {
        Self {
            below: reach,
            above: reach,
        }
    }

    /// Whether Student's interval at the critical value `t` is good enough as it is.
    pub fn is_negligible(self, t: f64) -> bool {
        self.below.max(self.above) * leverage(t) <= NEGLIGIBLE * t
    }
}

/// The critical value that allows for skewness, on a side with this reach; `None` where the
/// samples are too few for it. The square makes up for the next term of the expansion.
pub(super) fn critical(t: f64, reach: f64) -> Option<f64> {
    let share = reach * leverage(t) / t;
    match share {
        _ if share <= NEGLIGIBLE => Some(t),
        _ if share <= 1.0 => Some(t * (1.0 + share * (1.0 + share))),
        _ => None,
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
        assert!(Reach::both(0.01).is_negligible(2.0));
        assert!(
            !Reach {
                below: 0.0,
                above: 0.1
            }
            .is_negligible(2.0)
        );
    }

    #[test]
    fn far_tails_ask_for_more_samples() {
        assert!(critical(2.0, 0.9).is_some());
        assert_eq!(critical(4.0, 0.9), None);
        assert_eq!(critical(f64::INFINITY, 0.5), None);
        assert_eq!(critical(2.0, f64::NAN), None);
    }
}
