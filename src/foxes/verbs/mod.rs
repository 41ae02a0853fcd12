//! The verbs for one position: count its tree, search it, play it.

mod examine;
mod perft;
mod play;
mod prove;
mod session;
mod solve;
mod ugi;

use super::board::{BOARDS, Board};
use super::notation::read_position;
use super::position::Position;
use super::rules::{Capture, Ending, Rules, Stuck};
use super::tasks::{self, board};
use lab::task::{Arguments, Verb, VerbError, VerbOption};

/// All verbs.
pub static VERBS: [Verb; 6] = [
    perft::PERFT,
    solve::SOLVE,
    prove::PROVE,
    play::PLAY,
    ugi::UGI,
    examine::EXAMINE,
];

const BOARD: VerbOption = VerbOption::of(board("cross"));

const CAPTURE: VerbOption = VerbOption::of(tasks::CAPTURE);

const STUCK: VerbOption = VerbOption::of(tasks::STUCK);

const POSITION: VerbOption = VerbOption::text(
    "position",
    "POSITION",
    "rows from the top, side to move, hens eaten",
)
.or_text("start");

/// The rules asked for.
fn read_rules(arguments: &Arguments) -> Result<Rules, VerbError> {
    let board = read(arguments, "board", Board::named, || {
        BOARDS.map(|board| board.name).join(", ")
    })?;
    let mut rules = Rules::on(board);
    rules.capture = read(arguments, "capture", Capture::from_name, || {
        Capture::NAMES.join(", ")
    })?;
    rules.stuck = read(arguments, "stuck", Stuck::from_name, || {
        Stuck::NAMES.join(", ")
    })?;
    Ok(rules)
}

fn read<T>(
    arguments: &Arguments,
    name: &str,
    named: impl Fn(&str) -> Option<T>,
    all: impl Fn() -> String,
) -> Result<T, VerbError> {
    let text = arguments.text(name).unwrap_or_default();
    named(text).ok_or_else(|| {
        VerbError::usage(
            format!("--{name}"),
            format!("`{text}` is not known"),
            format!("choose one of {}", all()),
        )
    })
}

/// The position asked for.
fn read_root(arguments: &Arguments, rules: &Rules) -> Result<Position, VerbError> {
    let text = arguments.text("position").unwrap_or_default();
    read_position(text, rules.board)
        .map_err(|error| VerbError::usage("--position", error.to_string(), error.help))
}

/// The open position asked for.
fn read_open_root(arguments: &Arguments, rules: &Rules) -> Result<Position, VerbError> {
    let root = read_root(arguments, rules)?;
    match rules.ending(&root) {
        None => Ok(root),
        Some(ending) => Err(decided(ending)),
    }
}

fn decided(ending: Ending) -> VerbError {
    VerbError::usage(
        "--position",
        format!("the position is decided: {}", ending.sentence()),
        "give a position in which play goes on",
    )
}

/// A depth between 1 and `most`.
fn read_depth(arguments: &Arguments, most: u32) -> Result<u32, VerbError> {
    let depth = arguments.integer("depth").unwrap_or_default();
    u32::try_from(depth)
        .ok()
        .filter(|depth| (1..=most).contains(depth))
        .ok_or_else(|| {
            VerbError::usage(
                "--depth",
                format!("the depth is {depth}"),
                format!("give a number of plies from 1 to {most}"),
            )
        })
}
