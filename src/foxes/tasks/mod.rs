//! The random experiments: a match, a round robin, a duel, a match judged exactly.
//!
//! Every sample has one stream per purpose ("opening", "fox", "hens"), so two foxes meet the same
//! opening and the same hens' luck.

mod duel;
mod encounter;
mod matches;
mod proof;
mod regret;
mod repeats;
mod table;
#[cfg(test)]
mod tests;

use foxes::board::{BOARDS, Board};
use foxes::notation::read_position;
use foxes::opening::Opening;
use foxes::rules::{Capture, Rules, Stuck};
use strum::VariantNames;
use task::{Metric, ParamError, ParamSpec, Params, TaskSpec};

/// All tasks.
pub static TASKS: [TaskSpec; 5] = [
    matches::MATCH,
    matches::ROUND_ROBIN,
    duel::DUEL,
    regret::REGRET,
    proof::PROOF,
];

// What every task lets vary: the board, what the source leaves open, the opening.

/// The board, which is this one unless said otherwise.
pub(super) const fn board(default: &'static str) -> ParamSpec {
    ParamSpec::choice(
        "board",
        &BOARD_NAMES,
        "the board; the small ones are solved exactly",
    )
    .or_text(default)
}

pub(super) const CAPTURE: ParamSpec = ParamSpec::choice(
    "capture",
    Capture::VARIANTS,
    "whether foxes must eat, and must take the longest chain",
)
.or_text("longest");

pub(super) const STUCK: ParamSpec = ParamSpec::choice(
    "stuck",
    Stuck::VARIANTS,
    "What happens when the hens have no move",
)
.or_text("foxes-win");

const QUIET: ParamSpec = ParamSpec::integer(
    "quiet",
    (0, Rules::MOST_QUIET as i64),
    "plies without a hen stepping up or being eaten that make a draw; 0 for no rule",
)
.or_integer(Rules::ARSAC.quiet as i64);

const REPETITION: ParamSpec = ParamSpec::integer(
    "repetition",
    (0, Rules::MOST_REPETITION as i64),
    "occurrences of a position that make a draw; 0 for no rule",
)
.or_integer(Rules::ARSAC.repetition as i64);

const POSITION: ParamSpec =
    ParamSpec::text("position", "the position before the opening is drawn").or_text("start");

const MISSING: ParamSpec = ParamSpec::integer(
    "missing",
    (0, 19),
    "hens taken off at random before the match; they count as eaten",
)
.or_integer(0);

/// The opening, of so many plies unless said otherwise.
const fn opening(default: i64) -> ParamSpec {
    ParamSpec::integer(
        "opening",
        (0, 1_000),
        "plies of random legal play before the players take over",
    )
    .or_integer(default)
}

const FOX: ParamSpec = ParamSpec::text("fox", "the foxes' player");

const HENS: ParamSpec = ParamSpec::text("hens", "the hens' player");

/// The parameters of one fox against one player of the hens.
const fn params(on: &'static str, plies: i64) -> [ParamSpec; 10] {
    [
        FOX,
        HENS,
        board(on),
        CAPTURE,
        STUCK,
        QUIET,
        REPETITION,
        POSITION,
        MISSING,
        opening(plies),
    ]
}

/// The foxes' score of a match, in half points.
const SCORE: Metric = Metric::integer(
    "score",
    "",
    (0, 2),
    "The foxes' points: 1 for a win, 1/2 for a draw.",
)
.with_denominator(2);

const EATEN: Metric = Metric::integer(
    "eaten",
    "hens",
    (0, 20),
    "Hens missing at the end: eaten, or left out from the start.",
);

const BOARD_NAMES: [&str; BOARDS.len()] = board_names();

const fn board_names() -> [&'static str; BOARDS.len()] {
    let mut names = [""; BOARDS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = BOARDS[index].name;
        index += 1;
    }
    names
}

/// The rules and the opening a task's parameters ask for.
#[derive(Clone, Copy, Debug)]
struct MatchSetting {
    rules: Rules,
    opening: Opening,
}

impl MatchSetting {
    fn read(params: &Params) -> Result<MatchSetting, ParamError> {
        let rules = read_rules(params)?;
        let position = params.text("position")?;
        let root = read_position(position, rules.board)
            .map_err(|error| ParamError::new("position", error.to_string(), error.help))?;
        if let Some(ending) = rules.ending(&root) {
            let message = format!("the position is decided: {}", ending.sentence());
            return Err(ParamError::new(
                "position",
                message,
                "give an open position",
            ));
        }
        let missing = params.integer("missing")? as u32;
        if missing + root.eaten >= rules.board.enough_eaten {
            let message = format!("with {missing} hens missing the foxes have won");
            return Err(ParamError::new("missing", message, "take fewer hens off"));
        }
        let plies = params.integer("opening")? as u32;
        let opening = Opening {
            root,
            missing,
            plies,
        };
        Ok(MatchSetting { rules, opening })
    }
}

fn read_rules(params: &Params) -> Result<Rules, ParamError> {
    let board = params.text("board")?;
    let board = Board::named(board).ok_or_else(|| unknown("board", board))?;
    let capture = params.text("capture")?;
    let capture = capture.parse().map_err(|_| unknown("capture", capture))?;
    let stuck = params.text("stuck")?;
    let stuck = stuck.parse().map_err(|_| unknown("stuck", stuck))?;
    let (quiet, repetition) = (params.integer("quiet")?, params.integer("repetition")?);
    check_draws(quiet, repetition)?;
    Ok(Rules {
        board,
        capture,
        stuck,
        quiet: quiet as u32,
        repetition: repetition as u32,
    })
}

fn check_draws(quiet: i64, repetition: i64) -> Result<(), ParamError> {
    let fault = match (quiet, repetition) {
        (_, 1) => "every position occurs once",
        (0, 0) => "without a drawing rule a match may never end",
        _ => return Ok(()),
    };
    let help = "give 0 or at least 2 occurrences, and one drawing rule at least";
    Err(ParamError::new("repetition", fault, help))
}

fn unknown(name: &str, value: &str) -> ParamError {
    ParamError::new(
        name,
        format!("`{value}` is not known"),
        "see `etude list tasks`",
    )
}
