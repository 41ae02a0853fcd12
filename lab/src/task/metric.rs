//! What a sample reports.

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

    /// The values so far.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
