//! Tails of binomial distributions of any size, and the log odds that give a tail.
//!
//! statrs's inverse of the beta distribution is off by 10^-4 at small shares, so exact limits are
//! found here, from tail sums. Reference: Loader 2000, *Fast and Accurate Computation of Binomial
//! Probabilities*: deviance and Stirling's error do not cancel as factorials do.

use statrs::function::gamma::ln_gamma;
use std::f64::consts::TAU;

/// A coin by both its probabilities, so that neither loses digits near 0 or 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coin {
    pub(super) heads: f64,
    pub(super) tails: f64,
}

impl Coin {
    /// The coin that shows heads with probability `p`, in (0, 1).
    pub(super) fn new(p: f64) -> Self {
        Self {
            heads: p,
            tails: 1.0 - p,
        }
    }

    /// The coin of these log odds of heads.
    pub(super) fn with_log_odds(log_odds: f64) -> Self {
        Self {
            heads: share(log_odds),
            tails: share(-log_odds),
        }
    }

    fn turned(self) -> Self {
        Self {
            heads: self.tails,
            tails: self.heads,
        }
    }

    /// `P(X >= k)` for the number of heads in `n` tosses; quick for `k` above the mean.
    pub(super) fn upper_tail(self, n: u64, k: u64) -> f64 {
        libm::exp(self.ln_probability(n, k) + libm::log(self.tail_sum(n, k)))
    }

    /// `P(X <= k)`; quick for `k` below the mean.
    pub(super) fn lower_tail(self, n: u64, k: u64) -> f64 {
        self.turned().upper_tail(n, n - k)
    }

    /// `P(X = k)`.
    #[cfg(test)]
    pub(super) fn probability(self, n: u64, k: u64) -> f64 {
        match self.heads {
            0.0 => f64::from(u8::from(k == 0)),
            _ => libm::exp(self.ln_probability(n, k)),
        }
    }

    /// `P(X >= k) / P(X = k)`.
    fn tail_sum(self, n: u64, k: u64) -> f64 {
        let odds = self.heads / self.tails;
        let (mut term, mut sum) = (1.0, 1.0);
        for heads in k..n {
            term *= (n - heads) as f64 / (heads + 1) as f64 * odds;
            sum += term;
            if term < sum * f64::EPSILON / 4.0 {
                break;
            }
        }
        sum
    }

    /// `ln P(X = k)`.
    fn ln_probability(self, n: u64, k: u64) -> f64 {
        let (heads, tails, all) = (k as f64, (n - k) as f64, n as f64);
        if k == 0 {
            return all * libm::log1p(-self.heads);
        }
        if k == n {
            return all * libm::log1p(-self.tails);
        }
        let stirling = stirling_error(all) - stirling_error(heads) - stirling_error(tails);
        let deviance = deviance(heads, all * self.heads) + deviance(tails, all * self.tails);
        stirling - deviance + 0.5 * libm::log(all / (TAU * heads * tails))
    }
}

/// The probability with these log odds.
pub(super) fn share(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// The log odds at which `k` or more heads in `n` tosses have probability `tail < 1/2`, for
/// `0 < k < n`. `start` is a guess.
///
/// Newton's method on the logarithm of the tail, which is concave in the log odds.
pub(super) fn log_odds_of_tail(n: u64, k: u64, tail: f64, start: f64) -> f64 {
    let mut log_odds = start;
    for _ in 0..64 {
        let coin = Coin::with_log_odds(log_odds);
        let sum = coin.tail_sum(n, k);
        let excess = coin.ln_probability(n, k) + libm::log(sum) - libm::log(tail);
        let step = excess * sum / (k as f64 * coin.tails);
        log_odds -= step;
        if step.abs() < 1e-14 * log_odds.abs().max(1.0) {
            break;
        }
    }
    log_odds
}

/// `ln n!` minus Stirling's approximation.
pub(super) fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return ln_gamma(n + 1.0) - ((n + 0.5) * libm::log(n) - n + 0.5 * libm::log(TAU));
    }
    let square = n * n;
    let inner = 1.0 / 1260.0 - 1.0 / (1680.0 * square);
    (1.0 / 12.0 - (1.0 / 360.0 - inner / square) / square) / n
}

/// `x ln(x / mean) + mean - x`, without cancellation where `x` is near `mean`.
pub(super) fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * libm::log(x / mean) + mean - x;
    }
    let ratio = (x - mean) / (x + mean);
    let mut power = 2.0 * x * ratio;
    let mut sum = (x - mean) * ratio;
    for odd in (3..).step_by(2) {
        power *= ratio * ratio;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// The largest share that all of `n` samples miss with probability `tail`.
pub(super) fn unseen_share(n: u64, tail: f64) -> f64 {
    -libm::expm1(libm::log(tail) / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tails_agree_with_counting() {
        for n in 0..=40u64 {
            let mut row = vec![1u64];
            for _ in 0..n {
                let shifted = row.iter().copied().chain([0]);
                row = shifted
                    .zip([0].into_iter().chain(row.clone()))
                    .map(|(a, b)| a + b)
                    .collect();
            }
            let mut heads = 0;
            for k in 0..=n / 2 {
                heads += row[k as usize];
                let exact = heads as f64 / 2f64.powi(n as i32);
                assert!(
                    (Coin::new(0.5).lower_tail(n, k) / exact - 1.0).abs() < 1e-12,
                    "{n} {k}"
                );
            }
        }
    }

    #[test]
    fn the_tail_to_the_middle_is_half_at_any_size() {
        for n in [101u64, 100_001, 1_000_000_001] {
            assert!(
                (Coin::new(0.5).lower_tail(n, n / 2) - 0.5).abs() < 1e-9,
                "{n}"
            );
        }
    }
}
