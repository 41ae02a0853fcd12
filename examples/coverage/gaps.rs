//! Draws whose value is not always defined, ratios near their largest value, and a control: places
//! where the samples that are left tell too little of those that are not.

use std::borrow::Cow::Borrowed;

use experiment::Experiment;
use kit::rng::{Stream, StreamKey, Streams, unit};
use lab::run::difference_of_runs;
use stats::Level;
use task::{
    Build, Control, Draw, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task,
    TaskSpec, Value, Worker, Workspace,
};

use super::places::{Place, Ran, experiment_on, misses, nothing_to_show, place};

/// On side 1 a value is not defined where the face is below `gone` (by the law `top`, where it is
/// highest); on side 0 a share `away` of them is
/// not, whatever the face.
pub const TASK: TaskSpec = TaskSpec {
    name: Borrowed("known/gap"),
    summary: Borrowed("Draws that are not always defined, of known expectation"),
    sample: Borrowed("one draw"),
    noun: Borrowed("sample"),
    is_random: true,
    params: Borrowed(&[
        ParamSpec::choice(
            "law",
            &LAWS,
            "How the faces of both sides depend on each other",
        )
        .or_text("same"),
        ParamSpec::integer("side", (0, 1), "Which of two cells").or_integer(0),
        ParamSpec::number("gone", 0.0..=1.0, "The share without a value on side 1").or_number(0.0),
        ParamSpec::number("away", 0.0..=1.0, "The share without a value on side 0").or_number(0.0),
        ParamSpec::number("cut", 0.0..=1.0, "The face from which on a draw passes").or_number(0.5),
    ]),
    metrics: Borrowed(&[
        Metric::flag("pass", "whether the face is at least the cut"),
        Metric::integer("grade", "", (0, 1_000), "a thousand times the face"),
        Metric::total("load", "", "a waiting time that rises with the face"),
        Metric::integer(
            "crop",
            "",
            (0, 1_000),
            "990 to 1,000, but 0 where it is gone",
        ),
        Metric::rate("kept", "", "all of 1 to 10, but none where it is gone"),
        Metric::rate(
            "most",
            "",
            "1 to 10 and at times one less, but 0 where it is gone",
        ),
        Metric::rate("triple", "", "three times 1 to 10, but 0 where it is gone"),
        Metric::rate(
            "uneven",
            "",
            "all of 1 or, three times in twenty, of 300, but none where it is gone",
        ),
        Metric::rate(
            "double",
            "",
            "all of 1 or 300, but twice as much where it is gone",
        ),
        Metric::rate(
            "wild",
            "",
            "none of a size of infinite variance, but all where it is gone",
        ),
        Metric::rate(
            "twofold",
            "",
            "6/2 or, three times in ten, 150/150, of which none where it is gone",
        ),
        Metric::share("deck", "heads of three tosses, and rarely of 64"),
        Metric::ratio("drift", "", "a deviation of mean 0, over 1 and rarely 90"),
        Metric::total(
            "toll",
            "",
            "twice a waiting time that rises with the face, and rarely 4,000 more",
        ),
        Metric::ratio("flips", "", "heads of one toss, and rarely of 50"),
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(Gap::of(params)?))),
};

const LAWS: [&str; 5] = ["same", "noisy", "mirror", "apart", "top"];

#[derive(Clone, Copy)]
struct Gap {
    law: usize,
    side: i64,
    gone: f64,
    away: f64,
    cut: f64,
}

struct Drawing {
    gap: Gap,
    key: StreamKey,
}

impl Gap {
    fn of(params: &Params) -> Result<Self, ParamError> {
        let law = params.text("law")?;
        Ok(Self {
            law: LAWS.iter().position(|name| *name == law).unwrap_or(0),
            side: params.integer("side")?,
            gone: params.number("gone")?,
            away: params.number("away")?,
            cut: params.number("cut")?,
        })
    }

    /// The face of this side, uniform in 0 to 1, of the one that both share and its own.
    fn face(self, shared: f64, own: f64, mixed: f64) -> f64 {
        match (self.side, LAWS[self.law]) {
            (0, _) | (_, "same" | "top") => shared,
            (_, "mirror") => 1.0 - shared,
            (_, "noisy") if mixed < 0.8 => shared,
            _ => own,
        }
    }
}

