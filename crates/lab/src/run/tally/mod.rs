//! Exact tallies of a block, mergeable in any grouping to the same bytes.

mod check;
mod copies;
mod places;
mod push;
mod scores;
mod tally_bytes;

use std::collections::BTreeSet;

use stats::{Paired, Regression};
use task::{Row, Tally, Value};

use super::cell_limits::CellLimits;
use super::compiled_experiment::CompiledExperiment;
use super::rated::RatedFields;

use copies::Repeats;
pub(crate) use places::Places;
use push::{push_adjusted, push_pairs, push_rows};
pub(crate) use scores::FieldScores;
use scores::Games;

/// The tallies of a block, or of many: one per cell and metric, and one per compared pair of cells
/// and metric.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockTally {
    cells: Vec<Vec<Tally>>,
    pairs: Vec<Vec<Paired>>,
    /// The sums of each cell and metric where variance is reduced; empty otherwise.
    adjusted: Vec<Vec<Regression>>,
    /// The games of each cell in one block, where players are rated; empty in a sum of blocks.
    games: Vec<Games>,
    /// The scores of each field of rated players; `None` where a game has no outcome.
    scores: Option<Vec<FieldScores>>,
    timeouts: Timeouts,
    repeats: Repeats,
}

/// Cells and samples that took longer than they may. The clock decided which.
pub(crate) type Timeouts = BTreeSet<(usize, u64)>;

impl BlockTally {
    /// An empty tally of every cell, pair and metric.
    pub fn new(compiled: &CompiledExperiment) -> Self {
        let metrics = compiled.metrics();
        let cell: Vec<Tally> = metrics.iter().map(Tally::new).collect();
        let (adjusted, games) = optional_lists(compiled, compiled.cells());
        Self {
            cells: vec![cell; compiled.cells()],
            pairs: vec![vec![Paired::default(); metrics.len()]; compiled.pairs().len()],
            adjusted: vec![vec![Regression::default(); metrics.len()]; adjusted],
            games: vec![Games::default(); games],
            scores: FieldScores::empty(compiled.rated()),
            timeouts: Timeouts::new(),
            repeats: Repeats::default(),
        }
    }

    /// The tally of the samples from `first` on, by cell.
    pub(crate) fn of(compiled: &CompiledExperiment, first: u64, rows: &[Vec<Row>]) -> Self {
        let mut tally = Self::new(compiled);
        tally.push(compiled, first, rows);
        tally
    }

    /// The part of the first cell, to which that of further samples of all cells is added.
    pub(crate) fn first_cell(&self) -> Self {
        let first = |cell: &(usize, u64)| cell.0 == 0;
        let mut repeats = self.repeats.clone();
        repeats.retain(|cell| cell == 0);
        Self {
            cells: self.cells.iter().take(1).cloned().collect(),
            pairs: Vec::new(),
            adjusted: self.adjusted.iter().take(1).cloned().collect(),
            games: self.games.iter().take(1).cloned().collect(),
            scores: Some(Vec::new()),
            timeouts: self.timeouts.iter().copied().filter(first).collect(),
            repeats,
        }
    }

    /// The samples among those counted that took longer than they may.
    pub(crate) fn timeouts(&self) -> &Timeouts {
        &self.timeouts
    }

    /// The number of a cell's first samples that were compared, and of those that differ; none where they
    /// cannot be one another's copies.
    pub(crate) fn compared(&self, cell: usize) -> (u64, u64) {
        self.repeats.compared(cell, self.samples_of(cell))
    }

    /// Returns whether a cell's samples are all the same, as far as was looked, so that they count as one.
    pub(crate) fn is_one_sample(&self, cell: usize) -> bool {
        self.repeats.is_one_sample(cell, self.samples_of(cell))
            && self.cells[cell].iter().all(Tally::is_constant)
    }

    /// Returns whether a cell has a sample in which a metric is defined.
    pub(crate) fn is_drawn(&self, cell: usize) -> bool {
        self.samples_of(cell) > 0
    }

    /// Leaves out the samples of a cell in a block of so many: none of their values is there, and a pair with such a cell
    /// counts nothing.
    pub(crate) fn leave_out(
        &mut self,
        compiled: &CompiledExperiment,
        (cell, samples): (usize, u64),
    ) {
        self.cells[cell] = compiled.metrics().iter().map(Tally::new).collect();
        for tally in &mut self.cells[cell] {
            (0..samples).for_each(|_| tally.push(Value::Missing));
        }
        let pairs = self.pairs.iter_mut().zip(compiled.pairs());
        for (tallies, _) in pairs.filter(|(_, pair)| pair.first == cell || pair.second == cell) {
            tallies.fill_with(Paired::default);
        }
        self.timeouts.retain(|(other, _)| *other != cell);
        self.repeats.retain(|other| other != cell);
    }

