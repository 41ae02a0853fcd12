//! The bytes of a tally, and how many they can be.

use std::mem::discriminant;

use super::copies::Repeats;
use super::{BlockTally, FieldScores, Places, Tally, lengths, optional_lists};
use crate::run::compiled_experiment::CompiledExperiment;
use task::{Metric, MetricKind, decode_tallies, encode_tallies};

impl BlockTally {
    /// About how many bytes of text the stored tally of `samples` samples of the experiment has at
    /// most.
    pub(crate) fn text_size(compiled: &CompiledExperiment, samples: u64) -> u64 {
        Self::stored_size(compiled, &Places::own(compiled), samples)
    }

    /// Like [`text_size`](Self::text_size), of a stored tally that may have other cells, with the repeats
    /// that the first ones may hold.
    pub(crate) fn longest_text(
        compiled: &CompiledExperiment,
        places: &Places,
        samples: u64,
    ) -> u64 {
        let repeats = Repeats::TEXT.saturating_mul(places.stored.0 as u64);
        Self::stored_size(compiled, places, samples).saturating_add(repeats)
    }

    fn stored_size(compiled: &CompiledExperiment, places: &Places, samples: u64) -> u64 {
        const NUMBERS: u64 = 100;
        let numbers = |metric: &Metric| match metric.kind {
            MetricKind::Ratio => 3 * NUMBERS,
            _ => NUMBERS,
        };
        let metric = |metric: &Metric| 8 * histogram_size(metric).min(samples) + numbers(metric);
        let pair = |metric: &Metric| match metric.kind {
            MetricKind::Ratio | MetricKind::Weight => 1,
            _ => 2 * NUMBERS,
        };
        let games = if compiled.rated().is_empty() {
            0
        } else {
            samples
        };
        let metrics = || compiled.metrics().iter();
        let cell = metrics().map(metric).fold(games, u64::saturating_add);
        let pair: u64 = metrics().map(pair).sum();
        let (cells, pairs) = places.stored;
        let cells = (cells as u64).saturating_mul(cell);
        cells.saturating_add((pairs as u64).saturating_mul(pair))
    }

