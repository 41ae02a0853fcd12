//! One row for each place where a user sees an interval or a verdict: how often it is wrong, given
//! that it is shown, at a rare, a middling and an extreme truth. Each row goes the way of the
//! command, from the text of an experiment to its tables' estimates and verdicts.

use std::borrow::Cow::Borrowed;
use std::f64::consts::E;

use experiment::{Experiment, Overrides};
use kit::rng::{StreamKey, Streams, below, unit};
use kit::search::Weight;
use lab::run::{
    BlockTally, CompiledExperiment, Evidence, Measured, Outcome, StopReason, Stopped,
    decide_claims, difference_of_runs, settled,
};
use lab::tables::{RunFacts, outcome_tables};
use rayon::prelude::*;
use stats::{self, Interval, Level};
use task::{
    Build, Draw, GameSpec, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task,
    TaskSpec, Value, Worker, Workspace,
};

use super::games::records;
use super::gaps;

/// A task whose every expectation is known.
static GAME: GameSpec = GameSpec {
    name: "known",
    summary: "Draws of known expectation",
    tasks: &[TASK, gaps::TASK],
    verbs: &[],
    players: &[],
};

const TASK: TaskSpec = TaskSpec {
    name: Borrowed("known/draw"),
    summary: Borrowed("Draws of known expectation"),
    sample: Borrowed("one draw"),
    noun: Borrowed("sample"),
    is_random: true,
    params: Borrowed(&[
        ParamSpec::number("p", 0.0..=1.0, "The share of hits").or_number(0.5),
        ParamSpec::number("apart", 0.0..=1.0, "The share of twins that differ").or_number(0.0),
        ParamSpec::integer("copy", (0, 999), "Which of many independent cells").or_integer(0),
    ]),
    metrics: Borrowed(&[
        HIT, TWIN, WAIT, JACKPOT, SHARE, WEIGHT, YIELD, GIFT, HEAVY, FAR, BURDEN, BURST, DOUBLING,
        CLOCK, NUMBER, SLIVER, PLATEAU, TENFOLD,
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(Known::of(params)?))),
};

const HIT: Metric = Metric::flag("hit", "true with probability p");
const TWIN: Metric = Metric::flag(
    "twin",
    "a fair coin, turned in one cell with probability apart",
);
const WAIT: Metric = Metric::total(
    "wait",
    "draws",
    "draws until a hit, a hundred times as rare",
);
const JACKPOT: Metric = Metric::integer("jackpot", "coins", (0, 40), "40 at a hit");
const SHARE: Metric = Metric::ratio("share", "", "hits over draws waited for them");
const WEIGHT: Metric = Metric::weight("weight", "", "a skewed weight of mean 1");

const YIELD: Metric = Metric::integer("yield", "", (0, 1_000), "990 to 1,000, but 0 at a hit");
const HEAVY: Metric = Metric::total("heavy", "", "log-normal, 2 in the logarithm");
const FAR: Metric = Metric::total("far", "", "up to 1,000, and one time in 20 a jump of 5,000");
const BURDEN: Metric = Metric::rate("burden", "", "heavy over draws waited for");
const BURST: Metric = Metric::weight("burst", "", "a Pareto weight with index 1 / p");
const DOUBLING: Metric = Metric::weight("doubling", "", "2 as often as p allows, multiplied");
const CLOCK: Metric = Metric::number("clock", "s", 6, "a normal time, 0.6 ms about CLOCK_MEAN");
const NUMBER: Metric = Metric::total("number", "", "2^53 + 1, or 2 more at tails");
const PLATEAU: Metric = Metric::weight(
    "plateau",
    "",
    "2, but a Pareto weight of at least 30 at a hit",
);
const TENFOLD: Metric = Metric::weight("tenfold", "", "10 as often as p allows, multiplied");
const SLIVER: Metric = Metric::number(
    "sliver",
    "s",
    6,
    "100.3 to 100.6 millionths, rounded to one",
);
const GIFT: Metric = Metric::total("gift", "", "a waiting time at a hit, else 0");

