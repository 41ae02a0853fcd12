//! The cost of the harness itself: a task that does nothing, and the casino run beside a bare loop
//! over the same deals.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kit::rng::Streams;
use kit::search::Budget;
use lab::run::{
    BlockTally, CompiledExperiment, FinishedBlock, Interrupt, Plan, Run, Silent, Sink, StoredBlocks,
};
use task::{Draw, Metric, Params, Replay, Row, SampleError, Task, Value, Worker, Workspace};

/// A task whose samples cost nothing.
struct Nothing;

const NOTHING: &[Metric] = &[
    Metric::flag("flag", "Always false."),
    Metric::integer("integer", "", (0, 9), "The last digit of the index."),
];

impl Task for Nothing {
    fn worker<'task>(&'task self, _: &Streams, _: &'task mut Workspace) -> Box<dyn Worker + 'task> {
        Box::new(NothingWorker)
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        Ok(Replay::default())
    }
}

struct NothingWorker;

impl Worker for NothingWorker {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        row.push(Value::flag(false));
        row.push(Value::Exact((draw.index % 10) as i64));
        Ok(())
    }
}

/// Encodes every block as the journal does, and forgets it.
struct Encoder;

impl Sink for Encoder {
    fn store(&mut self, block: &FinishedBlock) -> std::io::Result<()> {
        black_box(block.tally.encode());
        Ok(())
    }
}

fn run(compiled: &Arc<CompiledExperiment>, samples: u64, threads: usize) -> BlockTally {
    let run = Run {
        compiled: Arc::clone(compiled),
        plan: Plan::new(samples),
        to: u64::MAX,
        threads,
        keep_samples: false,
        stored: StoredBlocks::default(),
        known: None,
        looks: None,
        race: None,
        interrupt: &Interrupt::new(),
    };
    let (ended, done, tally) = run
        .execute(&mut Encoder, &mut Silent)
        .expect("threads start");
    assert!(ended.completed().is_some());
    assert_eq!(done, samples);
    tally
}

fn casino() -> Arc<CompiledExperiment> {
    let spec = &etude::klondike::GAME.tasks[0];
    let task = spec
        .build(&Params::defaults(&spec.params))
        .expect("defaults build");
    Arc::new(CompiledExperiment::new(
        vec![task],
        &spec.metrics,
        Streams::new(1978),
        Budget::UNLIMITED,
    ))
}

fn bare_loop(compiled: &CompiledExperiment, samples: u64) {
    let (mut workspace, mut rows) = (Workspace::new(), vec![Row::new(); 512]);
    for first in (0..samples).step_by(rows.len()) {
        let drawn = (compiled.source(0)).draw(&mut workspace, first, &mut rows);
        drawn.expect("deals are drawn");
        black_box(&rows);
    }
}

fn nothing(criterion: &mut Criterion) {
    let tasks: Vec<Box<dyn Task>> = vec![Box::new(Nothing)];
    let compiled = CompiledExperiment::new(tasks, NOTHING, Streams::new(1), Budget::UNLIMITED);
    let compiled = Arc::new(compiled);
    let samples = 1_000_000;
    let mut group = criterion.benchmark_group("a task that does nothing, per sample");
    group
        .throughput(Throughput::Elements(samples))
        .sample_size(10);
    group.bench_function("harness, 1 thread", |bencher| {
        bencher.iter(|| run(&compiled, samples, 1));
    });
    group.finish();
}

fn casino_run(criterion: &mut Criterion) {
    let compiled = casino();
    let samples = 51_200;
    let mut group = criterion.benchmark_group("klondike casino, per deal");
    group
        .throughput(Throughput::Elements(samples))
        .sample_size(10);
    group.bench_function("bare loop", |bencher| {
        bencher.iter(|| bare_loop(&compiled, samples));
    });
    for threads in [1, 2] {
        group.bench_function(format!("harness, {threads} threads"), |bencher| {
            bencher.iter(|| run(&compiled, samples, threads));
        });
    }
    group.finish();
}

criterion_group!(benches, nothing, casino_run);
criterion_main!(benches);
