//! Means: Student's interval, and Imbens and Manski's where samples are unresolved.
//!
//! Samples say nothing of a rare large value that none of them met. If the metric's limits are
//! known, the interval reaches at least as far as the mean does when a share `p` of all values is at
//! the limit, `p` being Clopper and Pearson's upper limit for a value seen in none of `n` samples.
//! Where no limits are known, such a value may lie twelve standard deviations away. Equal samples
//! have no standard error; their interval is this alone.
//! The mean of values that come in steps comes in steps too, and its interval is half of one wider.
//! References: Imbens and Manski 2004, *Econometrica* 72; Stoye 2009, *Econometrica* 77.

use super::binomial::unseen_share;
use super::critical::{normal_tail, normal_upper, student_upper};
use super::halving::halved;
use super::skew::{MeanTails, NEGLIGIBLE};
use super::steps::step;
use super::{
    Accumulator, Bounded, Confidence, Estimate, Interval, Level, Looks, Method, Moments, Span,
    mean_sequence,
};

/// The mean of a tally. `limits` are the least and greatest value the quantity can have, if
/// known; the interval stays between them. There is none where the samples are too few for how
/// skewed they are.
///
/// ```
/// use etude_stats::{Bounded, Histogram, Level, mean_estimate};
/// let mut pips = Bounded::<Histogram>::default();
/// (1..=600).for_each(|roll| pips.push(1 + roll % 6));
/// let mean = mean_estimate(&pips, Level::DEFAULT, Some((1, 6)));
/// assert_eq!(mean.value, Some(3.5));
/// ```
pub fn mean_estimate<A: Accumulator>(
    tally: &Bounded<A>,
    level: Level,
    limits: Option<(i64, i64)>,
) -> Estimate {
    let ends = [tally.low_end(), tally.high_end()];
    let [low, high] = ends.each_ref().map(A::moments);
    let resolved = tally.unresolved() == 0;
    let errors = [&low, &high].map(Moments::standard_error);
    let steps = ends.each_ref().map(step);
    Estimate {
        value: low.mean().filter(|_| resolved),
        sd: low.sd().filter(|_| resolved),
        mcse: errors.into_iter().flatten().reduce(f64::max),
        interval: mean_interval((&low, &high), steps, level, limits),
        n: tally.count(),
        unresolved: tally.unresolved(),
        lower: low.mean(),
        upper: high.mean(),
        ..Estimate::default()
    }
}

/// The mean of a tally as these looks at its samples allow. Where one look has too few samples for how
/// skewed they are, it has the interval of a sequence, which needs limits and no more.
pub fn mean<A: Accumulator>(
    tally: &Bounded<A>,
    Confidence { level, looks }: Confidence,
    limits: Option<(i64, i64)>,
) -> Estimate {
    match (looks, limits) {
        (Looks::Many { planned }, Some(limits)) => mean_sequence(tally, level, limits, planned),
        _ => {
            let estimate = mean_estimate(tally, level, limits).seen(looks);
            estimate.or_else(|| mean_sequence(tally, level, limits?, tally.count()).interval)
        }
    }
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug)]
pub struct SampledMean {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The number of samples.
    pub n: u64,
}

/// Welch's interval of the difference `x - y` of two independent means.
pub fn welch_interval(x: SampledMean, y: SampledMean, level: Level) -> Option<Interval> {
    let (first, second) = (x.error * x.error, y.error * y.error);
    let variance = first + second;
    let share = |part: f64, n: u64| part * part / (n as f64 - 1.0);
    let freedom = variance * variance / (share(first, x.n) + share(second, y.n));
    let half = student_upper(level.tail(), freedom) * variance.sqrt();
    Interval::fixed(Span::about(x.mean - y.mean, half), level, Method::Welch)
}

