//! The check of every row against the metrics of its task.

use super::{Metric, Row, Value};

/// Returns whether a row is what `metrics` declare; else a sentence without its final stop. Not inlined,
/// so that a profiler sees what it costs.
#[inline(never)]
pub(super) fn check_row(metrics: &[Metric], row: &Row) -> Result<(), String> {
    let values = row.values();
    if values.len() != metrics.len() {
        let (count, declared) = (values.len(), metrics.len());
        return Err(format!(
            "it has {count} values, and the task declares {declared}"
        ));
    }
    let stray = |(metric, value): &(&Metric, &Value)| !metric.admits(**value);
    match metrics.iter().zip(values).find(stray) {
        None => Ok(()),
        Some((metric, value)) => Err(metric.refusal(*value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ends of an unresolved sample lie within the limits, in order.
    #[test]
    fn bounds_lie_within_the_limits_at_both_ends() {
        let metrics = [Metric::integer("integer", "", (-3, 3), "")];
        let check = |lower, upper| {
            let mut row = Row::new();
            row.push(Value::Bounds { lower, upper });
            check_row(&metrics, &row)
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
            check_row(&[metric], &row)
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
        for length in [0, 1, 3] {
            let mut row = Row::new();
            (0..length).for_each(|_| row.push(Value::Exact(0)));
            let refused = check_row(&metrics, &row).unwrap_err();
            assert!(refused.contains(&format!("{length} values")), "{refused}");
        }
    }
}
