//! Exact tallies of a block, mergeable in any grouping to the same bytes.

mod check;
mod metric;
mod pairs;

use crate::stats::{DecodeError, Paired, Regression};
use crate::task::{Metric, MetricKind, Row, Value};

use super::laboratory::Laboratory;
use metric::{heap_size, histogram_size};

pub use metric::Tally;
pub use pairs::PairPlaces;

/// Everything counted of a block, or of many: one tally per cell and metric, and one per compared
/// pair of cells and metric.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockTally {
    cells: Vec<Vec<Tally>>,
    pairs: Vec<Vec<Paired>>,
    /// One per cell and metric where variance is reduced; empty otherwise.
    adjusted: Vec<Vec<Regression>>,
}

/// A tally's text does not fit the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tally does not fit the experiment")]
pub struct TallyError;

impl BlockTally {
    /// An empty tally of every cell, pair and metric.
    pub fn new(laboratory: &Laboratory) -> Self {
        let metrics = laboratory.metrics();
        let cell: Vec<Tally> = metrics.iter().map(Tally::new).collect();
        let pair = vec![Paired::default(); metrics.len()];
        let adjusted = laboratory
            .control()
            .map(|_| vec![vec![Regression::default(); metrics.len()]; laboratory.cells()]);
        Self {
            adjusted: adjusted.unwrap_or_default(),
            cells: vec![cell; laboratory.cells()],
            pairs: vec![pair; laboratory.pairs().len()],
        }
    }

    /// About how many bytes of memory one takes, however many samples it counts.
    pub fn memory(laboratory: &Laboratory) -> u64 {
        let metric = |metric: &Metric| size_of::<Tally>() as u64 + heap_size(metric);
        let cell: u64 = laboratory.metrics().iter().map(metric).sum();
        let pair = (laboratory.metrics().len() * size_of::<Paired>()) as u64;
        let cells = (laboratory.cells() as u64).saturating_mul(LIST + cell);
        cells.saturating_add((laboratory.pairs().len() as u64).saturating_mul(LIST + pair))
    }

    /// About how many bytes of text the encoded tally of `samples` samples has at most.
    pub fn text_size(laboratory: &Laboratory, samples: u64) -> u64 {
        const NUMBERS: u64 = 60;
        let numbers = |metric: &Metric| match metric.kind {
            MetricKind::Ratio => 3 * NUMBERS,
            _ => NUMBERS,
        };
        let metric = |metric: &Metric| 8 * histogram_size(metric).min(samples) + numbers(metric);
        let cell: u64 = laboratory.metrics().iter().map(metric).sum();
        let paired = |metric: &Metric| match metric.kind {
            MetricKind::Ratio | MetricKind::Weight => 1,
            _ => 2 * NUMBERS,
        };
        let pair: u64 = laboratory.metrics().iter().map(paired).sum();
        let cells = (laboratory.cells() as u64).saturating_mul(cell);
        cells.saturating_add((laboratory.pairs().len() as u64).saturating_mul(pair))
    }

    /// Counts samples: for every cell its rows, of the same samples from `first` on in the same
    /// order.
    pub fn push(&mut self, laboratory: &Laboratory, first: u64, rows: &[&[Row]]) {
        for (tallies, rows) in self.adjusted.iter_mut().zip(rows) {
            push_adjusted(tallies, first, rows);
        }
        self.push_samples(laboratory, rows);
    }

    fn push_samples(&mut self, laboratory: &Laboratory, rows: &[&[Row]]) {
        for (tallies, rows) in self.cells.iter_mut().zip(rows) {
            for row in *rows {
                for (tally, &value) in tallies.iter_mut().zip(row.values()) {
                    tally.push(value);
                }
            }
        }
        for (tallies, pair) in self.pairs.iter_mut().zip(laboratory.pairs()) {
            for (first, second) in rows[pair.first].iter().zip(rows[pair.second]) {
                let both = first.values().iter().zip(second.values());
                for (tally, (&first, &second)) in tallies.iter_mut().zip(both) {
                    push_paired(tally, first, second);
                }
            }
        }
    }

    /// Counts `samples` samples that were under way when the run was stopped: of each it is only
    /// known what its metrics can be at all.
    pub fn push_unresolved(&mut self, laboratory: &Laboratory, samples: u64) {
        let mut row = Row::new();
        for metric in laboratory.metrics() {
            row.push(metric.unknown());
        }
        let rows = vec![std::slice::from_ref(&row); laboratory.cells()];
        for _ in 0..samples {
            self.push_samples(laboratory, &rows);
        }
        let adjusted = self.adjusted.iter_mut().flatten();
        adjusted.for_each(|tally| tally.push_missing());
    }

