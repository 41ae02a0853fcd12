//! Problems with a name, and problems read from text.
//!
//! The book prints the six traditional figures and the three figures to be left on the board as
//! pictures, which are lost. Their peg lists here are marked as reconstructions.

use super::board::PegBoard;
use super::solve::PegProblem;
use thiserror::Error;

/// The defect of a problem in text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct PegProblemError {
    /// The part at fault: `board`, `start` or `end`.
    pub part: &'static str,
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The expected form.
    pub help: &'static str,
}

/// A problem known by name.
#[derive(Clone, Copy, Debug)]
pub struct NamedProblem {
    /// The problem's name.
    pub name: &'static str,
    /// The board's name.
    pub board: &'static str,
    /// Pegs at the start; empty for the full board less the centre.
    pub(crate) start: &'static str,
    /// Pegs at the end.
    pub(crate) end: &'static str,
}

/// A problem whose picture in the source had to be reconstructed.
const fn figure(name: &'static str, start: &'static str) -> NamedProblem {
    NamedProblem {
        name,
        board: "english",
        start,
        end: "44",
    }
}

/// The same, from the full board less the centre.
const fn left_over(name: &'static str, end: &'static str) -> NamedProblem {
    NamedProblem {
        name,
        board: "english",
        start: "",
        end,
    }
}

/// All problems with a name.
pub const NAMED: [NamedProblem; 11] = [
    NamedProblem {
        name: "central",
        board: "english",
        start: "",
        end: "44",
    },
    // Its solution is printed in the source, which fixes it.
    NamedProblem {
        name: "latin-cross",
        board: "english",
        start: "46 35 45 55 44 43",
        end: "44",
    },
    figure("greek-cross", "46 45 24 34 44 54 64 43 42"),
    figure("fireplace", "37 47 57 36 46 56 35 45 55 34 54"),
    figure("pyramid", "46 35 45 55 24 34 44 54 64 13 23 33 43 53 63 73"),
    figure("lamp", "47 36 46 56 25 35 45 55 65 44 43 32 42 52 31 41 51"),
    figure(
        "inclined-square",
        "47 36 46 56 25 35 45 55 65 14 24 34 54 64 74 23 33 43 53 63 32 42 52 41",
    ),
    left_over(
        "pinwheel",
        "37 47 57 46 56 15 25 75 14 24 64 74 13 63 73 32 42 31 41 51",
    ),
    left_over("square", "33 34 35 43 45 53 54 55"),
    left_over("full-square", "33 34 35 43 44 45 53 54 55"),
    NamedProblem {
        name: "french-central",
        board: "french",
        start: "",
        end: "44",
    },
];

impl NamedProblem {
    /// The problem of this name.
    pub fn find(name: &str) -> Option<&'static NamedProblem> {
        NAMED.iter().find(|named| named.name == name)
    }

    /// The problem itself, with diagonal jumps if asked for.
    ///
    /// # Errors
    /// If its board or pegs cannot be read, which no named problem should be.
    pub fn problem(&self, diagonal: bool) -> Result<PegProblem, PegProblemError> {
        let board = board(self.board, diagonal)?;
        let start = if self.start.is_empty() {
            board.holes() & !pegs(&board, "start", "44")?
        } else {
            pegs(&board, "start", self.start)?
        };
        let end = pegs(&board, "end", self.end)?;
        Ok(PegProblem {
            name: self.name.to_owned(),
            board,
            start,
            end,
        })
    }
}

/// A problem from its board and its pegs as texts.
///
/// # Errors
/// The part that cannot be read, and what was expected.
pub fn parse(
    name: &str,
    board_text: &str,
    (start, end): (&str, &str),
    diagonal: bool,
) -> Result<PegProblem, PegProblemError> {
    let board = board(board_text, diagonal)?;
    let start = pegs(&board, "start", start)?;
    let end = pegs(&board, "end", end)?;
    Ok(PegProblem {
        name: name.to_owned(),
        board,
        start,
        end,
    })
}

/// A board by name or drawing.
///
/// # Errors
/// The defect of the board.
pub fn board(text: &str, diagonal: bool) -> Result<PegBoard, PegProblemError> {
    let help = "expected english, french, or at most eight rows of at most eight signs from the \
                top, separated by `/`: `o` a hole, a blank or `-` none";
    let refuse = |message| PegProblemError {
        part: "board",
        message,
        help,
    };
    let board = PegBoard::parse(text).map_err(refuse)?;
    Ok(if diagonal {
        board.with_diagonals()
    } else {
        board
    })
}

fn pegs(board: &PegBoard, part: &'static str, text: &str) -> Result<u64, PegProblemError> {
    let help =
        "expected holes by column and row from the bottom left, separated by blanks: `46 35`";
    let refuse = |message| PegProblemError {
        part,
        message,
        help,
    };
    board.parse_holes(text).map_err(refuse)
}
