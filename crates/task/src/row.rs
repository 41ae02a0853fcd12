//! Rows: the values of one sample, and what is noted of it.

use std::fmt::{Display, Write};

use kit::search::Weight;

/// A sample's value of a metric.
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
    /// A numerator and a denominator, for [`MetricKind::Ratio`](crate::MetricKind::Ratio).
    Ratio {
        /// Added to the numerators.
        numerator: i64,
        /// Added to the denominators.
        denominator: i64,
    },
    /// A weight, for [`MetricKind::Weight`](crate::MetricKind::Weight).
    Weight(Weight),
    /// A value that is not defined for this sample, which does not count.
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

    /// An amount divided by another, for [`MetricKind::Ratio`](crate::MetricKind::Ratio).
    pub const fn ratio(numerator: u64, denominator: u64) -> Self {
        Value::Ratio {
            numerator: numerator as i64,
            denominator: denominator as i64,
        }
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
    /// The value of the control, where it is measured and was found.
    pub control: Option<i64>,
    /// True if the sample took longer than it may, or the clock decided some of the values: another run may
    /// find others.
    pub timed_out: bool,
    /// The steps of the sample in the task's own words, where other programs took part or no player drew at
    /// random: by them samples that repeat others are found, and who differs when one is drawn again. They
    /// are no result.
    pub course: String,
    /// True if nothing was drawn at random for the sample: each sample of its cell is this one.
    pub without_chance: bool,
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

    /// Appends the values of the next metrics.
    pub fn extend(&mut self, values: &[Value]) {
        self.values.extend_from_slice(values);
    }

    /// Makes room for so many values, and no more: a wide sweep holds very many rows.
    pub(crate) fn reserve(&mut self, values: usize) {
        self.values.reserve_exact(values);
    }

    /// Forgets all values, keeping the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.control = None;
        self.timed_out = false;
        self.course.clear();
        self.without_chance = false;
    }

    /// Replaces all values by what is known of a sample that took longer than it may. The clock
    /// decides that, so another run may find its values.
    pub fn time_out(&mut self, unknown: impl Iterator<Item = Value>) {
        self.clear();
        self.values.extend(unknown);
        self.timed_out = true;
    }

    /// Takes in the next step of the sample, a line of its course.
    pub fn push_step(&mut self, step: impl Display) {
        // Writing to memory cannot fail.
        let _ = writeln!(self.course, "{step}");
    }

    /// The values so far.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Row {
        let mut row = Row::new();
        row.push(Value::Exact(3));
        row.push_step("a");
        row.push_step(7);
        row.control = Some(4);
        row.timed_out = true;
        row.without_chance = true;
        row
    }

    #[test]
    fn a_cleared_row_is_a_new_one() {
        let mut row = full();
        assert_eq!(
            (row.values(), &*row.course),
            (&[Value::Exact(3)][..], "a\n7\n")
        );
        row.clear();
        assert_eq!(row, Row::new());
        assert!(row.values().is_empty() && row.control.is_none() && row.course.is_empty());
        assert!(!row.timed_out && !row.without_chance);
    }

    #[test]
    fn a_row_that_took_too_long_has_what_is_unknown_and_nothing_else() {
        let mut row = full();
        let unknown = [Value::bounds(0, 9), Value::Missing];
        row.time_out(unknown.into_iter());
        let expected = Row {
            values: unknown.to_vec(),
            timed_out: true,
            ..Row::new()
        };
        assert_eq!(row, expected);
    }

    #[test]
    fn ends_are_the_least_and_the_most_of_an_integer() {
        let open = Value::Bounds { lower: 2, upper: 5 };
        assert_eq!(Value::Exact(3).ends(), Some((3, 3)));
        assert_eq!(open.ends(), Some((2, 5)));
        assert_eq!(Value::bounds(2, 5), open);
        assert_eq!(Value::bounds(4, 4), Value::Exact(4));
        for other in [
            Value::Missing,
            Value::ratio(1, 2),
            Value::Weight(Weight::new(1.0)),
        ] {
            assert_eq!(other.ends(), None);
        }
        assert_eq!(Value::flag_bounds(false, true).ends(), Some((0, 1)));
        assert_eq!([true, false].map(Value::flag), [1, 0].map(Value::Exact));
        let ratio = Value::Ratio {
            numerator: 2,
            denominator: 5,
        };
        assert_eq!(Value::ratio(2, 5), ratio);
    }
}
