//! The answers of contenders: as rows of samples, and whether two contradict each other.

use crate::run::CompiledExperiment;
use experiment::Experiment;
use task::{AnswerValues, Metric, MetricKind, Row, Spent, TimedAnswer, TimingState, Value};

/// The answers of all contenders to one instance, for people.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// The names of the metrics that an answer tells.
    pub metrics: Vec<String>,
    /// The answer of each contender.
    pub answers: Vec<ContenderAnswer>,
    /// A sentence on two answers that differ.
    pub difference: Option<String>,
}

/// The answer of a contender to one instance.
#[derive(Clone, Debug)]
pub struct ContenderAnswer {
    /// The contender's name.
    pub contender: String,
    /// The value of each metric; empty where it said none.
    pub values: Vec<String>,
    /// The state in which the answer ended.
    pub state: TimingState,
    /// The time that it took.
    pub spent: Spent,
    /// The fault, or what else is told of the answer.
    pub trouble: Option<String>,
}

impl Answered {
    /// The answers to an instance, in the order of contenders.
    pub(crate) fn of(
        race: (&Experiment, &CompiledExperiment),
        instance: u64,
        answers: &[TimedAnswer],
    ) -> Self {
        let (experiment, _) = race;
        let told = experiment.told_metrics();
        let metric = |at: usize| &experiment.task.metrics[at];
        let answer = |(name, answer): (&str, &TimedAnswer)| {
            let value = |&at: &usize| answer.values[at].map(|value| shown(metric(at), value));
            ContenderAnswer {
                contender: name.to_owned(),
                values: told
                    .iter()
                    .map(|at| value(at).unwrap_or_default())
                    .collect(),
                state: answer.state,
                spent: answer.spent,
                trouble: answer.trouble.clone(),
            }
        };
        let numbered = || answers.iter().map(|answer| &answer.values).enumerate();
        let pairs = numbered().flat_map(|second| {
            let before = numbered().take(second.0);
            before.map(move |first| [first, second])
        });
        let mut alike = pairs.filter(|[(a, _), (b, _)]| experiment.is_alike(*a, *b));
        Self {
            metrics: told.iter().map(|&at| metric(at).name.to_string()).collect(),
            answers: experiment.cell_names().zip(answers).map(answer).collect(),
            difference: alike.find_map(|both| contradiction(race, instance, both)),
        }
    }
}

/// The row of an answer: what is not said is not defined, and nothing is known of one that was never
/// given.
pub(crate) fn row_of(metrics: &[Metric], answer: &AnswerValues) -> Row {
    let mut row = Row::new();
    if answer.iter().all(Option::is_none) {
        row.time_out(metrics.iter().map(Metric::unknown));
    } else {
        let values = answer.iter().map(|value| value.unwrap_or(Value::Missing));
        values.for_each(|value| row.push(value));
    }
    row
}

/// A sentence on the first metric on which the answers of two contenders to an instance differ.
pub(crate) fn contradiction(
    (experiment, compiled): (&Experiment, &CompiledExperiment),
    instance: u64,
    both: [(usize, &AnswerValues); 2],
) -> Option<String> {
    let metrics = &experiment.task.metrics;
    let values = |metric: usize| both.map(|(_, values)| values[metric]);
    let differs = |&(at, tolerance): &(usize, f64)| differ(&metrics[at], values(at), tolerance);
    let (metric, _) = experiment.tolerances().into_iter().find(differs)?;
    let [first, second] = both.map(|(contender, values)| {
        let value = values[metric].map(|value| shown(&metrics[metric], value));
        let name = &experiment.cells[contender].name;
        format!("{} by `{name}`", value.unwrap_or_default())
    });
    let name = &metrics[metric].name;
    let instance = compiled.instance_title(instance, both[0].0);
    Some(format!(
        "the answers to {instance} differ: `{name}` is {first} and {second}"
    ))
}

