//! Solutions and random play as stories, jump by jump.

use pegs::board::{Jump, PegBoard, Position};
use pegs::picture::{svg, told};
use task::Frame;

/// A step of a story: the pegs after `jump`, which is named and drawn.
pub fn frame(board: &PegBoard, pegs: Position, jump: Option<Jump>) -> Frame {
    Frame {
        caption: jump.map_or("the start".to_owned(), |jump| told(board, jump)),
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
