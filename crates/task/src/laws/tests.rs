//! Tasks that break one law each.

use std::borrow::Cow::Borrowed;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::{Build, Frame, ParamError, Replay, Worker, coin, worker_of};
use kit::rng::{StreamKey, below, unit};
use kit::search::Weight;

/// The fault of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Beyond,
    Carries,
    Leftovers,
    Remembers,
    Batch,
    Seedless,
    NoChanceVaries,
    NoChanceSeed,
    FixedVaries,
    Constant,
    Outside,
    IgnoresBudget,
    ReplayVaries,
    NoInstance,
    NoOutcome,
    Undrawn,
}

/// Scores from 0 to 9, bounded by a budget below five nodes, and the nodes that they took.
struct Faulty(Fault, AtomicU64);

struct FaultyWorker {
    fault: Fault,
    score: StreamKey,
    /// Workers before it in the workspace.
    before: u64,
    drawn: u64,
    tried: Option<Budget>,
}

impl Task for Faulty {
    fn worker<'a>(
        &'a self,
        streams: &Streams,
        workspace: &'a mut Workspace,
    ) -> Box<dyn Worker + 'a> {
        let before = workspace.borrow::<u64>();
        *before += 1;
        Box::new(FaultyWorker {
            fault: self.0,
            score: streams.key("score"),
            before: *before - 1,
            drawn: 0,
            tried: None,
        })
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        (self.0 == Fault::IgnoresBudget).then_some("none is needed")
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        let told = self.1.fetch_add(1, Ordering::Relaxed);
        let said = |fault, text: &str| {
            let text = if self.0 == fault { "" } else { text };
            text.to_owned()
        };
        let at = if self.0 == Fault::ReplayVaries {
            told
        } else {
            0
        };
        Ok(Replay {
            instance: said(Fault::NoInstance, "a score"),
            frames: vec![Frame::text(at.to_string(), "")],
            outcome: said(Fault::NoOutcome, "it came"),
        })
    }
}

impl Worker for FaultyWorker {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        use Fault::*;
        if self.fault == Undrawn && draw.index == 2 {
            return Err(SampleError::new(draw.index, "it is lost"));
        }
        let drawn = below(&mut self.score.stream(draw.index), 9) as i64;
        let score = match self.fault {
            Beyond => 10,
            Carries => self.drawn as i64,
            Leftovers if self.before >= 2 => 9,
            Remembers if self.tried.is_some_and(|tried| tried != draw.budget) => 9,
            Seedless | NoChanceVaries => draw.index as i64,
            Constant => 4,
            NoChanceSeed => below(&mut self.score.stream(0), 9) as i64,
            _ => drawn,
        };
        self.drawn += 1;
        self.tried = Some(draw.budget);
        let least = score + i64::from(self.fault == Outside);
        let is_solved = draw.budget >= LARGE;
        row.push(if is_solved {
            Value::Exact(score)
        } else {
            Value::bounds(least, 9.min(score + 3))
        });
        // How much work there is, a small budget does not tell.
        row.push(if is_solved {
            Value::Exact(20)
        } else {
            Value::bounds(1, 2)
        });
        row.without_chance = self.fault == FixedVaries && draw.index == 1;
        Ok(())
    }

    fn batch(&mut self, first: Draw, rows: &mut [Row]) -> Result<(), SampleError> {
        for (row, index) in rows.iter_mut().zip(first.index..) {
            let other = u64::from(self.fault == Fault::Batch);
            self.sample(
                Draw {
                    index: index + other,
                    ..first
                },
                row,
            )?;
        }
        Ok(())
    }
}

const METRICS: &[Metric] = &[
    Metric::integer("score", "", (0, 9), "Score."),
    Metric::total("nodes", "", "Nodes."),
];

fn spec(name: &'static str, metrics: &'static [Metric], build: Build) -> TaskSpec {
    TaskSpec {
        name: Borrowed(name),
        summary: Borrowed("A task"),
        sample: Borrowed("a sample"),
        noun: Borrowed("sample"),
        is_random: true,
        params: Borrowed(&[]),
        metrics: Borrowed(metrics),
        contest: None,
        build,
    }
}

#[test]
fn a_task_with_one_fault_breaks_the_law_against_it() {
    for (fault, law) in [
        (Fault::None, ""),
        (Fault::Constant, ""),
        (Fault::Beyond, "metric `score` is 10, not within 0 to 9"),
        (Fault::Carries, "a sample depends on those drawn before it"),
        (Fault::Leftovers, "sample 0 changes when it is drawn alone"),
        (
            Fault::Remembers,
            "sample 0 depends on a budget that was tried before",
        ),
        (
            Fault::Batch,
            "samples drawn in a batch differ from samples drawn one by one",
        ),
        (Fault::Seedless, "the seed is ignored"),
        (Fault::NoChanceVaries, "it declares no chance, and varies"),
        (Fault::NoChanceSeed, "it declares no chance, and varies"),
        (
            Fault::FixedVaries,
            "a sample without chance is not the only one",
        ),
        (Fault::Outside, "score is "),
        (
            Fault::IgnoresBudget,
            "a budget changes its samples, and it says that it ignores one",
        ),
        (Fault::ReplayVaries, "a replay is told in two ways"),
        (
            Fault::NoInstance,
            "a replay tells no instance or no outcome",
        ),
        (Fault::NoOutcome, "a replay tells no instance or no outcome"),
        (Fault::Undrawn, "sample 2: it is lost"),
    ] {
        let build =
            move |_: &Params| Ok(Box::new(Faulty(fault, AtomicU64::new(0))) as Box<dyn Task>);
        let mut spec = spec("a/b", METRICS, Build::With(std::sync::Arc::new(build)));
        spec.is_random = !matches!(fault, Fault::NoChanceVaries | Fault::NoChanceSeed);
        let checked = check_task(&spec, &Params::new());
        let broken = checked.err().map_or(String::new(), |breach| {
            assert_eq!(breach.to_string(), format!("a/b: {}", breach.law));
            breach.law
        });
        assert!(
            broken.starts_with(law) && broken.is_empty() == law.is_empty(),
            "{fault:?}: {broken}"
        );
    }
}

