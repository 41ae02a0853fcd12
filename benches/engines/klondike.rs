//! The pruned engine beside the book's own program, on the same deals; exact values without sight
//! beside explicit lists of deals.

use criterion::{Criterion, Throughput};
use kit::rng::{Streams, shuffle};
use kit::search::Budget;
use klondike::deal::Deal;
use klondike::hidden_value;
use klondike::layout::Layout;
use klondike::{etude as plain, pruned::PrunedEngine, pruned::World};

/// Seed 1978: the first 500 yukon deals, solved by both engines.
pub fn engines(criterion: &mut Criterion) {
    let key = Streams::new(1978).key("deal");
    let layout = "yukon".parse().expect("a named layout");
    let deals: Vec<Deal> = (0..500)
        .map(|index| Deal::draw(&layout, &mut key.stream(index)))
        .collect();
    let mut engine = PrunedEngine::new();
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

/// Seed 1978: 20 orders of the cards face down of each of 100 yukon deals, solved by one engine, and by
/// a new one each.
pub fn worlds(criterion: &mut Criterion) {
    let streams = Streams::new(1978);
    let layout: Layout = "yukon".parse().expect("a named layout");
    let mut worlds = Vec::new();
    for index in 0..100 {
        let world = World::new(&Deal::draw(&layout, &mut streams.key("deal").stream(index)));
        let mut cards: Vec<_> = world.hidden_in_order().collect();
        let mut stream = streams.key("worlds").stream(index);
        for _ in 0..20 {
            shuffle(&mut stream, &mut cards);
            worlds.push((world.clone(), cards.clone()));
        }
    }
    let mut engine = PrunedEngine::new();
    let score = |engine: &mut PrunedEngine, world: &World, cards: &[_]| {
        let mut world = world.clone();
        world.redeal(cards);
        u32::from(engine.value(&world, Budget::UNLIMITED).lower())
    };
    let mut shared = || -> u32 {
        let scores = worlds
            .iter()
            .map(|(world, cards)| score(&mut engine, world, cards));
        scores.sum()
    };
    let fresh = || -> u32 {
        let scores = worlds
            .iter()
            .map(|(world, cards)| score(&mut PrunedEngine::new(), world, cards));
        scores.sum()
    };
    assert_eq!(shared(), fresh());
    let mut group = criterion.benchmark_group("klondike worlds");
    group.throughput(Throughput::Elements(worlds.len() as u64));
    group.sample_size(20);
    group.bench_function("one engine", |bencher| bencher.iter(&mut shared));
    group.bench_function("a new engine each", |bencher| bencher.iter(fresh));
    group.finish();
}

/// All orders of a deck of eight cards, summed with a memory and with bounds, and one by one.
pub fn hidden_value(criterion: &mut Criterion) {
    let deck = "2x4".parse().expect("a deck");
    let layout = Layout::parse("0:1,2:1,3:1", deck).expect("a layout of the deck");
    let deals = hidden_value::plain::deals(&layout);
    let plain = || hidden_value::plain::totals(&deals);
    assert_eq!(hidden_value::totals(&layout), Some(plain()));
    let mut group = criterion.benchmark_group("klondike hidden value");
    group.sample_size(10);
    group.bench_function("beliefs", |bencher| {
        bencher.iter(|| hidden_value::totals(&layout));
    });
    group.bench_function("plain", |bencher| bencher.iter(plain));
    group.finish();
}

fn total(deals: &[Deal], mut score: impl FnMut(&Deal) -> u8) -> u32 {
    deals.iter().map(|deal| u32::from(score(deal))).sum()
}
