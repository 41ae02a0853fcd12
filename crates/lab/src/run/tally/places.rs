//! The cells and compared pairs of an experiment in the stored tallies of a run that had others.

use std::collections::HashMap;

use crate::run::compiled_experiment::CompiledExperiment;
use experiment::CellPair;
use stats::Paired;

/// The places of an experiment's cells and pairs in tallies of a run that shares cells with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// Cells and pairs of a stored tally.
    pub(super) stored: (usize, usize),
    /// The index of each cell; `None` where it is not stored.
    cells: Vec<Option<usize>>,
    /// The cell at each index; `None` where the experiment does not have it.
    at: Vec<Option<usize>>,
    /// The index of each pair, and whether its cells are stored in the other order.
    pairs: Vec<Option<(usize, bool)>>,
}

impl Places {
    /// The places in tallies of `cells` cells that compare `pairs`; `places` are those of the cells of
    /// `compiled`.
    pub(crate) fn of(
        compiled: &CompiledExperiment,
        places: Vec<Option<usize>>,
        cells: usize,
        pairs: &[CellPair],
    ) -> Self {
        let known: HashMap<CellPair, usize> = (pairs.iter().copied()).zip(0..).collect();
        let position = |pair: &CellPair| {
            let [first, second] = [pair.first, pair.second].map(|cell| places[cell]);
            let pair = CellPair {
                first: first?,
                second: second?,
            };
            let stored = |pair: CellPair| known.get(&pair).copied();
            let same = stored(pair).map(|position| (position, false));
            same.or_else(|| Some((stored(pair.mirrored())?, true)))
        };
        let mut at = vec![None; cells];
        for (cell, place) in places.iter().enumerate() {
            if let Some(place) = *place {
                at[place] = Some(cell);
            }
        }
        Self {
            stored: (cells, pairs.len()),
            pairs: compiled.pairs().iter().map(position).collect(),
            cells: places,
            at,
        }
    }

    /// The places in tallies of the experiment itself.
    pub(crate) fn own(compiled: &CompiledExperiment) -> Self {
        let cells = compiled.cells();
        let places = (0..cells).map(Some).collect();
        Self::of(compiled, places, cells, compiled.pairs())
    }

    /// The cell that is stored at a place; `None` where the experiment does not have it.
    pub(super) fn cell_at(&self, place: usize) -> Option<usize> {
        self.at.get(place).copied().flatten()
    }

    /// The parts of `stored` that belong to the experiment's cells, empty where they are not stored; none
    /// where tallies have no such part.
    pub(super) fn pick_cells<T: Default>(&self, mut stored: Vec<T>) -> Vec<T> {
        if stored.is_empty() {
            return stored;
        }
        let mut one = |place: &Option<usize>| {
            let part = place.and_then(|place| stored.get_mut(place));
            part.map(std::mem::take).unwrap_or_default()
        };
        self.cells.iter().map(&mut one).collect()
    }

    /// Like [`pick_cells`](Self::pick_cells), of pairs, which a claim may name both ways round; `None` if
    /// one cannot be turned.
    pub(super) fn pick_pairs(&self, stored: &[Vec<Paired>]) -> Option<Vec<Vec<Paired>>> {
        let one = |place: &Option<(usize, bool)>| match *place {
            None => Some(Vec::new()),
            Some((position, false)) => stored.get(position).cloned(),
            Some((position, true)) => stored[position].iter().map(Paired::mirrored).collect(),
        };
        self.pairs.iter().map(one).collect()
    }
}
