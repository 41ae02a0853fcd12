//! The Elo scale of match scores, with bounds that stay finite or absent, never NaN.
//!
//! Elo is not linear in the score, so an interval of the score maps to an asymmetric one; at a
//! score of 0 or 1 one side has no bound. Reference: Elo 1978, *The Rating of Chessplayers*, 8.

use super::Estimate;

/// A rating, or the difference of two, with its bounds; a bound that does not exist is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elo {
    /// The rating; `None` where it is infinite.
    pub value: Option<f64>,
    /// The standard error, where it is known.
    pub standard_error: Option<f64>,
    /// Lower bound.
    pub lo: Option<f64>,
    /// Upper bound.
    pub hi: Option<f64>,
}

impl Elo {
    /// The difference that belongs to an estimated score per game in `[0, 1]`.
    pub fn of_score(score: &Estimate) -> Self {
        let interval = score.interval;
        Self {
            value: score.value.and_then(elo_of_score),
            standard_error: None,
            lo: interval.and_then(|interval| elo_of_score(interval.lo)),
            hi: interval.and_then(|interval| elo_of_score(interval.hi)),
        }
    }
}

/// The rating difference at which `score` is expected; `None` unless strictly between 0 and 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * libm::log10(score / (1.0 - score)))
}

/// The score expected at a rating difference.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_ratings_are_inverse() {
        for elo in [-700.0, -3.5, 0.0, 190.0] {
            let back = elo_of_score(score_of_elo(elo)).unwrap();
            assert!((back - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        for bad in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(elo_of_score(bad), None);
        }
    }
}