struct Known {
    p: f64,
    apart: f64,
    copy: i64,
}

struct Drawing {
    p: f64,
    apart: f64,
    key: StreamKey,
    twins: StreamKey,
}

/// The rate of the waiting time.
const RATE: f64 = 0.01;
/// The mean of the clock, in microseconds.
const CLOCK_MEAN: i64 = 1_700_000_000_250_300;
/// The index of the weights behind the plateau.
const TALL: f64 = 0.75;
/// A weight is e^(DEVIATE z - DEVIATE^2 / 2).
const DEVIATE: f64 = 1.0;

impl Known {
    fn of(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            p: params.number("p")?,
            apart: params.number("apart")?,
            copy: params.integer("copy")?,
        })
    }
}

/// The replay of a sample that nobody looks at.
pub fn nothing_to_show() -> Replay {
    Replay {
        instance: String::new(),
        frames: Vec::new(),
        outcome: String::new(),
    }
}

impl Task for Known {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(Drawing {
            p: self.p,
            apart: self.apart,
            key: streams.key(&format!("draw {}", self.copy)),
            twins: streams.key("twins"),
        })
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        Ok(nothing_to_show())
    }
}

impl Worker for Drawing {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let (mut own, mut twins) = (self.key.stream(draw.index), self.twins.stream(draw.index));
        let hit = unit(&mut own) < self.p;
        let turned = unit(&mut twins) < self.apart;
        let coin = unit(&mut twins) < 0.5;
        let wait = (1.0 + libm::log(1.0 - unit(&mut own)) / libm::log(1.0 - RATE)).floor() as i64;
        let angle = std::f64::consts::TAU * unit(&mut own);
        let normal = (-2.0 * libm::log(1.0 - unit(&mut own))).sqrt() * libm::cos(angle);
        row.push(Value::flag(hit));
        row.push(Value::flag(coin != turned));
        row.push(Value::Exact(wait));
        row.push(Value::Exact(40 * i64::from(hit)));
        row.push(Value::Ratio {
            numerator: 1,
            denominator: wait,
        });
        let weight = libm::exp(DEVIATE * normal - DEVIATE * DEVIATE / 2.0);
        row.push(Value::Weight(Weight::new(weight)));
        let full = 990 + below(&mut own, 11) as i64;
        row.push(Value::Exact(if hit { 0 } else { full }));
        row.push(Value::Exact(wait * i64::from(hit)));
        let heavy = (1e3 * libm::exp(2.0 * normal)).round() as i64;
        row.push(Value::Exact(heavy));
        let jump = -libm::log(1.0 - unit(&mut own)) * 5_000.0;
        let jumps = i64::from(below(&mut own, 20) == 0);
        row.push(Value::Exact(
            below(&mut own, 1_001) as i64 + jumps * jump.round() as i64,
        ));
        row.push(Value::Ratio {
            numerator: heavy,
            denominator: wait,
        });
        let burst = libm::pow(1.0 - unit(&mut own), -self.p);
        row.push(Value::Weight(Weight::new(burst)));
        let doublings = (0..60).take_while(|_| unit(&mut own) < self.p).count();
        row.push(Value::Weight(Weight::new(2f64.powi(doublings as i32))));
        row.push(Value::Exact(CLOCK_MEAN + (600.0 * normal).round() as i64));
        row.push(Value::Exact((1 << 53) + 1 + 2 * i64::from(coin)));
        let sliver = (100.3 + 0.3 * unit(&mut own)) / 1e6;
        row.push(SLIVER.read(&sliver.to_string()).unwrap_or(Value::Missing));
        let tall = 30.0 * libm::pow(1.0 - unit(&mut own), -TALL);
        row.push(Value::Weight(Weight::new(if hit { tall } else { 2.0 })));
        let tenfolds = (0..60).take_while(|_| unit(&mut own) < self.p).count();
        row.push(Value::Weight(Weight::new(10f64.powi(tenfolds as i32))));
        Ok(())
    }
}

