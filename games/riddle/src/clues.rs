//! Clues: what is shown of a board.
//!
//! They are written from the top row, with rows separated by `/`: `.` for an unknown cell, a digit
//! for the number of pieces attacking it, `*` for an occupied cell. A digit does not say whether
//! the cell is occupied. Knows no pieces.

use super::board::{CellSet, Chessboard, has, only};
use super::threats::ThreatMap;

/// The clue of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue {
    /// Nothing is shown.
    Unknown,
    /// The number of its attackers.
    Threats(u8),
    /// The cell is occupied.
    Occupied,
}

/// The number of distinct threat counts, 0 to 7.
const LEVELS: usize = 8;

/// The clues of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clues {
    /// The cells shown with each threat count; disjoint.
    levels: [CellSet; LEVELS],
    occupied: CellSet,
}

/// Text that is no clues for a board, as a sentence without its final stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CluesError(String);

impl Clues {
    /// Returns clues that show nothing.
    pub fn none() -> Self {
        Self {
            levels: [0; LEVELS],
            occupied: 0,
        }
    }

    /// The threat counts of the cells in `shown`.
    pub fn of_map(map: &ThreatMap, shown: CellSet) -> Self {
        let mut clues = Self::none();
        for (count, level) in clues.levels.iter_mut().enumerate() {
            *level = map.level(count as u8) & shown;
        }
        clues
    }

    /// Returns these clues with stars on `cells` instead of what was shown there.
    pub fn with_stars(mut self, cells: CellSet) -> Self {
        self.levels.iter_mut().for_each(|level| *level &= !cells);
        self.occupied |= cells;
        self
    }

    /// Returns these clues with nothing shown of `cell`.
    pub fn without(mut self, cell: usize) -> Self {
        self.levels
            .iter_mut()
            .for_each(|level| *level &= !only(cell));
        self.occupied &= !only(cell);
        self
    }

    /// Returns the clue of a cell.
    pub fn at(&self, cell: usize) -> Clue {
        if has(self.occupied, cell) {
            return Clue::Occupied;
        }
        let count = self.levels.iter().position(|&level| has(level, cell));
        count.map_or(Clue::Unknown, |count| Clue::Threats(count as u8))
    }

    /// The cells shown with `count` attackers.
    pub(crate) fn level(&self, count: usize) -> CellSet {
        self.levels.get(count).copied().unwrap_or(0)
    }

    /// The cells shown as occupied.
    pub fn stars(&self) -> CellSet {
        self.occupied
    }

    /// Returns all cells that show a number of threats.
    pub fn digits(&self) -> CellSet {
        self.levels.iter().fold(0, |set, level| set | level)
    }

    /// The number of cells of which something is shown.
    pub fn len(&self) -> usize {
        (self.digits() | self.occupied).count_ones() as usize
    }

    /// Returns whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The clues of a text.
    ///
    /// # Errors
    /// If the rows do not fit the board or a cell is no clue.
    pub fn parse(board: Chessboard, text: &str) -> Result<Self, CluesError> {
        let rows: Vec<&str> = text.trim().split('/').collect();
        if rows.len() != board.height() {
            return Err(CluesError(format!(
                "the board has {} rows; rows given: {}",
                board.height(),
                rows.len()
            )));
        }
        let mut clues = Self::none();
        for (row, line) in rows.into_iter().enumerate() {
            clues.parse_row(board, row, line)?;
        }
        Ok(clues)
    }

    fn parse_row(&mut self, board: Chessboard, row: usize, line: &str) -> Result<(), CluesError> {
        let cells = line.chars().count();
        if cells != board.width() {
            return Err(CluesError(format!(
                "row {} from the top has {cells} cells where the board has {}",
                row + 1,
                board.width()
            )));
        }
        for (column, mark) in line.chars().enumerate() {
            let cell = only(board.cell(row, column));
            match (mark, mark.to_digit(LEVELS as u32)) {
                ('.', _) => {}
                ('*', _) => self.occupied |= cell,
                (_, Some(count)) => self.levels[count as usize] |= cell,
                _ => {
                    return Err(CluesError(format!(
                        "row {} from the top has `{mark}` in column {}",
                        row + 1,
                        column + 1
                    )));
                }
            }
        }
        Ok(())
    }

    /// The clues as text, the inverse of [`parse`](Self::parse).
    pub fn write(&self, board: Chessboard) -> String {
        let mark = |cell| match self.at(cell) {
            Clue::Unknown => '.',
            Clue::Threats(count) => char::from(b'0' + count),
            Clue::Occupied => '*',
        };
        let row = |row| (0..board.width()).map(move |column| mark(board.cell(row, column)));
        let rows: Vec<String> = (0..board.height()).map(|r| row(r).collect()).collect();
        rows.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_survive_writing_and_reading() {
        let board = Chessboard::new(4, 3);
        let text = "01.*/..2./5..7";
        let clues = Clues::parse(board, text).unwrap();
        assert_eq!(clues.write(board), text);
        assert_eq!((clues.len(), clues.at(3)), (6, Clue::Occupied));
        assert_eq!(clues.without(3).at(3), Clue::Unknown);
    }

    #[test]
    fn wrong_texts_say_where() {
        let board = Chessboard::new(4, 3);
        let message = |text| Clues::parse(board, text).unwrap_err().to_string();
        assert_eq!(message("...."), "the board has 3 rows; rows given: 1");
        assert_eq!(
            message("..../.../...."),
            "row 2 from the top has 3 cells where the board has 4"
        );
        assert_eq!(
            message("..../..x./...."),
            "row 2 from the top has `x` in column 3"
        );
        assert_eq!(
            message("..../..8./...."),
            "row 2 from the top has `8` in column 3"
        );
    }
}
