//! Matches and perft beside a naive rules engine.

#[path = "../../tests/foxes_naive/mod.rs"]
mod foxes_naive;

use criterion::{Criterion, Throughput};
use etude::games::GAMES;
use etude::games::foxes::perft::Perft;
use etude::games::foxes::rules::Rules;
use etude::rng::{Streams, below};
use etude::search::Budget;
use etude::task::{Draw, ParamSpec, Params, Row, Task, TaskSpec, Value};

fn task(name: &str, settings: &[(&str, &str)]) -> Box<dyn Task> {
    let specs = GAMES.iter().flat_map(|game| game.tasks);
    let spec: &TaskSpec = specs.into_iter().find(|spec| spec.name == name).unwrap();
    let defaults: &[ParamSpec] = spec.params;
    let params = settings
        .iter()
        .fold(Params::defaults(defaults), |params, (key, value)| {
            params.with_text(key, value)
        });
    (spec.build)(&params).unwrap()
}

/// Foxes' wins in samples `0..count`.
fn fox_wins(task: &dyn Task, count: u64) -> i64 {
    let mut worker = task.worker(&Streams::new(1));
    let mut row = Row::new();
    let mut wins = 0;
    for index in 0..count {
        row.clear();
        let budget = Budget::UNLIMITED;
        worker.sample(Draw { index, budget }, &mut row);
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
    group.finish();
}
