//! Metrics: the quantities that a sample reports.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::Value;
use base::decimal::{self, DecimalError};
use stats::Span;

/// The unit of a plain number: reports show no unit, and no per cent.
pub const UNITLESS: &str = "1";

/// A quantity every sample of a task reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The metric's name in files and claims.
    pub name: Cow<'static, str>,
    /// The metric's unit: "cards", "$", "nodes"; empty for a share, [`UNITLESS`] for a plain number.
    pub unit: Cow<'static, str>,
    /// A sentence that says what it is.
    pub summary: Cow<'static, str>,
    /// The way in which it is tallied.
    pub kind: MetricKind,
    /// Digits after the point of a [`MetricKind::Number`], 0 to [`MAX_DECIMALS`](decimal::MAX_DECIMALS).
    pub decimals: u8,
    /// The least value, of a ratio that of each sample, before division by `denominator`, where there is one.
    pub min: Option<i64>,
    /// The greatest value, of a ratio that of each sample, before division by `denominator`, where there is one.
    pub max: Option<i64>,
    /// The reported value is the integer divided by this; 1 for plain counts.
    pub denominator: u64,
    /// True if it describes the work of finding an answer, in which two ways to the same answer differ.
    /// Totals do, unless they are said to be answers.
    pub work: bool,
}

