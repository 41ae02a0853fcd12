//! Estimates: point, interval, level, method and counts, as one type.
//!
//! Nothing undefined is a number: it is `None`, and an empty cell in a file.

use std::fmt;

use super::Looks;
use super::Span;

/// A confidence level strictly between 0 and 1, or the certainty of an exact value.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Level(f64);

impl Level {
    /// 95 %.
    pub const DEFAULT: Level = Level(0.95);

    /// The level 1 of an exact value, which no estimate has.
    const CERTAIN: Level = Level(1.0);

    /// The level `level`; `None` unless it lies strictly between 0 and 1.
    ///
    /// ```
    /// use etude_stats::Level;
    /// assert_eq!(Level::new(0.95), Some(Level::DEFAULT));
    /// assert_eq!(Level::new(95.0), None);
    /// ```
    pub fn new(level: f64) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self(level))
    }

    /// Returns the level that an interval states: strictly between 0 and 1, or 1 for an exact value.
    pub fn stated(level: f64) -> Option<Self> {
        Self::new(level).or((level == 1.0).then_some(Self::CERTAIN))
    }

    /// The level as a number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The probability of a miss that the level allows.
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// The level each of `claims` intervals needs for all of them to hold at this level
    /// (Bonferroni).
    pub fn shared_by(self, claims: usize) -> Self {
        let alpha = self.alpha() / claims.max(1) as f64;
        Self((1.0 - alpha).min(1.0 - f64::EPSILON))
    }

    /// The probability of a miss on each side of a two-sided interval.
    pub(super) fn tail(self) -> f64 {
        self.alpha() / 2.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The method by which an interval was computed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Method {
    /// The exact interval of a proportion (Clopper and Pearson 1934).
    ClopperPearson,
    /// The exact interval from the certain to the possible successes.
    ClopperPearsonBounds,
    /// Student's t for a mean.
    StudentT,
    /// Student's t, each side raised for skewness and, within known limits, for rare values that
    /// no sample met.
    #[strum(serialize = "student-t-skewed")]
    StudentSkewed,
    /// Student's t, a side at least twice as wide for rare values that no sample met, because the
    /// limits are far from all samples.
    #[strum(serialize = "student-t-limits")]
    StudentLimits,
    /// A mean known only within bounds (Imbens and Manski 2004).
    ImbensManski,
    /// A mean whose samples are all equal: the limits of the metric, weighted by the exact upper
    /// bound on the share of values not yet seen.
    AllEqual,
    /// Order statistics, for a quantile.
    OrderStatistics,
    /// The delta method for a ratio of means.
    DeltaRatio,
    /// The delta method for the logarithm of a mean of weights.
    DeltaLog,
    /// The conjugate beta-binomial confidence sequence of a proportion.
    BetaBinomial,
    /// A confidence sequence of a bounded mean by betting on the whole histogram.
    Betting,
    /// A confidence sequence of a bounded mean from its sums.
    EmpiricalBernstein,
    /// Order statistics by beta-binomial confidence sequences, for a quantile.
    OrderSequence,
    /// Student's t for a mean adjusted by a control variate, the coefficient from the other half.
    ControlVariates,
    /// The difference of two quantities from the limits of each, by square-and-add (Newcombe 1998;
    /// Zou and Donner 2008).
    SquareAndAdd,
    /// Student's t for the difference of two independent means (Welch 1947).
    Welch,
    /// The difference of two quantities, anywhere within the limits of both.
    Enclosing,
    /// The wider of an interval over instances and one over starts of programs (Kalibera and Jones 2013).
    #[strum(serialize = "over-starts")]
    Starts,
    /// An exact value, not estimated.
    Exact,
    /// An exact range that the budget left open: from the least to the most the value can be.
    ExactBounds,
}

/// The ways of choosing the number of samples under which the level holds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Validity {
    /// The number was fixed before the first sample was seen.
    FixedN,
    /// The number may be chosen in any way, also by looking at the samples.
    AnyTime,
}

/// A confidence interval, closed, with `lo <= hi`. An end of the interval of a ratio of times is infinite where
/// nothing is known on that side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower limit.
    pub lo: f64,
    /// Upper limit.
    pub hi: f64,
    /// The probability with which it covers the truth.
    pub level: Level,
    /// The method by which it was computed.
    pub method: Method,
    /// The conditions under which the level holds.
    pub validity: Validity,
}

impl Interval {
    /// An interval for a number of samples fixed in advance; `None` unless both limits are
    /// finite and in order.
    pub(super) fn fixed(limits: Span, level: Level, method: Method) -> Option<Self> {
        Self::new(limits, level, method, Validity::FixedN)
    }

    /// An interval; `None` unless both limits are finite and in order.
    pub fn new(limits: Span, level: Level, method: Method, validity: Validity) -> Option<Self> {
        let found = Self::half_open(limits, level, method, validity)?;
        (found.lo.is_finite() && found.hi.is_finite()).then_some(found)
    }

