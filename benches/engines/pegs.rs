//! Pegs: exact search beside the source's model on the figures, the central game, random play.

use std::collections::HashSet;

use criterion::{Criterion, Throughput};
use kit::rng::Streams;
use kit::search::Budget;
use pegs::census::census;
use pegs::jump_model;
use pegs::play::{LANES, Playouts};
use pegs::problem::NamedProblem;
use pegs::solve::{ExactAnswer, PegProblem, count_moves};

const FIGURES: [(&str, u32); 6] = [
    ("latin-cross", 5),
    ("greek-cross", 6),
    ("fireplace", 8),
    ("pyramid", 8),
    ("lamp", 9),
    ("inclined-square", 8),
];

/// The traditional figures: all six exactly, the three smallest by the source's model too.
pub fn figures(criterion: &mut Criterion) {
    let problems = FIGURES.map(|(name, _)| problem(name));
    let exact = || problems.each_ref().map(moves);
    assert_eq!(exact(), FIGURES.map(|(_, moves)| moves));
    let small = &problems[..3];
    let model = || -> Vec<u32> {
        let search = |problem| jump_model::search(problem, Budget::UNLIMITED).example;
        small
            .iter()
            .filter_map(search)
            .map(|line| count_moves(&line))
            .collect()
    };
    assert_eq!(model(), exact()[..3]);
    let mut group = criterion.benchmark_group("pegs-figures");
    group.sample_size(10);
    group.bench_function("exact-all-six", |bencher| bencher.iter(exact));
    group.bench_function("exact-first-three", |bencher| {
        bencher.iter(|| small.iter().map(moves).sum::<u32>())
    });
    group.bench_function("jump-model-first-three", |bencher| bencher.iter(model));
    group.finish();
}

/// The central game: fewest moves with all counts, and everything that can be reached.
pub fn central(criterion: &mut Criterion) {
    let central = problem("central");
    assert_eq!(moves(&central), 18);
    let reachable = || -> u64 {
        let levels = census(&central.board, central.start, None, Budget::UNLIMITED);
        levels
            .iter()
            .flatten()
            .map(|level| level.reachable.classes)
            .sum()
    };
    assert_eq!(reachable(), 23_475_688);
    let mut group = criterion.benchmark_group("pegs-central");
    group.sample_size(10);
    group.bench_function("solve", |bencher| bencher.iter(|| moves(&central)));
    group.bench_function("reachable", |bencher| bencher.iter(reachable));
    group.finish();
}

/// Counts the positions within reach of the inclined square, by classes and by a plain set of positions.
pub fn reachable(criterion: &mut Criterion) {
    let square = problem("inclined-square");
    let classes = || -> u64 {
        let levels = census(&square.board, square.start, None, Budget::UNLIMITED);
        levels.iter().flatten().map(|l| l.reachable.raw).sum()
    };
    let plain_set = || -> u64 {
        let mut found = HashSet::from([square.start]);
        let mut open = vec![square.start];
        while let Some(pegs) = open.pop() {
            let next = square.board.jumps(pegs).map(|jump| pegs ^ jump.mask());
            open.extend(next.filter(|&pegs| found.insert(pegs)));
        }
        found.len() as u64
    };
    assert_eq!((classes(), plain_set()), (9_172_387, 9_172_387));
    let mut group = criterion.benchmark_group("pegs-reachable");
    group.sample_size(10);
    group.throughput(Throughput::Elements(9_172_387));
    group.bench_function("classes", |bencher| bencher.iter(classes));
    group.bench_function("plain-set", |bencher| bencher.iter(plain_set));
    group.finish();
}

/// Seed 1716: 10,240 random central games, those of eight streams one by one and side by side.
pub fn random_play(criterion: &mut Criterion) {
    let central = problem("central");
    let player = Playouts::new(&central.board).expect("a board with jumps");
    let key = Streams::new(1716).key("play");
    let streams = || std::array::from_fn::<_, LANES, _>(|lane| key.stream(lane as u64));
    let side_by_side = || -> u32 {
        let mut pegs = 0;
        player.play(central.start, 1_280, &mut streams(), &mut |_, ending| {
            pegs += ending.pegs.count_ones();
        });
        pegs
    };
    let one_by_one = || -> u32 {
        let mut pegs = 0;
        for stream in streams() {
            player.play(central.start, 1_280, &mut [stream], &mut |_, ending| {
                pegs += ending.pegs.count_ones();
            });
        }
        pegs
    };
    assert_eq!(side_by_side(), one_by_one());
    assert!((77_000..80_000).contains(&one_by_one()));
    let mut group = criterion.benchmark_group("pegs-random-play");
    group.throughput(Throughput::Elements(10_240));
    group.bench_function("one-by-one", |bencher| bencher.iter(one_by_one));
    group.bench_function("side-by-side", |bencher| bencher.iter(side_by_side));
    group.finish();
}

fn problem(name: &str) -> PegProblem {
    let named = NamedProblem::find(name).expect("a named problem");
    named.problem(false).expect("a valid problem")
}

fn moves(problem: &PegProblem) -> u32 {
    match problem.solve(&mut Budget::UNLIMITED.meter()) {
        ExactAnswer::Solved(solution) => solution.moves,
        other => panic!("{}: {other:?}", problem.name),
    }
}
