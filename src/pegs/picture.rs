//! Positions as stand-alone SVG pictures.

use super::board::{Jump, PegBoard, Position, hole_name};
use lab::task::Frame;

/// The side of a hole's square, in pixels.
const SIDE: usize = 36;

/// A step of a story: the pegs after `jump`, which is named and drawn.
pub fn frame(board: &PegBoard, pegs: Position, jump: Option<Jump>) -> Frame {
    Frame {
        caption: jump.map_or("the start".to_owned(), |jump| {
            format!("{}-{}", hole_name(jump.from), hole_name(jump.to))
        }),
        board: board.draw(pegs),
        svg: Some(svg(board, pegs, jump)),
    }
}

/// A solution jump by jump, from its start.
pub fn story(board: &PegBoard, start: Position, jumps: &[Jump]) -> Vec<Frame> {
    let mut pegs = start;
    let mut frames = vec![frame(board, pegs, None)];
    for &jump in jumps {
        pegs ^= jump.mask();
        frames.push(frame(board, pegs, Some(jump)));
    }
    frames
}

/// The pegs of a position; of the last jump, its path and the peg taken.
fn svg(board: &PegBoard, pegs: Position, jump: Option<Jump>) -> String {
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
    fn a_story_has_a_picture_of_every_step_with_a_peg_less_each() {
        let board = PegBoard::english();
        let start = board.holes() ^ board.parse_holes("44").unwrap();
        let first: Vec<Jump> = board.jumps(start).take(1).collect();
        let frames = story(&board, start, &first);
        let pegs = |frame: &Frame| {
            frame
                .svg
                .as_ref()
                .unwrap()
                .matches("r=\"13\" fill=\"#")
                .count()
        };
        assert_eq!(frames.iter().map(pegs).collect::<Vec<_>>(), [32, 31]);
        let holes = |frame: &Frame| frame.svg.as_ref().unwrap().matches("r=\"5\"").count();
        assert_eq!(frames.iter().map(holes).collect::<Vec<_>>(), [1, 2]);
        assert!(frames[1].svg.as_ref().unwrap().contains("<path"));
    }
}
