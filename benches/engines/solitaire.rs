//! The fast search beside the plain one, on the same cut-down deals.

use criterion::{Criterion, Throughput};
use kit::rng::Streams;
use kit::search::Budget;
use solitaire::deal::Deal;
use solitaire::exact::Solver;
use solitaire::plain;
use solitaire::rules::{DeckShape, Rules};
use solitaire::table::CardTable;

/// Seed 1978: the first 20 deals of twenty cards to four columns, three passes by three cards.
pub fn engines(criterion: &mut Criterion) {
    let key = Streams::new(1978).key("deal");
    let deck = DeckShape::new(4, 4, 5).expect("ten cards in columns, ten in the stock");
    let table = |index| CardTable::new(&Deal::draw(deck, &mut key.stream(index)), Rules::VEGAS_3);
    let tables: Vec<CardTable> = (0..20).map(table).collect();
    let mut solver = Solver::default();
    let mut fast = || {
        total(&tables, |table| {
            solver.solve(table, Budget::UNLIMITED).foundation.lower()
        })
    };
    let plain = || {
        total(&tables, |table| {
            plain::solve(table, Budget::UNLIMITED).foundation.lower()
        })
    };
    assert_eq!(fast(), plain());
    let mut group = criterion.benchmark_group("solitaire");
    group.throughput(Throughput::Elements(tables.len() as u64));
    group.bench_function("exact", |bencher| bencher.iter(&mut fast));
    group.sample_size(10);
    group.bench_function("plain", |bencher| bencher.iter(plain));
    group.finish();
}

fn total(tables: &[CardTable], mut count: impl FnMut(&CardTable) -> u8) -> u32 {
    tables.iter().map(|table| u32::from(count(table))).sum()
}