/// An experiment over the task, of any seed.
fn experiment(samples: u64, more: &str) -> Experiment {
    experiment_on("known/draw", samples, more)
}

/// An experiment over a task of this game.
pub fn experiment_on(task: &str, samples: u64, more: &str) -> Experiment {
    let (keys, tables) = more.split_at(more.find('[').unwrap_or(more.len()));
    let text = format!(
        "question = \"?\"\ntask = \"{task}\"\nseed = 0\n{keys}\n[stop]\nsamples = {samples}\n{tables}"
    );
    let parsed = Experiment::parse(&text, "x.toml", &[&GAME], &Overrides::default());
    parsed.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A run in memory.
pub struct Ran {
    experiment: Experiment,
    compiled: CompiledExperiment,
    tally: BlockTally,
    samples: u64,
}

impl Ran {
    /// Returns all of an experiment's samples, drawn with another seed.
    pub fn of(experiment: &Experiment, seed: u64) -> Self {
        let mut ran = Self::before(experiment, seed);
        ran.draw_up_to(ran.experiment.stop.max_samples);
        ran
    }

    /// An experiment with another seed, before its first sample.
    pub fn before(experiment: &Experiment, seed: u64) -> Self {
        let mut experiment = experiment.clone();
        experiment.file.seed = seed;
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        Self {
            tally: BlockTally::new(&compiled),
            compiled,
            samples: 0,
            experiment,
        }
    }

    /// Goes on with more samples, as `run --resume --samples` does.
    pub fn go_on(&mut self, longer: &Experiment) {
        let mut next = longer.clone();
        next.file.seed = self.experiment.seed();
        next.go_on_from(&self.experiment);
        next.keep_marks(&self.experiment, self.samples).unwrap();
        self.compiled = CompiledExperiment::of_experiment(&next).unwrap();
        self.draw_up_to(next.stop.max_samples);
        self.experiment = next;
    }

    /// Returns the reason for which the run stops at this look, if it does.
    pub fn settled_at(&mut self, look: u64) -> Option<StopReason> {
        self.draw_up_to(look);
        settled(&self.experiment, &self.compiled, &self.tally)
    }

    /// A table of its folder.
    pub fn table(&self, name: &str) -> String {
        let outcome = self.outcome();
        let facts = RunFacts::of(
            &self.experiment,
            &self.compiled,
            &outcome,
            (&[], Stopped::Complete(StopReason::Samples)),
        );
        let table = outcome_tables(&facts).find(|table| table.name() == name);
        String::from_utf8(table.unwrap().into_csv()).unwrap()
    }

    pub fn draw_up_to(&mut self, samples: u64) {
        let count = (samples - self.samples) as usize;
        let mut workspace = Workspace::new();
        let draw = |cell| {
            let mut rows = vec![Row::new(); count];
            let source = self.compiled.source(cell);
            let drawn = source.draw(&mut workspace, self.samples, &mut rows);
            drawn.unwrap();
            rows
        };
        let rows: Vec<Vec<Row>> = (0..self.compiled.cells()).map(draw).collect();
        self.tally.push(&self.compiled, self.samples, &rows);
        self.samples = samples;
    }

    /// Returns the estimates of the summary.
    pub fn outcome(&self) -> Outcome {
        let confidence = self.experiment.confidence();
        Outcome::of(&self.compiled, self.tally.clone(), confidence)
    }

    /// Returns whether any claim, all of which are true, is refuted.
    pub fn refutes(&self) -> bool {
        let confidence = self.experiment.confidence();
        let claims = decide_claims(&self.experiment, &self.compiled, &self.tally, confidence);
        let refuted = |claim: &lab::run::ClaimOutcome| {
            // The interval shown is the one that decided.
            let spec = self.experiment.claims[claim.claim].spec();
            let Some(experiment::ClaimTest::Compare(relation, number)) = spec.map(|spec| spec.test)
            else {
                panic!("the claims compare");
            };
            assert_eq!(
                relation.decide(claim.estimate.interval, number),
                claim.decision
            );
            claim.decision == stats::ClaimVerdict::Refuted
        };
        claims.iter().any(refuted)
    }

    pub fn measured(&self, metric: usize) -> Measured<'_> {
        Measured::Counted {
            evidence: Evidence {
                compiled: &self.compiled,
                tally: &self.tally,
                confidence: self.experiment.confidence(),
            },
            place: (0, metric),
        }
    }
}

