//! What the harness itself costs: a task that does nothing, and the casino run beside a bare loop
//! over the same deals.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use etude::klondike;
use lab::harness::{
    BlockTally, Ended, FinishedBlock, Interrupt, Laboratory, Plan, Run, Silent, Sink, SinkError,
    Stored,
};
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Draw, Metric, Params, Replay, Row, Task, Value, Worker};

/// A task whose samples cost nothing.
struct Nothing;

const NOTHING: &[Metric] = &[
    Metric::flag("flag", "Always false."),
    Metric::integer("integer", "", (0, 9), "The last digit of the index."),
];

impl Task for Nothing {
    fn worker<'task>(&'task self, _: &Streams) -> Box<dyn Worker + 'task> {
        Box::new(NothingWorker)
    }

    fn replay(&self, _: &Streams, _: Draw) -> Replay {
        Replay::default()
    }
}

struct NothingWorker;

impl Worker for NothingWorker {
    fn sample(&mut self, draw: Draw, row: &mut Row) {
        row.push(Value::flag(false));
        row.push(Value::Exact((draw.index % 10) as i64));
    }
}

/// Encodes every block as the journal does, and forgets it.
struct Encoder;

impl Sink for Encoder {
    fn store(&mut self, block: &FinishedBlock) -> Result<(), SinkError> {
        black_box(block.tally.encode());
        Ok(())
    }
}

fn run(laboratory: &Arc<Laboratory>, samples: u64, threads: usize) -> BlockTally {
    let run = Run {
        laboratory: Arc::clone(laboratory),
        plan: Plan::new(samples),
        until: None,
        threads,
        keep_samples: false,
        stored: Stored::default(),
        settled: None,
        interrupt: &Interrupt::new(),
    };
    let (ended, done, tally) = run
        .execute(&mut Encoder, &mut Silent)
        .expect("threads start");
    assert!(matches!(ended, Ended::Complete));
    assert_eq!(done, samples);
    tally
}

fn casino() -> Arc<Laboratory> {
    let spec = &klondike::GAME.tasks[0];
    let task = (spec.build)(&Params::defaults(spec.params)).expect("defaults build");
    Arc::new(Laboratory::new(
        vec![task],
        spec.metrics,
        Streams::new(1978),
        Budget::UNLIMITED,
    ))
}

fn bare_loop(laboratory: &Laboratory, samples: u64) {
    let mut worker = laboratory.task(0).worker(laboratory.streams());
    let mut row = Row::new();
    for index in 0..samples {
        laboratory.draw_with(0, worker.as_mut(), index, &mut row);
        black_box(&row);
    }
}

fn nothing(criterion: &mut Criterion) {
    let tasks: Vec<Box<dyn Task>> = vec![Box::new(Nothing)];
    let laboratory = Laboratory::new(tasks, NOTHING, Streams::new(1), Budget::UNLIMITED);
    let laboratory = Arc::new(laboratory);
    let samples = 1_000_000;
    let mut group = criterion.benchmark_group("a task that does nothing, per sample");
    group
        .throughput(Throughput::Elements(samples))
        .sample_size(10);
    group.bench_function("harness, 1 thread", |bencher| {
        bencher.iter(|| run(&laboratory, samples, 1));
    });
    group.finish();
}

fn casino_run(criterion: &mut Criterion) {
    let laboratory = casino();
    let samples = 50_000;
    let mut group = criterion.benchmark_group("klondike casino, per deal");
    group
        .throughput(Throughput::Elements(samples))
        .sample_size(10);
    group.bench_function("bare loop", |bencher| {
        bencher.iter(|| bare_loop(&laboratory, samples));
    });
    for threads in [1, 2] {
        group.bench_function(format!("harness, {threads} threads"), |bencher| {
            bencher.iter(|| run(&laboratory, samples, threads));
        });
    }
    group.finish();
}

criterion_group!(benches, nothing, casino_run);
criterion_main!(benches);
