//! Matches as pairs of games with the sides swapped: five outcomes, from 0 to 4 half points.
//!
//! Both games of a pair share their opening, so the pair, not the game, is the independent
//! sample. References: Van den Bergh 2020, *Normalized Elo* and *A practical introduction to the
//! GSPRT* (<https://www.cantate.be/Fishtest>).
//!
//! Any distribution over the five outcomes may be true, those that did not occur included. A
//! hypothesis far from the counts is therefore an unlikely one, never one that is left out.

use std::f64::consts::{LN_10, SQRT_2};

use super::halving::halved;
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
/// The shares under a hypothesis that no distribution fulfils.
const IMPOSSIBLE: [f64; 5] = [f64::MIN_POSITIVE; 5];
/// Standard deviations from even up to which the iteration finds the likeliest distribution; farther
/// out it may end at a less likely one.
const NEAR: f64 = 0.25;

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
    pub(crate) fn pairs(&self) -> u64 {
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
    pub(crate) fn llr(&self, elo: [f64; 2]) -> f64 {
        let given = |elo: f64| {
            let score = super::score_of_elo(elo);
            tilt(SCORES.map(|value| value - score), self.shares())
        };
        self.ratio(elo.map(given))
    }

    /// Like `llr`, for two differences in normalised Elo.
    pub(crate) fn normalised_llr(&self, elo: [f64; 2]) -> f64 {
        let given = |elo: f64| likeliest(self.shares(), elo * SQRT_2 / NORMALISED);
        self.ratio(elo.map(given))
    }

    /// The shares of the outcomes, none of them zero.
    fn shares(&self) -> [f64; 5] {
        let counts = self.counts.map(|count| (count as f64).max(TRACE));
        let n: f64 = counts.iter().sum();
        counts.map(|count| count / n)
    }

    fn ratio(&self, hypotheses: [Option<[f64; 5]>; 2]) -> f64 {
        let [null, alternative] = hypotheses.map(|shares| shares.unwrap_or(IMPOSSIBLE));
        let n = self.pairs() as f64;
        let terms = self.shares().into_iter().zip(null).zip(alternative);
        n * terms
            .map(|((share, p0), p1)| share * libm::log(p1 / p0))
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
/// above one half; `None` if there is none.
fn likeliest(shares: [f64; 5], t: f64) -> Option<[f64; 5]> {
    let near = (t.abs() < NEAR).then(|| iterated(shares, t)).flatten();
    near.or_else(|| searched(shares, t))
}

/// The likeliest distribution, found by making the constraint linear at the last guess and solving it
/// again; `None` where the guesses do not settle.
fn iterated(shares: [f64; 5], t: f64) -> Option<[f64; 5]> {
    let mut guess = [0.2; 5];
    for _ in 0..30 {
        let ScoreSpread { mean, sd } = ScoreSpread::of(&guess);
        let values = SCORES.map(|score| {
            let deviate = (mean - score) / sd;
            score - 0.5 - t * sd * (1.0 + deviate * deviate) / 2.0
        });
        let next = tilt(values, shares);
        let is_near = |next: &[f64; 5]| {
            let moved = guess.iter().zip(next).map(|(a, b)| (a - b).abs());
            moved.fold(0.0, f64::max) < 1e-13
        };
        if next.as_ref().is_some_and(is_near) {
            return next;
        }
        guess = next.unwrap_or(shares);
    }
    None
}

/// The likeliest distribution, found by its mean `m`: where that is known, the standard deviation is
/// `(m - 1/2) / t` and the constraint is linear. The distribution that fulfils it need not have the
/// mean `m`; those that do are candidates, and the likeliest of them is the one looked for.
fn searched(mut shares: [f64; 5], t: f64) -> Option<[f64; 5]> {
    if t < 0.0 {
        shares.reverse();
        let mut found = searched(shares, -t)?;
        found.reverse();
        return Some(found);
    }
    let given = |excess: f64| {
        let values = SCORES.map(|score| {
            let deviate = t * (score - 0.5 - excess);
            score - 0.5 - excess / 2.0 - deviate * deviate / (2.0 * excess)
        });
        tilt(values, shares)
    };
    let surplus = |excess: f64| Some(ScoreSpread::of(&given(excess)?).mean - 0.5 - excess);
    let excesses: Vec<f64> = excesses().collect();
    let surpluses: Vec<Option<f64>> = excesses.iter().map(|&excess| surplus(excess)).collect();
    let roots =
        excesses
            .windows(2)
            .zip(surpluses.windows(2))
            .filter_map(|(excesses, surpluses)| {
                let (before, after) = (surpluses[0]?, surpluses[1]?);
                let is_before = |value: f64| (value > 0.0) == (before > 0.0);
                let root = || {
                    halved(excesses[0], excesses[1], 60, |at| {
                        surplus(at).is_some_and(is_before)
                    })
                };
                let root = (!is_before(after)).then(root)?;
                Some((root.kept + root.given_up) / 2.0)
            });
    let log_likelihood = |found: &[f64; 5]| -> f64 {
        let terms = shares.iter().zip(found);
        terms.map(|(share, p)| share * libm::log(*p)).sum()
    };
    let candidates = roots.filter_map(given);
    candidates.max_by(|a, b| log_likelihood(a).total_cmp(&log_likelihood(b)))
}

/// The excesses of a mean over one half between which solutions are looked for, from 0 to 1/2 and
/// dense at both ends.
fn excesses() -> impl Iterator<Item = f64> {
    let fraction = |eighths: i32| libm::pow(0.5, 1.0 + f64::from(eighths) / 8.0);
    let near_half = (9..280).map(move |eighths| 0.5 - fraction(eighths));
    (8..280).rev().map(fraction).chain(near_half)
}

/// The likeliest distribution under which `values` have mean 0: `share / (1 + x value)`, `x` by
/// bisection; `None` if no distribution has that mean.
fn tilt(values: [f64; 5], shares: [f64; 5]) -> Option<[f64; 5]> {
    let largest = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let least = values.into_iter().fold(f64::INFINITY, f64::min);
    if !(least < 0.0 && largest > 0.0) {
        return None;
    }
    let tilted = |x: f64| {
        let mut tilted = shares;
        let terms = tilted.iter_mut().zip(values);
        terms.for_each(|(share, value)| *share /= 1.0 + x * value);
        tilted
    };
    let is_below = |x: f64| {
        let terms = tilted(x).into_iter().zip(values);
        terms.map(|(p, value)| p * value).sum::<f64>() > 0.0
    };
    let x = halved(-1.0 / largest, -1.0 / least, 100, is_below);
    Some(tilted((x.kept + x.given_up) / 2.0))
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

    /// One pair lost and three won: a mean of 3/4 with a deviation of the root of 3/16, that of a game twice the square.
    #[test]
    fn a_normalised_difference_is_in_units_of_the_deviation_of_a_game() {
        let found = Pentanomial::new([1, 0, 0, 0, 3]).normalised_elo().unwrap();
        let expected = 0.25 / (2.0 * 3.0f64 / 16.0).sqrt() * 347.435_585_522_6;
        assert!((found - expected).abs() < 1e-7, "{found} {expected}");
    }

    /// By hand, with wins and losses alone: of 110 pairs 60 won, a share of `p` has `(p - 1/2) /
    /// sqrt(p q)` standard deviations. Draws and half wins, which did not occur, change little.
    #[test]
    fn a_hypothesis_far_from_the_counts_is_an_unlikely_one() {
        let counts = Pentanomial::new([50, 0, 0, 0, 60]);
        let t = 300.0 * SQRT_2 / NORMALISED;
        let p = 0.5 + 0.5 * (t * t / (1.0 + t * t)).sqrt();
        let expected = 50.0 * libm::log((1.0 - p) / 0.5) + 60.0 * libm::log(p / 0.5);
        let found = counts.normalised_llr([0.0, 300.0]);
        assert!((found - expected).abs() < 0.5, "{found} {expected}");
        let mirrored = Pentanomial::new([60, 0, 0, 0, 50]).normalised_llr([-300.0, 0.0]);
        assert!((found + mirrored).abs() < 1e-6, "{found} {mirrored}");
        let far = [[0.0, 600.0], [0.0, 4_000.0]].map(|elo| counts.normalised_llr(elo));
        assert!(far.iter().all(|llr| *llr < -3.0), "{far:?}");
        assert!(counts.normalised_llr([1e6, 1e300]).is_finite());
        assert!(counts.llr([0.0, 6_400.0]) < -3.0);
        assert!(Pentanomial::new([0, 0, 0, 0, 60]).normalised_llr([0.0, 300.0]) > 3.0);
    }

    /// Seed 12. Whatever the counts, the distribution found has the mean asked for, and none that the
    /// iteration settles at is likelier.
    fn hypotheses_are_fulfilled_by_the_likeliest(rounds: usize) {
        use kit::rng::{Streams, below};
        let mut stream = Streams::new(12).key("counts").stream(0);
        for round in 0..rounds {
            let most = [5, 50, 1_000, 1_000_000][round % 4];
            let counts = [(); 5].map(|()| below(&mut stream, most) * below(&mut stream, 2));
            let shares = Pentanomial::new(counts).shares();
            let t = (below(&mut stream, 2_001) as f64 - 1_000.0) / [100.0, 1_000.0][round % 2];
            let found = searched(shares, t).or_else(|| iterated(shares, t)).unwrap();
            let ScoreSpread { mean, sd } = ScoreSpread::of(&found);
            assert!((mean - 0.5 - t * sd).abs() < 1e-5, "{counts:?} {t}");
            let log_likelihood = |found: [f64; 5]| -> f64 {
                shares
                    .iter()
                    .zip(found)
                    .map(|(share, p)| share * libm::log(p))
                    .sum()
            };
            let other = iterated(shares, t).map_or(f64::NEG_INFINITY, log_likelihood);
            assert!(other <= log_likelihood(found) + 1e-7, "{counts:?} {t}");
        }
    }

    #[test]
    fn every_hypothesis_is_fulfilled_by_the_likeliest_distribution() {
        hypotheses_are_fulfilled_by_the_likeliest(60);
    }

    #[test]
    #[ignore = "long; the short form runs always"]
    fn many_hypotheses_are_fulfilled_by_the_likeliest_distribution() {
        hypotheses_are_fulfilled_by_the_likeliest(400);
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
