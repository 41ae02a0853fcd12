//! Estimates of the size of a search tree by random descents, without searching it.
//!
//! Every estimator returns, from one independent run, unbiased [`TreeEstimates`] of the tree's nodes,
//! leaves and value; their mean over runs estimates the tree. Knows no game, no statistics and no
//! generator: chance comes in through [`Draws`]. Knuth 1975 and Chen 1992 are cited where they
//! are used.

mod draws;
mod knuth;
mod population;
mod resample;
mod strata;
mod trace;

pub use draws::Draws;
pub use population::measure_merged;
pub use trace::{TracedNode, TracedRun};

use std::fmt;

use super::{Tree, Weight};

/// A way to estimate a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// A descent, every child equally likely (Knuth 1975).
    Knuth,
    /// A descent, children in proportion to their promise (Knuth 1975, section 4).
    Importance,
    /// A representative for each stratum and depth, which carries the weight of the stratum (Chen 1992,
    /// "Heuristic sampling: a method for predicting the performance of tree searching programs").
    Strata,
    /// A population descending together, resampled at each depth by weight and promise, equal
    /// nodes merged: sequential Monte Carlo (Doucet, de Freitas and Gordon 2001).
    Population {
        /// Nodes kept at each depth, at most.
        size: usize,
    },
}

/// The unbiased estimates by one run of the contents of a whole tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeEstimates {
    /// Nodes, the root included.
    pub nodes: Weight,
    /// Nodes without children.
    pub leaves: Weight,
    /// The sum of all values.
    pub value: Weight,
    /// The nodes that the run expanded, which are its cost.
    pub expanded: u64,
}

impl Estimator {
    /// The names of all estimators.
    pub const NAMES: &'static [&'static str] = &["knuth", "importance", "strata", "population"];

    /// The estimator of a name; `size` is the population's, if it is one.
    pub fn named(name: &str, size: usize) -> Option<Self> {
        match name {
            "knuth" => Some(Estimator::Knuth),
            "importance" => Some(Estimator::Importance),
            "strata" => Some(Estimator::Strata),
            "population" => Some(Estimator::Population { size }),
            _ => None,
        }
    }

    /// Estimates a tree in a run over it.
    pub fn run<T: Tree>(self, tree: &T, draws: &mut impl Draws) -> TreeEstimates {
        match self {
            Estimator::Knuth => knuth::descend(tree, |_| 1.0, draws),
            Estimator::Importance => knuth::descend(tree, |node| tree.promise(node), draws),
            Estimator::Strata => strata::sample(tree, draws),
            Estimator::Population { size } => population::sample(tree, size, draws),
        }
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimator::Knuth => out.write_str("one random descent"),
            Estimator::Importance => out.write_str("one descent by promise"),
            Estimator::Strata => out.write_str("one representative a stratum"),
            Estimator::Population { size } => write!(out, "a population of {size}"),
        }
    }
}

impl TreeEstimates {
    const NONE: TreeEstimates = TreeEstimates {
        nodes: Weight::ZERO,
        leaves: Weight::ZERO,
        value: Weight::ZERO,
        expanded: 0,
    };

    /// Counts a node that stands for `weight` nodes.
    fn visit(&mut self, weight: Weight, value: f64, is_leaf: bool) {
        self.expanded += 1;
        self.nodes = self.nodes + weight;
        if is_leaf {
            self.leaves = self.leaves + weight;
        }
        if value > 0.0 {
            self.value = self.value + weight * Weight::new(value);
        }
    }
}

#[cfg(test)]
mod tests;
