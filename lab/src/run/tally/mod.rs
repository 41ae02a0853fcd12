//! Exact tallies of a block, mergeable in any grouping to the same bytes.

mod check;
mod metric;
mod pairs;
mod scores;

use std::collections::BTreeSet;

use crate::stats::{Encode, Paired, Regression};
use crate::task::{Metric, MetricKind, Row, Value};

use super::compiled_experiment::CompiledExperiment;
use super::rated::RatedFields;
use metric::{heap_size, histogram_size};

pub use metric::Tally;
pub use pairs::PairPlaces;
pub use scores::FieldScores;

/// The tallies of a block, or of many: one per cell and metric, and one per compared pair of cells
/// and metric.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockTally {
    cells: Vec<Vec<Tally>>,
    pairs: Vec<Vec<Paired>>,
    /// One per cell and metric where variance is reduced; empty otherwise.
    adjusted: Vec<Vec<Regression>>,
    /// One per field of rated players; `None` where a part was stored without, by an earlier version,
    /// or a game has no outcome.
    scores: Option<Vec<FieldScores>>,
    timeouts: Timeouts,
}

/// Cells and samples that took longer than they may. The clock decided which.
pub type Timeouts = BTreeSet<(usize, u64)>;

impl BlockTally {
    /// An empty tally of every cell, pair and metric.
    pub fn new(compiled: &CompiledExperiment) -> Self {
        let metrics = compiled.metrics();
        let cell: Vec<Tally> = metrics.iter().map(Tally::new).collect();
        let pair = vec![Paired::default(); metrics.len()];
        let adjusted = compiled
            .control()
            .map(|_| vec![vec![Regression::default(); metrics.len()]; compiled.cells()]);
        Self {
            adjusted: adjusted.unwrap_or_default(),
            cells: vec![cell; compiled.cells()],
            pairs: vec![pair; compiled.pairs().len()],
            scores: FieldScores::empty(compiled.rated()),
            timeouts: Timeouts::new(),
        }
    }

    /// The part of the first cell, to which that of further samples of all cells is added.
    pub fn into_first_cell(mut self) -> Self {
        self.cells.truncate(1);
        self.adjusted.truncate(1);
        self.pairs.clear();
        self.scores = Some(Vec::new());
        self
    }

    /// The samples among those counted that took longer than they may.
    pub fn timeouts(&self) -> &Timeouts {
        &self.timeouts
    }

    /// About how many bytes of memory one takes that counts so many samples.
    pub fn memory(compiled: &CompiledExperiment, samples: u64) -> u64 {
        let metric = |metric: &Metric| size_of::<Tally>() as u64 + heap_size(metric, samples);
        let pair = |_: &Metric| size_of::<Paired>() as u64;
        Self::size(compiled, LIST, metric, pair)
    }

    /// About how many bytes of text the encoded tally of `samples` samples has at most.
    pub fn text_size(compiled: &CompiledExperiment, samples: u64) -> u64 {
        const NUMBERS: u64 = 60;
        let numbers = |metric: &Metric| match metric.kind {
            MetricKind::Ratio => 3 * NUMBERS,
            _ => NUMBERS,
        };
        let metric = |metric: &Metric| 8 * histogram_size(metric).min(samples) + numbers(metric);
        let pair = |metric: &Metric| match metric.kind {
            MetricKind::Ratio | MetricKind::Weight => 1,
            _ => 2 * NUMBERS,
        };
        Self::size(compiled, 0, metric, pair)
    }

    /// The sum of the sizes of all parts, given that of a list and of a metric in a cell and in a pair.
    fn size(
        compiled: &CompiledExperiment,
        list: u64,
        metric: impl Fn(&Metric) -> u64,
        pair: impl Fn(&Metric) -> u64,
    ) -> u64 {
        let metrics = || compiled.metrics().iter();
        let cell = list + metrics().map(metric).sum::<u64>();
        let pair = list + metrics().map(pair).sum::<u64>();
        let cells = (compiled.cells() as u64).saturating_mul(cell);
        let pairs = (compiled.pairs().len() as u64).saturating_mul(pair);
        cells.saturating_add(pairs) + FieldScores::size(compiled.rated())
    }

