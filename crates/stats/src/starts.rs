//! Values that are known once for each start of a program: between starts they differ by more than the
//! samples of one start can tell.
//!
//! A program is dealt addresses, a processor and neighbours when it starts, and keeps them; samples of
//! one start agree too well with each other. So the start is the unit: Student's interval of the mean of
//! the starts' values, or, where somebody looks, the sequential t-test turned into limits; order
//! statistics of the starts where some values are open. References: Kalibera and Jones 2013, *Rigorous
//! Benchmarking in Reasonable Time*; Lai 1976, *Annals of Statistics* 4; Wang and Ramdas 2025 on t-tests
//! valid at all times.

use super::critical::student_upper;
use super::quantile::ranks;
use super::{Confidence, Looks, Span};

/// Limits of the mean of the starts' values, each known within limits; by order statistics where one of
/// them is open. `None` of fewer than three starts.
///
/// ```
/// use etude_stats::{Level, Span, mean_of_starts};
/// let found = mean_of_starts(&[1.0, 2.0, 3.0].map(Span::point), Level::DEFAULT.into());
/// // Student's deviate at two degrees of freedom is 4.3027.
/// assert!((found.unwrap().hi - (2.0 + 4.3027 / 3f64.sqrt())).abs() < 1e-3);
/// ```
pub fn mean_of_starts(starts: &[Span], confidence: Confidence) -> Option<Span> {
    if starts.iter().any(|start| start.lo != start.hi) {
        return median_of_starts(starts, confidence);
    }
    let n = starts.len() as f64;
    let mean = starts.iter().map(|start| start.lo).sum::<f64>() / n;
    let squares: f64 = starts.iter().map(|start| (start.lo - mean).powi(2)).sum();
    let half = deviate(starts.len(), confidence)? * (squares / (n - 1.0) / n).sqrt();
    // Equal values tell nothing where no deviate is far enough.
    let half = if half.is_nan() { f64::INFINITY } else { half };
    Some(Span::about(mean, half))
}

/// Distribution-free limits of the median of the starts' values, each known within limits. `None` of
/// fewer than three starts.
pub(crate) fn median_of_starts(starts: &[Span], confidence: Confidence) -> Option<Span> {
    if starts.len() < FEWEST {
        return None;
    }
    let (bottom, top) = ranks(starts.len() as u64, 0.5, confidence);
    let at = |end: fn(&Span) -> f64, rank: u64| {
        let mut ends: Vec<f64> = starts.iter().map(end).collect();
        ends.sort_by(f64::total_cmp);
        ends.get((rank as usize).checked_sub(1)?).copied()
    };
    let lo = at(|start| start.lo, bottom).unwrap_or(f64::NEG_INFINITY);
    let hi = at(|start| start.hi, top).unwrap_or(f64::INFINITY);
    Some(Span::new(lo, hi))
}

/// The fewest starts that have an interval.
const FEWEST: usize = 3;

/// The standard errors that the limits of a mean of `n` values lie from it.
fn deviate(n: usize, Confidence { level, looks }: Confidence) -> Option<f64> {
    let freedom = n.checked_sub(1)? as f64;
    (n >= FEWEST).then(|| match looks {
        Looks::Many { planned } => sequential_deviate(n as f64, planned, level.alpha()),
        _ => student_upper(level.tail(), freedom),
    })
}

/// The odds on an effect, spread normally over effects, that pay best after the planned number of starts.
const ODDS: f64 = 8.0;