/// A function that returns whether a run's answer is wrong; `None` if no answer is shown.
type Trial = Box<dyn Fn(u64) -> Option<bool> + Sync>;

/// A place where a user sees an interval or a verdict.
pub struct Place {
    /// The name.
    pub name: String,
    /// The share of wrong answers that it allows itself.
    pub nominal: f64,
    trial: Trial,
    /// The divisor of its number of runs.
    cost: u64,
}

/// A place of this name, at the usual level.
pub fn place(
    name: impl Into<String>,
    cost: u64,
    trial: impl Fn(u64) -> Option<bool> + Sync + 'static,
) -> Place {
    Place {
        name: name.into(),
        nominal: 0.05,
        trial: Box::new(trial),
        cost,
    }
}

pub fn misses(interval: Option<Interval>, truth: f64) -> Option<bool> {
    interval.map(|interval| !interval.contains(truth))
}

const TRUTHS: [f64; 4] = [0.001, 0.02, 0.3, 0.999];

/// Every place.
pub fn places() -> Vec<Place> {
    let mut places = Vec::new();
    summaries(&mut places);
    as_written(&mut places);
    bursts(&mut places);
    rare(&mut places);
    pairs(&mut places);
    comparisons(&mut places);
    claims(&mut places);
    extensions(&mut places);
    places.extend([100, 400].map(best_kept));
    gaps::places(&mut places);
    places
}

fn summaries(places: &mut Vec<Place>) {
    for level in [0.95, 0.999] {
        for p in TRUTHS {
            for (n, metric, scale) in [(200, 0, 1.0), (200, 3, 40.0)] {
                let experiment = experiment(n, &format!("level = {level}\n[params]\np = {p}\n"));
                let name = experiment.task.metrics[metric].name.clone();
                let mut row = place(
                    format!("summary, {name}, p = {p}, n = {n}"),
                    1,
                    move |seed| {
                        let found = Ran::of(&experiment, seed).outcome().cells[0][metric];
                        misses(found.interval, scale * p)
                    },
                );
                row.nominal = 1.0 - level;
                row.name = format!("{}, level {level}", row.name);
                places.push(row);
            }
        }
    }
    // Shares in the middle, where intervals that hold on average miss up to 5.7 %.
    for (n, p) in [(266, 0.47), (219, 0.55), (300, 0.5)] {
        let experiment = experiment(n, &format!("[params]\np = {p}\n"));
        places.push(place(
            format!("summary, hit, p = {p}, n = {n}, level 0.95"),
            1,
            move |seed| misses(Ran::of(&experiment, seed).outcome().cells[0][0].interval, p),
        ));
    }
    // At a low level: two values, and values around two places.
    for (metric, p, n, truth) in [
        (3, 0.5, 30, 20.0),
        (3, 0.3, 62, 12.0),
        (3, 0.7, 150, 28.0),
        (6, 0.6, 24, 398.0),
        (6, 0.15, 90, 845.75),
    ] {
        let experiment = experiment(n, &format!("level = 0.5\n[params]\np = {p}\n"));
        let name = &experiment.task.metrics[metric].name;
        let name = format!("summary, {name}, p = {p}, n = {n}, level 0.5");
        let mut row = place(name, 1, move |seed| {
            let found = Ran::of(&experiment, seed).outcome().cells[0][metric];
            misses(found.interval, truth)
        });
        row.nominal = 0.5;
        places.push(row);
    }
    for (n, metric, truth) in [
        (10, 2, 1.0 / RATE),
        (40, 2, 1.0 / RATE),
        (200, 2, 1.0 / RATE),
        (40, 4, RATE),
        (200, 4, RATE),
        (100, 5, 1.0),
        (300, 5, 1.0),
        (1_000, 5, 1.0),
    ] {
        let experiment = experiment(n, "");
        let name = experiment.task.metrics[metric].name.clone();
        let cost = n.div_ceil(200);
        places.push(place(
            format!("summary, {name}, n = {n}"),
            cost,
            move |seed| {
                let found = Ran::of(&experiment, seed).outcome().cells[0][metric];
                misses(found.interval, truth)
            },
        ));
    }
}