    /// Counts samples: for every cell its rows, of the same samples from `first` on in the same
    /// order.
    pub fn push(&mut self, compiled: &CompiledExperiment, first: u64, rows: &[&[Row]]) {
        for (tallies, rows) in self.adjusted.iter_mut().zip(rows) {
            push_adjusted(tallies, first, rows);
        }
        for (cell, rows) in rows.iter().enumerate() {
            let numbered = (first..).zip(*rows).filter(|(_, row)| row.timed_out());
            self.timeouts
                .extend(numbered.map(|(sample, _)| (cell, sample)));
        }
        self.push_samples(compiled, rows);
    }

    fn push_samples(&mut self, compiled: &CompiledExperiment, rows: &[&[Row]]) {
        for (tallies, rows) in self.cells.iter_mut().zip(rows) {
            for row in *rows {
                for (tally, &value) in tallies.iter_mut().zip(row.values()) {
                    tally.push(value);
                }
            }
        }
        for (tallies, pair) in self.pairs.iter_mut().zip(compiled.pairs()) {
            for (first, second) in rows[pair.first].iter().zip(rows[pair.second]) {
                let both = first.values().iter().zip(second.values());
                for (tally, (&first, &second)) in tallies.iter_mut().zip(both) {
                    push_paired(tally, first, second);
                }
            }
        }
        self.push_scores(compiled.rated(), rows);
    }

    fn push_scores(&mut self, rated: &RatedFields, rows: &[&[Row]]) {
        let Some(scores) = &mut self.scores else {
            return;
        };
        let samples = rows.first().map_or(0, |rows| rows.len());
        let known = scores.iter_mut().zip(rated.iter()).all(|(tally, field)| {
            (0..samples).all(|sample| tally.push(rated, field, |cell| &rows[cell][sample]))
        });
        if !known {
            self.scores = None;
        }
    }

    /// Counts `samples` samples that were under way when the run was stopped: of each it is only
    /// known what its metrics can be at all.
    pub fn push_unresolved(&mut self, compiled: &CompiledExperiment, samples: u64) {
        let mut row = Row::new();
        for metric in compiled.metrics() {
            row.push(metric.unknown());
        }
        let rows = vec![std::slice::from_ref(&row); compiled.cells()];
        for _ in 0..samples {
            self.push_samples(compiled, &rows);
        }
        let adjusted = self.adjusted.iter_mut().flatten();
        adjusted.for_each(|tally| tally.push_missing());
    }

    /// Adds everything another tally of the same experiment counted.
    pub fn merge(&mut self, other: &Self) {
        merge_groups(&mut self.cells, &other.cells, Tally::merge);
        merge_groups(&mut self.pairs, &other.pairs, Paired::merge);
        merge_groups(&mut self.adjusted, &other.adjusted, Regression::merge);
        self.timeouts.extend(&other.timeouts);
        match (&mut self.scores, &other.scores) {
            (Some(mine), Some(theirs)) => {
                let both = mine.iter_mut().zip(theirs);
                both.for_each(|(mine, theirs)| mine.merge(theirs));
            }
            (mine, _) => *mine = None,
        }
    }

