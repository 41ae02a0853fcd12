//! Confidence sequences of proportions, valid at all numbers of samples at once.
//!
//! Wealth that grows from betting against a share `p` exceeds `1 / alpha` with probability at
//! most `alpha` if `p` is the truth (Ville 1939), whenever one looks; the sequence holds the
//! shares whose wealth is below. The bet is the conjugate beta mixture centred at `p`, so the
//! wealth is a function of the counts alone. Reference: Howard, Ramdas, McAuliffe, Sekhon 2021,
//! *Annals of Statistics* 49, propositions 5 and 7.

use super::binomial::{Coin, deviance, share, stirling_error};
use super::halving::halved;
use super::{Interval, Level, Method, Proportion, Span, Validity};

impl Proportion {
    /// The beta-binomial confidence sequence, narrowest at about `planned` samples; `None`
    /// without samples.
    pub fn sequence(self, level: Level, planned: u64) -> Option<Interval> {
        let n = self.samples();
        if n == 0 {
            return None;
        }
        let bet = Bet::new(level.alpha(), planned);
        let limits = Span::new(bet.lower(self.certain(), n), bet.upper(self.possible(), n));
        Interval::new(limits, level, Method::BetaBinomial, Validity::AnyTime)
    }
}

/// The conjugate bet against a share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bet {
    /// The concentration of the mixture at the share, in samples.
    concentration: f64,
    /// The logarithm of the wealth at which a share is given up.
    goal: f64,
}

/// `u` of `u exp(1 - u) = alpha^2`: a sequence is narrowest where the samples and its
/// concentration together are `u` times the concentration, and has there the variance times `u` in
/// place of the squared normal deviate.
fn narrowest(alpha: f64) -> f64 {
    let goal = -libm::log(alpha);
    let mut u = 2.0 + 2.0 * goal;
    for _ in 0..50 {
        u = 1.0 + 2.0 * goal + libm::log(u);
    }
    u
}

/// The deviate of a normal quantity that is passed with probability `alpha` at any number of samples:
/// the bet of this module in the limit of many samples.
pub(super) fn sequence_deviate(alpha: f64, planned: u64, n: u64) -> f64 {
    let share = planned.max(1) as f64 / (narrowest(alpha) - 1.0) / n.max(1) as f64;
    let wealth = libm::log1p(share.recip()) - 2.0 * libm::log(alpha);
    ((1.0 + share) * wealth).sqrt()
}

/// The number of samples that a sequence of a quantity within `limits` is tuned to if it should have
/// this half-width: a third of what values at either limit need, half of each. No other values need
/// as many. The third costs these 4 %, and nothing where the samples vary a third as much; tuned to
/// all of them, a sequence costs four fifths more where they vary a tenth as much.
pub fn planned_for(half_width: f64, limits: Span, level: Level) -> u64 {
    let needed = narrowest(level.alpha()) * (limits.width() / 2.0 / half_width).powi(2);
    (needed / 3.0).ceil().max(1.0) as u64
}

/// Returns the factor of samples that an interval needs if its sequence is tuned to `times` as many
/// samples as it would need otherwise, by the normal limit.
pub fn cost_of_cap(times: f64, level: Level) -> f64 {
    const UNIT: f64 = 1e9;
    let (alpha, planned) = (level.alpha(), (times * UNIT) as u64);
    let mut cost = 1.0;
    for _ in 0..100 {
        let deviate = sequence_deviate(alpha, planned, (cost * UNIT) as u64);
        cost = (cost + deviate * deviate / narrowest(alpha)) / 2.0;
    }
    cost
}

/// Log odds beyond which no share is looked for.
const FAR: f64 = 700.0;

impl Bet {
    /// The bet that errs with probability `alpha` and pays best at `planned` samples; at 95 % the
    /// concentration is 0.12 of them.
    pub(crate) fn new(alpha: f64, planned: u64) -> Self {
        Self {
            concentration: planned.max(1) as f64 / (narrowest(alpha) - 1.0),
            goal: -libm::log(alpha),
        }
    }

    /// The least share not given up after `successes` among `n > 0`.
    pub(crate) fn lower(self, successes: u64, n: u64) -> f64 {
        self.lower_log_odds(successes, n).map_or(0.0, share)
    }

    /// The greatest share not given up: one minus the least share of failures, without a loss of digits.
    pub(crate) fn upper(self, successes: u64, n: u64) -> f64 {
        let failures = self.lower_log_odds(n - successes, n);
        failures.map_or(1.0, |log_odds| share(-log_odds))
    }

    /// The log odds of the least share not given up; `None` of a share of 0.
    fn lower_log_odds(self, successes: u64, n: u64) -> Option<f64> {
        let gives_up = |log_odds| self.gives_up(log_odds, successes, n);
        (successes > 0 && gives_up(-FAR)).then(|| {
            let observed = log_odds(successes, n - successes);
            halved(-FAR, observed, 64, gives_up).kept
        })
    }

    fn gives_up(self, log_odds: f64, successes: u64, n: u64) -> bool {
        self.log_wealth(Coin::with_log_odds(log_odds), successes, n) >= self.goal
    }

