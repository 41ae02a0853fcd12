//! Each estimator is unbiased: its expectation, over all decisions it can take, is the tree.

use super::*;
use crate::search::{Budget, measure};

/// Goes through all sequences of decisions, one a run, with their probabilities.
#[derive(Default)]
struct AllDecisions {
    /// The branch taken at each decision: its number, and how many branches there are.
    taken: Vec<(usize, usize)>,
    at: usize,
    probability: f64,
}

impl AllDecisions {
    fn decide(&mut self, probabilities: &[f64]) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, probabilities.len()));
        }
        let branch = self.taken[self.at].0;
        self.at += 1;
        self.probability *= probabilities[branch];
        branch
    }

    /// The mean of `run` over all sequences of decisions.
    fn mean(mut run: impl FnMut(&mut Self) -> [f64; 3]) -> [f64; 3] {
        let mut decisions = Self::default();
        let mut mean = [0.0; 3];
        loop {
            decisions.at = 0;
            decisions.probability = 1.0;
            let values = run(&mut decisions);
            for (mean, value) in mean.iter_mut().zip(values) {
                *mean += decisions.probability * value;
            }
            while decisions
                .taken
                .last()
                .is_some_and(|&(branch, of)| branch + 1 == of)
            {
                decisions.taken.pop();
            }
            match decisions.taken.last_mut() {
                Some((branch, _)) => *branch += 1,
                None => return mean,
            }
        }
    }
}

impl Draws for AllDecisions {
    fn chance(&mut self, probability: f64) -> bool {
        self.decide(&[probability, 1.0 - probability]) == 0
    }

    fn index(&mut self, len: usize) -> usize {
        self.decide(&vec![1.0 / len as f64; len])
    }
}

/// Partitions of a number into parts that do not grow: the remainder and the largest part left.
///
/// Irregular, with equal subtrees reached in several ways.
struct Partitions(u32);

impl Tree for Partitions {
    type Node = (u32, u32);

    fn root(&self) -> (u32, u32) {
        (self.0, self.0)
    }

    fn children(&self, &(rest, largest): &(u32, u32), children: &mut Vec<(u32, u32)>) {
        children.extend((1..=largest.min(rest)).map(|part| (rest - part, part)));
    }

    fn value(&self, &(rest, _): &(u32, u32)) -> f64 {
        if rest == 0 { 1.0 } else { 0.0 }
    }

    fn merge_key(&self, &(rest, largest): &(u32, u32)) -> Option<u128> {
        Some(u128::from(rest) << 32 | u128::from(largest.min(rest)))
    }

    fn stratum(&self, &(rest, _): &(u32, u32)) -> u64 {
        u64::from(rest / 2)
    }

    fn promise(&self, &(rest, largest): &(u32, u32)) -> f64 {
        1.0 + f64::from(rest * largest)
    }
}

/// A tree without its hints: nothing merges, all nodes of a depth are one stratum.
struct Plain(Partitions);

impl Tree for Plain {
    type Node = (u32, u32);

    fn root(&self) -> (u32, u32) {
        self.0.root()
    }

    fn children(&self, node: &(u32, u32), children: &mut Vec<(u32, u32)>) {
        self.0.children(node, children);
    }

    fn value(&self, node: &(u32, u32)) -> f64 {
        self.0.value(node)
    }
}

const ESTIMATORS: [Estimator; 6] = [
    Estimator::Knuth,
    Estimator::Importance,
    Estimator::Strata,
    Estimator::Population { size: 1 },
    Estimator::Population { size: 2 },
    Estimator::Population { size: 3 },
];

fn assert_unbiased<T: Tree>(tree: &T) {
    let size = measure(tree, Budget::UNLIMITED).unwrap();
    let truth = [size.nodes as f64, size.leaves as f64, size.value];
    for estimator in ESTIMATORS {
        let mean = AllDecisions::mean(|decisions| {
            let weights = estimator.run(tree, decisions);
            [weights.nodes, weights.leaves, weights.value].map(Weight::to_f64)
        });
        for (mean, truth) in mean.iter().zip(truth) {
            assert!(
                (mean / truth - 1.0).abs() < 1e-9,
                "{estimator:?}: {mean} for {truth}"
            );
        }
    }
}

#[test]
fn every_estimator_is_unbiased_over_all_its_decisions() {
    assert_unbiased(&Partitions(5));
    assert_unbiased(&Plain(Partitions(4)));
}

#[test]
fn a_population_that_holds_every_level_is_exact() {
    let size = measure(&Partitions(12), Budget::UNLIMITED).unwrap();
    let mut no_chance = || -> f64 { panic!("nothing is left to chance") };
    let weights = Estimator::Population { size: 1_000 }.run(&Partitions(12), &mut no_chance);
    assert_eq!(weights.nodes.to_f64(), size.nodes as f64);
    assert_eq!(weights.value.to_f64(), size.value);
    assert_eq!(
        measure_merged(&Partitions(12), Budget::UNLIMITED),
        Some(weights)
    );
    assert_eq!(measure_merged(&Partitions(12), Budget::nodes(10)), None);
    assert!(weights.expanded < size.nodes);
}

/// A tree in which every node down to this depth has two children, which are alike.
struct Doubling(u32);

