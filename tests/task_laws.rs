//! Laws that every registered task obeys, whatever its game: with its default parameters and in
//! the first cells of every experiment file of the project.

#[path = "support/experiments.rs"]
mod experiments;

use std::borrow::Cow;
use std::sync::OnceLock;

use etude::GAMES;
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Draw, Metric, MetricKind, Params, Row, Task, TaskSpec, Value, Workspace};

/// Seed of all samples drawn here.
const SEED: u64 = 20_251_120;
/// Enough to tell whether a sample depends on what was drawn before.
const SAMPLES: u64 = 3;
/// Cells of an experiment; later ones differ in the same parameters.
const CELLS: usize = 3;
/// What a sample may cost here at most; harder ones stay unresolved and obey the same laws.
const LARGE: Budget = Budget::nodes(5_000);
const TINY: Budget = Budget::nodes(1);

/// A task with its parameters, and where they come from.
struct Subject {
    name: String,
    spec: Cow<'static, TaskSpec>,
    task: Box<dyn Task>,
    large: OnceLock<Vec<Row>>,
}

impl Subject {
    fn new(name: String, spec: Cow<'static, TaskSpec>, task: Box<dyn Task>) -> Self {
        let large = OnceLock::new();
        Self {
            name,
            spec,
            task,
            large,
        }
    }

    /// Its first samples, drawn once for all laws.
    fn samples(&self) -> &[Row] {
        self.large
            .get_or_init(|| rows(self, SEED, LARGE, 0..SAMPLES))
    }
}

#[test]
fn rows_hold_one_fitting_value_per_metric() {
    for subject in subjects() {
        let tiny = rows(subject, SEED, TINY, 0..SAMPLES);
        for row in subject.samples().iter().chain(&tiny) {
            check_row(subject, row);
        }
    }
}

#[test]
fn a_sample_does_not_depend_on_what_was_drawn_before() {
    for subject in subjects() {
        let forwards = subject.samples();
        let mut backwards = rows(subject, SEED, LARGE, (0..SAMPLES).rev());
        backwards.reverse();
        assert_eq!(forwards, &backwards[..], "{}: order matters", subject.name);
        for (index, row) in (0..).zip(forwards) {
            let alone = rows(subject, SEED, LARGE, [index]);
            assert_eq!(
                alone.first(),
                Some(row),
                "{}: sample {index} alone",
                subject.name
            );
        }
    }
}

#[test]
fn a_sample_does_not_depend_on_the_budgets_before_it() {
    let streams = Streams::new(SEED);
    for subject in subjects() {
        let mut workspace = Workspace::new();
        let mut worker = subject.task.worker(&streams, &mut workspace);
        let mut row = Row::new();
        for (index, expected) in (0..).zip(subject.samples()) {
            for budget in [TINY, LARGE] {
                row.clear();
                worker.sample(Draw { index, budget }, &mut row).unwrap();
            }
            assert_eq!(row, *expected, "{}: sample {index}", subject.name);
        }
    }
}

/// Matches of players that draw nothing are alike too, which the first seed shows.
#[test]
fn other_seeds_draw_other_samples() {
    for subject in subjects() {
        let first = subject.samples();
        let random = first.iter().any(|row| *row != first[0]);
        assert!(
            !random || subject.spec.chance,
            "{}: there is chance in it",
            subject.name
        );
        let differs = || (1..=8).any(|seed| rows(subject, seed, LARGE, 0..SAMPLES) != first);
        assert!(
            !random || differs(),
            "{}: the seed is ignored",
            subject.name
        );
    }
}

/// What such a task says is reported as exact, whatever the seed.
#[test]
fn tasks_without_chance_repeat_themselves() {
    let mut alike = subjects().iter().filter(|subject| !subject.spec.chance);
    assert!(alike.clone().count() >= 2, "queens and pegs have one each");
    assert!(alike.all(|subject| rows(subject, SEED + 1, LARGE, 0..SAMPLES) == subject.samples()));
}

#[test]
fn replays_are_told_the_same_way_every_time() {
    let streams = Streams::new(SEED);
    for subject in subjects() {
        for budget in [LARGE, TINY] {
            let draw = Draw { index: 1, budget };
            let tell = || subject.task.replay(&streams, draw).unwrap();
            let replay = tell();
            assert_eq!(replay, tell(), "{}", subject.name);
            assert!(!replay.instance.is_empty(), "{}: no instance", subject.name);
            assert!(!replay.outcome.is_empty(), "{}: no outcome", subject.name);
        }
    }
}

/// What a budget of one node leaves open contains what a large budget finds. Totals count work,
/// which grows with the budget, and are left out; so are values the large budget leaves open.
#[test]
fn bounds_under_a_tiny_budget_contain_the_value() {
    for subject in subjects() {
        let tiny = rows(subject, SEED, TINY, 0..SAMPLES);
        for (tiny, large) in tiny.iter().zip(subject.samples()) {
            let values = tiny.values().iter().zip(large.values());
            for (metric, (&tiny, &large)) in subject.spec.metrics.iter().zip(values) {
                check_containment(subject, metric, tiny, large);
            }
        }
    }
}

/// Every task with its defaults, and the first cells of every experiment file.
fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(build_subjects)
}

fn build_subjects() -> Vec<Subject> {
    let specs = GAMES.iter().flat_map(|game| game.tasks);
    let defaults = specs.filter_map(|spec| {
        let params = Params::defaults(&spec.params);
        let complete = spec
            .params
            .iter()
            .all(|param| params.get(&param.name).is_some());
        let name = format!("{} by default", spec.name);
        complete.then(|| Subject::new(name, Cow::Borrowed(spec), spec.build(&params).unwrap()))
    });
    let cells = experiments::all().into_iter().flat_map(|experiment| {
        let spec = experiment.task;
        let name = experiment.name;
        let cells = experiment.cells.into_iter().take(CELLS);
        cells.map(move |cell| {
            let name = format!("{name}, cell {}", cell.name);
            let task = cell.build(&spec).unwrap();
            Subject::new(name, spec.clone(), task)
        })
    });
    defaults.chain(cells).collect()
}

/// The samples of one worker, in the order of `indices`.
fn rows(
    subject: &Subject,
    seed: u64,
    budget: Budget,
    indices: impl IntoIterator<Item = u64>,
) -> Vec<Row> {
    let streams = Streams::new(seed);
    let mut workspace = Workspace::new();
    let mut worker = subject.task.worker(&streams, &mut workspace);
    let mut sample = |index| {
        let mut row = Row::new();
        worker.sample(Draw { index, budget }, &mut row).unwrap();
        row
    };
    indices.into_iter().map(&mut sample).collect()
}

fn check_row(subject: &Subject, row: &Row) {
    let metrics = &subject.spec.metrics;
    assert_eq!(row.values().len(), metrics.len(), "{}", subject.name);
    for (metric, value) in metrics.iter().zip(row.values()) {
        let fits = metric.admits(*value);
        assert!(fits, "{}: {} is {value:?}", subject.name, metric.name);
    }
}

fn check_containment(subject: &Subject, metric: &Metric, tiny: Value, large: Value) {
    let (Value::Bounds { lower, upper }, Value::Exact(value)) = (tiny, large) else {
        return;
    };
    assert!(
        (lower..=upper).contains(&value) || metric.kind == MetricKind::Total,
        "{}: {} is {value}, not within {lower} to {upper}",
        subject.name,
        metric.name
    );
}
