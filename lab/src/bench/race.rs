//! A race: every contender answers every instance, in ABBA order and with a control, and all answers
//! are compared.

use serde::{Deserialize, Serialize};

use super::clock::Spent;
use super::order::abba;
use super::runner::{ContenderRunner, RunState, Taken};
use super::setting::Setting;
use super::speed::{Cost, TimePair};
use crate::experiment::CONTROL;
use crate::task::{Metric, MetricKind, Value};

/// One answer with its time: a row of `clock/runs.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RunRow {
    /// The instance, from 0.
    pub instance: u64,
    /// The contender, or `control`.
    pub contender: String,
    /// The round, from 1; 0 are a program's start and the first answers, which count for nothing.
    pub round: u32,
    /// The position in the round, from 1; 0 is the start of a program.
    pub position: usize,
    /// `done`, `capped` or `failed`.
    pub state: String,
    /// Seconds of the processor in the program.
    pub user: f64,
    /// Seconds of the processor in the system.
    pub system: f64,
    /// Seconds on the wall.
    pub wall: f64,
    /// The most memory of a child, in bytes.
    pub peak_bytes: Option<u64>,
}

/// An instance that all contenders answered.
#[derive(Clone, Debug, Default)]
pub struct Raced {
    /// The runs in the order in which they were made.
    pub runs: Vec<RunRow>,
    /// The values of each contender, in the order of the metrics.
    pub values: Vec<Vec<Option<Value>>>,
    /// Two answers that differ.
    pub difference: Option<Contradiction>,
    /// What went wrong, by contender.
    pub troubles: Vec<(usize, String)>,
}

/// Two contenders that answer an instance differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The instance.
    pub instance: u64,
    /// The metric's name.
    pub metric: String,
    /// The first contender's name and answer.
    pub first: (String, String),
    /// The second contender's name and answer.
    pub second: (String, String),
}

/// The least time that all answers to an instance should take, in seconds: below it they are given in
/// several rounds.
const LONG_ENOUGH: f64 = 0.01;
/// The most rounds that are chosen.
const MOST_ROUNDS: u32 = 5;

/// The contenders, started.
pub struct BenchRace<'a> {
    setting: &'a Setting<'a>,
    runners: Vec<Box<dyn ContenderRunner>>,
}

impl<'a> BenchRace<'a> {
    /// Makes all contenders.
    ///
    /// # Errors
    /// A sentence: one of them cannot be made.
    pub fn of(setting: &'a Setting<'a>) -> Result<Self, String> {
        let runners = (0..setting.contenders.len()).map(|contender| setting.runner(contender));
        Ok(Self {
            runners: runners.collect::<Result<_, _>>()?,
            setting,
        })
    }

    /// The first answers, which count for nothing: programs start, and tables are made.
    ///
    /// # Errors
    /// A sentence: a contender cannot answer.
    pub fn warm_up(&mut self, instance: u64) -> Result<Raced, String> {
        let setting = self.setting;
        let mut measured = Raced::default();
        for contender in 0..self.runners.len() {
            let name = &setting.contenders[contender].name;
            if let Some(spent) = self.runners[contender].start() {
                measured
                    .runs
                    .push(run_row((instance, name), (0, 0), RunState::Done, spent));
            }
            let taken = self.ask(contender, instance, (0, 1), &mut measured);
            if let (RunState::Failed, Some(trouble)) = (taken, measured.troubles.last()) {
                return Err(format!(
                    "contender `{name}` does not answer instance {instance}: {}",
                    trouble.1
                ));
            }
        }
        Ok(measured)
    }

    /// Has every contender answer an instance, the first one once more as the control.
    pub fn run(&mut self, instance: u64, rounds: u32) -> Raced {
        let mut measured = Raced::default();
        let entrants = self.runners.len() + 1;
        for round in 1..=rounds {
            let order = abba(self.setting.experiment.file.seed, instance, round, entrants);
            for (position, entrant) in (1..).zip(order) {
                self.ask(entrant, instance, (round, position), &mut measured);
            }
        }
        measured
    }

    fn ask(
        &mut self,
        entrant: usize,
        instance: u64,
        (round, position): (u32, usize),
        measured: &mut Raced,
    ) -> RunState {
        let contender = entrant % self.runners.len();
        let name = if entrant == self.runners.len() {
            CONTROL
        } else {
            &self.setting.contenders[contender].name
        };
        let taken = self.runners[contender].answer(instance);
        let row = run_row(
            (instance, name),
            (round, position),
            taken.state,
            taken.spent,
        );
        measured.runs.push(row);
        measured.take(self.setting, instance, contender, taken)
    }
}