impl Task for Gap {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(Drawing {
            gap: *self,
            key: streams.key("gap"),
        })
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        Ok(nothing_to_show())
    }

    fn control(&self) -> Option<Control> {
        Some(Control {
            name: "load",
            over: "the waiting time of the face that both sides share".to_owned(),
            // The largest: a face is less than 1 by 2^-53 at the least.
            limits: (0, 3_674),
        })
    }
}

fn load(face: f64) -> i64 {
    (-100.0 * libm::log(1.0 - face)).floor() as i64
}

/// The mean of `load`: a geometric one.
const LOAD: f64 = 99.500_833_331_944_5;

/// A share whose faces below hold waiting times below 30: the rest waits as much longer.
const LONG: f64 = 0.259_181_779_318_282_1;

/// The probability of a toll of 4,000.
const TOLL: f64 = 0.015;

impl Worker for Drawing {
    fn control(&mut self, index: u64) -> Option<i64> {
        Some(load(unit(&mut self.key.stream(index))))
    }

    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let mut stream = self.key.stream(draw.index);
        let mut next = || unit::<Stream>(&mut stream);
        let (shared, own, mixed, away, size, noise) =
            (next(), next(), next(), next(), next(), next());
        let gap = self.gap;
        let face = gap.face(shared, own, mixed);
        let is_defined = match gap.side {
            0 => away >= gap.away,
            _ if LAWS[gap.law] == "top" => face < 1.0 - gap.gone,
            _ => face >= gap.gone,
        };
        let value = |value: i64| {
            if is_defined {
                Value::Exact(value)
            } else {
                Value::Missing
            }
        };
        let whole = (10.0 * size).floor() as i64 + 1;
        let is_gone = face < gap.gone;
        let ratio = |numerator, denominator| Value::Ratio {
            numerator: if is_gone { 0 } else { numerator },
            denominator,
        };
        row.push(value(i64::from(face >= gap.cut)));
        row.push(value((1_000.0 * face).floor() as i64));
        row.push(value(load(face)));
        row.push(value(if is_gone { 0 } else { 990 + whole }));
        row.push(ratio(whole, whole));
        row.push(ratio(whole - i64::from(noise < 0.3), whole));
        row.push(ratio(3 * whole, whole));
        let uneven = if size < 0.15 { 300 } else { 1 };
        let wild = (10.0 * libm::pow(1.0 - size, -0.8)).floor() as i64;
        let gone = i64::from(is_gone);
        row.push(ratio(uneven, uneven));
        row.push(Value::Ratio {
            numerator: uneven * (1 + gone),
            denominator: uneven,
        });
        row.push(Value::Ratio {
            numerator: wild * gone,
            denominator: wild,
        });
        let large = size < 0.3;
        let (many, few) = (if is_gone { 0 } else { 150 }, 6);
        row.push(Value::Ratio {
            numerator: if large { many } else { few },
            denominator: if large { 150 } else { 2 },
        });
        let tosses = if size < 0.02 { 64 } else { 3 };
        let heads = (0..tosses).filter(|_| next() < 0.5).count() as u64;
        row.push(Value::ratio(heads, tosses));
        let weight = if size > 0.96 { 90 } else { 1 };
        row.push(Value::Ratio {
            numerator: weight * (1_000.0 * (noise - 0.5)).round() as i64,
            denominator: 1_000 * weight,
        });
        row.push(Value::Exact(
            2 * load(face) + 4_000 * i64::from(noise < TOLL),
        ));
        let tosses = if size > 0.98 { 50 } else { 1 };
        let heads = (0..tosses).filter(|_| next() < 0.5).count() as u64;
        row.push(Value::ratio(heads, tosses));
        Ok(())
    }
}

/// The first seed of these rows, which no rule was mended on.
const FIRST_SEED: u64 = 5_000_000;

fn experiment(samples: u64, more: &str) -> Experiment {
    experiment_on("known/gap", samples, more)
}