/// The interval of a mean whose samples have the moments `low` at their minimum and `high` at the
/// most, each in steps of this size.
fn mean_interval(
    (low, high): (&Moments, &Moments),
    steps: [f64; 2],
    level: Level,
    limits: Option<(i64, i64)>,
) -> Option<Interval> {
    let (lower, upper) = (low.mean()?, high.mean()?);
    let errors = [low, high].map(|end| end.standard_error().unwrap_or(0.0));
    let largest = errors[0].max(errors[1]);
    let [least, most] = float_limits(limits).to_array();
    let sampled = MeanTails {
        n: low.count(),
        t: critical_value(low.count(), (upper - lower) / largest, level),
        unseen: unseen_share(low.count(), level.tail()),
    };
    let t = sampled.t;
    let margin = |error, reach, room: f64, step: f64| {
        let margin = sampled.margin(error, reach, room)?;
        let is_far = room.is_finite() && margin > FAR * sampled.margin(error, reach, 0.0)?;
        let margin = margin.max(stepwise_margin(t * error, step / low.count() as f64));
        Some((margin, is_far))
    };
    let (below, far_below) = margin(errors[0], low.reach().below, lower - least, steps[0])?;
    let (above, far_above) = margin(errors[1], high.reach().above, most - upper, steps[1])?;
    // The sum, its quotient and the margin beside it are rounded.
    let [rounding_below, rounding_above] =
        [lower, upper].map(|mean| 2.0 * f64::EPSILON * mean.abs());
    let lo = (lower - below - rounding_below).max(least);
    let hi = (upper + above + rounding_above).min(most);
    let is_plain = [below, above] == errors.map(|error| t * error);
    let method = match (largest > 0.0, low == high) {
        (false, _) => Method::AllEqual,
        (true, false) => Method::ImbensManski,
        (true, true) if is_plain => Method::StudentT,
        (true, true) if far_below || far_above => Method::StudentLimits,
        (true, true) => Method::StudentSkewed,
    };
    Interval::fixed(Span::new(lo, hi), level, method)
}

/// The least factor by which a limit must widen a side for the side to be reported as coming from the limit.
/// A limit that a single sample has reached does not widen a side that much.
const FAR: f64 = 2.0;

/// A declared limit that makes an interval wide, though no sample came near it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarLimit {
    /// The limit.
    pub limit: f64,
    /// True if it is the greatest value, and not the least.
    pub is_upper: bool,
    /// Student's interval of the samples alone.
    pub sampled: Span,
}

impl Estimate {
    /// The limit that makes its interval wide, if its method says so: that of the wider side.
    pub fn far_limit(&self) -> Option<FarLimit> {
        let interval = self.interval?;
        let is_far = interval.method == Method::StudentLimits;
        let (mean, error) = (self.value.filter(|_| is_far)?, self.mcse?);
        let (below, above) = (mean - interval.lo, interval.hi - mean);
        let tail = interval.level.tail();
        let room = below.max(above) / unseen_share(self.n, tail);
        let is_upper = above > below;
        let half = student_upper(tail, self.n.saturating_sub(1) as f64) * error;
        Some(FarLimit {
            limit: to_a_millionth(if is_upper { mean + room } else { mean - room }, room),
            is_upper,
            // No further than the interval, which keeps within what a value can be.
            sampled: Span::new(
                (mean - half).max(interval.lo),
                (mean + half).min(interval.hi),
            ),
        })
    }
}

/// A value to a millionth of a distance: it is known from an interval, and 0 should be told as 0.
fn to_a_millionth(value: f64, distance: f64) -> f64 {
    let grain = 10f64.powi(libm::log10(distance).floor() as i32 - 6);
    // Adding zero takes the sign from a zero.
    (value / grain).round() * grain + 0.0
}

/// The margin of a mean that moves in steps: half a step wider, for it cannot lie between two. At low levels
/// and few values that is more than the correction for skewness.
pub(super) fn stepwise_margin(margin: f64, step: f64) -> f64 {
    let is_fine = step <= 2.0 * NEGLIGIBLE * margin;
    if is_fine { margin } else { margin + step / 2.0 }
}