    /// The samples of a cell in which a metric is defined: of the metric with most of them.
    fn samples_of(&self, cell: usize) -> u64 {
        let counts = self.cells[cell].iter().map(Tally::count);
        counts.max().unwrap_or(0)
    }

    /// Counts samples: for every cell its rows, of the same samples from `first` on in the same
    /// order. A cell without rows counts nothing, nor does a pair with such a cell.
    pub fn push(&mut self, compiled: &CompiledExperiment, first: u64, rows: &[Vec<Row>]) {
        for (tallies, rows) in self.adjusted.iter_mut().zip(rows) {
            push_adjusted(tallies, first, rows);
        }
        for (cell, rows) in rows.iter().enumerate() {
            for (sample, row) in (first..).zip(rows) {
                if row.timed_out {
                    self.timeouts.insert((cell, sample));
                }
                self.repeats.push(cell, sample, row);
            }
        }
        self.push_samples(compiled, first, rows);
    }

    fn push_samples(&mut self, compiled: &CompiledExperiment, first: u64, rows: &[Vec<Row>]) {
        for (tallies, rows) in self.cells.iter_mut().zip(rows) {
            push_rows(tallies, rows);
        }
        for (tallies, pair) in self.pairs.iter_mut().zip(compiled.pairs()) {
            // A pair ends with the first of its cells, though the other draws on.
            let drawn = |cell: usize| {
                let rows = &rows[cell];
                &rows[..compiled.source(cell).drawn_of(first, rows.len())]
            };
            push_pairs(tallies, drawn(pair.first), drawn(pair.second));
        }
        let counted = self.games.iter().map(Games::len).max().unwrap_or(0);
        for (games, rows) in self.games.iter_mut().zip(rows) {
            games.push(compiled.rated(), rows);
        }
        self.push_scores(compiled.rated(), counted);
    }

    /// Counts the scores of the games from sample `from` of the block on.
    fn push_scores(&mut self, rated: &RatedFields, from: usize) {
        let Some(scores) = &mut self.scores else {
            return;
        };
        let mut both = scores.iter_mut().zip(rated.iter());
        if !both.all(|(tally, field)| tally.push(field, &self.games, from)) {
            self.scores = None;
        }
    }

    /// Takes over what is known of cells and pairs that are not new, from a tally of the same samples; of cells that had
    /// drawn no more, nothing is known that could differ.
    ///
    /// # Errors
    /// The first cell whose samples were drawn again and gave other numbers than the known ones.
    pub(crate) fn complete(&mut self, known: Self, rated: &RatedFields) -> Result<(), usize> {
        let is_drawn = |tallies: &[Tally]| tallies.iter().any(|tally| tally.count() > 0);
        let differs = |cell: &usize| {
            let (drawn, known) = (&self.cells[*cell], &known.cells[*cell]);
            is_drawn(known) && is_drawn(drawn) && drawn != known
        };
        if let Some(cell) = (0..self.cells.len()).find(differs) {
            return Err(cell);
        }
        take_known(&mut self.cells, known.cells);
        take_known(&mut self.pairs, known.pairs);
        take_known(&mut self.adjusted, known.adjusted);
        let games = self.games.iter_mut().zip(known.games);
        (games.filter(|(_, known)| known.len() > 0)).for_each(|(games, known)| *games = known);
        self.timeouts.extend(known.timeouts);
        self.repeats.merge(&known.repeats);
        self.scores = FieldScores::empty(rated);
        self.push_scores(rated, 0);
        Ok(())
    }

    /// Counts `samples` samples that were under way when the run was stopped, in the cells that draw on: of each it
    /// is only known what its metrics can be at all.
    pub(crate) fn push_unresolved(
        &mut self,
        compiled: &CompiledExperiment,
        limits: &CellLimits,
        samples: u64,
    ) {
        let mut row = Row::new();
        for metric in compiled.metrics() {
            row.push(metric.unknown());
        }
        let rows = |cell| {
            let draws_on = !limits.is_settled(cell, u64::MAX);
            draws_on.then(|| row.clone()).into_iter().collect()
        };
        let rows: Vec<Vec<Row>> = (0..compiled.cells()).map(rows).collect();
        for _ in 0..samples {
            self.push_samples(compiled, 0, &rows);
        }
        let adjusted = self.adjusted.iter_mut().flatten();
        adjusted.for_each(|tally| tally.push_missing());
    }

