//! Positions as text: rows from the top, `h`, `f`, digits for runs of free cells, then the side to
//! move and the hens eaten, as in `3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0`.
//!
//! Written after chess's FEN (Edwards 1994). Errors say at which character, what was expected and
//! what to do. Knows the board and its counts, no rules.

use super::board::{Board, Cells};
use super::position::{Position, Side};

/// An error: a text is not a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}, at character {at}")]
pub struct NotationError {
    /// The character at fault, from 1; one past the end where something is missing.
    pub(crate) at: usize,
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The expected form, or advice.
    pub help: String,
}

impl NotationError {
    /// An error at character `at`, from 1.
    pub(crate) fn new(at: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// The position in its canonical notation.
pub fn write_position(position: &Position, board: &Board) -> String {
    let rows: Vec<String> = (0..board.rows)
        .rev()
        .map(|row| write_row(position, &board.row(row)))
        .collect();
    let side = match position.side {
        Side::Hens => 'h',
        Side::Foxes => 'f',
    };
    format!("{} {side} {}", rows.join("/"), position.eaten)
}

/// Reads a position; `start` is the board's own.
///
/// # Errors
/// The text that cannot be read, with the form of a position.
pub fn read_position(text: &str, board: &Board) -> Result<Position, NotationError> {
    if text.trim() == "start" {
        return Ok(Position::start(board));
    }
    let mut fields = TextFields::of(text);
    let (at, rows) = fields.next("the rows of the board", board)?;
    let (hens, foxes) = read_rows(rows, at, board)?;
    let (side_at, side) = fields.next("the side to move, `h` or `f`", board)?;
    let side = read_side(side, side_at)?;
    let (eaten_at, eaten) = fields.next("the number of hens eaten", board)?;
    let eaten = read_eaten(eaten, eaten_at, hens, board)?;
    fields.end()?;
    check_foxes(foxes, at)?;
    Ok(Position {
        hens,
        foxes,
        eaten,
        side,
    })
}

fn write_row(position: &Position, cells: &[Cells]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for &cell in cells {
        let mark = if cell & position.hens != 0 {
            'h'
        } else if cell & position.foxes != 0 {
            'f'
        } else {
            run += 1;
            continue;
        };
        close_run(&mut text, &mut run);
        text.push(mark);
    }
    close_run(&mut text, &mut run);
    text
}

fn close_run(text: &mut String, run: &mut u32) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}

/// The blank-separated fields of a text with their places.
struct TextFields<'a> {
    fields: std::vec::IntoIter<(usize, &'a str)>,
    end: usize,
}

impl<'a> TextFields<'a> {
    fn of(text: &'a str) -> Self {
        let fields: Vec<(usize, &str)> = text
            .split_whitespace()
            .map(|field| (place_in(text, field), field))
            .collect();
        let end = 1 + text.trim_end().chars().count();
        Self {
            fields: fields.into_iter(),
            end,
        }
    }

    fn next(&mut self, what: &str, board: &Board) -> Result<(usize, &'a str), NotationError> {
        self.fields.next().ok_or_else(|| {
            let start = write_position(&Position::start(board), board);
            NotationError::new(
                self.end,
                format!("{what} is missing"),
                format!("write a position like `{start}`"),
            )
        })
    }

    fn end(&mut self) -> Result<(), NotationError> {
        match self.fields.next() {
            None => Ok(()),
            Some((at, extra)) => Err(NotationError::new(
                at,
                format!("`{extra}` is one field too many"),
                "a position has three fields: rows, side to move, hens eaten",
            )),
        }
    }
}

/// The character at which `part`, a slice of `text`, begins, from 1.
fn place_in(text: &str, part: &str) -> usize {
    let bytes = part.as_ptr() as usize - text.as_ptr() as usize;
    1 + text.get(..bytes).map_or(0, |before| before.chars().count())
}

fn read_rows(text: &str, at: usize, board: &Board) -> Result<(Cells, Cells), NotationError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != board.rows {
        let count = match rows.len() {
            1 => "1 row".to_owned(),
            count => format!("{count} rows"),
        };
        return Err(NotationError::new(
            at,
            format!("the position has {count}"),
            format!("the board `{}` has {}", board.name, board.rows),
        ));
    }
    let (mut hens, mut foxes) = (0, 0);
    for (down, row) in rows.iter().enumerate() {
        let cells = board.row(board.rows - 1 - down);
        let row = RowReader {
            at: at + place_in(text, row) - 1,
            number: board.rows - down,
            cells,
        };
        let (row_hens, row_foxes) = row.read(rows[down])?;
        hens |= row_hens;
        foxes |= row_foxes;
    }
    Ok((hens, foxes))
}