/// The coin's second task has a parameter without a default, and is left out.
#[test]
fn a_game_keeps_the_laws_if_each_task_that_can_be_built_does() {
    static FAULTY: GameSpec = GameSpec {
        name: "a",
        summary: "",
        tasks: &[TaskSpec {
            name: Borrowed("a/unbuilt"),
            summary: Borrowed(""),
            sample: Borrowed(""),
            noun: Borrowed(""),
            is_random: true,
            params: Borrowed(&[]),
            metrics: Borrowed(&[]),
            contest: None,
            build: Build::By(|_| Err(ParamError::new("side", "there is no side", ""))),
        }],
        verbs: &[],
        players: &[],
    };
    assert_eq!(check(&coin::GAME), Ok(()));
    assert_eq!(
        check(&FAULTY).unwrap_err().to_string(),
        "a/unbuilt: there is no side"
    );
}

/// A number of equal chances from 0 to 1 as values of each kind; what is said of one of them.
struct Known {
    metric: &'static str,
    mean: Option<f64>,
    support: Option<(f64, f64)>,
    is_trusted: bool,
}

impl Task for Known {
    fn worker<'a>(&'a self, streams: &Streams, _: &'a mut Workspace) -> Box<dyn Worker + 'a> {
        let key = streams.key("number");
        worker_of(move |draw, row| {
            let number = unit(&mut key.stream(draw.index));
            row.push(Value::flag(number < 0.5));
            row.push(Value::Exact((number * 6.0) as i64));
            row.push(Value::Exact((number * 100.0) as i64));
            row.push(Value::ratio((number * 10.0) as u64, 10));
            row.push(Value::Weight(Weight::new(1.0 + number)));
            Ok(())
        })
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        Ok(Replay::default())
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let value = self.mean.filter(|_| metric == self.metric)?;
        Some(Truth {
            value,
            source: "known".to_owned(),
        })
    }

    fn support(&self, metric: &str) -> Option<Support> {
        let (least, most) = self.support.filter(|_| metric == self.metric)?;
        Some(Support {
            least,
            most,
            source: "known".to_owned(),
        })
    }

    fn mean_untrustworthy(&self, _: &str) -> bool {
        !self.is_trusted
    }
}

const NUMBERS: &[Metric] = &[
    Metric::flag("heads", ""),
    Metric::integer("face", "", (0, 6), "").with_denominator(2),
    Metric::number("wait", "s", 2, ""),
    Metric::rate("rate", "", ""),
    Metric::weight("size", "", ""),
];

/// The law that is broken by what is said of a metric, if any.
fn broken(known: Known, is_random: bool) -> Option<String> {
    let task: &dyn Task = &known;
    let mut spec = spec("a/numbers", NUMBERS, Build::By(|_| unreachable!()));
    spec.is_random = is_random;
    TestedTask { spec: &spec, task }.check_truths().err()
}

#[test]
fn a_mean_that_samples_contradict_breaks_a_law_in_the_unit_of_its_metric() {
    let said = |metric, mean, is_trusted| Known {
        metric,
        mean: Some(mean),
        support: None,
        is_trusted,
    };
    for (metric, mean) in [
        ("heads", 0.5),
        ("face", 1.25),
        ("wait", 0.495),
        ("rate", 0.45),
        ("size", 1.5),
    ] {
        assert_eq!(broken(said(metric, mean, true), true), None, "{metric}");
        for wrong in [0.85 * mean, 1.15 * mean] {
            let law = broken(said(metric, wrong, true), true).unwrap();
            let told = format!(
                "the exact mean of {metric} is said to be {wrong} (known), and 2000 samples have "
            );
            assert!(law.starts_with(&told), "{law}");
            assert_eq!(broken(said(metric, wrong, false), true), None);
            assert_eq!(broken(said(metric, wrong, true), false), None);
        }
    }
}

#[test]
fn samples_beyond_what_is_said_to_be_the_ends_break_a_law() {
    let said = |metric, least, most| Known {
        metric,
        mean: None,
        support: Some((least, most)),
        is_trusted: true,
    };
    assert_eq!(broken(said("face", 0.0, 2.5), true), None);
    assert_eq!(
        broken(said("wait", 0.9, 0.1), true),
        None,
        "sums have no ends to compare"
    );
    for (least, most) in [(0.0, 2.0), (0.5, 2.5)] {
        let law = broken(said("face", least, most), true).unwrap();
        let told = format!(
            "face is said to be from {least} to {most} (known), and samples are from 0 to 2.5"
        );
        assert_eq!(law, told);
    }
}
