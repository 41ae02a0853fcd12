//! Queens: the automaton's versions beside the counter by bit masks, and the tree's profile.

use criterion::{Criterion, Throughput};
use kit::rng::Streams;
use kit::search::estimate::Estimator;
use queens::automaton::{Version, run};
use queens::bitmask::{count, tree_profile};
use queens::tree::QueensTree;
use strum::IntoEnumIterator;

/// Ten queens by every algorithm, and fourteen by the fastest.
pub fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queens");
    group.sample_size(10);
    group.throughput(Throughput::Elements(724));
    for version in Version::iter() {
        assert_eq!(run(version, 10, &mut |_| {}).solutions, 724);
        group.bench_function(format!("{}-10", version.as_ref()), |bencher| {
            bencher.iter(|| run(version, 10, &mut |_| {}))
        });
    }
    assert_eq!(count(10).solutions, 724);
    group.bench_function("bitmask-10", |bencher| bencher.iter(|| count(10)));
    for (n, solutions) in [(14, 365_596), (15, 2_279_184), (16, 14_772_512)] {
        group.throughput(Throughput::Elements(solutions));
        assert_eq!(count(n).solutions, solutions);
        group.bench_function(format!("bitmask-{n}"), |bencher| bencher.iter(|| count(n)));
    }
    group.throughput(Throughput::Elements(365_596));
    assert_eq!(tree_profile(14).last(), Some(&365_596));
    group.bench_function("tree-14", |bencher| bencher.iter(|| tree_profile(14)));
    group.finish();
}

/// Seed 27: the solutions of 27 queens from one population of 10,000. Its standard deviation is
/// about 4 % of them, so 0.3 % takes 180 times as long.
pub fn estimate(criterion: &mut Criterion) {
    const SOLUTIONS: f64 = 234_907_967_154_122_528.0;
    let tree = QueensTree::new(27);
    let key = Streams::new(27).key("descent");
    let run = || {
        let mut stream = key.stream(0);
        let estimator = Estimator::Population { size: 10_000 };
        let weights = tree.estimate(estimator, &mut stream);
        weights.value.to_f64()
    };
    assert!((run() / SOLUTIONS - 1.0).abs() < 0.25);
    let mut group = criterion.benchmark_group("queens-estimate");
    group.sample_size(10);
    group.bench_function("population-27", |bencher| bencher.iter(run));
    group.finish();
}
