//! The indices of an experiment's compared pairs in stored tallies.

use std::collections::HashMap;

use crate::run::compiled_experiment::{CellPair, CompiledExperiment};
use crate::stats::Paired;

/// The indices of the pairs that an experiment compares among those of a stored tally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairPlaces {
    pub(super) stored: usize,
    places: Vec<(usize, PairOrder)>,
}

/// The order in which a pair's cells are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PairOrder {
    Same,
    Mirrored,
}

impl PairPlaces {
    /// The places of `compiled`'s pairs among `stored`.
    ///
    /// # Errors
    /// The first pair that is not there.
    pub fn of(compiled: &CompiledExperiment, stored: &[CellPair]) -> Result<Self, CellPair> {
        let known: HashMap<CellPair, usize> = (stored.iter().copied()).zip(0..).collect();
        let position = |pair: &CellPair| {
            let same = known.get(pair).map(|&position| (position, PairOrder::Same));
            let other = || {
                known
                    .get(&pair.mirrored())
                    .map(|&position| (position, PairOrder::Mirrored))
            };
            same.or_else(other).ok_or(*pair)
        };
        let places = compiled.pairs().iter().map(position);
        Ok(Self {
            stored: stored.len(),
            places: places.collect::<Result<_, _>>()?,
        })
    }

    /// The places in tallies of the experiment itself.
    pub fn own(compiled: &CompiledExperiment) -> Self {
        let stored = compiled.pairs().len();
        let places = (0..stored)
            .map(|position| (position, PairOrder::Same))
            .collect();
        Self { stored, places }
    }

    /// Returns whether stored tallies are those of the experiment as they are.
    pub fn are_own(&self) -> bool {
        let own = |(n, position): (usize, &(usize, PairOrder))| *position == (n, PairOrder::Same);
        self.stored == self.places.len() && self.places.iter().enumerate().all(own)
    }

    /// The experiment's pairs; `None` if one cannot be turned round.
    pub(super) fn pick(&self, stored: Vec<Vec<Paired>>) -> Option<Vec<Vec<Paired>>> {
        if self.are_own() {
            return Some(stored);
        }
        let one = |&(position, side): &(usize, PairOrder)| match side {
            PairOrder::Same => Some(stored[position].clone()),
            PairOrder::Mirrored => stored[position].iter().map(Paired::mirrored).collect(),
        };
        self.places.iter().map(one).collect()
    }
}
