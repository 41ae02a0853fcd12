//! Metrics: the quantities that a sample reports.

use std::borrow::Cow;

use super::decimal::{self, DecimalError};
use crate::search::Weight;

/// The unit of a plain number: reports show no unit, and no per cent.
pub const UNITLESS: &str = "1";

/// A quantity every sample of a task reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name in files and claims.
    pub name: Cow<'static, str>,
    /// Its unit: "cards", "$", "nodes"; empty for a share, [`UNITLESS`] for a plain number.
    pub unit: Cow<'static, str>,
    /// One sentence: what it is.
    pub summary: Cow<'static, str>,
    /// The way in which it is tallied.
    pub kind: MetricKind,
    /// The reported value is the integer divided by this; 1 for plain counts.
    pub per: u64,
    /// True if no numerator of a ratio is negative, so that its interval stays above 0.
    pub counts: bool,
}

/// The kinds of metrics: the way in which one is tallied and estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricKind {
    /// 0 or 1: a proportion.
    Flag,
    /// A bounded integer, kept as an exact histogram: give it to quantities with at most a few
    /// thousand distinct values.
    Integer {
        /// Smallest possible value.
        min: i64,
        /// Largest possible value.
        max: i64,
    },
    /// A real number with `decimals` digits after the point, held as an exact integer of units of
    /// the last of them: exact sums, minimum and maximum only.
    Number {
        /// Digits after the point, 0 to [`MAX_DECIMALS`](decimal::MAX_DECIMALS).
        decimals: u8,
        /// Smallest and largest possible value, in units of the last decimal, where there are any.
        limits: Option<(i64, i64)>,
    },
    /// An integer of wide range (nodes, positions): exact sums, minimum and maximum only.
    Total,
    /// A ratio of two totals: the estimate is sum of numerators over sum of denominators.
    Ratio,
    /// A non-negative weight beyond `f64`, whose mean estimates a size.
    Weight,
    /// The first player's half points in a pair of games, 0 to 4.
    Pair,
}

impl Metric {
    /// A flag: a yes or no of each sample.
    pub const fn flag(name: &'static str, summary: &'static str) -> Self {
        Self::new(name, "", summary, MetricKind::Flag)
    }

    /// A bounded integer, kept as a histogram.
    pub const fn integer(
        name: &'static str,
        unit: &'static str,
        (min, max): (i64, i64),
        summary: &'static str,
    ) -> Self {
        Self::new(name, unit, summary, MetricKind::Integer { min, max })
    }

    /// A real number with so many digits after the point, without limits.
    ///
    /// ```
    /// use lab::task::{Metric, Value};
    /// let wait = Metric::number("wait", "min", 3, "How long a customer waits.");
    /// assert_eq!(wait.read("12.3455"), Ok(Value::Exact(12_346)));
    /// ```
    pub const fn number(
        name: &'static str,
        unit: &'static str,
        decimals: u8,
        summary: &'static str,
    ) -> Self {
        let kind = MetricKind::Number {
            decimals,
            limits: None,
        };
        let mut metric = Self::new(name, unit, summary, kind);
        metric.per = decimal::scale(decimals);
        metric
    }