    /// Adds everything another tally of the same experiment counted.
    pub fn merge(&mut self, other: &Self) {
        let cells = self.cells.iter_mut().flatten();
        for (mine, theirs) in cells.zip(other.cells.iter().flatten()) {
            mine.merge(theirs);
        }
        let pairs = self.pairs.iter_mut().flatten();
        for (mine, theirs) in pairs.zip(other.pairs.iter().flatten()) {
            mine.merge(theirs);
        }
        let adjusted = self.adjusted.iter_mut().flatten();
        for (mine, theirs) in adjusted.zip(other.adjusted.iter().flatten()) {
            mine.merge(theirs);
        }
    }

    /// The adjusted tally of a metric, where variance is reduced.
    pub fn adjusted(&self, cell: usize, metric: usize) -> Option<&Regression> {
        self.adjusted.get(cell)?.get(metric)
    }

    /// The tallies of a cell, in the order of the metrics.
    pub fn cell(&self, cell: usize) -> &[Tally] {
        &self.cells[cell]
    }

    /// The tallies of every cell.
    pub fn cells(&self) -> impl Iterator<Item = &[Tally]> {
        self.cells.iter().map(Vec::as_slice)
    }

    /// The tallies of the differences of a compared pair, in the order of the metrics.
    pub fn pair(&self, pair: usize) -> &[Paired] {
        &self.pairs[pair]
    }

    /// One line of text without commas: `cell&cell#pair&pair`, metrics separated by blanks, and
    /// where variance is reduced `#cell&cell` again.
    pub fn encode(&self) -> String {
        let cells = encode_groups(&self.cells, Tally::encode);
        let pairs = encode_groups(&self.pairs, Paired::encode);
        if self.adjusted.is_empty() {
            return format!("{cells}#{pairs}");
        }
        let adjusted = encode_groups(&self.adjusted, Regression::encode);
        format!("{cells}#{pairs}#{adjusted}")
    }

    /// The tally that [`encode`](Self::encode) wrote for this laboratory.
    ///
    /// # Errors
    /// If `text` is none, or holds other cells, metrics or pairs.
    pub fn decode(text: &str, laboratory: &Laboratory) -> Result<Self, TallyError> {
        Self::decode_stored(text, laboratory, &PairPlaces::own(laboratory))
    }

    /// The tally of a laboratory with the same cells and metrics that compared other pairs, or the
    /// same in another order; `places` says where those of this laboratory stand.
    ///
    /// # Errors
    /// If `text` is none, or holds other cells, metrics or pairs.
    pub fn decode_stored(
        text: &str,
        laboratory: &Laboratory,
        places: &PairPlaces,
    ) -> Result<Self, TallyError> {
        let mut tally = Self::new(laboratory);
        let (cells, rest) = text.split_once('#').ok_or(TallyError)?;
        let (pairs, adjusted) = match laboratory.control() {
            Some(_) => rest.split_once('#').ok_or(TallyError)?,
            None => (rest, ""),
        };
        let mut stored = vec![vec![Paired::default(); laboratory.metrics().len()]; places.stored];
        decode_groups(&mut tally.cells, cells, Tally::decode_as)?;
        decode_groups(&mut stored, pairs, |_, text| Paired::decode(text))?;
        decode_groups(&mut tally.adjusted, adjusted, |_, text| {
            Regression::decode(text)
        })?;
        tally.pairs = places.pick(stored).ok_or(TallyError)?;
        Ok(tally)
    }
}

/// What a list takes in memory beside what it holds.
const LIST: u64 = 40;

/// Counts a pair; ratios and weights have no paired difference.
fn push_paired(tally: &mut Paired, first: Value, second: Value) {
    match (first.ends(), second.ends()) {
        (Some(first), Some(second)) => tally.push_bounds(first, second),
        _ => tally.push_missing(),
    }
}

/// Counts the samples of one cell from `first` on; a value that is missing makes the tally useless.
fn push_adjusted(tallies: &mut [Regression], first: u64, rows: &[Row]) {
    for (index, row) in (first..).zip(rows) {
        for (tally, value) in tallies.iter_mut().zip(row.values()) {
            match value.ends().zip(row.control()) {
                Some((ends, control)) => tally.push(index, ends, control),
                None => tally.push_missing(),
            }
        }
    }
}

fn encode_groups<T>(groups: &[Vec<T>], encode: impl Fn(&T) -> String) -> String {
    let group = |group: &Vec<T>| group.iter().map(&encode).collect::<Vec<_>>().join(" ");
    groups.iter().map(group).collect::<Vec<_>>().join("&")
}

/// Replaces every empty tally of `groups` by the one at its place in `text`.
fn decode_groups<T>(
    groups: &mut [Vec<T>],
    text: &str,
    decode: impl Fn(&T, &str) -> Result<T, DecodeError>,
) -> Result<(), TallyError> {
    if groups.is_empty() {
        return text.is_empty().then_some(()).ok_or(TallyError);
    }
    let mut texts = text.split('&').flat_map(|group| group.split(' '));
    for tally in groups.iter_mut().flatten() {
        let text = texts.next().ok_or(TallyError)?;
        *tally = decode(tally, text).map_err(|_| TallyError)?;
    }
    texts.next().is_none().then_some(()).ok_or(TallyError)
}
