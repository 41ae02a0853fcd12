//! A rectangular board of at most 121 cells and sets of its cells.
//!
//! Cells are numbered row by row from the top left, as in the difference tables of the
//! "Divine generator" (its 101 is cell 0). Knows no pieces. A set of cells is one `u128`, the usual
//! bitboard (Chess Programming Wiki, "Bitboards") made wide enough for xiangqi.

/// A set of cells: bit `i` is cell `i`.
pub type CellSet = u128;

/// A step on the board: rows down, columns to the right.
pub(crate) type Offset = (i8, i8);

/// A board of `width` x `height` cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chessboard {
    width: usize,
    height: usize,
}

impl Chessboard {
    /// A board with sides clamped to 1..=11, so that its cells fit a [`CellSet`].
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width: width.clamp(1, 11),
            height: height.clamp(1, 11),
        }
    }

    /// Cells in a row.
    pub fn width(self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(self) -> usize {
        self.height
    }

    /// Number of cells.
    pub fn cells(self) -> usize {
        self.width * self.height
    }

    /// The set of all cells.
    pub fn all(self) -> CellSet {
        (1 << self.cells()) - 1
    }

    /// The cell in `row` (from the top) and `column` (from the left), both inside the board.
    pub(crate) fn cell(self, row: usize, column: usize) -> usize {
        self.width * row + column
    }

    /// The row of a cell, 0 at the top.
    pub(crate) fn row(self, cell: usize) -> usize {
        cell / self.width
    }

    /// The column of a cell, 0 at the left.
    pub(crate) fn column(self, cell: usize) -> usize {
        cell % self.width
    }

    /// The cell one step away, if it is on the board.
    pub fn step(self, cell: usize, (down, right): Offset) -> Option<usize> {
        let row = self.row(cell).checked_add_signed(down.into())?;
        let column = self.column(cell).checked_add_signed(right.into())?;
        (row < self.height && column < self.width).then(|| self.cell(row, column))
    }

    /// The cells of the rows in `rows`, from the top.
    pub(crate) fn rows(self, rows: std::ops::Range<usize>) -> CellSet {
        set_of((0..self.cells()).filter(|&cell| rows.contains(&self.row(cell))))
    }

    /// The cell's name: file letter, then rank counted from the bottom (`e4`).
    pub fn name(self, cell: usize) -> String {
        let file = char::from(b'a' + self.column(cell) as u8);
        format!("{file}{}", self.height - self.row(cell))
    }

    /// The cell of a name, if there is such a cell.
    pub fn parse(self, name: &str) -> Option<usize> {
        let file = name.chars().next()?.to_ascii_lowercase();
        let column = (file as usize).checked_sub('a' as usize)?;
        let rank: usize = name.get(1..)?.parse().ok()?;
        let row = self.height.checked_sub(rank)?;
        (row < self.height && column < self.width).then(|| self.cell(row, column))
    }

    /// The cells reached from `cell` by repeating a step to the edge.
    pub(crate) fn line(self, cell: usize, step: Offset) -> CellSet {
        set_of(std::iter::successors(self.step(cell, step), |&next| {
            self.step(next, step)
        }))
    }
}

/// The set holding one cell.
#[inline]
pub fn only(cell: usize) -> CellSet {
    1 << cell
}

/// The set of the given cells.
pub fn set_of(cells: impl IntoIterator<Item = usize>) -> CellSet {
    cells.into_iter().fold(0, |set, cell| set | only(cell))
}

/// Returns whether `cell` is in `set`.
#[inline]
pub fn has(set: CellSet, cell: usize) -> bool {
    set >> cell & 1 == 1
}

/// The cells of a set in increasing order.
#[inline]
pub fn members(mut set: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            cell
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cells_are_inverse_on_every_board() {
        for board in [
            Chessboard::new(8, 8),
            Chessboard::new(9, 10),
            Chessboard::new(4, 5),
        ] {
            for cell in 0..board.cells() {
                assert_eq!(board.parse(&board.name(cell)), Some(cell));
            }
        }
        let board = Chessboard::new(9, 10);
        assert_eq!((board.name(0), board.name(89)), ("a10".into(), "i1".into()));
        for wrong in ["", "a", "a0", "a11", "j1", "é4", "4e", "a-1"] {
            assert_eq!(board.parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn steps_stop_at_the_edges_and_lines_reach_them() {
        let board = Chessboard::new(8, 8);
        assert_eq!(board.step(7, (0, 1)), None);
        assert_eq!(board.step(7, (1, -1)), Some(14));
        assert_eq!(members(board.line(0, (1, 1))).last(), Some(63));
        assert_eq!(board.line(0, (1, 1)).count_ones(), 7);
        assert_eq!(board.all().count_ones(), 64);
    }
}