    /// An integer of wide range.
    pub const fn total(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Total)
    }

    /// A ratio of totals, whose numerators may be negative.
    pub const fn ratio(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Ratio)
    }

    /// A ratio of a count to a count: one that cannot be negative.
    ///
    /// ```
    /// use lab::task::{Metric, Value};
    /// let ties = Metric::rate("ties", "", "Share of moves chosen at random.");
    /// let of_ten = |numerator| Value::Ratio { numerator, denominator: 10 };
    /// assert!(ties.admits(of_ten(3)) && !ties.admits(of_ten(-3)));
    /// ```
    pub const fn rate(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        let mut metric = Self::ratio(name, unit, summary);
        metric.counts = true;
        metric
    }

    /// A weight whose mean estimates a size.
    pub const fn weight(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Weight)
    }

    /// Half points of a pair of games.
    pub const fn pair(name: &'static str, summary: &'static str) -> Self {
        let mut metric = Self::new(name, "", summary, MetricKind::Pair);
        metric.per = 4;
        metric
    }

    /// Returns the metric with its integers divided by `per` when reported.
    pub const fn per(mut self, per: u64) -> Self {
        self.per = per;
        self
    }

    /// Returns the number metric with all values between these limits, both in units of the
    /// last decimal. Other metrics keep their own.
    pub const fn within(mut self, min: i64, max: i64) -> Self {
        if let MetricKind::Number { limits, .. } = &mut self.kind {
            *limits = Some((min, max));
        }
        self
    }

    /// The least and the greatest value it can have, before division by its `per`.
    pub const fn limits(&self) -> Option<(i64, i64)> {
        match self.kind {
            MetricKind::Flag => Some((0, 1)),
            MetricKind::Integer { min, max } => Some((min, max)),
            MetricKind::Pair => Some((0, 4)),
            MetricKind::Number { limits, .. } => limits,
            MetricKind::Total | MetricKind::Ratio | MetricKind::Weight => None,
        }
    }

    /// The least and the greatest value it can have, in its unit.
    pub fn unit_limits(&self) -> Option<(f64, f64)> {
        let value = |limit: i64| limit as f64 / self.per as f64;
        self.limits()
            .map(|(least, most)| (value(least), value(most)))
    }

    /// Returns the value of a sample of which nothing is known.
    pub fn unknown(&self) -> Value {
        let bounds = |(min, max)| Value::bounds(min, max);
        self.limits().map_or(Value::Missing, bounds)
    }

    /// Returns whether a sample may report this value: of the metric's kind, within its limits.
    pub fn admits(&self, value: Value) -> bool {
        match (self.kind, value) {
            (_, Value::Missing) => true,
            (
                MetricKind::Ratio,
                Value::Ratio {
                    numerator,
                    denominator,
                },
            ) => denominator >= 0 && (numerator >= 0 || !self.counts),
            // No weight is negative or undefined.
            (MetricKind::Weight, Value::Weight(_)) => true,
            (MetricKind::Ratio | MetricKind::Weight, _) => false,
            _ => value.ends().is_some_and(|(lower, upper)| {
                let (min, max) = self.limits().unwrap_or((i64::MIN, i64::MAX));
                min <= lower && lower <= upper && upper <= max
            }),
        }
    }

    /// Returns the reason for which a sample may not report this value, as a sentence without its final stop.
    pub fn refusal(&self, value: Value) -> String {
        let said = match (value.ends(), self.limits()) {
            (Some((lower, upper)), Some((min, max))) => {
                let [lower, upper, min, max] = [lower, upper, min, max].map(|end| self.write(end));
                let found = if lower == upper {
                    lower
                } else {
                    format!("{lower} to {upper}")
                };
                format!("{found}, not within {min} to {max}")
            }
            _ => format!("{value:?}, which is no {:?}", self.kind),
        };
        format!("metric `{}` is {said}", self.name)
    }

    /// The text of one of its integers in the metric's unit.
    pub fn write(&self, value: i64) -> String {
        match self.kind {
            MetricKind::Number { decimals, .. } => decimal::text(value, decimals),
            _ if self.per == 1 => value.to_string(),
            _ => (value as f64 / self.per as f64).to_string(),
        }
    }

    /// A value of its in the metric's unit, as messages show it.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Exact(value) => self.write(value),
            Value::Bounds { lower, upper } => {
                format!("{} to {}", self.write(lower), self.write(upper))
            }
            Value::Ratio {
                numerator,
                denominator,
            } => format!("{numerator} / {denominator}"),
            Value::Weight(weight) => format!("10^{:.6}", weight.log10()),
            Value::Missing => "missing".to_owned(),
        }
    }

    /// The exact value that a decimal text stands for, rounded half to even where it has more
    /// decimals than the metric.
    ///
    /// # Errors
    /// [`DecimalError`] if it is no decimal number, or too large for the metric's decimals.
    pub fn read(&self, text: &str) -> Result<Value, DecimalError> {
        let decimals = match self.kind {
            MetricKind::Number { decimals, .. } => decimals,
            _ => 0,
        };
        decimal::scaled(text, decimals).map(Value::Exact)
    }

    const fn new(
        name: &'static str,
        unit: &'static str,
        summary: &'static str,
        kind: MetricKind,
    ) -> Self {
        Self {
            name: Cow::Borrowed(name),
            unit: Cow::Borrowed(unit),
            summary: Cow::Borrowed(summary),
            kind,
            per: 1,
            counts: false,
        }
    }
}

/// One sample's value of one metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Known exactly.
    Exact(i64),
    /// Unresolved: somewhere in `lower..=upper`.
    Bounds {
        /// The least it can be.
        lower: i64,
        /// The most it can be.
        upper: i64,
    },
    /// A numerator and a denominator, for [`MetricKind::Ratio`].
    Ratio {
        /// Added to the numerators.
        numerator: i64,
        /// Added to the denominators.
        denominator: i64,
    },
    /// A weight, for [`MetricKind::Weight`].
    Weight(Weight),
    /// Not defined for this sample; it does not count.
    Missing,
}

impl Value {
    /// A flag's value.
    pub const fn flag(holds: bool) -> Self {
        Value::Exact(holds as i64)
    }

    /// A flag that is only known to lie between two answers.
    pub fn flag_bounds(lower: bool, upper: bool) -> Self {
        Self::bounds(i64::from(lower), i64::from(upper))
    }

    /// The least and the greatest integer it can be; `None` for other values.
    pub const fn ends(self) -> Option<(i64, i64)> {
        match self {
            Value::Exact(value) => Some((value, value)),
            Value::Bounds { lower, upper } => Some((lower, upper)),
            Value::Ratio { .. } | Value::Weight(_) | Value::Missing => None,
        }
    }

    /// Exact where the bounds meet, unresolved otherwise.
    pub fn bounds(lower: i64, upper: i64) -> Self {
        if lower == upper {
            Value::Exact(lower)
        } else {
            Value::Bounds { lower, upper }
        }
    }
}

/// The values of one sample, in the order of the task's metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    values: Vec<Value>,
    control: Option<i64>,
    timed_out: bool,
}

impl Row {
    /// An empty row.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the next metric's value.
    pub fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Forgets all values, keeping the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.control = None;
        self.timed_out = false;
    }

    /// Sets the value of the control; `None` where it could not be found.
    pub fn set_control(&mut self, value: Option<i64>) {
        self.control = value;
    }

    /// The value of the control, where it is measured and was found.
    pub fn control(&self) -> Option<i64> {
        self.control
    }

    /// Replaces all values by what is known of a sample that took longer than it may. The clock
    /// decides that, so another run may find its values.
    pub fn time_out(&mut self, unknown: impl Iterator<Item = Value>) {
        self.clear();
        self.values.extend(unknown);
        self.timed_out = true;
    }

    /// Returns whether the sample took longer than it may.
    pub fn timed_out(&self) -> bool {
        self.timed_out
    }

    /// Removes the values at these positions.
    pub fn omit(&mut self, positions: &[usize]) {
        let mut position = 0..;
        self.values
            .retain(|_| position.next().is_none_or(|one| !positions.contains(&one)));
    }

    /// The values so far.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
