//! What a sample reports.

use std::fmt;

use crate::search::Weight;

/// A quantity every sample of a task reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Its name in files and claims.
    pub name: &'static str,
    /// Its unit: "cards", "$", "nodes"; empty for a share.
    pub unit: &'static str,
    /// One sentence: what it is.
    pub summary: &'static str,
    /// How it is tallied.
    pub kind: MetricKind,
    /// The reported value is the integer divided by this; 1 for plain counts.
    pub per: u32,
}

/// How a metric is tallied and estimated.
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

    /// An integer of wide range.
    pub const fn total(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Total)
    }

    /// A ratio of totals.
    pub const fn ratio(name: &'static str, unit: &'static str, summary: &'static str) -> Self {
        Self::new(name, unit, summary, MetricKind::Ratio)
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

    /// The same metric with its integers divided by `per` when reported.
    pub const fn per(mut self, per: u32) -> Self {
        self.per = per;
        self
    }

    /// The least and the greatest value it can have, before division by its `per`; `None` where
    /// there are none.
    pub const fn limits(&self) -> Option<(i64, i64)> {
        match self.kind {
            MetricKind::Flag => Some((0, 1)),
            MetricKind::Integer { min, max } => Some((min, max)),
            MetricKind::Pair => Some((0, 4)),
            MetricKind::Total | MetricKind::Ratio | MetricKind::Weight => None,
        }
    }

    /// Whether `value` is of its kind and within its limits; a missing one always is.
    #[inline]
    pub fn accepts(&self, value: Value) -> bool {
        match (self.kind, value) {
            (_, Value::Missing) => true,
            (MetricKind::Ratio, Value::Ratio { .. }) => true,
            (MetricKind::Weight, Value::Weight(_)) => true,
            (MetricKind::Ratio | MetricKind::Weight, _) => false,
            (_, Value::Exact(value)) => self.holds(value, value),
            (_, Value::Bounds { lower, upper }) => lower <= upper && self.holds(lower, upper),
            _ => false,
        }
    }

    #[inline]
    fn holds(&self, lower: i64, upper: i64) -> bool {
        self.limits()
            .is_none_or(|(min, max)| min <= lower && upper <= max)
    }

    /// What it accepts, in words.
    fn expected(&self) -> String {
        match (self.kind, self.limits()) {
            (MetricKind::Ratio, _) => "a ratio".into(),
            (MetricKind::Weight, _) => "a weight".into(),
            (_, Some((min, max))) => format!("an integer from {min} to {max}"),
            (_, None) => "an integer".into(),
        }
    }

    const fn new(
        name: &'static str,
        unit: &'static str,
        summary: &'static str,
        kind: MetricKind,
    ) -> Self {
        Self {
            name,
            unit,
            summary,
            kind,
            per: 1,
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

    /// Exact where the bounds meet, unresolved otherwise.
    pub fn bounds(lower: i64, upper: i64) -> Self {
        if lower == upper {
            Value::Exact(lower)
        } else {
            Value::Bounds { lower, upper }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Exact(value) => write!(out, "{value}"),
            Value::Bounds { lower, upper } => write!(out, "{lower} to {upper}"),
            Value::Ratio {
                numerator,
                denominator,
            } => write!(out, "the ratio {numerator}/{denominator}"),
            Value::Weight(_) => out.write_str("a weight"),
            Value::Missing => out.write_str("nothing"),
        }
    }
}

/// A row that does not fit the metrics of its task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// More or fewer values than metrics.
    #[error("the task gave {found} values for {expected} metrics")]
    Count {
        /// Metrics of the task.
        expected: usize,
        /// Values in the row.
        found: usize,
    },
    /// A value of another kind, or outside the metric's limits.
    #[error("the task gave {value} for the metric `{metric}`, expected {expected}")]
    Value {
        /// The metric's name.
        metric: &'static str,
        /// The value.
        value: String,
        /// What the metric accepts.
        expected: String,
    },
}

/// The values of one sample, in the order of the task's metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    values: Vec<Value>,
    controls: Vec<i64>,
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
        self.controls.clear();
    }

    /// The values of the task's controls, where they are measured.
    pub fn controls(&self) -> &[i64] {
        &self.controls
    }

    /// The same, to be filled.
    pub fn controls_mut(&mut self) -> &mut Vec<i64> {
        &mut self.controls
    }

    /// Whether there is one value for each of `metrics` that it accepts.
    ///
    /// # Errors
    /// [`RowError`] tells the first that does not fit.
    #[inline]
    pub fn check(&self, metrics: &'static [Metric]) -> Result<(), RowError> {
        let fits = |(metric, value): (&Metric, &Value)| metric.accepts(*value);
        match self.values.len() == metrics.len() && metrics.iter().zip(&self.values).all(fits) {
            true => Ok(()),
            false => Err(self.error(metrics)),
        }
    }

    #[cold]
    fn error(&self, metrics: &'static [Metric]) -> RowError {
        let mut both = metrics.iter().zip(&self.values);
        match both.find(|(metric, value)| !metric.accepts(**value)) {
            Some((metric, value)) if self.values.len() == metrics.len() => RowError::Value {
                metric: metric.name,
                value: value.to_string(),
                expected: metric.expected(),
            },
            _ => RowError::Count {
                expected: metrics.len(),
                found: self.values.len(),
            },
        }
    }

    /// The values so far.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: [Metric; 4] = [
        Metric::flag("win", ""),
        Metric::integer("score", "cards", (-2, 52), ""),
        Metric::total("nodes", "nodes", ""),
        Metric::ratio("share", "", ""),
    ];
    const SHARE: Value = Value::Ratio {
        numerator: 1,
        denominator: 2,
    };

    fn row(values: &[Value]) -> Row {
        let mut row = Row::new();
        values.iter().for_each(|&value| row.push(value));
        row
    }

    #[test]
    fn a_row_that_fits_has_a_value_within_limits_for_every_metric() {
        let good = [
            [Value::Exact(1), Value::Exact(-2), Value::Exact(-7), SHARE],
            [Value::Missing; 4],
            [
                Value::flag_bounds(false, true),
                Value::bounds(-2, 52),
                Value::bounds(-9, i64::MAX),
                SHARE,
            ],
        ];
        for values in good {
            assert_eq!(row(&values).check(&METRICS), Ok(()));
        }
    }

    #[test]
    fn a_row_that_does_not_fit_is_told_by_its_metric() {
        let fitting = [Value::Exact(1), Value::Exact(0), Value::Exact(0), SHARE];
        let bad = [
            (0, Value::Exact(3), "win"),
            (0, SHARE, "win"),
            (1, Value::Exact(53), "score"),
            (1, Value::bounds(-3, 4), "score"),
            (1, Value::bounds(9, 4), "score"),
            (2, Value::Weight(Weight::ONE), "nodes"),
            (3, Value::Exact(1), "share"),
        ];
        for (place, value, name) in bad {
            let mut values = fitting;
            values[place] = value;
            let error = row(&values).check(&METRICS).unwrap_err();
            assert!(matches!(&error, RowError::Value { metric, .. } if *metric == name));
        }
        let error = row(&[Value::Exact(3); 3]).check(&METRICS).unwrap_err();
        assert_eq!(error.to_string(), "the task gave 3 values for 4 metrics");
        let mut values = fitting;
        values[0] = Value::Exact(3);
        assert_eq!(
            row(&values).check(&METRICS).unwrap_err().to_string(),
            "the task gave 3 for the metric `win`, expected an integer from 0 to 1"
        );
    }
}
