//! Choosing a fixed number of weighted particles without bias.
//!
//! Particle i is kept with probability min(1, w_i / c), the threshold c chosen so that the number
//! kept is n; one kept by chance then weighs c, one kept for certain its own weight. Of all
//! unbiased choices this leaves the least variance (Fearnhead and Clifford 2003, "On-line
//! inference for hidden Markov models via particle filters"). The choice itself is made by
//! pivotal duels (Deville and Tille 1998, "Unequal probability sampling without replacement
//! through a splitting method"): neighbours compete, so that alike neighbours are spread evenly.

use super::Draws;

/// The threshold c for keeping `count` of the weights, or `None` where all can stay.
pub(crate) fn threshold(weights: &[f64], count: usize) -> Option<f64> {
    if weights.len() <= count {
        return None;
    }
    let mut threshold = weights.iter().sum::<f64>() / count as f64;
    // Taking the certain ones out lowers the threshold, which may make more of them certain.
    loop {
        let certain = weights.iter().filter(|&&weight| weight > threshold).count();
        let rest: f64 = weights.iter().filter(|&&weight| weight <= threshold).sum();
        if certain >= count {
            return Some(threshold);
        }
        let lower = rest / (count - certain) as f64;
        if lower >= threshold {
            return Some(threshold);
        }
        threshold = lower;
    }
}

/// Returns whether each of the particles is kept, their probabilities being `probabilities`.
///
/// Two particles meet at a time. With probabilities a and b of a sum below 1 one of them is
/// dropped and the other goes on with a + b; otherwise one is kept and the other goes on with
/// a + b - 1.
pub(crate) fn choose(probabilities: &[f64], draws: &mut impl Draws) -> Vec<bool> {
    let mut kept = vec![false; probabilities.len()];
    let mut pending: Option<(usize, f64)> = None;
    for (new, &b) in probabilities.iter().enumerate() {
        if b >= 1.0 {
            kept[new] = true;
            continue;
        }
        let Some((old, a)) = pending else {
            pending = Some((new, b));
            continue;
        };
        let sum = a + b;
        pending = if sum < 1.0 {
            let survivor = if draws.chance(a / sum) { old } else { new };
            Some((survivor, sum))
        } else {
            let (winner, other) = if draws.chance((1.0 - b) / (2.0 - sum)) {
                (old, new)
            } else {
                (new, old)
            };
            kept[winner] = true;
            Some((other, sum - 1.0))
        };
    }
    if let Some((last, probability)) = pending {
        // The probabilities sum to a whole number but for rounding.
        kept[last] = if is_whole(probability) {
            probability > 0.5
        } else {
            draws.chance(probability)
        };
    }
    kept
}

fn is_whole(probability: f64) -> bool {
    const ROUNDING: f64 = 1e-6;
    !(ROUNDING..=1.0 - ROUNDING).contains(&probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_keep_the_number_asked_for() {
        let weights = [8.0, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(threshold(&weights, 3), Some(2.0));
        assert_eq!(threshold(&weights, 5), None);
        assert_eq!(threshold(&[1.0; 4], 2), Some(2.0));
        let c = threshold(&weights, 3).unwrap();
        let kept: f64 = weights.iter().map(|w| (w / c).min(1.0)).sum();
        assert_eq!(kept, 3.0);
    }

    /// A linear congruential sequence stands for chance.
    #[test]
    fn exactly_the_number_asked_for_is_chosen() {
        let mut state = 1u64;
        let mut unit = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in [1, 10, 500, 999] {
            let weights: Vec<f64> = (0..1_000).map(|i| f64::from(i % 7 + 1)).collect();
            let c = threshold(&weights, count).unwrap();
            let probabilities: Vec<f64> = weights.iter().map(|w| (w / c).min(1.0)).collect();
            let kept = choose(&probabilities, &mut unit);
            assert_eq!(kept.iter().filter(|&&kept| kept).count(), count);
        }
    }

    /// The last of four quarters is sure to be what the three duels before it left; of twice 0.7 a part of 0.4 is left
    /// to chance.
    #[test]
    fn only_what_is_uncertain_takes_a_draw() {
        let chosen = |probabilities: &[f64], number: f64| {
            let mut drawn = 0;
            let mut draws = || {
                drawn += 1;
                number
            };
            let kept = choose(probabilities, &mut draws);
            (kept, drawn)
        };
        assert_eq!(
            chosen(&[0.25; 4], 0.0),
            (vec![true, false, false, false], 3)
        );
        assert_eq!(
            chosen(&[0.25; 4], 0.9),
            (vec![false, false, false, true], 3)
        );
        for (number, kept) in [
            (0.0, [true; 2]),
            (0.45, [true, false]),
            (0.55, [false, true]),
        ] {
            assert_eq!(chosen(&[0.7; 2], number), (kept.to_vec(), 2), "{number}");
        }
        assert_eq!(chosen(&[1.0, 0.5, 0.5], 0.4), (vec![true, true, false], 1));
    }
}
