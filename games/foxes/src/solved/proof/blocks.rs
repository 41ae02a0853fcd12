//! Numbering the hens' configurations of a layer by rows: how many hens in each row, then which.
//!
//! A block holds the configurations of a layer with the same number of hens in every row. Stepping
//! sideways keeps the block, stepping up leads to at most six blocks of the layer above, eating one
//! hen to at most seven blocks with a hen fewer. Inside a block a configuration's number is a
//! mixed-radix numeral whose digits are its rows' patterns, so a sideways step adds a constant.
//! Knows the board, no rules.

use std::collections::HashMap;

use super::super::retrograde::Shape;
use crate::board::{Board, Cells, MAX_SIDE};

/// Hens in each row, from the bottom.
pub type RowCounts = [u8; MAX_SIDE];

/// The patterns of every row, numbered among those with as many hens, in ascending order.
#[derive(Debug)]
pub struct Rows {
    cells: [u8; MAX_SIDE],
    /// The rows as digits, the least significant first: the widest, so that most sidesteps lead to
    /// a number near by.
    order: [usize; MAX_SIDE],
    numbers: [[u8; 128]; MAX_SIDE],
}

/// The configurations with the same number of hens in every row.
#[derive(Clone, Debug)]
pub struct HenBlock {
    /// Hens in each row.
    pub counts: RowCounts,
    /// Configurations of the layer's blocks before this one.
    pub first: usize,
    /// Configurations.
    pub size: usize,
    /// The stride of each row's pattern, from the bottom.
    strides: [usize; MAX_SIDE],
}

/// A layer's blocks, in ascending order of their counts.
#[derive(Clone, Debug)]
pub struct BlockLayout {
    /// The layer.
    pub shape: Shape,
    /// The layer's blocks.
    pub blocks: Vec<HenBlock>,
    places: HashMap<RowCounts, usize>,
}

impl Rows {
    /// The rows of a board.
    pub fn new(board: &Board) -> Rows {
        let cells: [u8; MAX_SIDE] = std::array::from_fn(|row| row_of(board.cells, row));
        let mut order = std::array::from_fn(|row| row);
        order.sort_by_key(|&row: &usize| std::cmp::Reverse(cells[row].count_ones()));
        Rows {
            cells,
            order,
            numbers: cells.map(numbered),
        }
    }

    /// The number of a row's pattern.
    #[inline]
    pub fn number(&self, row: usize, pattern: u8) -> usize {
        usize::from(self.numbers[row][usize::from(pattern & 127)])
    }

    /// Returns all patterns of a row with a number of hens, in ascending order.
    fn patterns(&self, row: usize, hens: u8) -> Vec<u8> {
        subsets(self.cells[row], u32::from(hens)).collect()
    }

    /// The layout of a layer; without blocks where there is no such configuration.
    pub fn layout(&self, shape: Shape) -> BlockLayout {
        let mut blocks = Vec::new();
        self.extend(shape, 0, [0; MAX_SIDE], &mut blocks);
        let places = blocks.iter().enumerate();
        BlockLayout {
            shape,
            places: places.map(|(index, block)| (block.counts, index)).collect(),
            blocks,
        }
    }

    /// Adds the blocks that begin with the rows below `row` as counted.
    fn extend(&self, left: Shape, row: usize, mut counts: RowCounts, blocks: &mut Vec<HenBlock>) {
        if row == MAX_SIDE {
            if left.hens == 0 && left.height == 0 {
                blocks.push(self.block(counts, blocks.last()));
            }
            return;
        }
        let width = self.cells[row].count_ones().min(left.hens);
        for hens in 0..=width {
            if hens * row as u32 > left.height {
                break;
            }
            let rest = Shape {
                hens: left.hens - hens,
                height: left.height - hens * row as u32,
            };
            counts[row] = hens as u8;
            self.extend(rest, row + 1, counts, blocks);
        }
    }

    fn block(&self, counts: RowCounts, before: Option<&HenBlock>) -> HenBlock {
        let mut size = 1;
        let mut strides = [0; MAX_SIDE];
        for row in self.order {
            strides[row] = size;
            size *= self.patterns(row, counts[row]).len();
        }
        HenBlock {
            counts,
            first: before.map_or(0, |before| before.first + before.size),
            size,
            strides,
        }
    }

    /// Returns the free cells' numbers after a configuration of the block is mirrored: they
    /// turn around in every row, of which each holds as many as before.
    pub(crate) fn mirror(&self, block: &HenBlock) -> Vec<usize> {
        let mut numbers = Vec::new();
        for (cells, hens) in self.cells.iter().zip(block.counts) {
            let (first, free) = (
                numbers.len(),
                cells.count_ones() as usize - usize::from(hens),
            );
            numbers.extend((first..first + free).rev());
        }
        numbers
    }

