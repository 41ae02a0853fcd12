//! Draws from a stream: bounded integers, choices, shuffles, uniform reals.

use rand_core::Rng;

/// A uniform integer in `0..bound`, without bias: multiply and reject (Lemire 2019, "Fast random
/// integer generation in an interval"), one 64-bit draw an attempt.
///
/// `bound` is at least 1; a bound of 0 is treated as 1.
///
/// ```
/// use etude_kit::rng::{Streams, below};
/// let mut stream = Streams::new(1).key("die").stream(0);
/// assert!(below(&mut stream, 6) < 6);
/// ```
pub fn below<R: Rng + ?Sized>(rng: &mut R, bound: u64) -> u64 {
    let bound = bound.max(1);
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u64) < threshold {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

/// A uniform element of `items`, or `None` of an empty slice. One item costs no draw.
pub fn choose<'a, T, R: Rng + ?Sized>(rng: &mut R, items: &'a [T]) -> Option<&'a T> {
    match items {
        [] => None,
        [only] => Some(only),
        _ => items.get(below(rng, items.len() as u64) as usize),
    }
}

/// A uniform permutation in place: Fisher-Yates from the top, `len - 1` bounded draws
/// (Knuth, TAOCP 3.4.2, algorithm P).
pub fn shuffle<T, R: Rng + ?Sized>(rng: &mut R, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        let chosen = below(rng, last as u64 + 1) as usize;
        items.swap(last, chosen);
    }
}

/// A uniform real in `[0, 1)` with 53 random bits.
pub fn unit<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;

    #[test]
    fn draws_match_their_golden_vectors() {
        let mut stream = Streams::new(7).key("golden").stream(0);
        let bounded: Vec<u64> = [6, 52, 1 << 40, u64::MAX]
            .map(|bound| below(&mut stream, bound))
            .to_vec();
        assert_eq!(bounded, GOLDEN_BELOW);
        let mut cards: Vec<u8> = (0..10).collect();
        shuffle(&mut stream, &mut cards);
        assert_eq!(cards, GOLDEN_SHUFFLE);
        assert_eq!(unit(&mut stream).to_bits(), GOLDEN_UNIT);
    }

    /// Seed 11: all 24 orders of four cards, 240,000 shuffles; chi-square with 23 degrees of
    /// freedom exceeds 49.7 with probability 0.001.
    #[test]
    fn shuffles_are_uniform_by_chi_square() {
        let mut stream = Streams::new(11).key("chi-square").stream(0);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..240_000 {
            let mut cards = [0u8, 1, 2, 3];
            shuffle(&mut stream, &mut cards);
            *counts.entry(cards).or_insert(0u32) += 1;
        }
        let expected = 10_000.0;
        let chi_square: f64 = counts
            .values()
            .map(|&count| (f64::from(count) - expected).powi(2) / expected)
            .sum();
        assert_eq!(counts.len(), 24);
        assert!(chi_square < 49.7, "chi-square {chi_square}");
    }

    /// Seed 12: a bound just above a power of two rejects almost half of the draws.
    #[test]
    fn bounded_integers_stay_in_range_and_reach_both_ends() {
        let mut stream = Streams::new(12).key("range").stream(0);
        let draws: Vec<u64> = (0..10_000).map(|_| below(&mut stream, 5)).collect();
        assert!((0..5).all(|value| draws.contains(&value)));
        let huge = (1 << 63) + 1;
        assert!((0..1_000).all(|_| below(&mut stream, huge) < huge));
        assert_eq!(below(&mut stream, 1), 0);
    }

    /// Seed 12. 2^64 holds 2^63 + 1 once, so every word whose product ends below 2^63 - 1 must be
    /// passed over: almost half of them.
    #[test]
    fn words_that_would_bias_a_bounded_integer_are_passed_over() {
        let bound = (1u64 << 63) + 1;
        let stream = || Streams::new(12).key("range").stream(0);
        let mut words = stream();
        let mut passed_over = 0;
        let mut expected = || loop {
            let product = u128::from(words.next_u64()) * u128::from(bound);
            if product as u64 >= (1 << 63) - 1 {
                return (product >> 64) as u64;
            }
            passed_over += 1;
        };
        let expected: Vec<u64> = (0..64).map(|_| expected()).collect();
        let mut draws = stream();
        let drawn: Vec<u64> = (0..64).map(|_| below(&mut draws, bound)).collect();
        assert_eq!(drawn, expected);
        assert!(passed_over > 20, "{passed_over}");
    }

    const GOLDEN_BELOW: [u64; 4] = [5, 22, 1047922089964, 16532385712018511796];
    const GOLDEN_SHUFFLE: [u8; 10] = [7, 9, 0, 2, 8, 3, 1, 5, 4, 6];
    const GOLDEN_UNIT: u64 = 4601802271244317750;
}
