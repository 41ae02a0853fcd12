//! A population that descends together: sequential Monte Carlo over a tree.
//!
//! All children of the population are generated. Nodes with equal merge keys become one with the
//! sum of their weights. As many as the population holds are kept, by weight times promise. As
//! long as all children fit, nothing is random and the run is exact.

use super::resample::{choose, threshold};
use super::{Draws, TreeEstimates};
use crate::search::{Budget, Meter, Tree, Weight};

/// A power of two, so that dividing by it rounds nothing.
const RANGE: f64 = (1u128 << 100) as f64;

/// A node and the number of nodes it stands for, in units of the population's scale.
struct Particle<N> {
    node: N,
    weight: f64,
}

/// Estimates a tree by a run from the root with at most `size` nodes at each depth.
pub(super) fn sample<T: Tree>(tree: &T, size: usize, draws: &mut impl Draws) -> TreeEstimates {
    let mut descent = Descent::new(tree);
    while !descent.level.is_empty() {
        let next = descent.step(tree);
        descent.level = keep(tree, next, size.max(1), draws);
        descent.rescale();
    }
    descent.weights
}

/// Measures a whole tree, each class of nodes with equal merge keys expanded once a depth;
/// `None` if the budget does not cover them. Exact but for the rounding of sums beyond 2^53.
pub fn measure_merged<T: Tree>(tree: &T, budget: Budget) -> Option<TreeEstimates> {
    let mut descent = Descent::new(tree);
    let mut meter: Meter = budget.meter();
    while !descent.level.is_empty() {
        if !meter.spend_many(descent.level.len() as u64) {
            return None;
        }
        descent.level = descent.step(tree);
        descent.rescale();
    }
    Some(descent.weights)
}

/// A population on its way down.
struct Descent<N> {
    weights: TreeEstimates,
    scale: Weight,
    level: Vec<Particle<N>>,
    /// Scratch memory.
    children: Vec<N>,
}

impl<N: Clone> Descent<N> {
    fn new<T: Tree<Node = N>>(tree: &T) -> Self {
        Self {
            weights: TreeEstimates::NONE,
            scale: Weight::ONE,
            level: vec![Particle {
                node: tree.root(),
                weight: 1.0,
            }],
            children: Vec::new(),
        }
    }

    /// Counts the level and makes the next one, of all its children.
    fn step<T: Tree<Node = N>>(&mut self, tree: &T) -> Vec<Particle<N>> {
        let mut next = Vec::with_capacity(self.level.len());
        for particle in &self.level {
            self.children.clear();
            tree.children(&particle.node, &mut self.children);
            let weight = self.scale * Weight::new(particle.weight);
            let is_leaf = self.children.is_empty();
            self.weights
                .visit(weight, tree.value(&particle.node), is_leaf);
            let born = self.children.drain(..).map(|node| Particle {
                node,
                weight: particle.weight,
            });
            next.extend(born);
        }
        merge(tree, &mut next);
        next
    }

    /// Keeps weights in the range of `f64`: past [`RANGE`] all are divided by it, which is exact,
    /// and the scale takes it up.
    fn rescale(&mut self) {
        if self.level.iter().any(|particle| particle.weight >= RANGE) {
            self.level.iter_mut().for_each(|p| p.weight /= RANGE);
            self.scale = self.scale * Weight::new(RANGE);
        }
    }
}

/// Makes one particle of those with equal merge keys.
fn merge<T: Tree>(tree: &T, particles: &mut Vec<Particle<T::Node>>) {
    let key = |particle: &Particle<T::Node>| tree.merge_key(&particle.node);
    if particles.iter().all(|particle| key(particle).is_none()) {
        return;
    }
    let mut keyed: Vec<(Option<u128>, usize)> = particles.iter().map(key).zip(0..).collect();
    keyed.sort_unstable();
    let mut merged: Vec<Particle<T::Node>> = Vec::with_capacity(keyed.len());
    let mut last = None;
    for (key, i) in keyed {
        let particle = &particles[i];
        match merged.last_mut() {
            Some(same) if key.is_some() && key == last => same.weight += particle.weight,
            _ => merged.push(Particle {
                node: particle.node.clone(),
                weight: particle.weight,
            }),
        }
        last = key;
    }
    *particles = merged;
}

/// Keeps at most `size` particles, each for certain or by chance, so that what a particle stands
/// for is right on average.
fn keep<T: Tree>(
    tree: &T,
    particles: Vec<Particle<T::Node>>,
    size: usize,
    draws: &mut impl Draws,
) -> Vec<Particle<T::Node>> {
    let mut shares: Vec<f64> = Vec::new();
    if particles.len() > size {
        let share = |p: &Particle<T::Node>| p.weight * tree.promise(&p.node);
        shares.extend(particles.iter().map(share));
    }
    let Some(threshold) = threshold(&shares, size) else {
        return particles;
    };
    shares
        .iter_mut()
        .for_each(|share| *share = (*share / threshold).min(1.0));
    let kept = choose(&shares, draws);
    let chosen = particles.into_iter().zip(shares).zip(kept);
    chosen
        .filter(|&(_, kept)| kept)
        .map(|((mut particle, probability), _)| {
            particle.weight /= probability;
            particle
        })
        .collect()
}
