//! The pruned engine beside the seed's own program, on the same deals.

use criterion::{Criterion, Throughput};
use etude::klondike::deal::Deal;
use etude::klondike::{etude as plain, pruned::Engine};
use lab::rng::Streams;
use lab::search::Budget;

/// Seed 1978: the first 500 yukon deals, solved by both engines.
pub fn engines(criterion: &mut Criterion) {
    let key = Streams::new(1978).key("deal");
    let layout = "yukon".parse().expect("a named layout");
    let deals: Vec<Deal> = (0..500)
        .map(|index| Deal::draw(&layout, &mut key.stream(index)))
        .collect();
    let mut engine = Engine::new();
    let mut pruned = || {
        total(&deals, |deal| {
            engine.solve(deal, Budget::UNLIMITED).score.lower()
        })
    };
    let etude = || {
        total(&deals, |deal| {
            plain::solve(deal, Budget::UNLIMITED).score.lower()
        })
    };
    assert_eq!(pruned(), etude());
    let mut group = criterion.benchmark_group("klondike");
    group.throughput(Throughput::Elements(deals.len() as u64));
    group.bench_function("pruned", |bencher| bencher.iter(&mut pruned));
    group.sample_size(10);
    group.bench_function("etude", |bencher| bencher.iter(etude));
    group.finish();
}

fn total(deals: &[Deal], mut score: impl FnMut(&Deal) -> u8) -> u32 {
    deals.iter().map(|deal| u32::from(score(deal))).sum()
}
