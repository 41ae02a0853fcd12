//! Boards as text, plain or coloured, and as SVG pictures.

use super::board::{Board, Cells, cell};
use super::position::Position;

const HEN: &str = "\u{1b}[33m";
const FOX: &str = "\u{1b}[1;31m";
const SQUARE: &str = "\u{1b}[2;36m";
const FAINT: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// The board with its rows and columns named: `h` hens, `F` foxes, `.` free cells, `+` those of
/// the square.
pub fn text(position: &Position, board: &Board, colour: bool) -> String {
    let mut lines: Vec<String> = (0..board.rows)
        .rev()
        .map(|row| format!("{}{}", row + 1, text_row(position, board, row, colour)))
        .collect();
    let letters: String = (0..board.columns)
        .map(|column| format!(" {}", letter(column)))
        .collect();
    lines.push(format!(" {letters}"));
    lines.join("\n")
}

fn text_row(position: &Position, board: &Board, row: usize, colour: bool) -> String {
    let marks = (0..board.columns).map(|column| {
        let (mark, paint) = mark(position, board, cell(column, row));
        if colour && mark != ' ' {
            format!(" {paint}{mark}{PLAIN}")
        } else {
            format!(" {mark}")
        }
    });
    marks.collect::<String>().trim_end().to_owned()
}

fn mark(position: &Position, board: &Board, cell: Cells) -> (char, &'static str) {
    if cell & position.hens != 0 {
        ('h', HEN)
    } else if cell & position.foxes != 0 {
        ('F', FOX)
    } else if cell & board.square != 0 {
        ('+', SQUARE)
    } else if cell & board.cells != 0 {
        ('.', FAINT)
    } else {
        (' ', PLAIN)
    }
}

fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

const YELLOW: &str = "#e8b923";
const RED: &str = "#b5361e";
const TINT: &str = "#dcecf4";

/// A stand-alone picture with its legend: cells of 40 units, hens yellow, foxes red, the square tinted.
pub fn svg(position: &Position, board: &Board) -> String {
    let (width, height) = (svg_width(board), 40 * board.rows + 70);
    let cells = (0..board.rows).flat_map(|row| (0..board.columns).map(move |column| (column, row)));
    let drawn: String = cells
        .filter(|&(column, row)| board.cells & cell(column, row) != 0)
        .map(|(column, row)| svg_cell(position, board, column, row))
        .collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n{drawn}{}{}</svg>\n",
        svg_names(board),
        svg_legend(board)
    )
}

fn svg_cell(position: &Position, board: &Board, column: usize, row: usize) -> String {
    let here = cell(column, row);
    let (x, y) = (30 + 40 * column, 40 * (board.rows - 1 - row));
    let fill = if board.square & here != 0 {
        TINT
    } else {
        "#f4f1e6"
    };
    let piece = match mark(position, board, here).0 {
        'h' => disc(x + 20, y + 20, 11, YELLOW),
        'F' => disc(x + 20, y + 20, 15, RED),
        _ => String::new(),
    };
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\" fill=\"{fill}\" stroke=\"#777\"/>\n{piece}"
    )
}

fn disc(x: usize, y: usize, radius: usize, fill: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#333\"/>\n")
}

fn svg_names(board: &Board) -> String {
    let rows = (0..board.rows).map(|row| {
        let y = 40 * (board.rows - 1 - row) + 25;
        format!("<text x=\"15\" y=\"{y}\">{}</text>\n", row + 1)
    });
    let columns = (0..board.columns).map(|column| {
        let (x, y) = (50 + 40 * column, 40 * board.rows + 20);
        format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", letter(column))
    });
    rows.chain(columns).collect()
}

/// The width of a picture: that of the board, or of the legend under a narrow one.
fn svg_width(board: &Board) -> usize {
    (40 * board.columns + 40).max(280)
}

fn svg_legend(board: &Board) -> String {
    let (middle, y) = (svg_width(board) / 2 + 10, 40 * board.rows + 50);
    let [hens, foxes, square] = [middle - 120, middle - 35, middle + 45];
    [
        disc(hens, y, 7, YELLOW),
        format!("<text x=\"{}\" y=\"{}\">hens</text>\n", hens + 30, y + 5),
        disc(foxes, y, 9, RED),
        format!("<text x=\"{}\" y=\"{}\">foxes</text>\n", foxes + 33, y + 5),
        format!(
            "<path d=\"M{square} {}h16v16h-16z\" fill=\"{TINT}\" stroke=\"#777\"/>\n",
            y - 8
        ),
        format!(
            "<text x=\"{}\" y=\"{}\">the square</text>\n",
            square + 58,
            y + 5
        ),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::super::board::{CROSS, STRIP};
    use super::*;

    #[test]
    fn the_start_position_is_drawn_as_in_figure_ten() {
        let start = Position::start(&CROSS);
        let expected = "\
7     + + +
6     + + +
5 . . F + F . .
4 h h h h h h h
3 h h h h h h h
2     h h h
1     h h h
  a b c d e f g";
        assert_eq!(text(&start, &CROSS, false), expected);
        assert!(text(&start, &CROSS, true).contains("\u{1b}[1;31mF"));
    }

    #[test]
    fn a_picture_has_every_cell_and_piece() {
        let picture = svg(&Position::start(&CROSS), &CROSS);
        assert_eq!(picture.matches("<rect").count(), 33);
        assert_eq!(picture.matches("<circle").count(), 22 + 2);
        assert_eq!(picture.matches(YELLOW).count(), 20 + 1);
        assert!(picture.contains("viewBox=\"0 0 320 350\""));
        // A narrow board leaves room for the legend.
        let strip = svg(&Position::start(&STRIP), &STRIP);
        assert!(strip.contains("viewBox=\"0 0 280 "));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}