    /// An interval of which one end is infinite if nothing is known on that side; `None` unless the other is
    /// finite, and both are in order.
    pub fn half_open(
        Span { lo, hi }: Span,
        level: Level,
        method: Method,
        validity: Validity,
    ) -> Option<Self> {
        let is_known = lo.is_finite() || hi.is_finite();
        (is_known && lo <= hi).then_some(Self {
            lo,
            hi,
            level,
            method,
            validity,
        })
    }

    /// The lower and the upper limit.
    pub fn ends(self) -> Span {
        Span::new(self.lo, self.hi)
    }

    /// Returns whether it covers `value`.
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Returns the interval of a quantity that grows with this one, by the value of each limit.
    pub(crate) fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self {
            lo: of(self.lo),
            hi: of(self.hi),
            ..self
        }
    }

    /// Returns the interval of the quantity with the other sign.
    pub fn mirrored(&self) -> Self {
        Self {
            lo: -self.hi,
            hi: -self.lo,
            ..*self
        }
    }

    /// Half the distance between its limits.
    pub fn half_width(&self) -> f64 {
        (self.hi - self.lo) / 2.0
    }
}

/// The reasons for which samples give no interval at any level.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Withheld {
    /// Weights are too concentrated, or may hide most of their mean.
    Untrusted,
    /// The samples are all the same, so they count as one.
    OneSample,
}

impl Withheld {
    /// The reason in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Untrusted => "the weights cannot be trusted",
            Self::OneSample => "the samples are all the same",
        }
    }
}

/// An estimated quantity with all that is needed to quote it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The point estimate; `None` while unresolved samples leave it open.
    pub value: Option<f64>,
    /// Sample standard deviation; `None` below two samples or with unresolved ones.
    pub sd: Option<f64>,
    /// Monte Carlo standard error; with unresolved samples, the larger of both ends'. `None`
    /// where equal samples do not tell.
    pub mcse: Option<f64>,
    /// The confidence interval.
    pub interval: Option<Interval>,
    /// The reason why there is no interval, where the samples themselves forbid one.
    pub withheld: Option<Withheld>,
    /// Samples that count, unresolved ones included.
    pub n: u64,
    /// Unresolved samples.
    pub unresolved: u64,
    /// The estimate with every unresolved sample at its minimum.
    pub lower: Option<f64>,
    /// The estimate with every unresolved sample at the most it can be.
    pub upper: Option<f64>,
    /// The most by which it is off because values are rounded; the interval allows for it.
    pub rounding: f64,
}

impl Estimate {
    /// Returns the estimate where the samples are all there is: its interval is the value itself or,
    /// left open by unresolved samples or by rounding, all that it can be.
    pub fn exact(self) -> Self {
        let ends = self.lower.zip(self.upper);
        let limits =
            ends.map(|(least, most)| Span::new(least - self.rounding, most + self.rounding));
        let method = if self.lower == self.upper && self.rounding == 0.0 {
            Method::Exact
        } else {
            Method::ExactBounds
        };
        let interval = |limits| Interval::new(limits, Level::CERTAIN, method, Validity::AnyTime);
        Self {
            interval: limits.and_then(interval),
            withheld: None,
            ..self
        }
    }

    /// Returns an estimate for one look, as these looks leave it: without an interval where there are
    /// more, and exact where the samples are all there is.
    pub fn seen(self, looks: Looks) -> Self {
        match looks {
            Looks::Once => self,
            Looks::Many { .. } => Self {
                interval: None,
                ..self
            },
            Looks::Exhaustive => self.exact(),
        }
    }

    /// Returns the estimate without an interval, for this reason.
    pub fn without_interval(self, reason: Withheld) -> Self {
        Self {
            interval: None,
            withheld: Some(reason),
            ..self
        }
    }

    /// Returns the estimate, with another interval where it has none.
    pub(crate) fn or_else(self, interval: impl FnOnce() -> Option<Interval>) -> Self {
        Self {
            interval: self.interval.or_else(interval),
            ..self
        }
    }

    /// Returns the estimate where every value may have been rounded by so much: its interval is wider by that on
    /// either side, and what would be exact is known within it.
    pub fn rounded_by(self, most: f64) -> Self {
        let wider = |interval: Interval| Interval {
            lo: interval.lo - most,
            hi: interval.hi + most,
            method: match interval.method {
                Method::Exact if most > 0.0 => Method::ExactBounds,
                method => method,
            },
            ..interval
        };
        Self {
            interval: self.interval.map(wider),
            rounding: self.rounding + most,
            ..self
        }
    }

    /// Returns the estimate of a quantity that is never below `least` or above `most`.
    pub fn within(self, limits: Span) -> Self {
        self.map(|value| limits.clamp(value))
    }