    /// The logarithm of `B(rp + s, rq + f) / (B(rp, rq) p^s q^f)`. The leading terms of the gamma
    /// functions join into deviances, so nothing cancels at large counts.
    fn log_wealth(self, coin: Coin, successes: u64, n: u64) -> f64 {
        let Coin { heads, tails } = coin;
        let r = self.concentration;
        let all = r + n as f64;
        let side = |share: f64, count: u64| {
            let (prior, posterior) = (r * share, r * share + count as f64);
            deviance(posterior, all * share)
                + 0.5 * libm::log(prior / posterior)
                + stirling_error(posterior)
                - stirling_error(prior)
        };
        let whole = 0.5 * libm::log(all / r) + stirling_error(r) - stirling_error(all);
        side(heads, successes) + side(tails, n - successes) + whole
    }
}

/// The log odds of a share of successes; far out where there are no failures.
fn log_odds(successes: u64, failures: u64) -> f64 {
    if failures == 0 {
        return FAR;
    }
    libm::log(successes as f64 / failures as f64)
}
#[cfg(test)]
mod tests {
    use super::*;

    fn limits(successes: u64, n: u64, planned: u64) -> Span {
        let bet = Bet::new(0.05, planned);
        Span::new(bet.lower(successes, n), bet.upper(successes, n))
    }

    /// The definition, by gamma functions, at counts where nothing is lost.
    #[test]
    fn the_wealth_is_the_ratio_of_beta_functions() {
        use statrs::function::beta::ln_beta;
        for (s, n, p, planned) in [
            (3u64, 10u64, 0.4f64, 100u64),
            (0, 7, 0.01, 50),
            (40, 40, 0.9, 9),
        ] {
            let bet = Bet::new(0.05, planned);
            let (a, b) = (bet.concentration * p, bet.concentration * (1.0 - p));
            let (heads, tails) = (s as f64, (n - s) as f64);
            let direct = ln_beta(a + heads, b + tails)
                - ln_beta(a, b)
                - heads * libm::log(p)
                - tails * libm::log(1.0 - p);
            let found = bet.log_wealth(Coin::new(p), s, n);
            assert!((found - direct).abs() < 1e-10, "{s} {n}: {found} {direct}");
        }
    }

    /// A share of a few in 10^15 keeps its digits, as its mirror cannot.
    #[test]
    fn tiny_shares_lie_within_their_limits() {
        for n in [1_000_000_000_000_000, 1 << 53] {
            for successes in 1..4 {
                let Span { lo, hi } = limits(successes, n, n);
                let share = successes as f64 / n as f64;
                assert!(lo < share && share < hi, "{lo} {share} {hi}");
                let (more, most) = (limits(successes + 1, n, n).hi, 30.0 * share);
                assert!(hi < more && hi < most, "{hi} {more}");
                let mirrored = 1.0 - limits(n - successes, n, n).lo;
                assert!((mirrored - hi).abs() < 1e-15, "{mirrored} {hi}");
            }
        }
    }

    #[test]
    fn the_concentration_is_tuned_to_the_planned_samples() {
        // Solved by hand: u - ln u = 1 + 2 ln 20 has the root 9.2111.
        let share = Bet::new(0.05, 1_000_000).concentration / 1e6;
        assert!((share - 0.12178).abs() < 1e-4, "{share}");
    }

    /// The share of a fair coin to 0.01 with any cap takes 4 % more samples than with the best one,
    /// 23,027; tuned to a cap of ten million it takes 147,456.
    #[test]
    fn a_sequence_is_tuned_to_its_target() {
        let planned = planned_for(0.01, Span::new(0.0, 1.0), Level::DEFAULT);
        let width = |n: u64, planned| {
            let coin = Proportion::new(n / 2, 0, n).unwrap();
            coin.sequence(Level::DEFAULT, planned).unwrap().half_width()
        };
        assert!(width(24_100, planned) <= 0.01 && width(23_000, planned) > 0.01);
        assert!(width(140_000, 10_000_000) > 0.01);
        let cost = cost_of_cap(10_000_000.0 / 23_027.0, Level::DEFAULT);
        assert!((5.5..6.5).contains(&cost), "{cost}");
        assert!((cost_of_cap(1.0, Level::DEFAULT) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn limits_enclose_what_was_seen_and_are_mirrored() {
        for (s, n) in [
            (0, 1),
            (1, 1),
            (5, 10),
            (1, 1000),
            (999, 1000),
            (3, 1_000_000_000),
        ] {
            let Span { lo, hi } = limits(s, n, 1000);
            let mean = s as f64 / n as f64;
            assert!(
                0.0 <= lo && lo <= mean && mean <= hi && hi <= 1.0,
                "{s}/{n}: {lo} {hi}"
            );
            let Span { lo: mirrored, .. } = limits(n - s, n, 1000);
            assert!((1.0 - hi - mirrored).abs() < 1e-12);
        }
    }

    #[test]
    fn the_shares_not_given_up_are_an_interval() {
        for (s, n) in [(1, 3), (7, 50), (2, 400)] {
            let bet = Bet::new(0.05, 200);
            let kept: Vec<bool> = (-200..=200)
                .map(|step| !bet.gives_up(f64::from(step) / 10.0, s, n))
                .collect();
            let changes = kept.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(changes <= 2, "{s}/{n}");
        }
    }

    #[test]
    fn at_the_planned_samples_it_is_about_half_as_wide_again_as_one_look() {
        let Span { lo, hi } = limits(5_000, 10_000, 10_000);
        let one_look = 2.0 * 1.96 * 0.005;
        let factor = (hi - lo) / one_look;
        assert!((1.5..1.6).contains(&factor), "{factor}");
    }
}
