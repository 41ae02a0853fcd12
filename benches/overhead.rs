//! The cost of the harness itself: a task that does nothing, and the casino run beside a bare loop
//! over the same deals.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use experiment::{Experiment, Overrides};
use lab::run::CompiledExperiment;
use task::{Metric, Row, TaskSpec, Value, Workspace};

/// A run of so many samples of the casino.
fn casino(samples: u64) -> Experiment {
    let text = format!(
        "question = 'How long?'\ntask = 'klondike/score'\nseed = 1978\n[stop]\nsamples = {samples}"
    );
    Experiment::parse(&text, "casino.toml", etude::GAMES, &Overrides::default())
        .expect("it is valid")
}

/// A run of so many samples of a task that costs nothing.
fn nothing_at_all(samples: u64) -> Experiment {
    let metrics = vec![
        Metric::flag("flag", "Always false."),
        Metric::integer("integer", "", (0, 9), "Always seven."),
    ];
    let task = TaskSpec::simple("nothing/sample", "Nothing", metrics, |_, row: &mut Row| {
        row.push(Value::flag(false));
        row.push(Value::Exact(7));
    });
    let text = format!(
        "question = 'How long?'\ntask = 'nothing/sample'\nseed = 1\n[stop]\nsamples = {samples}"
    );
    Experiment::of_task(task, &text).expect("it is valid")
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
    let samples = 1_000_000;
    let experiment = nothing_at_all(samples);
    let mut group = criterion.benchmark_group("a task that does nothing, per sample");
    group
        .throughput(Throughput::Elements(samples))
        .sample_size(10);
    group.bench_function("harness, 1 thread", |bencher| {
        bencher.iter(|| lab::run(&experiment, 1));
    });
    group.finish();
}

fn casino_run(criterion: &mut Criterion) {
    let samples = 51_200;
    let experiment = casino(samples);
    let compiled = CompiledExperiment::of_experiment(&experiment).expect("defaults build");
    let mut group = criterion.benchmark_group("klondike casino, per deal");
    group
        .throughput(Throughput::Elements(samples))
        .sample_size(10);
    group.bench_function("bare loop", |bencher| {
        bencher.iter(|| bare_loop(&compiled, samples));
    });
    for threads in [1, 2] {
        group.bench_function(format!("harness, {threads} threads"), |bencher| {
            bencher.iter(|| lab::run(&experiment, threads));
        });
    }
    group.finish();
}

criterion_group!(benches, nothing, casino_run);
criterion_main!(benches);