impl Tree for Doubling {
    type Node = u32;

    fn root(&self) -> u32 {
        0
    }

    fn children(&self, &depth: &u32, children: &mut Vec<u32>) {
        if depth < self.0 {
            children.extend([depth + 1; 2]);
        }
    }

    fn merge_key(&self, &depth: &u32) -> Option<u128> {
        Some(u128::from(depth))
    }
}

/// Of 2^1200 leaves, and a node less than twice as many.
#[test]
fn trees_far_beyond_the_range_of_a_float_are_measured_exactly() {
    let tree = Doubling(1_200);
    let merged = measure_merged(&tree, Budget::UNLIMITED).unwrap();
    let mut no_chance = || -> f64 { panic!("all that is alike is one") };
    let drawn = Estimator::Population { size: 1 }.run(&tree, &mut no_chance);
    for found in [merged, drawn] {
        assert_eq!(found.leaves, Weight::from_parts(1.0, 1_200));
        assert_eq!(found.nodes, Weight::from_parts(1.0, 1_201));
        assert_eq!(found.expanded, 1_201);
    }
}

/// The way of every run begins at the root, goes from a node to one of its children, and ends in a
/// leaf; where the run expands a partition of 9 at the last depth, in one.
#[test]
fn a_traced_run_is_the_run_itself_and_its_way_a_path_of_the_tree() {
    let tree = Partitions(9);
    for estimator in ESTIMATORS {
        for seed in 0..20_u32 {
            let draws = || {
                let mut state = f64::from(seed) / 20.0;
                move || {
                    state = (state * 997.0 + 0.314).fract();
                    state
                }
            };
            let TracedRun { estimates, way } = estimator.trace(&tree, &mut draws());
            assert_eq!(estimates, estimator.run(&tree, &mut draws()));
            assert_eq!((way[0].node, way[0].expanded), (tree.root(), 1));
            let mut children = Vec::new();
            for pair in way.windows(2) {
                children.clear();
                tree.children(&pair[0].node, &mut children);
                assert!(children.contains(&pair[1].node), "{estimator:?} {way:?}");
            }
            let expanded: u64 = way.iter().map(|at| at.expanded).sum();
            assert_eq!(expanded, estimates.expanded);
            children.clear();
            tree.children(&way.last().unwrap().node, &mut children);
            assert!(children.is_empty());
        }
    }
}

/// 77 partitions of 12 (OEIS A000041).
#[test]
fn trees_are_measured_within_their_budget() {
    assert_eq!(
        measure(&Partitions(12), Budget::UNLIMITED).unwrap().value,
        77.0
    );
    assert_eq!(measure(&Partitions(12), Budget::nodes(10)), None);
}

/// A tree that gives no hints has no values, and no node promises more than another.
#[test]
fn a_tree_without_hints_is_all_alike() {
    let (tree, node) = (Plain(Partitions(4)), (4, 4));
    assert_eq!(
        (
            tree.promise(&node),
            tree.stratum(&node),
            tree.merge_key(&node)
        ),
        (1.0, 0, None)
    );
    assert_eq!(Doubling(3).value(&1), 0.0);
    let size = measure(&Doubling(3), Budget::nodes(15)).unwrap();
    assert_eq!((size.nodes, size.leaves, size.value), (15, 8, 0.0));
    assert_eq!(measure(&Doubling(3), Budget::nodes(14)), None);
}

#[test]
fn estimators_are_found_by_their_names_and_say_what_they_do() {
    let said = [
        "one random descent",
        "one descent by promise",
        "one representative a stratum",
        "a population of 7",
    ];
    for (name, said) in Estimator::NAMES.iter().zip(said) {
        assert_eq!(Estimator::named(name, 7).unwrap().to_string(), said);
    }
    assert_eq!(Estimator::named("guess", 7), None);
}

/// A number from 0 to 1 is below a half, or in the second half.
#[test]
fn numbers_are_draws() {
    for (number, chance, index) in [
        (0.0, true, 0),
        (0.49, true, 1),
        (0.5, false, 2),
        (1.0, false, 3),
    ] {
        let mut draws = || number;
        assert_eq!(
            (draws.chance(0.5), draws.index(4)),
            (chance, index),
            "{number}"
        );
    }
}

/// A root with children of these values.
struct Star([u32; 4]);

impl Tree for Star {
    type Node = usize;

    fn root(&self) -> usize {
        4
    }

    fn children(&self, &node: &usize, children: &mut Vec<usize>) {
        children.extend((0..4).filter(|_| node == 4));
    }

    fn value(&self, &node: &usize) -> f64 {
        self.0.get(node).map_or(0.0, |&value| value.into())
    }
}

#[test]
fn a_way_ends_in_the_first_of_the_deepest_nodes_that_has_a_value() {
    for (values, last) in [([0, 0, 2, 3], 2), ([0; 4], 0), ([5, 0, 2, 0], 0)] {
        let mut no_chance = || -> f64 { panic!("nothing is left to chance") };
        let TracedRun { way, .. } =
            Estimator::Population { size: 9 }.trace(&Star(values), &mut no_chance);
        let way: Vec<_> = way.iter().map(|at| (at.node, at.expanded)).collect();
        assert_eq!(way, [(4, 1), (last, 4)]);
    }
}
