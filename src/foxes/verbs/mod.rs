//! The verbs for one position: count its tree, search it, play it.

mod examine;
mod perft;
mod play;
mod prove;
mod review;
mod session;
mod solve;
mod ugi;

use crate::input::InputFile;
use base::Failure;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use foxes::board::{BOARDS, Board, CROSS};
use foxes::notation::read_position;
use foxes::position::Position;
use foxes::record::MatchRecord;
use foxes::rules::{Capture, Ending, Rules, Stuck};
use task::{Verb, by_name};

/// All verbs.
pub static VERBS: &[Verb] = &[
    Verb::new::<perft::PerftFoxes>("perft"),
    Verb::new::<solve::SolveFoxes>("solve"),
    Verb::new::<prove::ProveFoxes>("prove"),
    Verb::new::<play::PlayFoxes>("play"),
    Verb::new::<review::ReviewFoxes>("review"),
    Verb::new::<ugi::UgiFoxes>("ugi"),
    Verb::new::<examine::ExamineFoxes>("examine"),
];

/// The rules that options name.
#[derive(Debug, Args)]
struct RuleOptions {
    /// The board; the small ones are solved exactly
    #[arg(long, default_value = CROSS.name, value_parser = boards())]
    board: &'static Board,
    /// Duty of the foxes to eat, and to take the longest chain
    #[arg(long, value_parser = by_name::<Capture>(), default_value = Capture::Longest.as_ref())]
    capture: Capture,
    /// Rule for hens that have no move
    #[arg(long, value_parser = by_name::<Stuck>(), default_value = Stuck::FoxesWin.as_ref())]
    stuck: Stuck,
}

fn boards() -> impl TypedValueParser<Value = &'static Board> {
    let names = PossibleValuesParser::new(BOARDS.map(|board| board.name));
    names.try_map(|name| Board::named(&name).ok_or("there is no such board"))
}

impl RuleOptions {
    fn rules(&self) -> Rules {
        Rules {
            capture: self.capture,
            stuck: self.stuck,
            ..Rules::on(self.board)
        }
    }
}

/// The options of a position and its rules, which a record has already.
const PLACE: [&str; 4] = ["position", "board", "capture", "stuck"];

/// A position that options name.
#[derive(Debug, Args)]
struct PositionOptions {
    /// Rows from the top, side to move, hens eaten
    #[arg(long, default_value = "start", allow_hyphen_values = true)]
    position: String,
    #[command(flatten)]
    rules: RuleOptions,
}

impl PositionOptions {
    /// The rules and the position.
    fn read(&self) -> Result<(Rules, Position), Failure> {
        let rules = self.rules.rules();
        let root = read_position(&self.position, rules.board)
            .map_err(|error| Failure::input("--position", error.to_string(), error.help))?;
        Ok((rules, root))
    }

    /// The rules and the position, in which play must go on.
    fn read_open(&self) -> Result<(Rules, Position), Failure> {
        let (rules, root) = self.read()?;
        match rules.ending(&root) {
            None => Ok((rules, root)),
            Some(ending) => Err(decided(ending)),
        }
    }
}

fn decided(ending: Ending) -> Failure {
    Failure::input(
        "--position",
        format!("the position is decided: {}", ending.sentence()),
        "give a position in which play goes on",
    )
}

/// Reads a saved match.
fn read_record(file: &InputFile) -> Result<MatchRecord, Failure> {
    MatchRecord::read(&file.text).map_err(|error| {
        let place = format!("{}:{}", file.path, error.line);
        Failure::input(place, error.message, error.help)
    })
}