/// The limits as numbers; infinite where unknown, so that what rests on them is undefined.
pub(super) fn float_limits(limits: Option<(i64, i64)>) -> Span {
    match limits {
        Some((least, most)) => Span::new(least as f64, most as f64),
        None => Span::OPEN,
    }
}

/// Returns the critical value beyond each end, in standard errors, the ends being `gap` standard
/// errors apart: two-sided at no gap, one-sided at a wide one.
fn critical_value(n: u64, gap: f64, level: Level) -> f64 {
    let tail = if gap > 0.0 {
        normal_tail(imbens_manski(gap, level))
    } else {
        level.tail()
    };
    student_upper(tail, n.saturating_sub(1) as f64)
}

/// The normal deviate `c` with `P(-c - gap < Z < c) = level`, by bisection.
fn imbens_manski(gap: f64, level: Level) -> f64 {
    let below = if level.alpha() < 0.5 {
        normal_upper(level.alpha())
    } else {
        0.0
    };
    let missed = |deviate: f64| normal_tail(deviate + gap) + normal_tail(deviate);
    let misses_more = |deviate: f64| missed(deviate) > level.alpha();
    halved(below, normal_upper(level.tail()), 60, misses_more).given_up
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    fn tally(values: &[i64]) -> Bounded<Histogram> {
        let mut tally = Bounded::default();
        values.iter().for_each(|&value| tally.push(value));
        tally
    }

    fn interval(tally: &Bounded<Histogram>, limits: Option<(i64, i64)>) -> Option<Interval> {
        mean_estimate(tally, Level::DEFAULT, limits).interval
    }

    #[test]
    fn students_interval_is_the_textbooks_but_for_skewness() {
        // Twenty of each of 1 to 5: mean 3, variance 2 * 100/99.
        let bounds = interval(&tally(&[1, 2, 3, 4, 5].repeat(20)), None).unwrap();
        // 1 - 0.025^(1/100) of the values may be 12 standard deviations away.
        let half = 0.036_216_693_195_0 * 12.0 * (200.0f64 / 99.0).sqrt();
        assert!((bounds.lo - (3.0 - half)).abs() < 1e-6 && (bounds.hi - (3.0 + half)).abs() < 1e-6);
        assert_eq!(bounds.method, Method::StudentSkewed);
        assert_eq!(interval(&tally(&[1, 2, 3, 4, 5]), None), None);
        let mut many = Bounded::<Histogram>::default();
        (1..=5).for_each(|value| many.push_repeated(value, 100_000));
        let bounds = interval(&many, None).unwrap();
        let half = 1.959_963_984_540_054 * (2.0f64 / 500_000.0).sqrt();
        assert!((bounds.lo - (3.0 - half)).abs() < 1e-7 && (bounds.hi - (3.0 + half)).abs() < 1e-7);
        assert_eq!(bounds.method, Method::StudentT);
    }

    #[test]
    fn no_samples_or_one_without_limits_have_no_interval() {
        assert_eq!(
            mean_estimate(&tally(&[]), Level::DEFAULT, None),
            Estimate::default()
        );
        assert_eq!(interval(&tally(&[4]), None), None);
        assert_eq!(interval(&tally(&[4, 4, 4]), None), None);
    }

    #[test]
    fn equal_samples_have_an_interval_from_the_limits() {
        // 1 - 0.025^(1/10) = 0.30849710781876083, Clopper and Pearson's limit for 0 of 10.
        let bounds = interval(&tally(&[4; 10]), Some((0, 6))).unwrap();
        let unseen = 0.308_497_107_818_760_8;
        assert!((bounds.lo - 4.0 * (1.0 - unseen)).abs() < 1e-12);
        assert!((bounds.hi - (4.0 + 2.0 * unseen)).abs() < 1e-12);
        assert_eq!(bounds.method, Method::AllEqual);
    }

    #[test]
    fn one_other_value_does_not_make_an_interval_narrower() {
        let of = |other: i64| {
            let mut counts = Bounded::<Histogram>::default();
            counts.push_repeated(5, 398);
            counts.push_repeated(5 - other, 1);
            counts.push_repeated(5 + other, 1);
            interval(&counts, Some((0, 10))).unwrap()
        };
        let (equal, varied) = (of(0), of(1));
        assert_eq!((equal.lo, equal.hi), (varied.lo, varied.hi));
        assert_eq!(varied.method, Method::StudentLimits);
        assert!(of(5).half_width() > equal.half_width());
    }

    #[test]
    fn a_limit_that_no_sample_came_near_is_told() {
        let dice = tally(&[1, 2, 3, 4, 5, 6].repeat(10));
        let of = |limits| mean_estimate(&dice, Level::DEFAULT, Some(limits));
        let far = of((0, 1_000)).far_limit().unwrap();
        assert!(
            far.is_upper && (far.limit - 1_000.0).abs() < 1e-6,
            "{far:?}"
        );
        // A limit of zero is found through the interval, and is zero all the same.
        let far_below = tally(&[1_000, 1_001, 1_002].repeat(20));
        let far_below = mean_estimate(&far_below, Level::DEFAULT, Some((0, 1_010)));
        let zero = far_below.far_limit().unwrap().limit;
        assert!(zero == 0.0 && zero.is_sign_positive());
        assert!((to_a_millionth(7.123_456_789, 30.0) - 7.123_46).abs() < 1e-12);
        // Variance 35/12 * 60/59, and t of 59 degrees of freedom.
        assert!((far.sampled.hi - 3.5 - 0.4449).abs() < 1e-3, "{far:?}");
        assert!((far.sampled.lo - 3.5 + 0.4449).abs() < 1e-3, "{far:?}");
        let below = of((-1_000, 6)).far_limit().unwrap();
        assert!(
            !below.is_upper && (below.limit + 1_000.0).abs() < 1e-6,
            "{below:?}"
        );
        assert_eq!(of((1, 6)).far_limit(), None);
        assert_eq!(mean_estimate(&dice, Level::DEFAULT, None).far_limit(), None);
    }

    #[test]
    fn without_limits_one_sample_of_many_tells_too_little() {
        let mut rare = tally(&[0; 19]);
        rare.push(7);
        let [free, limited] = [None, Some((0, 9))].map(|limits| interval(&rare, limits).unwrap());
        assert!(free.hi > 7.0 && limited.hi < 3.0, "{free:?} {limited:?}");
    }

    #[test]
    fn welchs_interval_is_the_textbooks() {
        // Variances 7.06^2 / 50 and 1.26^2 / 10 (a standard example): 58.6 degrees of freedom.
        let of = |mean, sd: f64, n: u64| {
            let error = sd / (n as f64).sqrt();
            SampledMean { mean, error, n }
        };
        let (first, second) = (of(10.0, 7.06, 50), of(3.0, 1.26, 10));
        let bounds = welch_interval(first, second, Level::DEFAULT).unwrap();
        let (a, b) = (first.error * first.error, second.error * second.error);
        let freedom = (a + b) * (a + b) / (a * a / 49.0 + b * b / 9.0);
        assert!((freedom - 57.3).abs() < 1.0, "{freedom}");
        let half = student_upper(0.025, freedom) * (a + b).sqrt();
        assert!(
            (bounds.lo - (7.0 - half)).abs() < 1e-12 && (bounds.hi - (7.0 + half)).abs() < 1e-12
        );
        assert_eq!(
            (bounds.method, bounds.half_width() > 2.0),
            (Method::Welch, true)
        );
    }

    /// The probability with which the mean of 3s and 9s is missed, given that an interval is shown.
    fn missed(n: u64, p: f64, level: Level, wide: bool) -> f64 {
        let (mut shown, mut wrong) = (0.0, 0.0);
        for nines in 0..=n {
            let mut counts = Bounded::<Histogram>::default();
            counts.push_repeated(3, n - nines);
            counts.push_repeated(9, nines);
            let probability = crate::binomial::Coin::new(p).probability(n, nines);
            let found = if wide {
                mean_estimate(&counts.sums(), level, Some((3, 9)))
            } else {
                mean_estimate(&counts, level, Some((3, 9)))
            };
            if let Some(found) = found.interval {
                shown += probability;
                wrong += probability * f64::from(u8::from(!found.contains(3.0 + 6.0 * p)));
            }
        }
        wrong / shown
    }

    #[test]
    fn two_values_are_missed_no_more_often_than_a_low_level_says() {
        for level in [0.3, 0.5, 0.68, 0.8].map(|level| Level::new(level).unwrap()) {
            for n in [7, 11, 20, 30, 57, 100, 203] {
                for p in [0.1, 0.25, 0.4, 0.5, 0.7] {
                    for wide in [true, false] {
                        let rate = missed(n, p, level, wide);
                        assert!(rate <= level.alpha(), "{level} {n} {p}: {rate}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_interval_stays_within_the_limits() {
        let bounds = interval(&tally(&[0, 1, 0, 1, 0, 1, 0, 1]), Some((0, 1))).unwrap();
        assert_eq!((bounds.lo, bounds.hi), (0.0, 1.0));
        assert_eq!(interval(&tally(&[0, 1]), Some((0, 1))), None);
    }

    #[test]
    fn a_margin_of_a_mean_that_moves_in_steps_is_half_a_step_wider() {
        assert_eq!(stepwise_margin(3.0, 1.0), 3.5);
        assert_eq!(stepwise_margin(3.0, 8.0), 7.0);
        assert_eq!(stepwise_margin(3.0, 1e-9), 3.0);
    }

    #[test]
    fn the_critical_value_runs_from_two_sided_to_one_sided() {
        let level = Level::DEFAULT;
        assert!((imbens_manski(1e-12, level) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((imbens_manski(50.0, level) - 1.644_853_626_951_472_6).abs() < 1e-9);
    }

    /// 1,000 of each of 1 to 5, and 50 somewhere from 3 to 503: high ends vary by far more than low ones, and each margin is
    /// that of its own end, as if it were alone but for the deviate. Mirrored, the ends change places.
    #[test]
    fn each_margin_takes_the_error_of_its_own_end() {
        let ends = |sign: i64| {
            let mut tally = Bounded::<Histogram>::default();
            (1..=5).for_each(|value| tally.push_repeated(sign * value, 1_000));
            (0..50).for_each(|_| tally.push_bounds(sign * 3, sign * 503));
            let estimate = mean_estimate(&tally, Level::DEFAULT, None);
            let interval = estimate.interval.unwrap();
            assert!(estimate.mcse.is_some_and(|larger| larger > 0.69));
            (
                estimate.lower.unwrap() - interval.lo,
                interval.hi - estimate.upper.unwrap(),
            )
        };
        let ((below, above), (other_below, other_above)) = (ends(1), ends(-1));
        assert!((below - other_above).abs() < 1e-9 && (above - other_below).abs() < 1e-9);
        // Standard errors 0.0199 and 0.700, and at least one-sided deviates.
        assert!(below < 0.2 && above > 1.645 * 0.69, "{below} {above}");
    }

    /// Three of half a million samples are somewhere from 3 to 319: the high ends vary by more, and lie less than one of
    /// their standard errors above the low ones.
    #[test]
    fn ends_a_little_apart_are_so_by_the_larger_of_their_errors() {
        let mut tally = Bounded::<Histogram>::default();
        (1..=5).for_each(|value| tally.push_repeated(value, 100_000));
        (0..3).for_each(|_| tally.push_bounds(3, 319));
        let estimate = mean_estimate(&tally, Level::DEFAULT, None);
        let (lower, upper) = (estimate.lower.unwrap(), estimate.upper.unwrap());
        let (n, high) = (500_003.0, 948.0 / 500_003.0);
        let low_error = f64::sqrt(1e6 / (n - 1.0) / n);
        let high_error = f64::sqrt((1e6 + 3.0 * 316.0 * 316.0 - n * high * high) / (n - 1.0) / n);
        assert!((upper - lower - high).abs() < 1e-12);
        assert!((estimate.mcse.unwrap() - high_error).abs() < 1e-12);
        let deviate = imbens_manski(high / high_error, Level::DEFAULT);
        assert!(1.7 < deviate && deviate < 1.8, "{deviate}");
        let below = lower - estimate.interval.unwrap().lo;
        assert!(
            (below - deviate * low_error).abs() < 1e-7,
            "{below} {deviate}"
        );
    }

    /// One look takes Student's interval, or where the samples are too skewed for it the sequence of so many; several looks
    /// take the sequence as planned; without limits there is none.
    #[test]
    fn looks_and_limits_choose_the_interval_of_a_mean() {
        let many = |planned| Confidence {
            level: Level::DEFAULT,
            looks: Looks::Many { planned },
        };
        let once = Confidence::from(Level::DEFAULT);
        let dice = tally(&[1, 2, 3, 4, 5, 6].repeat(10));
        let sequence = |tally: &Bounded<Histogram>, planned| {
            mean_sequence(tally, Level::DEFAULT, (0, 900), planned).interval
        };
        let of = |tally: &Bounded<Histogram>, confidence, limits| {
            mean(tally, confidence, limits).interval
        };
        let limits = Some((0, 900));
        assert_eq!(of(&dice, once, limits), interval(&dice, limits));
        assert_eq!(of(&dice, many(200), limits), sequence(&dice, 200));
        assert_ne!(sequence(&dice, 200), sequence(&dice, 60));
        assert_eq!(of(&dice, many(200), None), None);
        let skewed = tally(&[0, 800]);
        assert_eq!(interval(&skewed, limits), None);
        assert_eq!(of(&skewed, once, limits), sequence(&skewed, 2));
        assert!(sequence(&skewed, 2) != sequence(&skewed, 1) && sequence(&skewed, 2).is_some());
    }

    /// Two of forty are 1 and the others 0, or the other sign: t of 39 degrees of freedom, but for what no value can be.
    #[test]
    fn the_interval_of_samples_far_from_a_limit_keeps_to_the_near_one() {
        let values: Vec<i64> = (0..40).map(|at| i64::from(at < 2)).collect();
        let half = student_upper(0.025, 39.0) * f64::sqrt(0.05 * 0.95 / 39.0);
        let above = mean_estimate(&tally(&values), Level::DEFAULT, Some((0, 1_000)));
        let found = above.far_limit().unwrap();
        assert!(found.is_upper && half > 0.05);
        assert_eq!(found.sampled.lo, 0.0);
        assert!((found.sampled.hi - (0.05 + half)).abs() < 1e-9, "{found:?}");
        let values: Vec<i64> = values.iter().map(|value| -value).collect();
        let below = mean_estimate(&tally(&values), Level::DEFAULT, Some((-1_000, 0)));
        let found = below.far_limit().unwrap();
        assert!(!found.is_upper);
        assert_eq!(found.sampled.hi, 0.0);
        assert!((found.sampled.lo + (0.05 + half)).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn unresolved_samples_leave_the_mean_open_between_its_ends() {
        let mut open = tally(&[1, 2, 3, 4, 5].repeat(2));
        (0..2).for_each(|_| open.push_bounds(0, 6));
        let estimate = mean_estimate(&open, Level::DEFAULT, None);
        assert_eq!((estimate.value, estimate.sd), (None, None));
        assert_eq!((estimate.lower, estimate.upper), (Some(2.5), Some(3.5)));
        let interval = estimate.interval.unwrap();
        assert_eq!(interval.method, Method::ImbensManski);
        assert!(interval.lo < 2.5 && interval.hi > 3.5);
    }
}