    /// The tally of a block in bytes, each number as short as it can be. The samples that took longer than
    /// they may are among them: the clock decided on these, and no other run need find the same.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let rest = (&self.games, &self.timeouts, &self.repeats);
        let mut bytes = encode_tallies(&self.cells, &self.pairs, &self.adjusted);
        // Lists of known lengths always have a form.
        bytes.extend(postcard::to_allocvec(&rest).unwrap_or_default());
        bytes
    }

    /// The sum of blocks in bytes: what [`encode`](Self::encode) writes, and the scores, which no games tell
    /// any more.
    pub(crate) fn encode_sum(&self) -> Vec<u8> {
        let mut bytes = self.encode();
        bytes.extend(postcard::to_allocvec(&self.scores).unwrap_or_default());
        bytes
    }

    /// The sum of the blocks with so many samples of each cell that [`encode_sum`](Self::encode_sum) wrote for
    /// this experiment, or the part of its first cell; `None` of any other bytes.
    pub(crate) fn decode_sum(
        bytes: &[u8],
        compiled: &CompiledExperiment,
        (samples, is_part): (u64, bool),
    ) -> Option<Self> {
        let (mut sum, rest) = Self::read(bytes)?;
        sum.scores = postcard::from_bytes(rest).ok()?;
        let mut whole = Self::new(compiled);
        if is_part {
            whole = whole.first_cell();
        }
        let has_parts = sum.is_part_of(compiled, (whole.cells.len(), whole.pairs.len()));
        let is_own = has_parts && sum.is_consistent() && sum.encode_sum() == bytes;
        (is_own && sum.is_possible_sum(compiled, (&whole, samples))).then_some(sum)
    }

    /// The tally in some bytes, without its scores, and the bytes after it.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let ((cells, pairs, adjusted), rest) = decode_tallies(bytes)?;
        let ((games, timeouts, repeats), rest) = postcard::take_from_bytes(rest).ok()?;
        let tally = Self {
            cells,
            pairs,
            adjusted,
            games,
            timeouts,
            repeats,
            scores: None,
        };
        Some((tally, rest))
    }

    /// The tally that [`encode`](Self::encode) wrote for this experiment; `None` of any other bytes,
    /// and of a tally with other cells, metrics or pairs.
    pub(crate) fn decode(bytes: &[u8], compiled: &CompiledExperiment) -> Option<Self> {
        Self::decode_stored(bytes, compiled, &Places::own(compiled))
    }

    /// Like [`decode`](Self::decode), for an experiment that shares cells with the stored one; `places`
    /// says where its own stand. What is not stored is empty, there as here. Only the very bytes that are
    /// written are read: the hash of a block stands for them.
    pub(crate) fn decode_stored(
        bytes: &[u8],
        compiled: &CompiledExperiment,
        places: &Places,
    ) -> Option<Self> {
        let (stored, _) = Self::read(bytes)?;
        let is_part = stored.is_part_of(compiled, places.stored);
        let is_own = is_part && stored.is_consistent() && stored.encode() == bytes;
        is_own.then(|| stored.picked(compiled, places))?
    }

    /// Like [`decode_stored`](Self::decode_stored), of bytes that it has read before.
    pub(crate) fn decode_again(
        bytes: &[u8],
        compiled: &CompiledExperiment,
        places: &Places,
    ) -> Option<Self> {
        Self::read(bytes)?.0.picked(compiled, places)
    }

    /// The experiment's cells among those that a stored tally has, in its order; `None` of one that is
    /// not the experiment's.
    pub(crate) fn layout(bytes: &[u8], places: &Places) -> Option<Vec<Option<usize>>> {
        let (stored, _) = Self::read(bytes)?;
        let there = (0..)
            .zip(&stored.cells)
            .filter(|(_, cell)| !cell.is_empty());
        Some(there.map(|(place, _)| places.cell_at(place)).collect())
    }

    /// Returns whether a tally has the parts of one of so many cells and pairs, or lacks some. A whole one is not
    /// made to compare: of a wide sweep it is large.
    fn is_part_of(&self, compiled: &CompiledExperiment, (cells, pairs): (usize, usize)) -> bool {
        let kinds = compiled.metrics().iter().map(Tally::new);
        let kinds: Vec<_> = kinds.map(|tally| discriminant(&tally)).collect();
        let has_kinds = |cell: &Vec<Tally>| {
            cell.is_empty() || cell.iter().map(discriminant).eq(kinds.iter().copied())
        };
        let (adjusted, games) = optional_lists(compiled, cells);
        self.cells.len() == cells
            && self.games.len() == games
            && are_parts(&self.pairs, (pairs, kinds.len()))
            && are_parts(&self.adjusted, (adjusted, kinds.len()))
            && self.cells.iter().all(has_kinds)
    }

    /// The parts of a stored tally that belong to the experiment.
    fn picked(self, compiled: &CompiledExperiment, places: &Places) -> Option<Self> {
        let timeouts = self.timeouts.into_iter();
        let own = timeouts.filter_map(|(place, sample)| Some((places.cell_at(place)?, sample)));
        let mut tally = Self {
            timeouts: own.collect(),
            repeats: self.repeats.picked(places),
            pairs: places.pick_pairs(&self.pairs)?,
            cells: places.pick_cells(self.cells),
            adjusted: places.pick_cells(self.adjusted),
            games: places.pick_cells(self.games),
            scores: FieldScores::empty(compiled.rated()),
        };
        tally.push_scores(compiled.rated(), 0);
        Some(tally)
    }
}

/// Returns whether there are so many groups, and each is so long or empty.
fn are_parts<T>(groups: &[Vec<T>], (number, length): (usize, usize)) -> bool {
    groups.len() == number && lengths(groups).all(|own| own == 0 || own == length)
}

/// Different values that a metric's histogram has at most, as far as they are counted in a vector.
fn histogram_size(metric: &Metric) -> u64 {
    match metric.kind {
        MetricKind::Flag | MetricKind::Pair | MetricKind::Integer => {
            let (min, max) = metric.limits().unwrap_or((i64::MIN, i64::MAX));
            max.abs_diff(min).saturating_add(1).min(8192)
        }
        MetricKind::Total | MetricKind::Number | MetricKind::Ratio | MetricKind::Weight => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_room_for_the_values_within_the_limits() {
        let sizes = [
            (Metric::flag("flag", ""), 2),
            (Metric::pair("pair", ""), 5),
            (Metric::integer("grade", "", (-3, 12), ""), 16),
            (Metric::integer("wide", "", (0, 1 << 40), ""), 8192),
            (Metric::total("total", "", ""), 0),
            (Metric::rate("rate", "", ""), 0),
        ];
        for (metric, size) in sizes {
            assert_eq!(histogram_size(&metric), size, "{}", metric.name);
        }
    }
}
