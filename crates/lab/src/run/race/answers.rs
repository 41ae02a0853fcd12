//! The answers of contenders: as rows of samples, and whether two contradict each other.

use crate::experiment::Experiment;
use crate::task::{AnswerValues, Metric, MetricKind, Row, TimedAnswer, Value};

/// The answers of all contenders to one instance, for people.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// The contender, the metric and the value of each answer.
    pub answers: Vec<[String; 3]>,
    /// The contender and the fault of those who gave none.
    pub troubles: Vec<[String; 2]>,
    /// A sentence on two answers that differ.
    pub difference: Option<String>,
}

impl Answered {
    /// The answers to an instance, in the order of contenders.
    pub fn of(experiment: &Experiment, instance: u64, answers: &[TimedAnswer]) -> Self {
        let mut told = Self::default();
        let named = || experiment.cell_names().zip(answers);
        for (name, answer) in named() {
            for at in experiment.agreed() {
                let metric = &experiment.task.metrics[at];
                let row = |value| [name, &metric.name, &shown(metric, value)].map(str::to_owned);
                told.answers.extend(answer.values[at].map(row));
            }
            let trouble = answer.trouble.as_ref();
            told.troubles
                .extend(trouble.map(|trouble| [name.to_owned(), trouble.clone()]));
        }
        let numbered = || answers.iter().map(|answer| &answer.values).enumerate();
        let pairs = numbered().flat_map(|second| {
            let before = numbered().take(second.0);
            before.map(move |first| [first, second])
        });
        let mut alike = pairs.filter(|[(a, _), (b, _)]| experiment.is_alike(*a, *b));
        told.difference = alike.find_map(|both| contradiction(experiment, instance, both));
        told
    }
}

/// The row of an answer: what is not said is not defined, and nothing is known of one that was never
/// given.
pub fn row_of(metrics: &[Metric], answer: &AnswerValues) -> Row {
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
pub fn contradiction(
    experiment: &Experiment,
    instance: u64,
    both: [(usize, &AnswerValues); 2],
) -> Option<String> {
    let metrics = &experiment.task.metrics;
    let values = |metric: usize| both.map(|(_, values)| values[metric]);
    let agreed = experiment.agreed();
    let mut agreed = agreed.iter();
    let &metric = agreed.find(|&&metric| differ(&metrics[metric], values(metric)))?;
    let [first, second] = both.map(|(contender, values)| {
        let value = values[metric].map(|value| shown(&metrics[metric], value));
        let name = &experiment.cells[contender].name;
        format!("{} by `{name}`", value.unwrap_or_default())
    });
    let name = &metrics[metric].name;
    Some(format!(
        "the answers to instance {instance} differ: `{name}` is {first} and {second}"
    ))
}

/// Returns whether two values cannot both be right. What is not known contradicts nothing, and bounds
/// contradict what they do not hold.
fn differ(metric: &Metric, [first, second]: [Option<Value>; 2]) -> bool {
    let is_known = |value: &Value| !matches!(value, Value::Missing);
    let (Some(first), Some(second)) = (first.filter(is_known), second.filter(is_known)) else {
        return false;
    };
    match (first.ends(), second.ends()) {
        (Some(a), Some(b)) => a.0 > b.1 || b.0 > a.1,
        _ if metric.kind == MetricKind::Weight => {
            let [a, b] = [first, second].map(|value| match value {
                Value::Weight(weight) => weight.log10(),
                _ => f64::NAN,
            });
            !(a == b || (a - b).abs() < 1e-9)
        }
        _ => first != second,
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