/// Means that need more digits than most, as the summary writes them.
fn as_written(places: &mut Vec<Place>) {
    let clock = CLOCK_MEAN as f64 / 1e6;
    for (metric, n, truth) in [
        ("clock", 30, clock),
        ("clock", 400, clock),
        ("number", 60, 9_007_199_254_740_994.0),
        ("number", 900, 9_007_199_254_740_994.0),
        ("sliver", 80, 100.45e-6),
        ("sliver", 700, 100.45e-6),
    ] {
        let once = experiment(n, "");
        let name = format!("summary as written, {metric}, n = {n}");
        places.push(place(name, n.div_ceil(200), move |seed| {
            let (header, rows) = records(&Ran::of(&once, seed).table("summary"));
            let row = rows
                .iter()
                .find(|row| row.iter().any(|cell| cell == metric))?;
            let [lo, hi] = ["ci_lo", "ci_hi"].map(|column| {
                let place = header.iter().position(|name| name == column)?;
                row[place].parse::<f64>().ok()
            });
            Some(!(lo?..=hi?).contains(&truth))
        }));
    }
}

/// Means of weights without a variance, or hardly with one.
fn bursts(places: &mut Vec<Place>) {
    for (metric, p, n) in [
        (11, 0.8, 260),
        (11, 0.8, 900),
        (11, 0.72, 400),
        (11, 0.6, 250),
        (11, 0.45, 1_500),
        (12, 0.42, 300),
        (12, 0.42, 1_200),
        (12, 0.36, 500),
        (16, 0.02, 400),
        (16, 0.03, 1_500),
        (16, 0.2, 700),
        (17, 0.04, 350),
        (17, 0.04, 800),
    ] {
        let experiment = experiment(n, &format!("[params]\np = {p}\n"));
        let name = &experiment.task.metrics[metric].name;
        let truth = match metric {
            11 => 1.0 / (1.0 - p),
            12 => (1.0 - p) / (1.0 - 2.0 * p),
            17 => (1.0 - p) / (1.0 - 10.0 * p),
            _ => 2.0 * (1.0 - p) + p * 30.0 / (1.0 - TALL),
        };
        places.push(place(
            format!("summary, {name}, p = {p}, n = {n}"),
            n.div_ceil(200),
            move |seed| {
                let found = Ran::of(&experiment, seed).outcome().cells[0][metric];
                misses(found.interval, truth)
            },
        ));
    }
}

