//! The ratio of two means of quantities between nothing and a limit, such as times that are stopped there.
//!
//! A ratio is kept while the mean of `x - ratio y` may be zero (Fieller 1954). That mean has the
//! interval of any other, so rare large values that no sample met count as they do there.

use super::halving::halved;
use super::{Bounded, Confidence, Interval, Moments, Span, mean};

/// Parts of the limit in which values are counted.
const PARTS: f64 = 1e12;
/// The largest factor by which a limit is looked for beside the ratio itself.
const FARTHEST: f64 = 1e6;
/// Halvings of the distance in which a limit is looked for.
const HALVINGS: u32 = 24;

/// Limits of the ratio of the means of pairs, each value from 0 to 1; infinite on a side that is open.
/// `None` where both means are zero.
///
/// ```
/// use etude_stats::{Level, Span, ratio_of_totals};
/// let pairs: Vec<[f64; 2]> = (0..1_000).map(|i| [0.4 + 0.1 * f64::from(i % 3), 0.2]).collect();
/// let Span { lo, hi } = ratio_of_totals(&pairs, Level::DEFAULT.into()).unwrap();
/// assert!(2.4 < lo && lo < 2.5 && 2.5 < hi && hi < 2.6);
/// ```
pub fn ratio_of_totals(pairs: &[[f64; 2]], confidence: Confidence) -> Option<Span> {
    let sum = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>();
    let ratio = sum(0) / sum(1);
    if !ratio.is_finite() || ratio <= 0.0 {
        return None;
    }
    let ends = |ratio: f64| residual_ends(pairs, ratio, confidence);
    let lo = farthest(|factor| ends(ratio / factor).lo <= 0.0);
    let hi = farthest(|factor| ends(ratio * factor).hi >= 0.0);
    Some(Span::new(
        lo.map_or(f64::NEG_INFINITY, |factor| ratio / factor),
        hi.map_or(f64::INFINITY, |factor| ratio * factor),
    ))
}

/// The ends of the interval of the mean of `x - ratio y`, in parts; open where there is none.
fn residual_ends(pairs: &[[f64; 2]], ratio: f64, confidence: Confidence) -> Span {
    let parts = |share: f64| (share * PARTS).round() as i64;
    let mut residuals = Bounded::<Moments>::default();
    for [x, y] in pairs {
        residuals.push(parts(*x) - parts(ratio * y));
    }
    let limits = (-parts(ratio), parts(1.0));
    let found = mean(&residuals, confidence, Some(limits)).interval;
    found.map_or(Span::OPEN, Interval::ends)
}

/// The largest factor that is kept; `None` where the farthest is.
fn farthest(is_kept: impl Fn(f64) -> bool) -> Option<f64> {
    if is_kept(FARTHEST) {
        return None;
    }
    let found = halved(0.0, libm::log(FARTHEST), HALVINGS, |log| {
        is_kept(libm::exp(log))
    });
    Some(libm::exp(found.given_up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    /// A hundred instances without a slow one leave a share of 3.6 % of them unseen on either side, each
    /// of which may take the whole limit: 1 - 0.025^(1/100).
    #[test]
    fn an_unseen_slow_share_counts_up_to_the_limit() {
        let pairs = vec![[0.01, 0.01]; 100];
        let Span { lo, hi } = ratio_of_totals(&pairs, Level::DEFAULT.into()).unwrap();
        let unseen = 0.036_216_693_195_f64;
        let expected = 1.0 + unseen / (1.0 - unseen) / 0.01;
        assert!((hi / expected - 1.0).abs() < 1e-5, "{hi} {expected}");
        assert!((lo * expected - 1.0).abs() < 1e-5, "{lo} {expected}");
    }

    #[test]
    fn the_ratio_turned_round_has_the_limits_turned_round() {
        let pairs: Vec<[f64; 2]> = (0..400)
            .map(|i| [0.1 + 0.2 * f64::from(i % 3), 0.3 - 0.1 * f64::from(i % 2)])
            .collect();
        let turned: Vec<[f64; 2]> = pairs.iter().map(|&[x, y]| [y, x]).collect();
        let [one, other] =
            [pairs, turned].map(|pairs| ratio_of_totals(&pairs, Level::DEFAULT.into()).unwrap());
        assert!((one.lo * other.hi - 1.0).abs() < 1e-3, "{one:?} {other:?}");
        assert!((one.hi * other.lo - 1.0).abs() < 1e-3, "{one:?} {other:?}");
    }

    #[test]
    fn what_takes_no_time_has_no_ratio() {
        let once = Level::DEFAULT.into();
        assert_eq!(ratio_of_totals(&[[0.0, 0.0]; 9], once), None);
        assert_eq!(ratio_of_totals(&[], once), None);
        let Span { lo, hi } = ratio_of_totals(&[[0.5, 0.5]; 2], once).unwrap();
        assert!(lo < 0.2 && hi > 5.0, "{lo} {hi}");
    }
}
