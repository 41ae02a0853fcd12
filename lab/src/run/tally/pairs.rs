//! The indices of an experiment's compared pairs in stored tallies.

use std::collections::HashMap;

use crate::run::compiled_experiment::{CellPair, CompiledExperiment};
use crate::stats::Paired;

/// The indices of the pairs that an experiment compares among those of a stored tally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairPlaces {
    pub(super) stored: usize,
    /// The index of each pair, and whether its cells are stored in the other order.
    places: Vec<(usize, bool)>,
}

impl PairPlaces {
    /// The places of `compiled`'s pairs among `stored`.
    ///
    /// # Errors
    /// The first pair that is not there.
    pub fn of(compiled: &CompiledExperiment, stored: &[CellPair]) -> Result<Self, CellPair> {
        let known: HashMap<CellPair, usize> = (stored.iter().copied()).zip(0..).collect();
        let position = |pair: &CellPair| {
            let stored = |pair: &CellPair| known.get(pair).copied();
            let same = stored(pair).map(|position| (position, false));
            let other = || Some((stored(&pair.mirrored())?, true));
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
        let places = (0..stored).map(|position| (position, false)).collect();
        Self { stored, places }
    }

    /// Returns whether stored tallies are those of the experiment as they are.
    pub fn are_own(&self) -> bool {
        let own = (0..self.stored).map(|position| (position, false));
        self.places.iter().copied().eq(own)
    }

    /// The experiment's pairs; `None` if one cannot be turned round.
    pub(super) fn pick(&self, stored: Vec<Vec<Paired>>) -> Option<Vec<Vec<Paired>>> {
        if self.are_own() {
            return Some(stored);
        }
        let one = |&(position, is_mirrored): &(usize, bool)| {
            let pairs = stored[position].iter();
            let turned = |pair: &Paired| {
                if is_mirrored {
                    pair.mirrored()
                } else {
                    Some(pair.clone())
                }
            };
            pairs.map(turned).collect()
        };
        self.places.iter().map(one).collect()
    }
}