/// Means of quantities whose rare values are often not met.
fn rare(places: &mut Vec<Place>) {
    for (metric, p, truth, n) in [
        (6, 0.02, 975.1, 5),
        (6, 0.02, 975.1, 20),
        (6, 0.02, 975.1, 60),
        (7, 0.05, 0.05 / RATE, 20),
        (7, 0.05, 0.05 / RATE, 60),
        (7, 0.05, 0.05 / RATE, 200),
        (8, 0.5, 1e3 * E * E, 10),
        (8, 0.5, 1e3 * E * E, 40),
        (8, 0.5, 1e3 * E * E, 200),
        (9, 0.5, 750.0, 30),
        (9, 0.5, 750.0, 200),
        (10, 0.5, 1e3 * E * E * RATE, 40),
        (10, 0.5, 1e3 * E * E * RATE, 200),
    ] {
        let once = experiment(n, &format!("[params]\np = {p}\n"));
        let name = once.task.metrics[metric].name.clone();
        places.push(place(
            format!("summary, {name}, p = {p}, n = {n}"),
            1,
            move |seed| {
                let found = Ran::of(&once, seed).outcome().cells[0][metric];
                misses(found.interval, truth)
            },
        ));
    }
    let twice = experiment(40, "[sweep]\np = [0.0, 0.02]\n");
    places.push(place("pairs, yield, 0.02 apart, n = 40", 1, move |seed| {
        let outcome = Ran::of(&twice, seed).outcome();
        misses(outcome.pairs[0].differences[6].estimate.interval, 19.9)
    }));
    let [many, few] = [300, 30].map(|n| experiment(n, "[params]\np = 0.02\n"));
    places.push(place("compare, yield, 300 and 30", 2, move |seed| {
        let (first, second) = (Ran::of(&many, 2 * seed), Ran::of(&few, 2 * seed + 1));
        let sides = (first.measured(6), second.measured(6));
        let found = difference_of_runs(sides.0, sides.1, true, Level::DEFAULT);
        misses(found.interval, 0.0)
    }));
    let claim = "[params]\np = 0.02\n[[claims]]\nsource = \"s\"\ntext = \"t\"\n";
    let claimed = experiment(40, &format!("{claim}holds = \"yield.mean <= 976\"\n"));
    places.push(place("claim, yield.mean <= 976, n = 40", 1, move |seed| {
        Some(Ran::of(&claimed, seed).refutes())
    }));
}

fn pairs(places: &mut Vec<Place>) {
    for apart in [0.002, 0.02, 0.3, 0.99] {
        let swept = format!("[sweep]\napart = [0.0, {apart}]\n");
        let experiment = experiment(200, &swept);
        places.push(place(
            format!("pairs, flags, {apart} discordant, n = 200"),
            1,
            move |seed| {
                let outcome = Ran::of(&experiment, seed).outcome();
                misses(outcome.pairs[0].differences[1].estimate.interval, 0.0)
            },
        ));
    }
    let swept = "[sweep]\ncopy = [0, 1]\n[params]\np = 0.02\n";
    for (metric, n) in [(2, 40), (2, 200), (3, 200)] {
        let experiment = experiment(n, swept);
        let name = experiment.task.metrics[metric].name.clone();
        places.push(place(format!("pairs, {name}, n = {n}"), 1, move |seed| {
            let outcome = Ran::of(&experiment, seed).outcome();
            misses(outcome.pairs[0].differences[metric].estimate.interval, 0.0)
        }));
    }
}

