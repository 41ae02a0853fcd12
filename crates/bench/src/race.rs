//! A race: every contender answers every instance, in ABBA order and with a control, and all answers
//! are compared.

use super::clock::Spent;
use super::rows::{AnswerValues, RunRow, text};
use super::runner::{ContenderRunner, RunState, Taken};
use super::setting::Setting;
use kit::rng::{Streams, shuffle};
use lab::job::Failure;
use lab::task::{Metric, MetricKind, Value};

/// An instance that all contenders answered.
#[derive(Clone, Debug, Default)]
pub struct Raced {
    /// The runs in the order in which they were made.
    pub runs: Vec<RunRow>,
    /// The values of each contender, in the order of the metrics.
    pub values: Vec<AnswerValues>,
    /// Two answers that differ.
    pub difference: Option<Contradiction>,
    /// Troubles of contenders.
    pub troubles: Vec<(usize, String)>,
}

/// Two contenders that answer an instance differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The instance.
    pub instance: u64,
    /// Both answers, in a sentence.
    pub message: String,
}

/// The least time that all answers to an instance should take, in seconds: below it they are given in
/// several rounds.
const LONG_ENOUGH: f64 = 0.01;
/// The most rounds that are chosen.
const MOST_ROUNDS: f64 = 5.0;

/// The contenders, started.
pub struct BenchRace<'a> {
    setting: &'a Setting,
    runners: Vec<Box<dyn ContenderRunner>>,
}

impl<'a> BenchRace<'a> {
    /// Makes all contenders.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn of(setting: &'a Setting) -> Result<Self, Failure> {
        let runners = (0..setting.contenders.len()).map(|contender| setting.runner(contender));
        Ok(Self {
            runners: runners.collect::<Result<_, _>>()?,
            setting,
        })
    }

    /// The first answers, which count for nothing: programs start, and tables are made.
    ///
    /// # Errors
    /// If a contender cannot answer.
    pub fn warm_up(&mut self, instance: u64) -> Result<Raced, Failure> {
        let setting = self.setting;
        let mut measured = Raced::default();
        for (contender, name) in setting.names().enumerate() {
            if let Some(spent) = self.runners[contender].start() {
                let start = run_row((instance, name), (0, 0), RunState::Done, spent);
                measured.runs.push(start);
            }
            self.ask((contender, name), instance, (0, 1), &mut measured);
            if let Some((_, trouble)) = measured.troubles.first() {
                let message =
                    format!("contender `{name}` does not answer instance {instance}: {trouble}");
                return Err(Failure::failed(message));
            }
        }
        Ok(measured)
    }

    /// Has every contender answer an instance, the first one once more as the control.
    pub fn run(&mut self, instance: u64, rounds: u64) -> Raced {
        let (mut measured, setting) = (Raced::default(), self.setting);
        let entrants: Vec<_> = setting.entrants().collect();
        for round in 1..=rounds {
            let order = abba(
                setting.experiment.file.seed,
                instance,
                round,
                entrants.len(),
            );
            for (position, entrant) in (1..).zip(order) {
                self.ask(
                    entrants[entrant],
                    instance,
                    (round, position),
                    &mut measured,
                );
            }
        }
        measured
    }

    fn ask(
        &mut self,
        (contender, name): (usize, &str),
        instance: u64,
        place: (u64, u64),
        measured: &mut Raced,
    ) {
        let taken = self.runners[contender].answer(instance);
        let row = run_row((instance, name), place, taken.state, taken.spent);
        measured.runs.push(row);
        measured.take(self.setting, instance, contender, taken);
    }
}

fn run_row(
    (instance, name): (u64, &str),
    (round, position): (u64, u64),
    state: RunState,
    spent: Spent,
) -> RunRow {
    RunRow {
        instance,
        contender: name.to_owned(),
        round,
        position,
        state: state.as_ref().to_owned(),
        user: rounded(spent.user),
        system: rounded(spent.system),
        wall: rounded(spent.wall),
        peak_bytes: spent.peak_bytes,
    }
}

/// Seconds to the nanosecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e9).round() / 1e9
}

impl Raced {
    /// Keeps the first answer of a contender, and compares every one with those of all others.
    fn take(&mut self, setting: &Setting, instance: u64, contender: usize, taken: Taken) {
        let contenders = setting.contenders.len();
        let unknown = vec![None; setting.metrics().len()];
        self.values.resize(contenders, unknown);
        let alike = (0..contenders).filter(|&at| setting.is_alike(at, contender));
        let mut differences = alike.filter_map(|other| {
            let both = [(other, &self.values[other]), (contender, &taken.values)];
            contradiction(setting, instance, both)
        });
        self.difference = self.difference.take().or_else(|| differences.next());
        // To be stopped at the cap is an answer, not a trouble.
        if let (RunState::Failed, Some(trouble)) = (taken.state, taken.trouble) {
            self.troubles.push((contender, trouble));
        }
        for (known, new) in self.values[contender].iter_mut().zip(&taken.values) {
            *known = known.or(*new);
        }
    }
}

/// The first metric on which the values of two contenders differ.
fn contradiction(
    setting: &Setting,
    instance: u64,
    both: [(usize, &AnswerValues); 2],
) -> Option<Contradiction> {
    let metrics = setting.metrics();
    let values = |metric: usize| both.map(|(_, values)| values[metric]);
    let mut answers = setting.answers.iter();
    let &metric = answers.find(|&&metric| differ(&metrics[metric], values(metric)))?;
    let [first, second] = both.map(|(contender, values)| {
        let value = values[metric].map(|value| text(&metrics[metric], value));
        let name = setting.name(contender);
        format!("{} by `{name}`", value.unwrap_or_default())
    });
    let name = &metrics[metric].name;
    let message =
        format!("the answers to instance {instance} differ: `{name}` is {first} and {second}");
    Some(Contradiction { instance, message })
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

/// The rounds that make answers last long enough for the clock, by the first answers.
pub fn rounds(first: &Raced) -> u64 {
    let answers = first.runs.iter().filter(|run| run.position > 0);
    let times = answers.map(|run| run.user + run.system);
    let longest = times.fold(0.0, f64::max).max(1e-6);
    (LONG_ENOUGH / longest).ceil().clamp(1.0, MOST_ROUNDS) as u64
}

/// The order in which `count` entrants answer an instance in a round: each once, then in reverse.
///
/// A drift over an instance (a warm cache, a neighbour, a clock that falls) meets each contender once
/// early and once late, and cancels. Reference: Mytkowicz and others 2009, *Producing wrong data
/// without doing anything obviously wrong*.
fn abba(seed: u64, instance: u64, round: u64, count: usize) -> Vec<usize> {
    let mut stream = Streams::new(seed).key("bench order").step(instance, round);
    let mut order: Vec<usize> = (0..count).collect();
    shuffle(&mut stream, &mut order);
    let reversed = order.clone().into_iter().rev();
    order.extend(reversed);
    order
}

#[cfg(test)]
#[path = "tests/race.rs"]
mod tests;