fn ran(experiment: &Experiment, seed: u64) -> Ran {
    Ran::of(experiment, FIRST_SEED + seed)
}

/// Every place of this kind.
pub fn places(places: &mut Vec<Place>) {
    differences(places);
    places.push(watched());
    claims(places);
    ratios(places);
    uneven_ratios(places);
    adjusted(places);
}

/// A law of faces, a metric by its place and name, what is undefined on either side and its difference
/// of means, and the number of samples.
type Case = (&'static str, usize, &'static str, [f64; 2], f64, u64);

/// Adds the differences of means whose values are not defined on one side.
fn differences(places: &mut Vec<Place>) {
    let half = 0.5 - 0.5 / 0.7;
    let top = libm::exp(-5.52f64);
    let short_of_top = LOAD - (LOAD - top * (552.0 + LOAD)) / (1.0 - top);
    let cases: [Case; 11] = [
        ("same", 0, "pass", [0.3, 0.0], half, 40),
        ("same", 0, "pass", [0.3, 0.3], half, 200),
        ("same", 1, "grade", [0.02, 0.0], -10.0, 200),
        ("same", 1, "grade", [0.3, 0.0], -150.0, 40),
        ("mirror", 1, "grade", [0.3, 0.3], -150.0, 12),
        ("apart", 1, "grade", [0.3, 0.0], -150.0, 200),
        ("same", 2, "load", [LONG, 0.0], -30.0, 40),
        ("noisy", 2, "load", [LONG, 0.3], -30.0, 200),
        ("top", 2, "load", [top, 0.0], short_of_top, 1_000),
        ("same", 3, "crop", [0.02, 0.0], -19.91, 40),
        ("same", 3, "crop", [0.1, 0.0], -99.55, 200),
    ];
    for (law, metric, name, [gone, away], truth, n) in cases {
        let text = format!(
            "[params]\nlaw = \"{law}\"\ngone = {gone}\naway = {away}\n[sweep]\nside = [1, 0]\n"
        );
        let once = experiment(n, &text);
        let name = format!("pairs, {name}, {law}, {gone:.3} and {away} undefined, n = {n}");
        places.push(place(name, n.div_ceil(400), move |seed| {
            let outcome = ran(&once, seed).outcome();
            misses(
                outcome.pairs[0].differences[metric].estimate.interval,
                truth,
            )
        }));
    }
}

/// Looked at again and again: a miss at any look is one.
fn watched() -> Place {
    let text = "[params]\ngone = 0.3\n[sweep]\nside = [1, 0]\n";
    let mut watched = experiment(400, text);
    watched.file.extended_from = vec![25, 50, 100, 200];
    let name = "pairs, grade, same, 0.3 undefined, looks at 25 to 400";
    place(name, 4, move |seed| {
        let mut ran = Ran::before(&watched, FIRST_SEED + seed);
        let mut look = |samples| {
            ran.draw_up_to(samples);
            misses(
                ran.outcome().pairs[0].differences[1].estimate.interval,
                -150.0,
            )
        };
        [25, 50, 100, 200, 400]
            .into_iter()
            .filter_map(&mut look)
            .reduce(|a, b| a || b)
    })
}

/// Claims that are true at their boundary, of a ratio too.
fn claims(places: &mut Vec<Place>) {
    for (holds, n) in [
        ("diff(0, 1).grade <= -150", 40),
        ("diff(0, 1).grade >= -150", 40),
        ("diff(0, 1).kept >= 0", 200),
    ] {
        let text = format!(
            "[params]\ngone = 0.3\n[sweep]\nside = [1, 0]\n\
             [[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"{holds}\"\n"
        );
        let once = experiment(n, &text);
        let name = format!("claim, {holds}, n = {n}");
        places.push(place(name, 1, move |seed| Some(ran(&once, seed).refutes())));
    }
}

/// Ratios whose numerator is almost always as large as it can be.
fn ratios(places: &mut Vec<Place>) {
    for (name, metric, whole, gone, n) in [
        ("kept", 4, 1.0, 0.02, 40),
        ("kept", 4, 1.0, 0.02, 200),
        ("kept", 4, 1.0, 0.005, 1_000),
        ("most", 5, 5.2 / 5.5, 0.02, 200),
        ("triple", 6, 3.0, 0.1, 60),
    ] {
        places.push(ratio((name, metric), gone, n, whole * (1.0 - gone)));
    }
    places.push(compared(("kept", 4), [400, 200]));
}

