//! A coin as a game: the fake behind the seam, so that configuration and harness are tested
//! without a real game. Its expectations are known, its samples cost nothing, and a chosen share
//! of them stays unresolved.

use crate::{
    Build, Control, Draw, Frame, GameSpec, Metric, ParamError, ParamSpec, Params, Replay, Row,
    SampleError, Task, TaskSpec, Truth, Value, Worker, Workspace,
};
use kit::rng::{StreamKey, Streams, unit};
use std::borrow::Cow::Borrowed;

/// Heads in a row are counted up to here.
const LONGEST_RUN: i64 = 20;

/// The registry of tests.
pub const GAMES: &[&GameSpec] = &[&GAME];

/// The coin.
pub static GAME: GameSpec = GameSpec {
    name: "coin",
    summary: "A coin that is flipped until it shows tails.",
    tasks: &[FLIP, SPIN],
    verbs: &[],
    players: &[],
};

const FLIP: TaskSpec = TaskSpec {
    name: Borrowed("coin/flip"),
    summary: Borrowed("How often heads comes first, and how long it lasts."),
    sample: Borrowed("one run of flips up to the first tails"),
    noun: Borrowed("sample"),
    is_random: true,
    params: Borrowed(&[P, FACE, ENGRAVING, UNRESOLVED]),
    metrics: Borrowed(METRICS),
    contest: None,
    build: Build::By(CoinTask::build),
};

const SPIN: TaskSpec = TaskSpec {
    name: Borrowed("coin/spin"),
    summary: Borrowed("A flip after a number of turns."),
    sample: Borrowed("one spin"),
    noun: Borrowed("sample"),
    is_random: true,
    params: Borrowed(&[TURNS, FAIR]),
    metrics: Borrowed(METRICS),
    contest: None,
    build: Build::By(CoinTask::build),
};

const METRICS: &[Metric] = &[
    Metric::flag("heads", "Whether the first flip shows heads."),
    Metric::integer(
        "run",
        "flips",
        (0, LONGEST_RUN),
        "Heads before the first tails.",
    ),
    Metric::total("nodes", "flips", "Flips made."),
];

const P: ParamSpec = ParamSpec::number("p", 0.0..=1.0, "The probability of heads.").or_number(0.5);

const FACE: ParamSpec = ParamSpec::choice(
    "face",
    &["heads", "tails"],
    "The face that counts as heads.",
)
.or_text("heads");

const ENGRAVING: ParamSpec = ParamSpec::text(
    "engraving",
    "What is written on the rim, at most eight letters.",
)
.or_text("");

const UNRESOLVED: ParamSpec = ParamSpec::number(
    "unresolved",
    0.0..=1.0,
    "The share of samples that are lost from view.",
)
.or_number(0.0);

const TURNS: ParamSpec = ParamSpec::integer("turns", (1, 100), "Turns before the flip.");

const FAIR: ParamSpec = ParamSpec::flag("fair", "Whether both faces are as likely.").or_flag(true);

/// A coin with its parameters fixed.
struct CoinTask {
    heads: f64,
    unresolved: f64,
}

impl CoinTask {
    fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
        let engraving = params.text("engraving").unwrap_or_default();
        if engraving.chars().count() > 8 {
            return Err(ParamError::new(
                "engraving",
                format!("the engraving `{engraving}` does not fit on the rim"),
                "give at most eight letters",
            ));
        }
        let p = params.number("p").unwrap_or(0.5);
        let tails = params.text("face") == Ok("tails");
        Ok(Box::new(CoinTask {
            heads: if tails { 1.0 - p } else { p },
            unresolved: params.number("unresolved").unwrap_or(0.0),
        }))
    }
}

impl Task for CoinTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(Flipper {
            coin: self,
            flips: streams.key("flip"),
            losses: streams.key("loss"),
        })
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut row = Row::new();
        self.worker(streams, &mut Workspace::new())
            .sample(draw, &mut row)?;
        Ok(Replay {
            instance: format!("sample {}", draw.index),
            frames: vec![Frame::text("flip", format!("{:?}", row.values()))],
            outcome: "The coin fell.".to_owned(),
        })
    }

    /// Half of all first flips land low; how many do may be said to be unknown.
    fn control(&self) -> Option<Control> {
        Some(Control {
            name: "low",
            over: "how often the first flip's number is below a half, of any coin".to_owned(),
            limits: (0, 1),
        })
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        (metric == "heads").then(|| Truth {
            value: self.heads,
            source: "the coin's own parameter".to_owned(),
        })
    }
}

struct Flipper<'task> {
    coin: &'task CoinTask,
    flips: StreamKey,
    losses: StreamKey,
}

impl Worker for Flipper<'_> {
    fn control(&mut self, index: u64) -> Option<i64> {
        Some(i64::from(unit(&mut self.flips.stream(index)) < 0.5))
    }

    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let mut flips = self.flips.stream(draw.index);
        let mut meter = draw.budget.meter();
        let mut run = 0;
        let ended = loop {
            if run == LONGEST_RUN {
                break true;
            }
            if !meter.spend() {
                break false;
            }
            if unit(&mut flips) >= self.coin.heads {
                break true;
            }
            run += 1;
        };
        let lost = unit(&mut self.losses.stream(draw.index)) < self.coin.unresolved;
        let (lower, upper) = match (lost, ended) {
            (true, _) => (0, LONGEST_RUN),
            (false, true) => (run, run),
            (false, false) => (run, LONGEST_RUN),
        };
        row.push(Value::flag_bounds(lower > 0, upper > 0));
        row.push(Value::bounds(lower, upper));
        row.push(Value::Exact(meter.spent() as i64));
        Ok(())
    }
}
