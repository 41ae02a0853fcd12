//! The pairs of cells that are compared: their differences are estimated, and texts may name them.

use std::collections::BTreeSet;

use super::Experiment;
use super::claim::ClaimTarget;

/// Pairs of cells that are compared at most, beside those that claims name: the table of more would
/// be read by nobody, and the tallies of a wide sweep's would take most of its memory.
const MOST_PAIRS: usize = 48;

/// Two cells compared on the same instances: `first` minus `second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellPair {
    /// The cell that counts positive.
    pub first: usize,
    /// The cell that counts negative.
    pub second: usize,
}

impl CellPair {
    /// Returns the pair with its two cells exchanged.
    pub fn mirrored(self) -> Self {
        Self {
            first: self.second,
            second: self.first,
        }
    }

    /// Returns whether `cell` is one of the two.
    pub(crate) fn has(self, cell: usize) -> bool {
        [self.first, self.second].contains(&cell)
    }
}

impl Experiment {
    /// The claimed pairs, and the others with a baseline, of very many only those with the first cell; a
    /// claim that names the baseline first keeps its own sign.
    pub fn compared_pairs(&self) -> Vec<CellPair> {
        let mut pairs = claimed_pairs(self);
        let mut baselines = baseline_pairs(self);
        baselines.retain(|pair| !pairs.contains(&pair.mirrored()));
        if pairs.union(&baselines).count() > MOST_PAIRS {
            baselines.retain(|pair| pair.has(0));
        }
        pairs.append(&mut baselines);
        pairs.into_iter().collect()
    }
}

fn claimed_pairs(experiment: &Experiment) -> BTreeSet<CellPair> {
    let claims = experiment.metric_claims();
    let targets = claims.flat_map(|(_, _, claim)| experiment.targets(claim));
    targets
        .filter_map(|target| match target {
            ClaimTarget::Pair(pair) => Some(pair),
            ClaimTarget::Cell(_) => None,
        })
        .collect()
}

/// Every cell with the cell that has the first value of one swept parameter, or of several that change together, and
/// is otherwise alike.
fn baseline_pairs(experiment: &Experiment) -> BTreeSet<CellPair> {
    let mut pairs = BTreeSet::new();
    let sweep = &experiment.file.sweep;
    for (axis, values) in sweep.leaders() {
        let stride = sweep.stride(axis);
        // Contenders agree: differences would all be 0.
        let is_compared = |cell: &usize| experiment.cells[*cell].contender.is_none();
        for cell in (0..experiment.cells.len()).filter(is_compared) {
            let step = cell / stride % values;
            if step > 0 {
                pairs.insert(CellPair {
                    first: cell,
                    second: cell - step * stride,
                });
            }
        }
    }
    pairs
}
