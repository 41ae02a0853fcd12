//! Numbering the hens' configurations of a layer without gaps, by counting.
//!
//! A layer holds the sets of `hens` cells whose rows add up to `height`. Sets are numbered in
//! lexicographic order of their cells; a table of how many ways there are to complete a partial
//! set turns a set into its number and back (Knuth, TAOCP 7.2.1.3). No hashing, no list of sets:
//! the table of the full board takes less than a megabyte.

use crate::board::{Board, Cells, each};
use crate::evaluation::rows;

/// The configurations of hens in a layer: how many there are and the sum of their rows, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// The number of hens.
    pub hens: u32,
    /// The sum of their rows.
    pub height: u32,
}

impl Shape {
    /// The layer a configuration belongs to.
    pub const fn of(hens: Cells) -> Shape {
        Shape {
            hens: hens.count_ones(),
            height: rows(hens),
        }
    }
}

/// The numbering of all layers of a board.
#[derive(Debug)]
pub(crate) struct Ranking {
    cells: Vec<Cells>,
    /// `ways[i][hens][height]`: sets of cells from the `i`-th on with that many hens and height.
    ways: Vec<Vec<Vec<u64>>>,
}

impl Ranking {
    /// The numbering for a board.
    pub(crate) fn new(board: &Board) -> Ranking {
        let cells: Vec<Cells> = each(board.cells).collect();
        let (hens, heights) = (cells.len() + 1, rows(board.cells) as usize + 1);
        let mut ways = vec![vec![vec![0; heights]; hens]; cells.len() + 1];
        ways[cells.len()][0][0] = 1;
        for index in (0..cells.len()).rev() {
            let row = rows(cells[index]) as usize;
            for hens in 0..hens {
                for height in 0..heights {
                    let without: u64 = ways[index + 1][hens][height];
                    let with = match (hens.checked_sub(1), height.checked_sub(row)) {
                        (Some(hens), Some(height)) => ways[index + 1][hens][height],
                        _ => 0,
                    };
                    ways[index][hens][height] = without + with;
                }
            }
        }
        Ranking { cells, ways }
    }

    /// Returns the number of configurations of a layer.
    pub(crate) fn count(&self, shape: Shape) -> u64 {
        self.ways_from(0, shape)
    }

    /// The greatest height any layer has.
    pub(crate) fn max_height(&self) -> u32 {
        self.cells.iter().map(|&cell| rows(cell)).sum()
    }

    /// A configuration's number in its layer.
    pub(crate) fn rank(&self, hens: Cells) -> u64 {
        let (mut rank, mut left) = (0, Shape::of(hens));
        for (index, &cell) in self.cells.iter().enumerate() {
            if cell & hens == 0 {
                continue;
            }
            // All sets that leave this cell empty come first.
            rank += self.ways_from(index + 1, left);
            left.hens -= 1;
            left.height -= rows(cell);
        }
        rank
    }

    /// The configuration of that number, below [`Ranking::count`].
    pub(crate) fn unrank(&self, shape: Shape, mut rank: u64) -> Cells {
        let (mut hens, mut left) = (0, shape);
        for (index, &cell) in self.cells.iter().enumerate() {
            let without = self.ways_from(index + 1, left);
            if rank >= without {
                rank -= without;
                hens |= cell;
                left.hens -= 1;
                left.height -= rows(cell);
            }
            if left.hens == 0 {
                break;
            }
        }
        hens
    }

    fn ways_from(&self, index: usize, left: Shape) -> u64 {
        let heights = &self.ways[index].get(left.hens as usize);
        let ways = heights.and_then(|heights| heights.get(left.height as usize));
        ways.copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{CROSS, SMALL_SQUARE, STRIP};

    #[test]
    fn every_set_of_a_small_board_has_its_own_number() {
        for board in [&SMALL_SQUARE, &STRIP] {
            let ranking = Ranking::new(board);
            let mut total = 0;
            for hens in 0..=board.cells.count_ones() {
                for height in 0..=ranking.max_height() {
                    let shape = Shape { hens, height };
                    for rank in 0..ranking.count(shape) {
                        let set = ranking.unrank(shape, rank);
                        assert_eq!(Shape::of(set), shape);
                        assert_eq!(ranking.rank(set), rank);
                        total += 1;
                    }
                }
            }
            assert_eq!(total, 1 << board.cells.count_ones());
        }
    }

    /// By binomial coefficients: 33 choose h configurations, (33 - h) choose 2 pairs of foxes.
    #[test]
    fn layers_of_the_cross_add_up_to_all_its_positions() {
        let ranking = Ranking::new(&CROSS);
        let mut all = 0u64;
        for hens in 9..=20u32 {
            let heights = 0..=ranking.max_height();
            let sets: u64 = heights
                .map(|height| ranking.count(Shape { hens, height }))
                .sum();
            let choose = |k: u64| (0..k).fold(1u64, |ways, i| ways * (33 - i) / (i + 1));
            assert_eq!(sets, choose(u64::from(hens)));
            all += sets * u64::from((33 - hens) * (32 - hens) / 2);
        }
        assert_eq!(all, 1_087_706_141_280);
        let start = ranking.rank(CROSS.hens);
        assert_eq!(ranking.unrank(Shape::of(CROSS.hens), start), CROSS.hens);
    }
}