struct RowReader {
    at: usize,
    number: usize,
    cells: Vec<Cells>,
}

impl RowReader {
    fn read(&self, text: &str) -> Result<(Cells, Cells), NotationError> {
        let (mut hens, mut foxes, mut filled) = (0, 0, 0);
        for (offset, mark) in text.chars().enumerate() {
            let run = match mark {
                'h' | 'f' => 1,
                '1'..='7' => mark as usize - '0' as usize,
                _ => return Err(self.bad_mark(offset, mark)),
            };
            if filled + run > self.cells.len() {
                return Err(self.bad_width(offset, "more"));
            }
            match mark {
                'h' => hens |= self.cells[filled],
                'f' => foxes |= self.cells[filled],
                _ => {}
            }
            filled += run;
        }
        if filled < self.cells.len() {
            return Err(self.bad_width(text.chars().count(), "less"));
        }
        Ok((hens, foxes))
    }

    fn bad_mark(&self, offset: usize, mark: char) -> NotationError {
        NotationError::new(
            self.at + offset,
            format!("`{mark}` stands for nothing in row {}", self.number),
            "use `h` for a hen, `f` for a fox, a digit from 1 to 7 for a run of free cells",
        )
    }

    fn bad_width(&self, offset: usize, how: &str) -> NotationError {
        NotationError::new(
            self.at + offset,
            format!("row {} has {how} than its cells", self.number),
            format!("this row has {} cells", self.cells.len()),
        )
    }
}

fn read_side(text: &str, at: usize) -> Result<Side, NotationError> {
    match text {
        "h" => Ok(Side::Hens),
        "f" => Ok(Side::Foxes),
        _ => Err(NotationError::new(
            at,
            format!("the side to move is `{text}`"),
            "write `h` for the hens or `f` for the foxes",
        )),
    }
}

fn read_eaten(text: &str, at: usize, hens: Cells, board: &Board) -> Result<u32, NotationError> {
    let most = board.flock().saturating_sub(hens.count_ones());
    match text.parse::<u32>() {
        Ok(eaten) if eaten <= most && hens.count_ones() <= board.flock() => Ok(eaten),
        _ => Err(NotationError::new(
            at,
            format!(
                "`{text}` hens eaten do not go with {} on the board",
                hens.count_ones()
            ),
            format!(
                "hens eaten and hens on the board are {} at most together",
                board.flock()
            ),
        )),
    }
}

fn check_foxes(foxes: Cells, at: usize) -> Result<(), NotationError> {
    match foxes.count_ones() {
        2 => Ok(()),
        count => Err(NotationError::new(
            at,
            format!("the position has {count} foxes"),
            "there are always two",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{BOARDS, CROSS};
    use super::*;
    use proptest::prelude::*;

    const START: &str = "3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0";
    const FIGURE_9: &str = "3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1";

    #[test]
    fn positions_survive_a_round_trip() {
        for text in [START, FIGURE_9] {
            let position = read_position(text, &CROSS).unwrap();
            assert_eq!(write_position(&position, &CROSS), text);
        }
        for board in BOARDS {
            let start = Position::start(board);
            let text = write_position(&start, board);
            assert_eq!(read_position(&text, board), Ok(start));
            assert_eq!(read_position("start", board), Ok(start));
        }
    }

    #[test]
    fn errors_name_the_character_at_fault() {
        let cases = [
            ("", 1, "missing"),
            ("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh", 34, "missing"),
            ("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh h 0", 1, "6 rows"),
            ("3/3/2f1f2/hhhhxhh/hhhhhhh/hhh/hhh h 0", 15, "`x`"),
            ("3/3/2f1f3/hhhhhhh/hhhhhhh/hhh/hhh h 0", 9, "more"),
            ("3/3/2f1f1/hhhhhhh/hhhhhhh/hhh/hhh h 0", 10, "less"),
            ("3/3/2f4/hhhhhhh/hhhhhhh/hhh/hhh h 0", 1, "1 foxes"),
            ("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh w 0", 35, "`w`"),
            ("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 1", 37, "`1` hens"),
            ("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h -1", 37, "`-1`"),
            ("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0 0", 39, "too many"),
            ("3/é/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0", 3, "`é`"),
        ];
        for (text, at, part) in cases {
            let error = read_position(text, &CROSS).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in ".{0,60}") {
            let _ = read_position(&text, &CROSS);
        }

        #[test]
        fn what_is_read_is_written_back(text in "[hf1-7/]{5,40} [hf] [0-9]{1,2}") {
            if let Ok(position) = read_position(&text, &CROSS) {
                let written = write_position(&position, &CROSS);
                prop_assert_eq!(read_position(&written, &CROSS), Ok(position));
            }
        }
    }
}