    /// Returns the estimate of a quantity that grows with this one; its errors are left as they are.
    pub(super) fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self {
            value: self.value.map(&of),
            lower: self.lower.map(&of),
            upper: self.upper.map(&of),
            interval: self.interval.map(|interval| interval.map(&of)),
            ..self
        }
    }

    /// Returns the estimate of the quantity with the other sign.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        // Zero stays zero, and is not minus zero.
        let minus = |value: Option<f64>| value.map(|value| 0.0 - value);
        Self {
            value: minus(self.value),
            lower: minus(self.upper),
            upper: minus(self.lower),
            interval: self.interval.map(|interval| interval.mirrored()),
            ..*self
        }
    }

    /// Converts the estimate to a unit `divisor` times as large.
    pub fn divided_by(self, divisor: u64) -> Self {
        let divisor = divisor.max(1) as f64;
        let divided = |value: f64| value / divisor;
        Self {
            sd: self.sd.map(divided),
            mcse: self.mcse.map(divided),
            rounding: divided(self.rounding),
            ..self.map(divided)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_values_widen_an_interval_on_either_side_and_leave_nothing_exact() {
        let of = |interval: Option<Interval>| Estimate {
            value: Some(7.0),
            lower: Some(7.0),
            upper: Some(7.0),
            interval,
            ..Estimate::default()
        };
        let sampled = of(Interval::fixed(
            Span::new(6.0, 9.0),
            Level::DEFAULT,
            Method::StudentT,
        ));
        let rounded = sampled.rounded_by(0.5).divided_by(10);
        let interval = rounded.interval.unwrap();
        assert_eq!(
            (interval.lo, interval.hi, interval.method),
            (0.55, 0.95, Method::StudentT)
        );
        assert_eq!((rounded.value, rounded.rounding), (Some(0.7), 0.05));
        let exact = of(None).exact().rounded_by(0.5).interval.unwrap();
        assert_eq!(
            (exact.lo, exact.hi, exact.method),
            (6.5, 7.5, Method::ExactBounds)
        );
        assert_eq!(of(None).exact().rounded_by(0.0), of(None).exact());
        assert_eq!(
            of(None).rounded_by(0.5).exact(),
            of(None).exact().rounded_by(0.5)
        );
    }

    #[test]
    fn a_level_lies_strictly_between_zero_and_one() {
        for bad in [0.0, 1.0, -0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(Level::new(bad), None);
        }
        let shared = Level::DEFAULT.shared_by(5);
        assert!((shared.get() - 0.99).abs() < 1e-15);
        assert!(Level::DEFAULT.shared_by(usize::MAX).tail() > 0.0);
    }

    #[test]
    fn exact_values_have_a_width_only_if_the_budget_ran_out() {
        let known = |lower, upper| Estimate {
            lower: Some(lower),
            upper: Some(upper),
            withheld: Some(Withheld::Untrusted),
            ..Estimate::default()
        };
        let interval = |lower, upper| known(lower, upper).exact().interval.unwrap();
        let value = interval(5.0, 5.0);
        assert_eq!((value.lo, value.hi, value.level.get()), (5.0, 5.0, 1.0));
        assert_eq!(value.method, Method::Exact);
        let open = interval(1.0, 31.0);
        assert_eq!((open.lo, open.hi), (1.0, 31.0));
        assert_eq!(open.method, Method::ExactBounds);
        assert_eq!(known(5.0, 5.0).exact().withheld, None);
        assert_eq!(Estimate::default().exact(), Estimate::default());
    }

    #[test]
    fn a_change_of_unit_reaches_every_number_but_the_counts() {
        let of = |unit: f64| Estimate {
            value: Some(6.0 * unit),
            sd: Some(3.0 * unit),
            mcse: Some(1.0 * unit),
            interval: Interval::fixed(
                Span::new(4.0 * unit, 9.0 * unit),
                Level::DEFAULT,
                Method::StudentT,
            ),
            withheld: None,
            n: 10,
            unresolved: 2,
            lower: Some(5.0 * unit),
            upper: Some(7.0 * unit),
            rounding: 0.5 * unit,
        };
        assert_eq!(of(4.0).divided_by(4), of(1.0));
        assert_eq!(of(1.0).divided_by(0), of(1.0));
    }

    #[test]
    fn an_estimate_stays_within_what_the_quantity_can_be() {
        let of = |limits| Estimate {
            value: Some(-0.2),
            interval: Interval::fixed(limits, Level::DEFAULT, Method::DeltaRatio),
            ..Estimate::default()
        };
        let held = |limits| of(limits).within(Span::new(0.0, f64::INFINITY));
        let ends = |limits| held(limits).interval.map(|found| (found.lo, found.hi));
        assert_eq!(ends(Span::new(-0.1, 0.3)), Some((0.0, 0.3)));
        assert_eq!(ends(Span::new(0.1, 0.3)), Some((0.1, 0.3)));
        assert_eq!(ends(Span::new(-0.3, -0.1)), Some((0.0, 0.0)));
        assert_eq!(held(Span::new(-0.3, -0.1)).value, Some(0.0));
    }
}
