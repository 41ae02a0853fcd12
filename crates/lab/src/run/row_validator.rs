//! The check of every row against the limits of its metrics, in a form that is quick.

use crate::task::{Metric, MetricKind, Row, Value};

/// The usual values of a metric. Other values are rare, and left to [`Metric::admits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usual {
    /// Exact values from the first to the second.
    Within(i64, i64),
    /// Weights.
    Weight,
    /// None in particular.
    Other,
}

/// Refuses rows that are not what the metrics of a task declare.
#[derive(Clone, Debug)]
pub(super) struct RowValidator {
    usual: Vec<Usual>,
}

impl RowValidator {
    /// The validator of these metrics.
    pub fn of(metrics: &[Metric]) -> Self {
        let usual = |metric: &Metric| match metric.kind {
            MetricKind::Weight => Usual::Weight,
            MetricKind::Ratio => Usual::Other,
            _ => {
                let (min, max) = (metric.min, metric.max);
                Usual::Within(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX))
            }
        };
        Self {
            usual: metrics.iter().map(usual).collect(),
        }
    }

    /// Returns whether a row is what `metrics`, its own, declare; else a sentence without its
    /// final stop. Not inlined, so that a profiler sees what it costs.
    #[inline(never)]
    pub fn check(&self, metrics: &[Metric], row: &Row) -> Result<(), String> {
        let values = row.values();
        if values.len() != self.usual.len() {
            let (count, declared) = (values.len(), metrics.len());
            return Err(format!(
                "it has {count} values, and the task declares {declared}"
            ));
        }
        let unusual = |(usual, value): &(&Usual, &Value)| !usual.admits(value);
        if !self.usual.iter().zip(values).any(|pair| unusual(&pair)) {
            return Ok(());
        }
        let stray = |(metric, value): &(&Metric, &Value)| !metric.admits(**value);
        match metrics.iter().zip(values).find(stray) {
            None => Ok(()),
            Some((metric, value)) => Err(metric.refusal(*value)),
        }
    }
}

impl Usual {
    #[inline]
    fn admits(self, value: &Value) -> bool {
        match (self, value) {
            (Usual::Within(min, max), Value::Exact(value)) => (min..=max).contains(value),
            (Usual::Weight, Value::Weight(_)) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::{Streams, below};
    use kit::search::Weight;

    /// Seed 7. On 20,000 rows of any values the validator says what the metrics say.
    #[test]
    fn the_validator_admits_what_the_metrics_admit() {
        let metrics = [
            Metric::flag("flag", ""),
            Metric::integer("integer", "", (-3, 3), ""),
            Metric::number("number", "", 2, ""),
            Metric::number("limited", "", 2, "").within(-2, 4),
            Metric::total("total", "", ""),
            Metric {
                max: Some(2),
                ..Metric::number("capped", "", 0, "")
            },
            Metric::ratio("ratio", "", ""),
            Metric::rate("rate", "", ""),
            Metric::weight("weight", "", ""),
            Metric::pair("pair", ""),
        ];
        let validator = RowValidator::of(&metrics);
        let mut stream = Streams::new(7).key("rows").stream(0);
        let mut admitted = 0;
        for round in 0..20_000 {
            let mut row = Row::new();
            let values = metrics.each_ref().map(|metric| {
                let mut small = || below(&mut stream, 11) as i64 - 5;
                let (first, second) = (small(), small());
                // Half of the rows have the values of their metrics' kinds.
                match (small(), metric.kind) {
                    (_, MetricKind::Ratio) if round % 2 == 0 => Value::Ratio {
                        numerator: first.max(metric.min.unwrap_or(first)),
                        denominator: second.abs(),
                    },
                    (_, MetricKind::Weight) if round % 2 == 0 => Value::Weight(Weight::ONE),
                    (_, _) if round % 2 == 0 => Value::Exact(first.rem_euclid(2)),
                    (-5..0, _) => Value::Exact(first),
                    (0, _) => Value::Missing,
                    (1, _) => Value::Weight(Weight::ONE),
                    (2, _) => Value::Ratio {
                        numerator: first,
                        denominator: second,
                    },
                    _ => Value::Bounds {
                        lower: first,
                        upper: second,
                    },
                }
            });
            values.iter().for_each(|&value| row.push(value));
            let mut both = metrics.iter().zip(values);
            let admits = both.all(|(metric, value)| metric.admits(value));
            assert_eq!(validator.check(&metrics, &row).is_ok(), admits, "{row:?}");
            admitted += u64::from(admits);
        }
        assert!((10_000..20_000).contains(&admitted), "{admitted}");
    }

    /// Both ends of an unresolved sample lie within the limits, in order; checked one by one, for
    /// the validator and the metrics may share a mistake.
    #[test]
    fn bounds_lie_within_the_limits_at_both_ends() {
        let metrics = [Metric::integer("integer", "", (-3, 3), "")];
        let validator = RowValidator::of(&metrics);
        let check = |lower, upper| {
            let mut row = Row::new();
            row.push(Value::Bounds { lower, upper });
            validator.check(&metrics, &row)
        };
        for (lower, upper) in [(-3, 3), (-3, -2), (2, 3)] {
            assert_eq!(check(lower, upper), Ok(()));
        }
        for (lower, upper) in [(-3, 4), (0, i64::MAX), (-4, 3), (-4, -4), (4, 5), (2, 1)] {
            let refused = check(lower, upper).unwrap_err();
            assert!(refused.contains("not within -3 to 3"), "{refused}");
        }
    }

    #[test]
    fn a_limit_on_one_side_is_a_limit() {
        let capped = Metric {
            max: Some(250),
            ..Metric::number("capped", "", 2, "")
        };
        let refused = |metric: Metric, value: i64| {
            let mut row = Row::new();
            row.push(Value::Exact(value));
            let metrics = [metric];
            RowValidator::of(&metrics).check(&metrics, &row)
        };
        assert_eq!(refused(capped.clone(), -9), Ok(()));
        let told = "metric `capped` is 2.51, not 2.50 or less".to_owned();
        assert_eq!(refused(capped, 251), Err(told));
        let told = "metric `nodes` is -1, not 0 or more".to_owned();
        assert_eq!(refused(Metric::total("nodes", "", ""), -1), Err(told));
    }

    #[test]
    fn rows_that_are_too_short_or_too_long_are_refused() {
        let metrics = [Metric::flag("flag", ""), Metric::total("total", "", "")];
        let validator = RowValidator::of(&metrics);
        for length in [0, 1, 3] {
            let mut row = Row::new();
            (0..length).for_each(|_| row.push(Value::Exact(0)));
            let refused = validator.check(&metrics, &row).unwrap_err();
            assert!(refused.contains(&format!("{length} values")), "{refused}");
        }
    }
}
