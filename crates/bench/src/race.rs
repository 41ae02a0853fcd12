//! A race: every contender answers every instance, in ABBA order and with a control, and all answers
//! are compared.

use super::rows::text;
use kit::rng::{Streams, shuffle};
use lab::experiment::Setting;
use lab::job::Failure;
use lab::run::{Timing, entrant};
use lab::task::{
    AnswerValues, Entrant, Metric, MetricKind, Spent, TimedAnswer, TimingState, Value,
};
use programs::SUPERVISOR;

/// An instance that all contenders answered.
#[derive(Clone, Debug, Default)]
pub struct Raced {
    /// The timings in the order in which they were made.
    pub timings: Vec<Timing>,
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

/// The least time that a timing should last, in seconds: below it an answer is given again and again.
const LONG_ENOUGH: f64 = 1e-3;
/// The time that the slowest entrant's timing may last because of that.
const TOO_LONG: f64 = 0.05;
/// The most answers in a row.
const MOST_REPEATS: f64 = 1000.0;

/// The entrants: all contenders, and the control, each in a process or a workspace of its own.
pub struct BenchRace<'a> {
    setting: &'a Setting,
    entrants: Vec<(usize, &'a str)>,
    /// One for each entrant.
    runners: Vec<Box<dyn Entrant>>,
    /// The number of times that all were started.
    start: u64,
}

impl<'a> BenchRace<'a> {
    /// Makes all entrants.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn of(setting: &'a Setting) -> Result<Self, Failure> {
        let entrants: Vec<_> = setting.entrants().collect();
        let runners = entrants
            .iter()
            .map(|&(contender, _)| entrant(setting, contender, &SUPERVISOR));
        Ok(Self {
            setting,
            runners: runners.collect::<Result<_, _>>()?,
            entrants,
            start: 0,
        })
    }

    /// Starts all anew, in an order drawn from the seed, and has each give a first answer, which counts
    /// for nothing: programs start, and tables are made.
    pub fn restart(&mut self, start: u64, instance: u64) -> Raced {
        self.start = start;
        let mut measured = Raced::default();
        for entrant in self.drawn_order("bench starts", start) {
            if let Some(spent) = self.runners[entrant].restart() {
                let started = self.timing(entrant, (instance, 0), TimingState::Started, spent);
                measured.timings.push(started);
            }
            self.ask(entrant, (instance, 0), 1, &mut measured);
        }
        measured
    }

    /// Has every entrant answer an instance twice, each time so often in a row.
    pub fn run(&mut self, instance: u64, repeats: u32) -> Raced {
        let mut measured = Raced::default();
        for (position, entrant) in (1..).zip(self.abba(instance)) {
            self.ask(entrant, (instance, position), repeats, &mut measured);
        }
        measured
    }

    /// The answers in a row that make timings last long enough for the clock, by answers to an instance.
    pub fn repeats(&mut self, instance: u64) -> u32 {
        let runners = self.runners.iter_mut();
        let times = runners.map(|runner| runner.answer(instance).spent.processor());
        let (least, most) = times.fold((f64::INFINITY, 0.0), |(least, most), time| {
            (time.min(least), time.max(most))
        });
        let wanted = (LONG_ENOUGH / least.max(1e-7)).ceil();
        let allowed = (TOO_LONG / f64::max(most, 1e-7)).floor();
        wanted.min(allowed).clamp(1.0, MOST_REPEATS) as u32
    }

    /// The order in which all answer an instance: each once, then in reverse.
    ///
    /// A drift over an instance (a warm cache, a neighbour, a clock that falls) meets each entrant once
    /// early and once late, and cancels. Reference: Mytkowicz and others 2009, *Producing wrong data
    /// without doing anything obviously wrong*.
    fn abba(&self, instance: u64) -> Vec<usize> {
        let mut order = self.drawn_order("bench order", instance);
        let reversed = order.clone().into_iter().rev();
        order.extend(reversed);
        order
    }

    fn drawn_order(&self, purpose: &str, number: u64) -> Vec<usize> {
        let seed = self.setting.experiment.file.seed;
        let mut stream = Streams::new(seed).key(purpose).stream(number);
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        shuffle(&mut stream, &mut order);
        order
    }

    fn ask(&mut self, entrant: usize, place: (u64, u64), repeats: u32, measured: &mut Raced) {
        let taken = self.runners[entrant].answers(place.0, repeats);
        let timing = self.timing(entrant, place, taken.state, taken.spent);
        measured.timings.push(timing);
        measured.take(self.setting, place.0, self.entrants[entrant].0, taken);
    }

    fn timing(
        &self,
        entrant: usize,
        (instance, position): (u64, u64),
        state: TimingState,
        spent: Spent,
    ) -> Timing {
        Timing {
            instance,
            entrant,
            start: self.start,
            position,
            state,
            spent: spent.as_written(),
        }
    }
}

impl Raced {
    /// Checks that all contenders answered at their first start.
    ///
    /// # Errors
    /// If one of them did not.
    pub fn check_started(&self, setting: &Setting, instance: u64) -> Result<(), Failure> {
        let Some((contender, trouble)) = self.troubles.first() else {
            return Ok(());
        };
        let name = setting.name(*contender);
        let told = format!("contender `{name}` does not answer instance {instance}: {trouble}");
        Err(Failure::failed(told))
    }

    /// Keeps the first answer of a contender, and compares every one with those of all others.
    fn take(&mut self, setting: &Setting, instance: u64, contender: usize, taken: TimedAnswer) {
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
        if let (TimingState::Failed, Some(trouble)) = (taken.state, taken.trouble) {
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

#[cfg(test)]
#[path = "tests/race.rs"]
mod tests;