/// The deviate of the sequential t-test: where a bet on any effect, whose wealth grows as
/// `(1 + o)^(-1/2) ((1 + r) / (1 + r / (1 + o)))^(n/2)` with `r` the square of the deviate over the degrees
/// of freedom and `o` the odds after `n` values, has reached 1 over alpha.
fn sequential_deviate(n: f64, planned: u64, alpha: f64) -> f64 {
    let odds = 1.0 + ODDS * n / planned.max(1) as f64;
    let growth = libm::pow(odds.sqrt() / alpha, 2.0 / n);
    if growth >= odds {
        return f64::INFINITY;
    }
    ((growth - 1.0) / (1.0 - growth / odds) * (n - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    const MANY: Confidence = Confidence {
        level: Level::DEFAULT,
        looks: Looks::Many { planned: 10 },
    };

    fn known(values: &[f64]) -> Vec<Span> {
        values.iter().copied().map(Span::point).collect()
    }

    #[test]
    fn two_starts_have_no_interval() {
        let two = known(&[1.0, 2.0]);
        assert_eq!(mean_of_starts(&two, Level::DEFAULT.into()), None);
        assert_eq!(median_of_starts(&two, Level::DEFAULT.into()), None);
        assert_eq!(mean_of_starts(&[], MANY), None);
    }

    /// Student's deviate is 4.3027 at two degrees of freedom. 1, 2 and 3 vary by 1; 1, 2 and 6 by 7, about 3.
    #[test]
    fn three_starts_have_the_textbooks_interval() {
        let deviate = 4.302_652_729_749_464;
        for (values, mean, variance) in
            [([1.0, 2.0, 3.0], 2.0, 1.0), ([1.0, 2.0, 6.0], 3.0, 7.0f64)]
        {
            let Span { lo, hi } = mean_of_starts(&known(&values), Level::DEFAULT.into()).unwrap();
            let half = deviate * (variance / 3.0).sqrt();
            assert!((lo - (mean - half)).abs() < 1e-9, "{lo} {mean} {half}");
            assert!((hi - (mean + half)).abs() < 1e-9, "{hi} {mean} {half}");
        }
        let equal = mean_of_starts(&known(&[2.0; 3]), MANY);
        assert_eq!(equal, Some(Span::OPEN));
    }

    /// Of ten values the second and the ninth enclose the median with 97.9 %.
    #[test]
    fn open_starts_have_order_statistics() {
        let mut starts = known(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
        let once = Level::DEFAULT.into();
        assert_eq!(median_of_starts(&starts, once), Some(Span::new(2.0, 9.0)));
        starts[9] = Span::new(10.0, f64::INFINITY);
        assert_eq!(mean_of_starts(&starts, once), Some(Span::new(2.0, 9.0)));
        starts[0] = Span::new(1.0, f64::INFINITY);
        assert_eq!(
            mean_of_starts(&starts, once),
            Some(Span::new(2.0, f64::INFINITY))
        );
    }

    /// At a level of a half the first and the last of three values enclose the median.
    #[test]
    fn three_open_starts_have_their_extremes_at_a_low_level() {
        let starts = [Span::new(1.0, 1.5), Span::point(2.0), Span::new(4.0, 7.0)];
        let level = Level::new(0.5).unwrap();
        let found = mean_of_starts(&starts, level.into());
        assert_eq!(found, Some(Span::new(1.0, 7.0)));
    }

    /// 1, 2 and 9 twice: about 4, with squares of 76 that five of the six tell. The limit lies on either side.
    #[test]
    fn a_sequence_of_starts_lies_its_deviate_from_their_mean() {
        let starts = known(&[1.0, 2.0, 9.0, 9.0, 2.0, 1.0]);
        let Span { lo, hi } = mean_of_starts(&starts, MANY).unwrap();
        let half = sequential_deviate(6.0, 10, 0.05) * (76.0f64 / 5.0 / 6.0).sqrt();
        assert!((lo - (4.0 - half)).abs() < 1e-9, "{lo} {half}");
        assert!((hi - (4.0 + half)).abs() < 1e-9, "{hi} {half}");
    }

    /// The wealth of the bet at the limit, computed by its formula, is 1 over alpha.
    #[test]
    fn the_limit_of_a_sequence_is_where_the_wealth_reaches_its_goal() {
        for (n, planned) in [(10.0, 10), (30.0, 10), (8.0, 30), (200.0, 30)] {
            let deviate = sequential_deviate(n, planned, 0.05);
            let (odds, r) = (8.0 * n / planned as f64, deviate * deviate / (n - 1.0));
            let grown = (1.0 + r) / (1.0 + r / (1.0 + odds));
            let wealth = libm::pow(grown, n / 2.0) / (1.0 + odds).sqrt();
            assert!((wealth - 20.0).abs() < 1e-6, "{n} {planned}: {wealth}");
        }
        assert_eq!(sequential_deviate(3.0, 100, 0.05), f64::INFINITY);
        let values = known(&[1.0, 2.0, 1.5, 1.2, 1.8, 1.6, 1.4, 1.1, 1.9, 1.5]);
        let [once, many] = [Level::DEFAULT.into(), MANY].map(|confidence| {
            let Span { lo, hi } = mean_of_starts(&values, confidence).unwrap();
            hi - lo
        });
        assert!(many > 1.5 * once && many < 2.0 * once, "{once} {many}");
    }
}
