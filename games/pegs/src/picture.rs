//! Positions as stand-alone SVG pictures.

use super::board::{Jump, PegBoard, Position};
use std::cmp::Ordering;

/// The side of a hole's square, in pixels.
const SIDE: usize = 36;

/// A jump in words, rows and columns counted from the top left: "jumps left, third row".
pub fn told(board: &PegBoard, jump: Jump) -> String {
    const NUMBERS: [&str; 8] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
    ];
    let [from, to] = [jump.from, jump.to].map(|hole| [hole % 8, hole / 8]);
    let way = |axis: usize, [less, more]: [&'static str; 2]| match to[axis].cmp(&from[axis]) {
        Ordering::Less => less,
        Ordering::Equal => "",
        Ordering::Greater => more,
    };
    let across = way(0, ["left", "right"]);
    let up = way(1, ["down", "up"]);
    let column = NUMBERS[usize::from(from[0])];
    let row = NUMBERS[board.size().1 - 1 - usize::from(from[1])];
    match (across, up) {
        (across, "") => format!("jumps {across}, {row} row"),
        ("", up) => format!("jumps {up}, {column} column"),
        (across, up) => format!("jumps {up} and {across} from the {row} row"),
    }
}

/// The pegs of a position; of the last jump, its path and the peg taken.
pub fn svg(board: &PegBoard, pegs: Position, jump: Option<Jump>) -> String {
    let (columns, rows) = board.size();
    let (width, height) = (columns * SIDE, rows * SIDE);
    let holes = (0..8 * rows).filter(|hole| board.holes() >> hole & 1 == 1);
    let drawn: String = holes
        .map(|hole| {
            let (x, y) = centre(rows, hole);
            match pegs >> hole & 1 {
                0 => disc(x, y, 5, "#8a7350"),
                _ => disc(x, y, 13, "#c2571a"),
            }
        })
        .collect();
    let path = jump.map(|jump| path(rows, jump)).unwrap_or_default();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"12\" fill=\"#efe2c4\"/>\n{drawn}{path}</svg>\n"
    )
}

fn centre(rows: usize, hole: usize) -> (usize, usize) {
    let (column, row) = (hole % 8, hole / 8);
    (SIDE * column + SIDE / 2, SIDE * (rows - 1 - row) + SIDE / 2)
}

fn disc(x: usize, y: usize, radius: usize, fill: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#6b4a2b\"/>\n")
}

fn path(rows: usize, jump: Jump) -> String {
    let [from, over, to] = [jump.from, jump.over, jump.to].map(|hole| centre(rows, hole.into()));
    format!(
        "<path d=\"M{} {}L{} {}\" stroke=\"#1f5f8b\" stroke-width=\"3\" stroke-dasharray=\"5 4\"/>\n\
         <circle cx=\"{}\" cy=\"{}\" r=\"13\" fill=\"none\" stroke=\"#1f5f8b\" stroke-width=\"2\" \
         stroke-dasharray=\"3 3\"/>\n",
        from.0, from.1, to.0, to.1, over.0, over.1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_told_by_row_or_column_from_the_top_left() {
        let board = PegBoard::english();
        let hole = |name: u8| 8 * (name % 10 - 1) + name / 10 - 1;
        let jump = |[from, over, to]: [u8; 3]| Jump {
            from: hole(from),
            over: hole(over),
            to: hole(to),
        };
        let told = |holes| told(&board, jump(holes));
        assert_eq!(told([45, 55, 65]), "jumps right, third row");
        assert_eq!(told([43, 44, 45]), "jumps up, fourth column");
        assert_eq!(told([55, 44, 33]), "jumps down and left from the third row");
    }
}
