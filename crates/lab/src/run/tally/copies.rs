//! Samples that are one another's copies, by cell.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Places;
use task::Row;

/// The first samples of a cell, which are compared to find those that repeat one another.
const COMPARED: u64 = 64;

/// The cells in whose samples nothing is drawn at random, and the courses of the first samples, where
/// they are told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Repeats {
    without_chance: BTreeSet<usize>,
    /// A hash by cell and sample.
    courses: BTreeMap<(usize, u64), u32>,
}

impl Repeats {
    /// About how many bytes a cell's have in a journal at most.
    pub(super) const TEXT: u64 = 40 * COMPARED;

    /// Takes in a sample of a cell.
    pub(super) fn push(&mut self, cell: usize, sample: u64, row: &Row) {
        if row.without_chance {
            self.without_chance.insert(cell);
        }
        if sample < COMPARED && !row.course.is_empty() {
            let hash = blake3::hash(row.course.as_bytes());
            let [a, b, c, d, ..] = *hash.as_bytes();
            let hash = u32::from_le_bytes([a, b, c, d]);
            self.courses.insert((cell, sample), hash);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.without_chance.extend(&other.without_chance);
        self.courses.extend(&other.courses);
    }

    /// Returns whether the cell's samples, so many, are all the same: nothing in them is drawn at random, or
    /// those that were compared do not differ.
    pub(super) fn is_one_sample(&self, cell: usize, samples: u64) -> bool {
        let (compared, different) = self.compared(cell, samples);
        self.without_chance.contains(&cell) || (compared > 1 && different == 1)
    }

    /// The number of a cell's samples that were compared, of so many, and of those that differ; none where one
    /// of the first samples tells no course, which thereby repeats no other.
    pub(super) fn compared(&self, cell: usize, samples: u64) -> (u64, u64) {
        let courses = self.courses.range((cell, 0)..(cell + 1, 0));
        let hashes: Vec<u32> = courses.map(|(_, &hash)| hash).collect();
        let compared = hashes.len() as u64;
        if compared < samples.min(COMPARED) {
            return (0, 0);
        }
        let different: BTreeSet<&u32> = hashes.iter().collect();
        (compared, different.len() as u64)
    }

    /// Returns whether every cell is one of so many.
    pub(super) fn is_within(&self, cells: usize) -> bool {
        let named = self.courses.keys().map(|(cell, _)| cell);
        self.without_chance
            .iter()
            .chain(named)
            .all(|&cell| cell < cells)
    }

    /// Leaves out the cells that `keep` does not name.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        self.without_chance.retain(|&cell| keep(cell));
        self.courses.retain(|&(cell, _), _| keep(cell));
    }

    /// Returns those of the cells that an experiment has, at its own numbers.
    pub(super) fn picked(self, places: &Places) -> Self {
        let own = |place| places.cell_at(place);
        let courses = self.courses.into_iter();
        Self {
            without_chance: self.without_chance.into_iter().filter_map(own).collect(),
            courses: courses
                .filter_map(|((place, sample), hash)| Some(((own(place)?, sample), hash)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str, is_fixed: bool) -> Row {
        let mut row = Row::new();
        row.push_step(text);
        if is_fixed {
            row.without_chance = true;
        }
        row
    }

    #[test]
    fn repeats_are_counted_by_cell() {
        let mut repeats = Repeats::default();
        for (sample, text) in (0..).zip(["a", "b", "a", "a"]) {
            repeats.push(1, sample, &row(text, false));
        }
        let mut other = Repeats::default();
        other.push(3, 0, &row("a", true));
        other.push(1, 4, &row("c", false));
        repeats.merge(&other);
        assert_eq!(repeats.compared(1, 5), (5, 3));
        assert_eq!(repeats.compared(0, 5), (0, 0));
        assert!(repeats.is_one_sample(3, 9) && !repeats.is_one_sample(1, 5));
        assert!(!repeats.is_one_sample(0, 0));
        repeats.push(2, 0, &row("a", false));
        assert!(!repeats.is_one_sample(2, 1));
        repeats.push(2, 1, &row("a", false));
        assert!(repeats.is_one_sample(2, 2));
        assert!(repeats.is_within(4) && !repeats.is_within(3));
        for (sample, text) in (0..).zip(["a", "b"]) {
            repeats.push(4, sample, &row(text, false));
        }
        assert!(!repeats.is_one_sample(4, 2));
    }

    /// A stored run has the cells 3 and 0 of four others, at 1 and 2; its first one is none of theirs.
    #[test]
    fn repeats_are_kept_and_picked_by_cell() {
        let mut stored = Repeats::default();
        for (cell, is_fixed) in [(0, true), (1, true), (2, false)] {
            (0..2).for_each(|sample| stored.push(cell, sample, &row("a", is_fixed)));
        }
        let mut kept = stored.clone();
        kept.retain(|cell| cell == 1);
        let is_one = |repeats: &Repeats| [0, 1, 2, 3].map(|cell| repeats.is_one_sample(cell, 2));
        assert_eq!(is_one(&kept), [false, true, false, false]);
        assert_eq!([0, 1, 2].map(|cell| kept.compared(cell, 2).0), [0, 2, 0]);
        let (compiled, _) = super::super::tests::matches();
        let own = vec![Some(2), None, None, Some(1)];
        let picked = stored.picked(&Places::of(&compiled, own, 3, &[]));
        assert_eq!(is_one(&picked), [true, false, false, true]);
        let fixed = [0, 3].map(|cell| picked.without_chance.contains(&cell));
        assert_eq!(fixed, [false, true]);
    }

    /// Of ten samples four tell no course, as where a player drew at random; the others are one match.
    #[test]
    fn a_cell_some_of_whose_samples_tell_no_course_has_no_copies() {
        let mut repeats = Repeats::default();
        for sample in 0..10 {
            let text = if sample % 3 == 0 { "" } else { "a" };
            let row = if text.is_empty() {
                Row::new()
            } else {
                row(text, false)
            };
            repeats.push(7, sample, &row);
        }
        assert_eq!(repeats.compared(7, 10), (0, 0));
        assert!(!repeats.is_one_sample(7, 10) && repeats.is_one_sample(7, 6));
    }

    #[test]
    fn only_the_first_samples_are_compared() {
        let mut repeats = Repeats::default();
        (0..2 * COMPARED).for_each(|sample| repeats.push(0, sample, &row("a", false)));
        assert_eq!(repeats.compared(0, 2 * COMPARED), (COMPARED, 1));
    }
}
