//! The exact census of a variant's placements under a rule.
//!
//! Counts every accepted placement by the cell of its first piece and by its maximum threat count.
//! The distribution of maximum threats, the expected attempts of both samplers and the bias of the
//! book's sampler follow exactly. Where no piece can stand in another's way, the last piece is
//! counted by whole sets of cells: it raises the maximum exactly if it attacks a cell already at
//! the maximum.

use super::army::Placement;
use super::board::{CellSet, has, members, set_of};
use super::rules::Referee;
use super::sampler::Sampler;
use super::threats::ThreatMap;
use super::walk::Walk;

/// Placements by maximum threat count, 0 to 5.
pub(crate) type ThreatCounts = [u64; 6];

/// Exact counts of a referee's placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The cells of the first piece, in increasing order, each with its placements.
    by_first: Vec<(usize, ThreatCounts)>,
    tuples: u64,
    kept: usize,
}

impl Census {
    /// Counts all accepted placements; first cells equivalent by symmetry are counted once.
    pub fn new(referee: &Referee) -> Self {
        let counter = Counter::new(referee);
        let mut by_first: Vec<(usize, ThreatCounts)> = Vec::new();
        for first in members(referee.army().pieces()[0].domain) {
            let twin = symmetric_cells(referee, first).into_iter().min();
            let known = by_first.iter().find(|entry| Some(entry.0) == twin);
            let counts = known.map_or_else(|| counter.count(first), |entry| entry.1);
            by_first.push((first, counts));
        }
        Self {
            by_first,
            tuples: referee.army().tuples(),
            kept: referee.army().kept,
        }
    }

    /// The number of equally likely draws, see [`Army::tuples`](super::army::Army::tuples).
    pub fn tuples(&self) -> u64 {
        self.tuples
    }

    /// The number of accepted placements.
    pub fn placements(&self) -> u64 {
        self.max_threats().iter().sum()
    }

    /// Accepted placements by maximum threat count.
    pub fn max_threats(&self) -> ThreatCounts {
        let mut sum = ThreatCounts::default();
        for (_, counts) in &self.by_first {
            sum.iter_mut()
                .zip(counts)
                .for_each(|(total, count)| *total += count);
        }
        sum
    }

    /// Accepted placements by the cell of the first piece.
    pub fn first_cells(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.by_first
            .iter()
            .map(|(cell, counts)| (*cell, counts.iter().sum()))
    }

    /// Returns whether the sampler ends with probability 1: every piece it keeps can be completed.
    pub fn is_completable(&self, sampler: Sampler) -> bool {
        match sampler {
            Sampler::Seed if self.kept > 0 => self.first_cells().all(|(_, count)| count > 0),
            _ => self.placements() > 0,
        }
    }

    /// Expected attempts of a sampler, an attempt being one pass from the point a conflict goes
    /// back to; infinite where the sampler may never end.
    ///
    /// Keeping piece 1, the attempts at a fixed first cell are geometric, so the expectation is
    /// the mean over first cells of 1 / P(accepted | first cell).
    pub fn expected_attempts(&self, sampler: Sampler) -> f64 {
        if sampler == Sampler::Uniform || self.kept == 0 {
            return self.tuples as f64 / self.placements() as f64;
        }
        let firsts = self.by_first.len() as f64;
        let completions = self.tuples as f64 / firsts;
        self.first_cells()
            .map(|(_, count)| completions / count as f64)
            .sum::<f64>()
            / firsts
    }

    /// P(an accepted placement has its first piece on each cell), in the order of
    /// [`first_cells`](Self::first_cells).
    pub fn first_cell_chances(&self, sampler: Sampler) -> Vec<f64> {
        if sampler == Sampler::Uniform || self.kept == 0 {
            let total = self.placements() as f64;
            return self
                .first_cells()
                .map(|(_, count)| count as f64 / total)
                .collect();
        }
        vec![1.0 / self.by_first.len() as f64; self.by_first.len()]
    }

    /// P(each maximum threat count, 0 to 5) under a sampler.
    pub fn max_threat_chances(&self, sampler: Sampler) -> [f64; 6] {
        let mut chances = [0.0; 6];
        let firsts = self.first_cell_chances(sampler);
        for ((_, counts), first) in self.by_first.iter().zip(firsts) {
            let total = counts.iter().sum::<u64>().max(1) as f64;
            for (chance, &count) in chances.iter_mut().zip(counts) {
                *chance += first * count as f64 / total;
            }
        }
        chances
    }

    /// The total variation distance between the book's sampler and the uniform one. Given the
    /// first cell both are uniform, so the first cell carries all of it.
    pub fn total_variation(&self) -> f64 {
        let seed = self.first_cell_chances(Sampler::Seed);
        let uniform = self.first_cell_chances(Sampler::Uniform);
        seed.iter()
            .zip(uniform)
            .map(|(p, q)| (p - q).abs())
            .sum::<f64>()
            / 2.0
    }

    /// The chi-square divergence of the book's sampler from the uniform one: what each sample
    /// adds to the expectation of a chi-square statistic of the first cell.
    pub fn chi_square_divergence(&self) -> f64 {
        let seed = self.first_cell_chances(Sampler::Seed);
        let uniform = self.first_cell_chances(Sampler::Uniform);
        seed.iter()
            .zip(uniform)
            .filter(|(p, q)| **p != *q)
            .fold(0.0, |sum, (p, q)| sum + (p - q).powi(2) / q)
    }
}

