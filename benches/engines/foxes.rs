//! Matches and perft beside a naive rules engine.

#[path = "../../games/foxes/tests/naive/mod.rs"]
mod foxes_naive;

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput};
use etude::GAMES;
use etude::foxes::proof::{Proof, Terms};
use foxes::board::CROSS;
use foxes::perft::Perft;
use foxes::rules::Rules;
use foxes::solved::retrograde::{Shape, Tablebase};
use kit::rng::{Streams, below};
use kit::search::Budget;
use task::{Draw, ParamSpec, Params, Row, Task, TaskSpec, Value, Workspace};
use tempfile::TempDir;

fn task(name: &str, settings: &[(&str, &str)]) -> Box<dyn Task> {
    let specs = GAMES.iter().flat_map(|game| game.tasks);
    let spec: &TaskSpec = specs.into_iter().find(|spec| spec.name == name).unwrap();
    let defaults: &[ParamSpec] = &spec.params;
    let params = settings
        .iter()
        .fold(Params::defaults(defaults), |params, (key, value)| {
            params.with_text(key, value)
        });
    spec.build(&params).unwrap()
}

/// Foxes' wins in samples `0..count`.
fn fox_wins(task: &dyn Task, count: u64) -> i64 {
    let mut workspace = Workspace::new();
    let mut worker = task.worker(&Streams::new(1), &mut workspace);
    let mut row = Row::new();
    let mut wins = 0;
    for index in 0..count {
        row.clear();
        let budget = Budget::UNLIMITED;
        worker.sample(Draw { index, budget }, &mut row).unwrap();
        if let Some(Value::Exact(win)) = row.values().first() {
            wins += win;
        }
    }
    wins
}

fn naive_wins(fox: &str, count: u64) -> i64 {
    let mut stream = Streams::new(1).key("naive").stream(0);
    let mut pick = |bound: usize| below(&mut stream, bound as u64) as usize;
    let (fox, hens): (foxes_naive::Player, foxes_naive::Player) = match fox {
        "random" => (foxes_naive::naive_random, foxes_naive::naive_random),
        _ => (foxes_naive::naive_arsac, foxes_naive::naive_safe),
    };
    let wins =
        (0..count).filter(|_| foxes_naive::naive_match(fox, hens, &mut pick).0 == Some(true));
    wins.count() as i64
}

pub fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("foxes");
    for (fox, hens, count) in [("random", "random", 1_000), ("arsac", "safe", 200)] {
        let task = task("foxes/match", &[("fox", fox), ("hens", hens)]);
        let share = |wins: i64| wins as f64 / count as f64;
        let gap = share(fox_wins(&*task, count)) - share(naive_wins(fox, count));
        assert!(gap.abs() < 0.15, "both engines play the same game");
        group.throughput(Throughput::Elements(count));
        group.bench_function(format!("{fox} against {hens}"), |bench| {
            bench.iter(|| fox_wins(&*task, count));
        });
        group.bench_function(format!("{fox} against {hens}, naive"), |bench| {
            bench.iter(|| naive_wins(fox, count));
        });
    }
    let moves = |depth: usize| {
        Perft::new(&Rules::ARSAC, &Rules::ARSAC.start())
            .nth(depth - 1)
            .unwrap()
            .moves
    };
    assert_eq!(moves(7), 120_040);
    group.throughput(Throughput::Elements(moves(11) as u64));
    group.bench_function("perft to depth 11", |bench| bench.iter(|| moves(11)));
    one_layer(&mut group);
    group.finish();
}

/// Positions with 19 hens at height 76, the hens to move, and those they win if no hen may be eaten
/// (results/foxes-solved/layers.csv).
const LAYER: (u64, u64) = (505_414, 481_061);

/// One layer of the full board by both exact engines, on one thread. The proof judges the hens'
/// turns and writes its file; the plain engine judges both sides' turns, with distances.
fn one_layer(group: &mut BenchmarkGroup<'_, WallTime>) {
    let shape = |height| Shape { hens: 19, height };
    let mut plain = Tablebase::new(Rules::ARSAC);
    // No layer with fewer hens is solved, so hens that lose one win nothing here either.
    for height in (77..=79).rev() {
        plain.solve(shape(height));
    }
    assert!(plain.solve(shape(76)).hens_win > 0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let (positions, won) = LAYER;
    group
        .sample_size(10)
        .throughput(Throughput::Elements(positions));
    group.bench_function("a layer, plain engine", |bench| {
        bench.iter(|| plain.solve(shape(76)))
    });
    group.bench_function("a layer, proof", |bench| {
        bench.iter_batched(
            || before_the_layer(&pool),
            |(folder, mut proof)| {
                let record = pool.install(|| proof.solve_next().unwrap().cloned().unwrap());
                assert_eq!((record.positions, record.won), (positions, won));
                (folder, proof)
            },
            BatchSize::PerIteration,
        );
    });
}

/// A proof whose next layer has 19 hens at height 76.
fn before_the_layer(pool: &rayon::ThreadPool) -> (TempDir, Proof) {
    let folder = tempfile::tempdir().unwrap();
    let mut proof = Proof::open(folder.path(), Terms::new(&CROSS, 1).unwrap()).unwrap();
    for _ in 77..=79 {
        pool.install(|| proof.solve_next().unwrap().is_some());
    }
    (folder, proof)
}