    /// The scores of each field of rated players, sample by sample, if they are known.
    pub fn scores(&self) -> Option<&[FieldScores]> {
        self.scores.as_deref()
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

    /// One line of text without commas: `cell&cell#pair&pair`, metrics separated by blanks, where
    /// variance is reduced `#cell&cell` again, and where players are rated `#field&field`. Where
    /// samples took longer than they may, `!` and these follow, as `cell.sample`: the clock decided
    /// on them, and no other run need find the same.
    pub fn encode(&self) -> String {
        let scores = self.scores.iter().flatten().map(FieldScores::encode);
        let scores: Vec<String> = scores.collect();
        let mut text = self.encode_exact(Tally::encode);
        if !scores.is_empty() {
            text += "#";
            text += &scores.join("&");
        }
        text + &self.encode_timeouts()
    }

    /// Like `encode`, without the scores that are counted sample by sample.
    pub fn encode_without_scores(&self) -> String {
        self.encode_exact(Tally::encode) + &self.encode_timeouts()
    }

    /// Like `encode`, as earlier versions did: without scores sample by sample, and without the products
    /// of three of ratios. The hashes of archived blocks are those of such texts.
    pub fn encode_as_before(&self) -> String {
        self.encode_exact(Tally::encode_as_before) + &self.encode_timeouts()
    }

    fn encode_exact(&self, encode: impl Fn(&Tally) -> String) -> String {
        let mut text = encode_groups(&self.cells, encode);
        text += "#";
        text += &encode_groups(&self.pairs, Paired::encode);
        if !self.adjusted.is_empty() {
            text += "#";
            text += &encode_groups(&self.adjusted, Regression::encode);
        }
        text
    }

    fn encode_timeouts(&self) -> String {
        if self.timeouts.is_empty() {
            return String::new();
        }
        let each = self.timeouts.iter();
        let each = each.map(|(cell, sample)| format!("{cell}.{sample}"));
        format!("!{}", each.collect::<Vec<_>>().join(" "))
    }

    /// The tally that [`encode`](Self::encode) wrote for this experiment; `None` of any other text,
    /// and of one that holds other cells, metrics or pairs.
    pub fn decode(text: &str, compiled: &CompiledExperiment) -> Option<Self> {
        Self::decode_stored(text, compiled, &PairPlaces::own(compiled))
    }

    /// Like [`decode`](Self::decode), for an experiment with the same cells and metrics that
    /// compared other pairs, or the same in another order; `places` says where those of this
    /// experiment stand.
    pub fn decode_stored(
        text: &str,
        compiled: &CompiledExperiment,
        places: &PairPlaces,
    ) -> Option<Self> {
        let mut tally = Self::new(compiled);
        let (text, timeouts) = text.split_once('!').unwrap_or((text, ""));
        tally.timeouts = decode_timeouts(timeouts)?;
        let mut sections = text.split('#');
        decode_groups(&mut tally.cells, sections.next()?, Tally::decode_as)?;
        let mut stored = vec![vec![Paired::default(); compiled.metrics().len()]; places.stored];
        decode_groups(&mut stored, sections.next()?, decoded)?;
        tally.pairs = places.pick(stored)?;
        if compiled.control().is_some() {
            decode_groups(&mut tally.adjusted, sections.next()?, decoded)?;
        }
        tally.decode_scores(sections.next())?;
        sections.next().is_none().then_some(tally)
    }

    /// Takes the scores from their section; without it they are unknown if there should be some.
    fn decode_scores(&mut self, text: Option<&str>) -> Option<()> {
        let Some(text) = text else {
            self.scores = self.scores.take().filter(Vec::is_empty);
            return Some(());
        };
        let empty = self.scores.as_mut().filter(|scores| !scores.is_empty())?;
        let texts: Vec<&str> = text.split('&').collect();
        (texts.len() == empty.len()).then_some(())?;
        for (scores, text) in empty.iter_mut().zip(texts) {
            *scores = scores.decode_as(text)?;
        }
        Some(())
    }
}

/// The bytes of a list beside its elements.
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

fn merge_groups<T>(mine: &mut [Vec<T>], theirs: &[Vec<T>], merge: fn(&mut T, &T)) {
    let both = mine.iter_mut().flatten().zip(theirs.iter().flatten());
    both.for_each(|(mine, theirs)| merge(mine, theirs));
}

fn encode_groups<T>(groups: &[Vec<T>], encode: impl Fn(&T) -> String) -> String {
    let group = |group: &Vec<T>| group.iter().map(&encode).collect::<Vec<_>>().join(" ");
    groups.iter().map(group).collect::<Vec<_>>().join("&")
}

fn decode_timeouts(text: &str) -> Option<Timeouts> {
    let one = |word: &str| {
        let (cell, sample) = word.split_once('.')?;
        Some((cell.parse().ok()?, sample.parse().ok()?))
    };
    text.split_ascii_whitespace().map(one).collect()
}

/// The tally in a text, of the kind of an empty one.
fn decoded<T: Encode>(_: &T, text: &str) -> Option<T> {
    T::decode(text)
}

/// Replaces every empty tally of `groups` by the one at its place in `text`.
fn decode_groups<T>(
    groups: &mut [Vec<T>],
    text: &str,
    decode: impl Fn(&T, &str) -> Option<T>,
) -> Option<()> {
    if groups.is_empty() {
        return text.is_empty().then_some(());
    }
    let mut texts = text.split('&').flat_map(|group| group.split(' '));
    for tally in groups.iter_mut().flatten() {
        *tally = decode(tally, texts.next()?)?;
    }
    texts.next().is_none().then_some(())
}