    /// Calls `visit` with every configuration of a block, in order of their numbers.
    pub(super) fn for_each(&self, block: &HenBlock, mut visit: impl FnMut(usize, Cells)) {
        let patterns: Vec<Vec<u8>> = (0..MAX_SIDE)
            .map(|row| self.patterns(row, block.counts[row]))
            .collect();
        let mut digits = [0; MAX_SIDE];
        let mut hens = (0..MAX_SIDE).fold(0, |hens, row| with_row(hens, row, patterns[row][0]));
        for number in 0..block.size {
            visit(number, hens);
            for row in self.order {
                digits[row] = (digits[row] + 1) % patterns[row].len();
                hens = with_row(hens, row, patterns[row][digits[row]]);
                if digits[row] != 0 {
                    break;
                }
            }
        }
    }
}

impl HenBlock {
    /// A configuration's number in the block.
    #[inline]
    pub fn number(&self, rows: &Rows, hens: Cells) -> usize {
        (0..MAX_SIDE)
            .map(|row| rows.number(row, row_of(hens, row)) * self.strides[row])
            .sum()
    }

    /// The number after `row` changed from one pattern to another.
    #[inline]
    pub(crate) fn renumbered(
        &self,
        rows: &Rows,
        number: usize,
        row: usize,
        from: u8,
        to: u8,
    ) -> usize {
        number + rows.number(row, to) * self.strides[row]
            - rows.number(row, from) * self.strides[row]
    }
}

impl BlockLayout {
    /// Configurations in the layer.
    pub fn configurations(&self) -> usize {
        self.blocks.last().map_or(0, |last| last.first + last.size)
    }

    /// Returns the index of the block of these counts in the list.
    pub fn index_of(&self, counts: &RowCounts) -> Option<usize> {
        self.places.get(counts).copied()
    }

    /// A configuration's number in the layer, if it belongs there.
    pub fn number(&self, rows: &Rows, hens: Cells) -> Option<usize> {
        let block = &self.blocks[self.index_of(&counts(hens))?];
        Some(block.first + block.number(rows, hens))
    }
}

/// The hens in each row.
pub(crate) fn counts(hens: Cells) -> RowCounts {
    std::array::from_fn(|row| row_of(hens, row).count_ones() as u8)
}

/// A row of a set of cells, column a in the lowest bit.
#[inline]
pub(crate) const fn row_of(cells: Cells, row: usize) -> u8 {
    (cells >> (8 * row)) as u8
}

#[inline]
const fn with_row(cells: Cells, row: usize, pattern: u8) -> Cells {
    cells & !(0xff << (8 * row)) | (pattern as Cells) << (8 * row)
}

fn subsets(cells: u8, count: u32) -> impl Iterator<Item = u8> {
    (0..128).filter(move |set| set & !cells == 0 && set.count_ones() == count)
}

fn numbered(cells: u8) -> [u8; 128] {
    let mut numbers = [0; 128];
    for count in 0..=cells.count_ones() {
        for (number, pattern) in subsets(cells, count).enumerate() {
            numbers[usize::from(pattern)] = number as u8;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::super::retrograde::Ranking;
    use super::*;
    use crate::board::{BOARDS, CROSS};

    #[test]
    fn every_configuration_of_a_layer_has_its_own_number() {
        for board in &BOARDS[1..] {
            let (rows, ranking) = (Rows::new(board), Ranking::new(board));
            for hens in 0..=board.cells.count_ones() {
                for height in 0..=ranking.max_height() {
                    let layout = rows.layout(Shape { hens, height });
                    let mut seen = vec![false; layout.configurations()];
                    for block in &layout.blocks {
                        rows.for_each(block, |number, set| {
                            assert_eq!(Shape::of(set), layout.shape);
                            let index = layout.number(&rows, set).unwrap();
                            assert_eq!(index, block.first + number);
                            assert!(!std::mem::replace(&mut seen[index], true));
                        });
                    }
                    assert_eq!(seen.len() as u64, ranking.count(layout.shape));
                }
            }
        }
    }

    #[test]
    fn layers_of_the_cross_are_as_large_as_counting_says() {
        let (rows, ranking) = (Rows::new(&CROSS), Ranking::new(&CROSS));
        for hens in [19, 20] {
            for height in 0..=ranking.max_height() {
                let shape = Shape { hens, height };
                let configurations = rows.layout(shape).configurations() as u64;
                assert_eq!(configurations, ranking.count(shape));
            }
        }
    }
}