fn comparisons(places: &mut Vec<Place>) {
    let runs = |seed: u64, a: &Experiment, b: &Experiment| {
        (Ran::of(a, 2 * seed), Ran::of(b, 2 * seed + 1))
    };
    for (p, q) in [(0.001, 0.001), (0.02, 0.001), (0.3, 0.3), (0.999, 0.98)] {
        let with = |p: f64| experiment(200, &format!("[params]\np = {p}\n"));
        let (a, b) = (with(p), with(q));
        places.push(place(
            format!("compare, flags, {p} and {q}"),
            1,
            move |seed| {
                let (first, second) = runs(seed, &a, &b);
                let there =
                    difference_of_runs(first.measured(0), second.measured(0), true, Level::DEFAULT);
                let back =
                    difference_of_runs(second.measured(0), first.measured(0), true, Level::DEFAULT);
                let turned = back.interval.map(|interval| interval.mirrored());
                assert_eq!(
                    there.interval.map(|i| (i.lo, i.hi)),
                    turned.map(|i| (i.lo, i.hi))
                );
                misses(there.interval, p - q)
            },
        ));
    }
    for (metric, n, m) in [(2, 40, 200), (5, 300, 1_000), (4, 40, 40)] {
        let (a, b) = (experiment(n, ""), experiment(m, ""));
        let name = a.task.metrics[metric].name.clone();
        places.push(place(
            format!("compare, {name}, {n} and {m}"),
            4,
            move |seed| {
                let (first, second) = runs(seed, &a, &b);
                let sides = (first.measured(metric), second.measured(metric));
                let found = difference_of_runs(sides.0, sides.1, true, Level::DEFAULT);
                misses(found.interval, 0.0)
            },
        ));
    }
    let (fixed, mut watched) = (experiment(100, ""), experiment(400, ""));
    watched.file.extended_from = vec![25, 50, 100, 200];
    places.push(place(
        "compare, flags, one run stopped by its data",
        2,
        move |seed| {
            let (first, mut second) = (Ran::of(&fixed, 2 * seed), Ran::of(&watched, 2 * seed + 1));
            // It stops as soon as the difference seems to be there.
            second.tally = BlockTally::new(&second.compiled);
            second.samples = 0;
            let mut shown = None;
            for look in [25, 50, 100, 200, 400] {
                second.draw_up_to(look);
                let sides = (first.measured(0), second.measured(0));
                shown = misses(
                    difference_of_runs(sides.0, sides.1, true, Level::DEFAULT).interval,
                    0.0,
                );
                if shown == Some(true) {
                    break;
                }
            }
            shown
        },
    ));
}

/// Claims that are true at their boundary, one for every cell.
fn claims(places: &mut Vec<Place>) {
    for cells in [1u64, 40, 200] {
        for p in [0.001, 0.02, 0.3] {
            let copies: Vec<String> = (0..cells).map(|copy| copy.to_string()).collect();
            let swept = format!(
                "[params]\np = {p}\n[sweep]\ncopy = [{}]\n",
                copies.join(", ")
            );
            for relation in ["<=", ">="] {
                let claim = "[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = ";
                let text = format!("{swept}{claim}\"hit.rate {relation} {p}\"\n");
                let experiment = experiment(50, &text);
                let name = format!("claims, {cells} cells, rate {relation} {p}, n = 50");
                places.push(place(name, 1 + cells / 4, move |seed| {
                    Some(Ran::of(&experiment, seed).refutes())
                }));
            }
        }
    }
    for n in [40, 200] {
        for relation in ["<=", ">="] {
            let claim = "[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = ";
            let text = format!("{claim}\"wait.mean {relation} 100\"\n");
            let experiment = experiment(n, &text);
            let mut row = place(
                format!("claim, mean {relation} 100, skewed total, n = {n}"),
                1,
                move |seed| Some(Ran::of(&experiment, seed).refutes()),
            );
            row.nominal = 0.025;
            places.push(row);
        }
    }
    places.push(differences());
    places.push(step_down());
}

/// Claims on differences of flags that hardly ever differ.
fn differences() -> Place {
    let text = "[sweep]\napart = [0.0, 0.004]\n\
                [[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"diff(0, 0.004).twin <= 0\"\n\
                [[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"diff(0, 0.004).twin >= 0\"\n";
    let experiment = experiment(300, text);
    place(
        "claims, differences of flags, 0.004 discordant",
        1,
        move |seed| Some(Ran::of(&experiment, seed).refutes()),
    )
}

