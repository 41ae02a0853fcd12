//! Boards as data: their cells, the square to fill, and the start position.
//!
//! Cells are bits of a `u64`, eight to a row, so that a step is a shift and a mask. Columns are
//! `a` to `g`, and rows are counted from the bottom. The eighth column stays empty and keeps
//! sideways steps from wrapping around. Knows no rules.

/// A set of cells: bit `8 * row + column`, both from 0 at the lower left.
pub type Cells = u64;

/// Most columns and rows a board may have.
pub const MAX_SIDE: usize = 7;

/// A board and the position play starts from.
///
/// Hens, foxes and the square lie inside `cells`; hens and foxes are disjoint; there are two foxes.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The board's name in parameters and tables.
    pub name: &'static str,
    /// The cells of the board.
    pub cells: Cells,
    /// The square the hens must fill.
    pub square: Cells,
    /// The hens at the start.
    pub(crate) hens: Cells,
    /// The two foxes at the start.
    pub(crate) foxes: Cells,
    /// Columns of the smallest rectangle around it.
    pub(crate) columns: usize,
    /// Rows of the smallest rectangle around it.
    pub rows: usize,
    /// Eaten hens that decide the game: too few are left to fill the square.
    pub enough_eaten: u32,
}

/// Arsac's board: the cross of 33 cells, twenty hens, a square of nine (game 13, figure 10).
pub static CROSS: Board = Board::drawn(
    "cross",
    &[
        "  ***  ", "  ***  ", "..F*F..", "hhhhhhh", "hhhhhhh", "  hhh  ", "  hhh  ",
    ],
);

/// A cross with arms of width 3 and length 1, for exact play: five hens, a row of three to fill.
static SMALL_CROSS: Board = Board::drawn(
    "small-cross",
    &[" *** ", ".f.f.", ".....", ".h.h.", " hhh "],
);

/// A lower cross, for proofs in which all hens but three may be lost: six hens, a row of three.
pub static LOW_CROSS: Board = Board::drawn("low-cross", &[" *** ", "f...f", ".hhh.", " hhh "]);

/// A square of three by three: four hens, the top row to fill.
pub static SMALL_SQUARE: Board = Board::drawn("small-square", &["F*F", "h.h", "h.h"]);

/// A strip three wide and four high: five hens, the top row to fill.
pub static STRIP: Board = Board::drawn("strip", &["F*F", "...", "hhh", "h.h"]);

/// Every board, the full one first.
pub static BOARDS: [&Board; 5] = [&CROSS, &SMALL_CROSS, &LOW_CROSS, &STRIP, &SMALL_SQUARE];

impl Board {
    /// A board from its rows, top first: `.` a free cell, `h` a hen, `f` a fox, `*` a free cell of
    /// the square, `H` and `F` a hen and a fox in the square, a blank no cell.
    const fn drawn(name: &'static str, rows: &[&str]) -> Board {
        let mut board = Board {
            name,
            cells: 0,
            square: 0,
            hens: 0,
            foxes: 0,
            columns: rows[0].len(),
            rows: rows.len(),
            enough_eaten: 0,
        };
        let mut index = 0;
        while index < rows.len() * board.columns {
            let (down, column) = (index / board.columns, index % board.columns);
            let bit = 1 << (8 * (rows.len() - 1 - down) + column);
            board.place(rows[down].as_bytes()[column], bit);
            index += 1;
        }
        board.enough_eaten = board.flock() + 1 - board.square.count_ones();
        board
    }

    const fn place(&mut self, mark: u8, bit: Cells) {
        if mark == b' ' {
            return;
        }
        self.cells |= bit;
        if matches!(mark, b'*' | b'H' | b'F') {
            self.square |= bit;
        }
        match mark {
            b'h' | b'H' => self.hens |= bit,
            b'f' | b'F' => self.foxes |= bit,
            _ => {}
        }
    }

    /// The board of that name.
    pub fn named(name: &str) -> Option<&'static Board> {
        BOARDS.into_iter().find(|board| board.name == name)
    }

    /// Hens at the start.
    #[inline]
    pub const fn flock(&self) -> u32 {
        self.hens.count_ones()
    }

    /// The cells of a row from the bottom, left to right; rows past the top are empty.
    pub(crate) fn row(&self, row: usize) -> Vec<Cells> {
        (0..self.columns)
            .map(|column| cell(column, row))
            .filter(|cell| cell & self.cells != 0)
            .collect()
    }

    /// A cell by name, `d4`.
    pub(crate) fn cell(&self, name: &str) -> Option<Cells> {
        let [letter, digit] = name.as_bytes() else {
            return None;
        };
        let column = usize::from(letter.to_ascii_lowercase().checked_sub(b'a')?);
        let row = usize::from(digit.checked_sub(b'1')?);
        (column < self.columns && row < self.rows)
            .then(|| cell(column, row))
            .filter(|cell| cell & self.cells != 0)
    }
}

/// The cell in `column` and `row`, both from 0 and below [`MAX_SIDE`].
pub(crate) const fn cell(column: usize, row: usize) -> Cells {
    1 << (8 * row + column)
}

/// The name of a single cell, `d4`.
pub fn cell_name(cell: Cells) -> String {
    let mut name = String::with_capacity(2);
    push_cell(&mut name, cell);
    name
}

/// Appends the name of a single cell to `text`.
pub(super) fn push_cell(text: &mut String, cell: Cells) {
    let index = cell.trailing_zeros() as u8;
    text.push(char::from(b'a' + index % 8));
    text.push(char::from(b'1' + index / 8));
}

/// The single cells of a set, from the lower left, row by row.
pub fn each(mut cells: Cells) -> impl Iterator<Item = Cells> {
    std::iter::from_fn(move || {
        let lowest = cells & cells.wrapping_neg();
        cells ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Cells mirrored left to right on a board of that many columns.
#[inline]
pub(crate) const fn mirrored(cells: Cells, columns: usize) -> Cells {
    // The order of the bits turned around in every byte, a byte being a row of eight columns.
    cells.swap_bytes().reverse_bits() >> (8 - columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_is_arsacs() {
        assert_eq!(CROSS.cells.count_ones(), 33);
        assert_eq!(CROSS.square.count_ones(), 9);
        assert_eq!((CROSS.flock(), CROSS.enough_eaten), (20, 12));
        let foxes: Vec<String> = each(CROSS.foxes).map(cell_name).collect();
        assert_eq!(foxes, ["c5", "e5"]);
    }

    #[test]
    fn every_board_is_well_formed_and_its_own_mirror_image() {
        for board in BOARDS {
            assert_eq!(board.hens & board.foxes, 0, "{}", board.name);
            assert_eq!((board.hens | board.foxes | board.square) & !board.cells, 0);
            assert_eq!(board.foxes.count_ones(), 2);
            assert!(board.columns <= MAX_SIDE && board.rows <= MAX_SIDE);
            assert!(board.flock() >= board.square.count_ones());
            for set in [board.cells, board.square, board.hens, board.foxes] {
                assert_eq!(mirrored(set, board.columns), set);
            }
        }
    }

    #[test]
    fn names_lead_to_cells_and_back() {
        for bit in each(CROSS.cells) {
            assert_eq!(CROSS.cell(&cell_name(bit)), Some(bit));
        }
        for wrong in ["", "d", "a1", "h4", "d8", "d0", "44", "d44", "é4"] {
            assert_eq!(CROSS.cell(wrong), None, "{wrong}");
        }
    }
}
