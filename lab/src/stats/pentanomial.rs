//! Matches as pairs of games with the sides swapped: five outcomes, from 0 to 4 half points.
//!
//! Both games of a pair share their opening, so the pair, not the game, is the independent
//! sample. References: Van den Bergh 2020, *Normalized Elo* and *A practical introduction to the
//! GSPRT* (<https://www.cantate.be/Fishtest>).

use std::f64::consts::{LN_10, SQRT_2};

use super::{Bounded, Histogram};

/// The counts of pairs that ended with 0, 1, 2, 3 and 4 half points for the first side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial {
    counts: [u64; 5],
}

/// Scores per game of the five outcomes.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Normalised Elo for each standard deviation of a game.
const NORMALISED: f64 = 800.0 / LN_10;
/// An outcome that never occurred is given this many pairs, so that its likelihood stays
/// positive.
const TRACE: f64 = 1e-3;

impl Pentanomial {
    /// The counts of pairs by half points.
    pub fn new(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// The counts in a histogram of half points; other values are no pairs.
    pub fn of(half_points: &Histogram) -> Self {
        Self::new([0, 1, 2, 3, 4].map(|value| half_points.count_of(value)))
    }

    /// Pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The half points as a tally.
    pub fn half_points(&self) -> Bounded<Histogram> {
        let mut tally = Bounded::default();
        for (half_points, &times) in (0..).zip(&self.counts) {
            tally.push_repeated(half_points, times);
        }
        tally
    }

    /// The difference in units of the standard deviation of a game, which does not depend on how
    /// drawish the openings are; `None` where all pairs ended alike.
    pub fn normalised_elo(&self) -> Option<f64> {
        let n = self.pairs() as f64;
        let shares = self.counts.map(|count| count as f64 / n);
        let spread = ScoreSpread::of(&shares);
        (n > 0.0 && spread.sd > 0.0).then(|| (spread.mean - 0.5) / spread.sd / SQRT_2 * NORMALISED)
    }

    /// The generalised log-likelihood ratio of the Elo difference `elo[1]` to `elo[0]`. Finite
    /// whatever the counts; 0 without pairs.
    pub fn llr(&self, elo: [f64; 2]) -> f64 {
        let given = |elo: f64| {
            let score = super::score_of_elo(elo);
            tilt(SCORES.map(|value| value - score), self.shares())
        };
        self.ratio(given(elo[0]), given(elo[1]))
    }

    /// Like `llr`, for two differences in normalised Elo.
    pub fn normalised_llr(&self, elo: [f64; 2]) -> f64 {
        let given = |elo: f64| likeliest(self.shares(), elo * SQRT_2 / NORMALISED);
        self.ratio(given(elo[0]), given(elo[1]))
    }

    /// The shares of the outcomes, none of them zero.
    fn shares(&self) -> [f64; 5] {
        let counts = self.counts.map(|count| (count as f64).max(TRACE));
        let n: f64 = counts.iter().sum();
        counts.map(|count| count / n)
    }

    fn ratio(&self, null: [f64; 5], alternative: [f64; 5]) -> f64 {
        let n = self.pairs() as f64;
        let terms = self.shares().into_iter().zip(null).zip(alternative);
        n * terms
            .map(|((share, p0), p1)| share * (p1 / p0).ln())
            .sum::<f64>()
    }
}

/// Mean and standard deviation of a distribution over the scores.
struct ScoreSpread {
    mean: f64,
    sd: f64,
}

impl ScoreSpread {
    fn of(shares: &[f64; 5]) -> Self {
        let expect = |of: &dyn Fn(f64) -> f64| -> f64 {
            SCORES
                .iter()
                .zip(shares)
                .map(|(&score, share)| of(score) * share)
                .sum()
        };
        let mean = expect(&|score| score);
        let sd = expect(&|score| (score - mean) * (score - mean)).sqrt();
        Self { mean, sd }
    }
}

/// The likeliest distribution, given the observed shares, whose mean is `t` standard deviations
/// above one half: the constraint is made linear at the last guess and solved again.
fn likeliest(shares: [f64; 5], t: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..30 {
        let ScoreSpread { mean, sd } = ScoreSpread::of(&guess);
        let values = SCORES.map(|score| {
            let deviate = (mean - score) / sd;
            score - 0.5 - t * sd * (1.0 + deviate * deviate) / 2.0
        });
        let next = tilt(values, shares);
        let moved = guess.iter().zip(next).map(|(a, b)| (a - b).abs());
        let settled = moved.fold(0.0, f64::max) < 1e-13;
        guess = next;
        if settled {
            break;
        }
    }
    guess
}

/// The likeliest distribution under which `values` have mean 0: `share / (1 + x value)`, `x` by
/// bisection. The shares themselves if no distribution has that mean.
fn tilt(values: [f64; 5], shares: [f64; 5]) -> [f64; 5] {
    let largest = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let least = values.into_iter().fold(f64::INFINITY, f64::min);
    if !(least < 0.0 && largest > 0.0) {
        return shares;
    }
    let tilted = |x: f64| {
        let mut tilted = shares;
        let terms = tilted.iter_mut().zip(values);
        terms.for_each(|(share, value)| *share /= 1.0 + x * value);
        tilted
    };
    let (mut below, mut above) = (-1.0 / largest, -1.0 / least);
    for _ in 0..100 {
        let middle = (below + above) / 2.0;
        let mean: f64 = tilted(middle)
            .iter()
            .zip(values)
            .map(|(p, value)| p * value)
            .sum();
        if mean > 0.0 {
            below = middle;
        } else {
            above = middle;
        }
    }
    tilted((below + above) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: [u64; 5] = [379, 10170, 21828, 10640, 343];

    /// Golden numbers of the reference implementation of the normalised GSPRT.
    #[test]
    fn the_normalised_llr_has_its_golden_values() {
        let golden = [
            (FIRST, [0.0, 2.0], 2.945495430907268),
            ([39, 8843, 26675, 9240, 44], [0.5, 2.5], 2.9416752079894044),
            ([119, 1754, 3690, 1898, 134], [0.0, 5.0], 2.946274356134372),
            ([4, 4, 11, 15, 3], [-5.0, 0.0], 0.1633529299143457),
        ];
        for (counts, elo, expected) in golden {
            let found = Pentanomial::new(counts).normalised_llr(elo);
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
    }

    #[test]
    fn a_match_lost_to_nil_has_a_finite_ratio() {
        let lost = Pentanomial::new([200, 0, 0, 0, 0]);
        for llr in [lost.llr([0.0, 5.0]), lost.normalised_llr([0.0, 5.0])] {
            assert!(llr.is_finite() && llr < -2.89, "{llr}");
        }
        assert_eq!(lost.normalised_elo(), None);
    }

    #[test]
    fn no_counts_at_all_still_make_numbers() {
        for counts in [
            [0; 5],
            [1, 0, 0, 0, 0],
            [0, 0, 1, 0, 0],
            [0, 0, 0, 0, 1],
            [u64::MAX / 8; 5],
        ] {
            let found = Pentanomial::new(counts);
            for elo in [[0.0, 5.0], [-900.0, 900.0], [5.0, 0.0]] {
                assert!(found.llr(elo).is_finite() && found.normalised_llr(elo).is_finite());
            }
        }
    }
}