/// The ratio of one run, whose value is known.
fn ratio((name, metric): (&str, usize), gone: f64, n: u64, truth: f64) -> Place {
    let once = experiment(n, &format!("[params]\ngone = {gone}\n"));
    let name = format!("summary, {name}, p = {gone}, n = {n}");
    place(name, n.div_ceil(400), move |seed| {
        let found = ran(&once, seed).outcome().cells[0][metric];
        misses(found.interval, truth)
    })
}

/// The difference of the ratios of two runs of one law.
fn compared((name, metric): (&str, usize), samples: [u64; 2]) -> Place {
    let [many, few] = samples.map(|n| experiment(n, "[params]\ngone = 0.02\n"));
    let name = format!("compare, {name}, {} and {}", samples[0], samples[1]);
    place(name, 2, move |seed| {
        let (first, second) = (ran(&many, 2 * seed), ran(&few, 2 * seed + 1));
        let sides = (first.measured(metric), second.measured(metric));
        let found = difference_of_runs(sides.0, sides.1, true, Level::DEFAULT);
        misses(found.interval, 0.0)
    })
}

/// Adds ratios whose denominators differ in size, so that the rare sample is often met on small ones alone.
fn uneven_ratios(places: &mut Vec<Place>) {
    for (gone, n) in [(0.02, 150), (0.05, 60), (0.01, 800)] {
        places.push(ratio(("uneven", 7), gone, n, 1.0 - gone));
        places.push(ratio(("double", 8), gone, n, 1.0 + gone));
        places.push(ratio(("wild", 9), 3.0 * gone, n, 3.0 * gone));
    }
    // What no large denominator was met with; shares with limits; few samples that have most of the denominators.
    for (gone, n) in [(0.1, 40), (0.06, 90)] {
        let truth = (0.3 * 150.0 * (1.0 - gone) + 0.7 * 6.0) / (0.3 * 150.0 + 0.7 * 2.0);
        places.push(ratio(("twofold", 10), gone, n, truth));
    }
    for n in [15, 50, 250] {
        places.push(ratio(("deck", 11), 0.0, n, 0.5));
        places.push(ratio(("drift", 12), 0.0, n, 0.0));
    }
    for n in [40, 70, 130, 260] {
        places.push(ratio(("flips", 14), 0.0, n, 0.5));
    }
    places.push(compared(("uneven", 7), [400, 200]));
    places.push(compared(("flips", 14), [400, 200]));
    for holds in ["uneven.mean <= 0.98", "double.mean >= 1.02"] {
        let claim = format!("[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"{holds}\"\n");
        let once = experiment(150, &format!("[params]\ngone = 0.02\n{claim}"));
        let name = format!("claim, {holds}, n = 150");
        places.push(place(name, 1, move |seed| Some(ran(&once, seed).refutes())));
    }
}

/// Means adjusted by a control, with few samples.
fn adjusted(places: &mut Vec<Place>) {
    for (n, name, metric, truth) in [
        (10, "grade", 1, 499.5),
        (14, "grade", 1, 499.5),
        (30, "grade", 1, 499.5),
        (12, "load", 2, LOAD),
        (30, "load", 2, LOAD),
        (36, "toll", 13, 2.0 * LOAD + 4_000.0 * TOLL),
        (150, "toll", 13, 2.0 * LOAD + 4_000.0 * TOLL),
    ] {
        let text = format!(
            "[params]\nlaw = \"noisy\"\nside = 1\n\
             [variance]\ncontrol = \"load\"\nmean = {LOAD}\nerror = 1e-6\n"
        );
        let once = experiment(n, &text);
        let name = format!("summary, {name} with a control, n = {n}");
        places.push(place(name, 1, move |seed| {
            misses(ran(&once, seed).outcome().cells[0][metric].interval, truth)
        }));
    }
}