    /// Adds the tally of the samples that follow those of this block. Of a cell that one of the two lacks
    /// nothing is left.
    pub(crate) fn append(&mut self, next: &Self) {
        let mut games = std::mem::take(&mut self.games);
        let both = games.iter_mut().zip(&next.games);
        both.for_each(|(mine, theirs)| mine.append(theirs));
        self.merge(next);
        self.games = games;
        let (games, cells) = (self.games.iter_mut(), &self.cells);
        let lost = games.zip(cells).filter(|(_, cell)| cell.is_empty());
        lost.for_each(|(games, _)| games.clear());
        self.timeouts.retain(|(cell, _)| !cells[*cell].is_empty());
        self.repeats.retain(|cell| !cells[cell].is_empty());
    }

    /// Returns for each cell whether its samples are needed to complete the tally: those of cells that it
    /// lacks, and of both cells of a pair that it lacks.
    pub(crate) fn missing(&self, compiled: &CompiledExperiment) -> Vec<bool> {
        let metrics = compiled.metrics().len();
        let is_missing = |length: usize| length != metrics;
        let mut missing: Vec<bool> = lengths(&self.cells).map(is_missing).collect();
        let pairs = compiled.pairs().iter().zip(lengths(&self.pairs));
        for (pair, _) in pairs.filter(|(_, length)| is_missing(*length)) {
            missing[pair.first] = true;
            missing[pair.second] = true;
        }
        missing
    }

    /// Returns whether the tally counts something of a cell.
    pub(crate) fn has(&self, cell: usize) -> bool {
        !self.cells[cell].is_empty()
    }

    /// The sum of blocks of which this is the first: the games of each sample are left out.
    pub(crate) fn into_sum(mut self) -> Self {
        self.games.iter_mut().for_each(Games::clear);
        self
    }

    /// Adds everything another tally of the same experiment counted; the games of each sample are left
    /// out.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.games.iter_mut().for_each(Games::clear);
        merge_groups(&mut self.cells, &other.cells, Tally::merge);
        merge_groups(&mut self.pairs, &other.pairs, Paired::merge);
        merge_groups(&mut self.adjusted, &other.adjusted, Regression::merge);
        self.timeouts.extend(&other.timeouts);
        self.repeats.merge(&other.repeats);
        match (&mut self.scores, &other.scores) {
            (Some(mine), Some(theirs)) => {
                let mut both = mine.iter_mut().zip(theirs);
                if !both.all(|(mine, theirs)| mine.merge(theirs)) {
                    self.scores = None;
                }
            }
            (mine, _) => *mine = None,
        }
    }

    /// The scores of each field of rated players, sample by sample, if they are known.
    pub(crate) fn scores(&self) -> Option<&[FieldScores]> {
        self.scores.as_deref()
    }

    /// The adjusted tally of a metric, where variance is reduced.
    pub(crate) fn adjusted(&self, cell: usize, metric: usize) -> Option<&Regression> {
        self.adjusted.get(cell)?.get(metric)
    }

    /// The tallies of a cell, in the order of the metrics.
    pub fn cell(&self, cell: usize) -> &[Tally] {
        &self.cells[cell]
    }

    /// The tallies of every cell.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &[Tally]> {
        self.cells.iter().map(Vec::as_slice)
    }

    /// The tallies of the differences of a compared pair, in the order of the metrics.
    pub(crate) fn pair(&self, pair: usize) -> &[Paired] {
        &self.pairs[pair]
    }
}

/// The lengths, in a tally of so many cells, of the lists that only some experiments have: the sums where
/// variance is reduced, and the games where players are rated.
fn optional_lists(compiled: &CompiledExperiment, cells: usize) -> (usize, usize) {
    let adjusted = compiled.control().map_or(0, |_| cells);
    let games = if compiled.rated().is_empty() {
        0
    } else {
        cells
    };
    (adjusted, games)
}

/// Merges group by group; one that a side lacks is empty.
fn merge_groups<T>(mine: &mut [Vec<T>], theirs: &[Vec<T>], merge: fn(&mut T, &T)) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        mine.truncate(theirs.len());
        let both = mine.iter_mut().zip(theirs);
        both.for_each(|(mine, theirs)| merge(mine, theirs));
    }
}

/// Replaces the groups that are known; the others are empty.
fn take_known<T>(mine: &mut [Vec<T>], known: Vec<Vec<T>>) {
    let both = mine.iter_mut().zip(known);
    (both.filter(|(_, known)| !known.is_empty())).for_each(|(mine, known)| *mine = known);
}

fn lengths<T>(groups: &[Vec<T>]) -> impl Iterator<Item = usize> {
    groups.iter().map(Vec::len)
}

#[cfg(test)]
mod tests;