/// Returns whether two values cannot both be right: they differ by more than this share of the larger
/// one. What is not known contradicts nothing, and bounds contradict what they do not hold.
fn differ(metric: &Metric, both: [Option<Value>; 2], tolerance: f64) -> bool {
    let [Some(first), Some(second)] = both else {
        return false;
    };
    let apart = |a: f64, b: f64| (a - b).abs() > tolerance * f64::max(a.abs(), b.abs());
    match (first, second) {
        (Value::Missing, _) | (_, Value::Missing) => false,
        (Value::Weight(a), Value::Weight(b)) => {
            let (a, b) = (a.log10(), b.log10());
            a != b && (a - b).abs() > f64::max(1e-9, -libm::log10(1.0 - tolerance))
        }
        (
            Value::Ratio {
                numerator: a,
                denominator: of_a,
            },
            Value::Ratio {
                numerator: b,
                denominator: of_b,
            },
        ) if tolerance > 0.0 => apart(a as f64 / of_a as f64, b as f64 / of_b as f64),
        _ => first
            .ends()
            .zip(second.ends())
            .map_or(first != second, |(a, b)| {
                // Numbers that are nearly the same may have been rounded to neighbours.
                let is_rounded = metric.kind == MetricKind::Number && tolerance > 0.0;
                let (low, high) = (a.1.min(b.1), a.0.max(b.0));
                let gap = i128::from(high) - i128::from(low);
                gap > i128::from(is_rounded) && apart(low as f64, high as f64)
            }),
    }
}

/// A value as people read it: flags as words, bounds with both ends.
fn shown(metric: &Metric, value: Value) -> String {
    match value {
        Value::Bounds { lower, upper } => {
            format!("{}..{}", metric.write(lower), metric.write(upper))
        }
        Value::Missing => String::new(),
        _ => metric.show(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::search::Weight;

    #[test]
    fn answers_differ_by_more_than_a_share_of_the_larger_one() {
        let number = Metric::number("mean", "", 6, "");
        let (number, whole) = (&number, &Metric::total("size", "", ""));
        let exact = |a, b| [a, b].map(|value| Some(Value::Exact(value)));
        for (metric, both, tolerance, expected) in [
            (number, exact(1_000_000, 1_000_001), 0.0, true),
            (number, exact(1_000_000, 1_000_001), 1e-9, false),
            (number, exact(1_000_000, 1_000_002), 1e-9, true),
            (number, exact(-1_000_000, -1_000_900), 1e-3, false),
            (number, exact(-1_000_000, -1_002_000), 1e-3, true),
            (number, exact(-1_000_000, 1_000_000), 0.9, true),
            (number, [Some(Value::Exact(1)), None], 0.0, false),
            (
                number,
                [Some(Value::Exact(1)), Some(Value::Missing)],
                0.0,
                false,
            ),
            (whole, exact(0, 1), 1e-3, true),
            (whole, exact(0, 0), 0.0, false),
            (whole, exact(i64::MIN, i64::MAX), 0.9, true),
            (
                whole,
                [Some(Value::bounds(0, 90)), Some(Value::Exact(100))],
                0.05,
                true,
            ),
            (
                whole,
                [Some(Value::bounds(0, 90)), Some(Value::Exact(100))],
                0.1,
                false,
            ),
            (
                whole,
                [Some(Value::bounds(0, 90)), Some(Value::Exact(50))],
                0.0,
                false,
            ),
            (
                whole,
                [Some(Value::ratio(1, 3)), Some(Value::ratio(2, 6))],
                0.0,
                true,
            ),
            (
                whole,
                [Some(Value::ratio(1, 3)), Some(Value::ratio(2, 6))],
                1e-9,
                false,
            ),
            (
                whole,
                [Some(Value::ratio(1, 3)), Some(Value::ratio(1, 2))],
                0.3,
                true,
            ),
        ] {
            let turned = [both[1], both[0]];
            for both in [both, turned] {
                let found = differ(metric, both, tolerance);
                assert_eq!(found, expected, "{both:?} {tolerance}");
            }
        }
        let weight = |size| Some(Value::Weight(Weight::new(size)));
        assert!(!differ(whole, [weight(1000.0), weight(999.0)], 2e-3));
        assert!(differ(whole, [weight(1000.0), weight(999.0)], 5e-4));
    }
}