/// Thirty claims that are decided at once make the levels of ten true ones less strict.
fn step_down() -> Place {
    let copies: Vec<String> = (0..10).map(|copy| copy.to_string()).collect();
    let claim =
        |holds: &str| format!("[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"{holds}\"\n");
    let text = format!(
        "[params]\np = 0.02\n[sweep]\ncopy = [{}]\n{}{}{}{}",
        copies.join(", "),
        claim("hit.rate <= 0.02"),
        claim("hit.rate < 0.7"),
        claim("hit.rate < 0.8"),
        claim("hit.rate < 0.9")
    );
    let experiment = experiment(50, &text);
    place(
        "claims, step-down, 10 true at the boundary of 40",
        4,
        move |seed| Some(Ran::of(&experiment, seed).refutes()),
    )
}

/// `run --resume --samples MORE` until the claim is decided.
fn extensions(places: &mut Vec<Place>) {
    for p in [0.02, 0.3, 0.9] {
        for relation in ["<=", ">="] {
            let claim = "[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = ";
            let text = format!("[params]\np = {p}\n{claim}\"hit.rate {relation} {p}\"\n");
            let stages: Vec<Experiment> =
                (0..6).map(|stage| experiment(50 << stage, &text)).collect();
            let name = format!("extension, rate {relation} {p}, 50 to 1,600 samples");
            places.push(place(name, 8, move |seed| {
                let mut ran = Ran::of(&stages[0], seed);
                let mut refuted = ran.refutes();
                for stage in &stages[1..] {
                    ran.go_on(stage);
                    refuted = refuted || ran.refutes();
                }
                Some(refuted)
            }));
        }
    }
}

/// Thirty equal cells, all but the best of which are marked as unwanted after 100 samples, in a run of so many.
fn best_kept(samples: u64) -> Place {
    let copies: Vec<String> = (0..30).map(|copy| copy.to_string()).collect();
    let claim = "[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"hit.rate <= 0.5\"\n";
    let text = format!("[sweep]\ncopy = [{}]\n{claim}", copies.join(", "));
    let [first, then] = [100, samples].map(|samples| experiment(samples, &text));
    let name = format!("cells, best of 30 equal ones kept after a look, {samples} samples");
    place(name, samples / 25, move |seed| {
        let mut ran = Ran::of(&first, seed);
        let cells = ran.outcome().cells;
        let hits = |cell: usize| cells[cell][0].value.unwrap_or_default();
        let best = (0..cells.len()).max_by(|&a, &b| hits(a).total_cmp(&hits(b)));
        let mut chosen = then.clone();
        let names = chosen.cell_names().map(str::to_owned).enumerate();
        let others = names.filter(|(cell, _)| Some(*cell) != best);
        chosen.file.unwanted = others.map(|(_, name)| (name, 0)).collect();
        ran.go_on(&chosen);
        Some(ran.refutes())
    })
}

/// Wrong answers among those shown, of the seeds from 0 on.
pub struct Rate {
    /// Wrong answers.
    pub wrong: usize,
    /// Answers shown.
    pub shown: usize,
    /// Runs.
    pub runs: u64,
}

impl Place {
    /// Returns the rate of wrong answers in `runs` runs; a dear place has fewer, down to 20.
    pub fn rate(&self, runs: u64) -> Rate {
        let runs = (runs / self.cost).max(runs.min(20));
        let answers: Vec<bool> = (0..runs)
            .into_par_iter()
            .filter_map(|seed| (self.trial)(seed))
            .collect();
        Rate {
            wrong: answers.iter().filter(|wrong| **wrong).count(),
            shown: answers.len(),
            runs,
        }
    }

    /// Returns whether the rate of wrong answers is at most the nominal one, but for three standard
    /// errors.
    pub fn holds(&self, rate: &Rate) -> bool {
        let shown = rate.shown as f64;
        let slack = 3.0 * (self.nominal * (1.0 - self.nominal) * shown).sqrt();
        rate.wrong as f64 <= self.nominal * shown + slack + 1e-9
    }
}