/// The kinds of metrics: the way in which one is tallied and estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MetricKind {
    /// 0 or 1: a proportion.
    Flag,
    /// A bounded integer, kept as an exact histogram: give it to quantities with at most a few
    /// thousand distinct values.
    Integer,
    /// A real number, held as an exact integer of units of its last decimal: exact sums, minimum
    /// and maximum only.
    Number,
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
        Self::new(name, "", summary, MetricKind::Flag).between(0, 1)
    }

    /// A bounded integer, kept as a histogram.
    pub const fn integer(
        name: &'static str,
        unit: &'static str,
        (min, max): (i64, i64),
        summary: &'static str,
    ) -> Self {
        Self::new(name, unit, summary, MetricKind::Integer).between(min, max)
    }

    /// A real number with so many digits after the point, without limits.
    ///
    /// ```
    /// use etude_task::{Metric, Value};
    /// let wait = Metric::number("wait", "min", 3, "How long a customer waits.");
    /// assert_eq!(wait.read("12.3455"), Ok(Value::Exact(12_346)));
    /// ```
    pub const fn number(
        name: &'static str,
        unit: &'static str,
        decimals: u8,
        summary: &'static str,
    ) -> Self {
        let mut metric = Self::new(name, unit, summary, MetricKind::Number);
        metric.decimals = decimals;
        metric.denominator = decimal::scale(decimals);
        metric
    }

    /// A count of wide range; [`signed`](Self::signed) makes it an integer that may be negative.
    pub const fn total(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Total).not_negative()
    }

    /// A ratio of totals, whose numerators may be negative.
    pub const fn ratio(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Ratio)
    }

    /// A ratio of a count to a count: one that cannot be negative.
    ///
    /// ```
    /// use etude_task::{Metric, Value};
    /// let ties = Metric::rate("ties", "", "Share of moves chosen at random.");
    /// let of_ten = |numerator| Value::Ratio { numerator, denominator: 10 };
    /// assert!(ties.admits(of_ten(3)) && !ties.admits(of_ten(-3)));
    /// ```
    pub const fn rate(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::ratio(name, unit, summary).not_negative()
    }

    /// A ratio of a count to a count that it is a part of: from 0 to 1. Its intervals need not allow for rare
    /// samples beyond.
    ///
    /// ```
    /// use etude_task::{Metric, Value};
    /// let ties = Metric::share("ties", "Share of moves chosen at random.");
    /// let of_ten = |numerator| Value::Ratio { numerator, denominator: 10 };
    /// assert!(ties.admits(of_ten(10)) && !ties.admits(of_ten(11)));
    /// ```
    pub const fn share(name: &'static str, summary: &'static str) -> Self {
        Self::ratio(name, "", summary).between(0, 1)
    }

    /// A weight whose mean estimates a size.
    pub const fn weight(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Weight)
    }

    /// Half points of a pair of games.
    pub const fn pair(name: &'static str, summary: &'static str) -> Self {
        let mut metric = Self::new(name, "", summary, MetricKind::Pair).between(0, 4);
        metric.denominator = 4;
        metric
    }

    /// Returns the metric as one that describes work, whatever its kind.
    pub const fn as_work(mut self) -> Self {
        self.work = true;
        self
    }

    /// Returns the metric as a part of the answer, whatever its kind.
    pub const fn as_answer(mut self) -> Self {
        self.work = false;
        self
    }

    /// Returns the metric with its integers divided by `denominator` when reported.
    pub const fn with_denominator(mut self, denominator: u64) -> Self {
        self.denominator = denominator;
        self
    }

    /// Returns the total as one of integers that may be negative.
    pub const fn signed(mut self) -> Self {
        self.min = None;
        self
    }

    /// Returns the number metric with all values between these limits, both in units of the
    /// last decimal. Other metrics keep their own.
    pub const fn within(self, min: i64, max: i64) -> Self {
        match self.kind {
            MetricKind::Number => self.between(min, max),
            _ => self,
        }
    }

    const fn not_negative(mut self) -> Self {
        self.min = Some(0);
        self
    }

    const fn between(mut self, min: i64, max: i64) -> Self {
        self.min = Some(min);
        self.max = Some(max);
        self
    }

    /// The least and the greatest value that its intervals rely on, before division by its `denominator`;
    /// a total has none.
    pub const fn limits(&self) -> Option<(i64, i64)> {
        match (self.kind, self.min, self.max) {
            (MetricKind::Total | MetricKind::Ratio | MetricKind::Weight, ..) => None,
            (_, Some(min), Some(max)) => Some((min, max)),
            _ => None,
        }
    }

    /// The least and the greatest difference of two of its values within its [`limits`](Self::limits).
    pub fn difference_limits(&self) -> Option<(i64, i64)> {
        let (min, max) = self.limits()?;
        Some((min.saturating_sub(max), max.saturating_sub(min)))
    }

    /// The least and the greatest value it can have, before division by its `denominator`; infinite
    /// where it has none.
    pub fn range(&self) -> Span {
        let end = |limit: Option<i64>, open| limit.map_or(open, |limit| limit as f64);
        Span::new(
            end(self.min, f64::NEG_INFINITY),
            end(self.max, f64::INFINITY),
        )
    }

    /// The most by which a value may have been rounded, before division by its `denominator`.
    pub const fn rounding(&self) -> f64 {
        match self.kind {
            MetricKind::Number => 0.5,
            _ => 0.0,
        }
    }

    /// Returns whether its limits could be declared with so many decimals, for numbers beyond 2^53 are not told
    /// one from the next.
    pub fn is_held_with(&self, decimals: u8) -> bool {
        let factor = decimal::scale(decimals) as f64 / decimal::scale(self.decimals) as f64;
        let ends = [self.min, self.max].into_iter().flatten();
        ends.map(|end| end as f64 * factor)
            .all(|end| end.abs() <= 2f64.powi(53))
    }

    /// The least and the greatest value it can have, in its unit.
    pub fn unit_limits(&self) -> Option<Span> {
        let value = |limit: i64| limit as f64 / self.denominator as f64;
        self.limits()
            .map(|(least, most)| Span::new(value(least), value(most)))
    }

    /// Returns the value of a sample of which nothing is known.
    pub fn unknown(&self) -> Value {
        match self.min.zip(self.max) {
            Some((min, max)) => Value::bounds(min, max),
            None => Value::Missing,
        }
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
            ) => {
                let of = |limit: i64| i128::from(limit) * i128::from(denominator);
                denominator >= 0
                    && self.min.is_none_or(|min| of(min) <= i128::from(numerator))
                    && self.max.is_none_or(|max| i128::from(numerator) <= of(max))
            }
            // No weight is negative or undefined.
            (MetricKind::Weight, Value::Weight(_)) => true,
            (MetricKind::Ratio | MetricKind::Weight, _) => false,
            _ => value.ends().is_some_and(|(lower, upper)| {
                let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                min <= lower && lower <= upper && upper <= max
            }),
        }
    }

    /// Returns the reason for which a sample may not report this value, as a sentence without its final stop.
    pub(crate) fn refusal(&self, value: Value) -> String {
        let is_weight = self.kind == MetricKind::Weight;
        let limits = match [self.min, self.max].map(|end| Some(self.write(end?))) {
            [Some(min), Some(max)] => Some(format!("not within {min} to {max}")),
            [Some(min), None] => Some(format!("not {min} or more")),
            [None, Some(max)] => Some(format!("not {max} or less")),
            [None, None] => None,
        };
        let is_of_kind = matches!(
            value,
            Value::Ratio {
                denominator: 0..,
                ..
            }
        ) == (self.kind == MetricKind::Ratio);
        let said = match limits.filter(|_| is_of_kind && !is_weight) {
            Some(limits) if !matches!(value, Value::Weight(_)) => {
                format!("{}, {limits}", self.show(value))
            }
            _ => format!("{value:?}, which is no {:?}", self.kind),
        };
        format!("metric `{}` is {said}", self.name)
    }

    /// The text of one of its integers in the metric's unit.
    pub fn write(&self, value: i64) -> String {
        match self.kind {
            MetricKind::Number => decimal::text(value, self.decimals),
            _ if self.denominator == 1 => value.to_string(),
            _ => (value as f64 / self.denominator as f64).to_string(),
        }
    }

    /// A value of its in the metric's unit, as messages show it: flags as words.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Exact(value @ 0..=1) if self.kind == MetricKind::Flag => {
                (value == 1).to_string()
            }
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

    /// The value that a decimal text stands for, rounded half to even where it has more decimals than the
    /// metric. This is the door for numbers that a task computes, too: `metric.read(&seconds.to_string())`.
    ///
    /// # Errors
    /// [`DecimalError`] if it is no decimal number, too large for the metric's decimals, or so small that
    /// they would keep fewer than three of its digits.
    pub fn read(&self, text: &str) -> Result<Value, DecimalError> {
        decimal::resolved(text, self.decimals).map(Value::Exact)
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
            decimals: 0,
            min: None,
            max: None,
            denominator: 1,
            work: matches!(kind, MetricKind::Total),
        }
    }
}

#[cfg(test)]
mod tests;
