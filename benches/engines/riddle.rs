//! Riddles: the table of differences beside bitboards, the census, uniqueness of full maps.

use criterion::{Criterion, Throughput};
use kit::rng::{Stream, Streams, below};
use kit::search::Budget;
use riddle::census::Census;
use riddle::clues::Clues;
use riddle::rules::{Referee, Rule};
use riddle::sampler::{ConflictAlgorithm, Generator, Sampler};
use riddle::solver::RiddleSolver;
use riddle::variants::Variant;

/// Seed 2002: 20 chess riddles by the book's sampler, by the table of differences and by
/// bitboards, beside a loop that only draws as many cells. Over a thousand riddles bitboards took
/// 2.5 times the processor time of only drawing, and one by one, without drawing ahead, 4.0 times.
pub fn riddle_generation(criterion: &mut Criterion) {
    let stream = || Streams::new(2002).key("placement").stream(0);
    let [table, bitboard] =
        [ConflictAlgorithm::Table, ConflictAlgorithm::Bitboard].map(|algorithm| {
            let referee = Referee::new(Variant::Chess.army(), Rule::Table);
            Generator::new(referee, Sampler::Seed, algorithm).expect("a table rule")
        });
    let draws = |generator: &Generator| -> u64 {
        let mut rng = stream();
        (0..20).map(|_| generator.generate(&mut rng).draws).sum()
    };
    assert_eq!(draws(&table), draws(&bitboard));
    let cells = draws(&table);
    let only_draw = |mut rng: Stream| (0..cells).fold(0, |sum, _| sum + below(&mut rng, 64));
    let mut group = criterion.benchmark_group("riddle-generation");
    group.throughput(Throughput::Elements(cells));
    group.sample_size(10);
    group.bench_function("table", |bencher| bencher.iter(|| draws(&table)));
    group.bench_function("bitboard", |bencher| bencher.iter(|| draws(&bitboard)));
    group.bench_function("draws-only", |bencher| bencher.iter(|| only_draw(stream())));
    group.finish();
}

/// The placements of the two large variants, counted with their maximum threats.
pub fn riddle_census(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("riddle-census");
    group.sample_size(10);
    for (variant, placements) in [(Variant::Chess, 17_265_360), (Variant::Shogi, 131_390_864)] {
        let referee = Referee::new(variant.army(), Rule::NonAttacking);
        assert_eq!(Census::new(&referee).placements(), placements);
        group.bench_function(variant.as_ref(), |bencher| {
            bencher.iter(|| Census::new(&referee))
        });
    }
    group.finish();
}

/// Seed 27: whole maps of random placements, each decided to be unique or not.
pub fn riddle_uniqueness(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("riddle-uniqueness");
    group.throughput(Throughput::Elements(200));
    for (variant, rule) in [
        (Variant::Chess, Rule::NonAttacking),
        (Variant::Shogi, Rule::NonAttacking),
        (Variant::Xiangqi, Rule::NonAttacking),
        (Variant::Chess, Rule::Any),
    ] {
        let referee = Referee::new(variant.army(), rule);
        let generator = Generator::new(referee, Sampler::Uniform, ConflictAlgorithm::Bitboard)
            .expect("bitboards know every rule");
        let (army, solver) = (
            generator.referee().army(),
            RiddleSolver::new(generator.referee()),
        );
        let mut rng = Streams::new(27).key("maps").stream(0);
        let maps: Vec<Clues> = (0..200)
            .map(|_| army.threats(&generator.generate(&mut rng).placement))
            .map(|map| Clues::of_map(&map, army.board().all()))
            .collect();
        let unique = || -> usize {
            let decide = |clues| solver.is_unique(clues, Budget::UNLIMITED);
            maps.iter()
                .filter(|clues| decide(clues) == Some(true))
                .count()
        };
        assert_eq!(unique() == 200, variant != Variant::Xiangqi);
        group.bench_function(
            format!("{}-{}", variant.as_ref(), rule.as_ref()),
            |bencher| bencher.iter(unique),
        );
    }
    group.finish();
}