fn run_row(
    (instance, name): (u64, &str),
    (round, position): (u32, usize),
    state: RunState,
    spent: Spent,
) -> RunRow {
    RunRow {
        instance,
        contender: name.to_owned(),
        round,
        position,
        state: state.name().to_owned(),
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
    fn take(
        &mut self,
        setting: &Setting,
        instance: u64,
        contender: usize,
        taken: Taken,
    ) -> RunState {
        let metrics = setting.metrics().len();
        self.values
            .resize_with(setting.contenders.len(), || vec![None; metrics]);
        if let Some(trouble) = taken.trouble {
            self.troubles.push((contender, trouble));
        }
        let question = |at: usize| &setting.contenders[at].question;
        let same = (0..setting.contenders.len()).filter(|&at| question(at) == question(contender));
        for other in same {
            let both = [&self.values[other], &taken.values];
            let differs = |&&metric: &&usize| {
                differ(
                    &setting.metrics()[metric],
                    both.map(|values| values[metric]),
                )
            };
            let Some(&metric) = setting.answers.iter().find(differs) else {
                continue;
            };
            let shown = |at: usize, value: Option<Value>| {
                let value =
                    value.map_or_else(String::new, |value| text(&setting.metrics()[metric], value));
                (setting.contenders[at].name.clone(), value)
            };
            self.difference.get_or_insert_with(|| Contradiction {
                instance,
                metric: setting.metrics()[metric].name.to_string(),
                first: shown(other, both[0][metric]),
                second: shown(contender, both[1][metric]),
            });
        }
        for (known, new) in self.values[contender].iter_mut().zip(&taken.values) {
            *known = known.or(*new);
        }
        taken.state
    }
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
            let weight = |value| match value {
                Value::Weight(weight) => weight.log10(),
                _ => f64::NAN,
            };
            let (a, b): (f64, f64) = (weight(first), weight(second));
            !(a == b || (a - b).abs() < 1e-9)
        }
        _ => first != second,
    }
}

/// A value as the tables have it: flags as words, bounds with both ends.
pub fn text(metric: &Metric, value: Value) -> String {
    match (metric.kind, value) {
        (MetricKind::Flag, Value::Exact(value)) => (value == 1).to_string(),
        (_, Value::Bounds { lower, upper }) => {
            format!("{}..{}", metric.write(lower), metric.write(upper))
        }
        (_, Value::Missing) => String::new(),
        _ => metric.show(value),
    }
}

/// The rounds that make answers last long enough for the clock, by the first answers.
pub fn rounds(first: &Raced) -> u32 {
    let answers = first.runs.iter().filter(|run| run.position > 0);
    let times = answers.map(|run| run.user + run.system);
    let longest = times.fold(0.0, f64::max).max(1e-6);
    (LONG_ENOUGH / longest)
        .ceil()
        .clamp(1.0, f64::from(MOST_ROUNDS)) as u32
}

/// The times of all instances, by contender; the control is the last.
#[derive(Clone, Debug, Default)]
pub struct RaceCosts(Vec<Vec<Cost>>);

impl RaceCosts {
    /// The costs of runs, which stand in the order of instances.
    pub fn of(setting: &Setting, runs: &[RunRow]) -> Self {
        let mut costs = Self::default();
        let counted: Vec<&RunRow> = runs.iter().filter(|run| run.round > 0).collect();
        for runs in counted.chunk_by(|a, b| a.instance == b.instance) {
            costs.push(setting, runs.iter().copied());
        }
        costs
    }

    /// Adds an instance.
    pub fn push<'r>(&mut self, setting: &Setting, runs: impl Iterator<Item = &'r RunRow> + Clone) {
        let names = setting.names().chain([CONTROL]);
        let cost = |(at, name): (usize, &str)| {
            let own = runs
                .clone()
                .filter(|run| run.contender == name && run.round > 0);
            cost(own, setting.cap_of(at % setting.contenders.len()))
        };
        self.0.push(names.enumerate().map(cost).collect());
    }

    /// Instances.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The times of a contender.
    pub fn of_contender(&self, contender: usize) -> Vec<Cost> {
        self.0.iter().map(|costs| costs[contender]).collect()
    }

    /// The times of two contenders on every instance.
    pub fn pairs(&self, (first, second): (usize, usize)) -> Vec<TimePair> {
        self.0
            .iter()
            .map(|costs| [costs[first], costs[second]])
            .collect()
    }

    /// The times of the first contender and of its control.
    pub fn control(&self) -> Vec<TimePair> {
        let last = self.0.first().map_or(0, |costs| costs.len() - 1);
        self.pairs((0, last))
    }
}

/// The mean of the times of an instance. Where one was stopped or failed it is the least that it can
/// be: a program that was stopped by the clock takes at least its cap.
fn cost<'r>(runs: impl Iterator<Item = &'r RunRow> + Clone, cap: Option<f64>) -> Cost {
    let is_done = |run: &RunRow| run.state == RunState::Done.name();
    let least = |run: &RunRow| match cap {
        Some(cap) if !is_done(run) => cap.max(run.user + run.system),
        _ => run.user + run.system,
    };
    let (sum, count) = runs.clone().fold((0.0, 0.0), |(sum, count), run| {
        (sum + least(run), count + 1.0)
    });
    Cost {
        seconds: if count > 0.0 { sum / count } else { 0.0 },
        censored: count == 0.0 || runs.into_iter().any(|run| !is_done(run)),
    }
}
