//! Boards drawn as text and as SVG.
//!
//! Draws the contents of each cell; knows no rules. SVG 1.1, shapes and text only.

use super::army::{Army, Placement};
use super::board::Chessboard;
use super::clues::{Clue, Clues};
use std::fmt::Write;

/// A board in text with ranks and files, `cell` giving what stands on each cell.
pub fn text(board: Chessboard, cell: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for row in 0..board.height() {
        let _ = write!(out, "{:>2} ", board.height() - row);
        for column in 0..board.width() {
            out.push_str(&padded(&cell(board.cell(row, column))));
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out.push_str("   ");
    for column in 0..board.width() {
        out.push_str(&padded(&char::from(b'a' + column as u8).to_string()));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Text of at least three columns, counting East Asian characters as two.
fn padded(text: &str) -> String {
    let width: usize = text
        .chars()
        .map(|c| if c >= '\u{1100}' { 2 } else { 1 })
        .sum();
    format!(" {text}{}", " ".repeat(2usize.saturating_sub(width)))
}

/// The pieces on their cells, dots elsewhere.
pub fn placement(army: &Army, placement: &Placement) -> String {
    text(army.board(), |cell| {
        symbol(army, placement, cell).unwrap_or('.').to_string()
    })
}

/// The clues: digits, stars and dots.
pub fn clues(army: &Army, clues: &Clues) -> String {
    text(army.board(), |cell| match clues.at(cell) {
        Clue::Unknown => "·".into(),
        Clue::Threats(count) => count.to_string(),
        Clue::Occupied => "★".into(),
    })
}

/// The symbol of the piece on a cell.
pub fn symbol(army: &Army, placement: &Placement, cell: usize) -> Option<char> {
    let piece = placement.iter().position(|at| at == cell)?;
    army.pieces().get(piece).map(|piece| piece.symbol)
}

const SIDE: usize = 40;

/// The clues as a stand-alone SVG picture, with the pieces of `solution` if given.
pub fn svg(army: &Army, clues: &Clues, solution: Option<&Placement>) -> String {
    let board = army.board();
    let (width, height) = ((board.width() + 1) * SIDE, (board.height() + 1) * SIDE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"18\" text-anchor=\"middle\">\n"
    );
    for cell in 0..board.cells() {
        out.push_str(&svg_cell(board, cell));
        let shown = solution.and_then(|solution| symbol(army, solution, cell));
        let (mark, colour) = match (shown, clues.at(cell)) {
            (Some(piece), _) => (piece.to_string(), "#a00"),
            (None, Clue::Threats(count)) => (count.to_string(), "#000"),
            (None, Clue::Occupied) => ("★".into(), "#a00"),
            (None, Clue::Unknown) => continue,
        };
        let (x, y) = (board.column(cell) + 1, board.row(cell));
        out.push_str(&svg_text(x * SIDE, y * SIDE, &mark, colour));
    }
    out.push_str(&svg_labels(board));
    out.push_str("</svg>\n");
    out
}

fn svg_cell(board: Chessboard, cell: usize) -> String {
    let (row, column) = (board.row(cell), board.column(cell));
    let fill = if (row + column) % 2 == 0 {
        "#fff8e8"
    } else {
        "#e8d8b8"
    };
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" \
         stroke=\"#997\"/>\n",
        (column + 1) * SIDE,
        row * SIDE
    )
}

fn svg_text(left: usize, top: usize, text: &str, colour: &str) -> String {
    let (x, y) = (left + SIDE / 2, top + SIDE / 2 + 6);
    format!("<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{text}</text>\n")
}

fn svg_labels(board: Chessboard) -> String {
    let ranks = (0..board.height()).map(|row| {
        let rank = (board.height() - row).to_string();
        svg_text(0, row * SIDE, &rank, "#555")
    });
    let files = (0..board.width()).map(|column| {
        let file = char::from(b'a' + column as u8).to_string();
        svg_text((column + 1) * SIDE, board.height() * SIDE, &file, "#555")
    });
    ranks.chain(files).collect()
}
