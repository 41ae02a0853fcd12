//! Queens: the automaton's versions beside the counter by bit masks, and the tree's profile.

use criterion::{Criterion, Throughput};
use etude::games::queens::automaton::{Version, run};
use etude::games::queens::bitmask::{count, tree_profile};

/// Ten queens by every algorithm, and fourteen by the fastest.
pub fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queens");
    group.sample_size(10);
    group.throughput(Throughput::Elements(724));
    for version in Version::ALL {
        assert_eq!(run(version, 10, &mut |_| {}).solutions, 724);
        group.bench_function(format!("{}-10", version.name()), |bencher| {
            bencher.iter(|| run(version, 10, &mut |_| {}))
        });
    }
    assert_eq!(count(10).solutions, 724);
    group.bench_function("bitmask-10", |bencher| bencher.iter(|| count(10)));
    group.throughput(Throughput::Elements(365_596));
    assert_eq!(count(14).solutions, 365_596);
    group.bench_function("bitmask-14", |bencher| bencher.iter(|| count(14)));
    assert_eq!(tree_profile(14).last(), Some(&365_596));
    group.bench_function("tree-14", |bencher| bencher.iter(|| tree_profile(14)));
    group.finish();
}