/// Counts placements with a fixed first cell.
struct Counter<'a> {
    referee: &'a Referee,
    /// The cells from which the last piece attacks each cell of an empty board.
    attackers: Vec<CellSet>,
}

impl<'a> Counter<'a> {
    fn new(referee: &'a Referee) -> Self {
        let army = referee.army();
        let last = army.size().saturating_sub(1);
        let cells = army.board().cells();
        let attackers = (0..cells)
            .map(|cell| set_of((0..cells).filter(|&from| has(army.reach(last, from), cell))))
            .collect();
        Self { referee, attackers }
    }

    fn count(&self, first: usize) -> ThreatCounts {
        let mut counts = ThreatCounts::default();
        Walk::new(self.referee).with_first(first, &mut |placement, last| {
            if self.referee.is_undisturbed() {
                self.count_at_once(placement, last, &mut counts);
            } else {
                self.count_one_by_one(placement, last, &mut counts);
            }
        });
        counts
    }

    fn count_at_once(&self, placement: &Placement, last: CellSet, counts: &mut ThreatCounts) {
        let army = self.referee.army();
        let mut map = ThreatMap::default();
        for (piece, cell) in placement.iter().enumerate() {
            map.add(army.reach(piece, cell));
        }
        let max = map.highest();
        let top = map.level(max) & army.board().all();
        let raising = members(top).fold(0, |set, cell| set | self.attackers[cell]) & last;
        counts[usize::from(max) + 1] += u64::from(raising.count_ones());
        counts[usize::from(max)] += u64::from((last & !raising).count_ones());
    }

    fn count_one_by_one(&self, placement: &Placement, last: CellSet, counts: &mut ThreatCounts) {
        let mut whole = *placement;
        for cell in members(last) {
            whole.push(cell);
            if self.referee.accepts_whole(&whole) {
                let max = self.referee.army().threats(&whole).highest();
                counts[usize::from(max)] += 1;
            }
            whole.pop();
        }
    }
}

/// The images of a cell under the symmetries that keep the rule's placements: those of the board,
/// or for a table of differences only the half turn.
fn symmetric_cells(referee: &Referee, cell: usize) -> Vec<usize> {
    let board = referee.army().board();
    let (row, column) = (board.row(cell), board.column(cell));
    let (below, right) = (board.height() - 1 - row, board.width() - 1 - column);
    let mut images = vec![cell, board.cell(below, right)];
    if !referee.rule().is_difference_table() {
        images.extend([board.cell(below, column), board.cell(row, right)]);
        if board.width() == board.height() {
            images.extend(
                [(column, row), (column, below), (right, row), (right, below)]
                    .map(|(row, column)| board.cell(row, column)),
            );
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::rules::Rule;
    use crate::variants::{Variant, chess};

    fn referee(variant: Variant, rule: Rule) -> Referee {
        Referee::new(variant.army(), rule)
    }

    /// Anchors of the chess set: counted independently by plain loops over all 64^5 tuples.
    #[test]
    fn chess_has_its_known_numbers_of_placements() {
        let count = |rule| Census::new(&referee(Variant::Chess, rule)).placements();
        assert_eq!(count(Rule::NonAttacking), 17_265_360);
        assert_eq!(count(Rule::Table), 48_000);
        assert_eq!(count(Rule::TablePublished), 66_240);
    }

    #[test]
    fn small_chess_boards_have_their_known_numbers_of_placements() {
        let count = |side| Census::new(&Referee::new(chess(side), Rule::NonAttacking)).placements();
        assert_eq!([4, 5, 6].map(count), [16, 3_488, 132_832]);
    }

    /// The census uses symmetry; counting every first cell on its own must give the same.
    #[test]
    fn symmetric_first_cells_have_equal_counts() {
        for variant in Variant::iter() {
            for rule in [
                Rule::Table,
                Rule::TablePublished,
                Rule::Universal,
                Rule::Amazon,
            ] {
                let referee = referee(variant, rule);
                let counter = Counter::new(&referee);
                for (cell, counts) in Census::new(&referee).by_first {
                    assert_eq!(counter.count(cell), counts, "{variant:?} {rule:?} {cell}");
                }
            }
        }
    }

    #[test]
    fn the_two_ways_of_counting_the_last_piece_agree() {
        for variant in [Variant::Chess, Variant::Makruk, Variant::Shogi] {
            let referee = referee(variant, Rule::Amazon);
            let counter = Counter::new(&referee);
            let mut counts = [ThreatCounts::default(); 2];
            Walk::new(&referee).with_first(12, &mut |placement, last| {
                counter.count_at_once(placement, last, &mut counts[0]);
                counter.count_one_by_one(placement, last, &mut counts[1]);
            });
            assert_eq!(counts[0], counts[1]);
        }
    }

    #[test]
    fn the_books_sampler_ends_everywhere_and_is_biased_except_in_xiangqi() {
        let rules = Rule::iter().filter(|&rule| rule != Rule::Any);
        let pairs = rules.flat_map(|rule| Variant::iter().map(move |variant| (variant, rule)));
        for (variant, rule) in pairs {
            let census = Census::new(&referee(variant, rule));
            assert!(census.is_completable(Sampler::Seed));
            let biased = census.total_variation() > 0.0;
            assert_eq!(biased, variant != Variant::Xiangqi);
            assert_eq!(biased, census.chi_square_divergence() > 0.0);
            let ratio = census.expected_attempts(Sampler::Seed)
                / census.expected_attempts(Sampler::Uniform);
            assert_eq!(ratio > 1.0, biased);
        }
    }
}
