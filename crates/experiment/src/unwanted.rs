//! Cells that nobody wants any more: they stay in the run, count in all that is said of its cells together, and draw
//! no further samples.

use std::collections::{BTreeMap, BTreeSet};

use super::claim::{ClaimSpec, ClaimTarget};
use super::document::Document;
use super::error::Checked;
use super::file::ExperimentFile;
use super::relation::Scope;
use super::{CellPair, Experiment, suggest};

/// Writes the names of unwanted cells in full, each once.
pub(super) fn compile(file: &mut ExperimentFile, document: &Document, scope: Scope) -> Checked {
    let path = document.at("unwanted");
    if path.is_filled() && file.is_benchmark() {
        let problem = path.fault("a benchmark has no unwanted cells");
        return Err(problem.help("what was raced stays; race other contenders in another folder"));
    }
    let marks = std::mem::take(&mut file.unwanted);
    for (name, samples) in marks {
        let path = path.at(&name);
        let Some(cell) = scope.cell(&name) else {
            let names = scope.cells.iter().map(|cell| cell.name.as_str());
            let problem = path.fault_of_key(format!("there is no cell `{name}`"));
            return Err(problem.help(suggest::help(&name, names)));
        };
        let known = file
            .unwanted
            .insert(scope.cells[cell].name.clone(), samples);
        if known.is_some() {
            return Err(path.fault_of_key(format!("`{name}` is marked twice")));
        }
    }
    Ok(())
}

impl Experiment {
    /// Returns whether a cell is not marked as unwanted: rules that stop a run wait for no other.
    pub fn is_wanted(&self, cell: usize) -> bool {
        !self.file.unwanted.contains_key(&self.cells[cell].name)
    }

    /// The number of samples after which a cell draws no more; `None` of one that is wanted, and of all cells where
    /// ratings or a control need every cell's.
    pub fn drawn_until(&self, cell: usize) -> Option<u64> {
        let needs_all = self.task.contest.is_some() || self.file.variance.is_some();
        let cell = &self.cells[cell];
        let until = self.file.unwanted.get(&cell.name).copied();
        until.filter(|_| !needs_all && cell.contender.is_none())
    }

    /// Goes on with the marks of an `earlier` run, of which so many samples of each cell may have been seen: a cell
    /// that is marked now has these at least.
    ///
    /// # Errors
    /// The name and the samples of a marked cell of that run which is not marked any more: samples of it are missing.
    pub fn keep_marks(&mut self, earlier: &Self, seen: u64) -> Result<(), (String, u64)> {
        let earlier_hashes = earlier.cell_hashes();
        let marks: BTreeMap<&String, (&String, u64)> = (earlier_hashes.iter().zip(&earlier.cells))
            .filter_map(|(hash, cell)| {
                let (name, samples) = earlier.file.unwanted.get_key_value(&cell.name)?;
                Some((hash, (name, *samples)))
            })
            .collect();
        for (hash, cell) in self.cell_hashes().iter().zip(&self.cells) {
            let mark = self.file.unwanted.get_mut(&cell.name);
            match (mark, marks.get(hash)) {
                (None, Some((name, samples))) => return Err(((*name).clone(), *samples)),
                (Some(mark), Some((_, samples))) => *mark = *samples,
                (Some(mark), None) if earlier_hashes.contains(hash) => *mark = seen.max(*mark),
                _ => {}
            }
        }
        Ok(())
    }

    /// The cells or pairs of cells that a claim speaks of, by what their samples depend on.
    pub(super) fn target_hashes(&self, claim: &ClaimSpec) -> BTreeSet<(String, String)> {
        let hashes = self.cell_hashes();
        let targets = self.targets(claim).into_iter();
        let hash = |target| match target {
            ClaimTarget::Cell(cell) => (hashes[cell].clone(), String::new()),
            ClaimTarget::Pair(CellPair { first, second }) => {
                (hashes[first].clone(), hashes[second].clone())
            }
        };
        targets.map(hash).collect()
    }
}
