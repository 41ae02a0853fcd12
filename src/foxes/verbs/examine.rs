//! `examine foxes --player ARGV`: tests an engine against the interface, in numbered steps for
//! anyone who writes one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::super::players::{Contestant, PlayerName};
use base::Failure;
use base::words::split;
use clap::Args;
use foxes::board::BOARDS;
use foxes::game::Game;
use foxes::opening::Opening;
use foxes::position::Side;
use foxes::rules::{Capture, Rules, Stuck};
use foxes::typed::write_move;
use kit::rng::{StreamKey, Streams};
use kit::search::Budget;
use task::outside::{
    Consent, DeclaredProgram, Engines, Go, OutsidePlayer, PlayerDeclaration, WorkerError,
};
use task::{Console, VerbOptions};

/// `etude examine foxes`; `etude check --player` runs it, too.
#[derive(Debug, Args)]
#[command(
    about = "Test a player's program against the Universal Game Interface",
    after_help = "Examples:
  etude examine foxes --player 'python3 my_fox.py'
      every rule, the seed, a hundred positions; check --player does the same"
)]
pub struct ExamineFoxes {
    /// The engine and its arguments
    #[arg(
        long,
        value_name = "ARGV",
        default_value = "",
        hide_default_value = true
    )]
    player: String,
    /// The folder that the engine runs in [default: this one]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Seconds for which the engine may be silent
    #[arg(long, value_name = "SECONDS", default_value_t = PATIENCE)]
    patience: f64,
    /// A folder for a transcript of every fault
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
}

/// Positions in which a move is asked for.
const POSITIONS: u32 = 100;

/// The seconds for which an engine may be silent, unless it is said.
const PATIENCE: f64 = 10.0;

/// Nodes that are allowed for a move.
const NODES: u64 = 1_000;

/// An engine on trial.
struct Trial<'a> {
    player: Arc<OutsidePlayer>,
    engines: Arc<dyn Engines>,
    key: StreamKey,
    console: &'a mut dyn Console,
    steps: u32,
    failed: u32,
}

impl VerbOptions for ExamineFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let patience = Duration::try_from_secs_f64(self.patience).map_err(|error| {
            Failure::input("--patience", error.to_string(), "give a number of seconds")
        })?;
        let declared = candidate(&self.player, self.folder, patience);
        // Its words were typed to be started.
        let consent = Consent::ask([&declared.program], &[], None, false)?;
        let engines = console.engines(&declared).ok_or_else(|| {
            Failure::usage("no player can be started here").with_help("use the program `etude`")
        })?;
        engines.allow(&consent);
        let player = Arc::new(OutsidePlayer::new(declared, engines.clone()));
        let mut trial = Trial {
            player: player.clone(),
            engines,
            key: Streams::new(1).key("check"),
            console,
            steps: 0,
            failed: 0,
        };
        trial.all();
        if let Some(folder) = &self.log {
            let name = &player.declaration().name;
            let written = player.log().write_transcripts(folder, name);
            written.map_err(|error| {
                Failure::failed(format!("{}: {error}", folder.display()))
                    .with_help("give a folder that can be written")
            })?;
        }
        match trial.failed {
            0 => Ok(()),
            failed => Err(
                Failure::failed(format!("{failed} of {} steps failed", trial.steps))
                    .with_help("each step says what was expected; --log DIR keeps what was said"),
            ),
        }
    }
}

fn candidate(command: &str, folder: Option<PathBuf>, patience: Duration) -> PlayerDeclaration {
    PlayerDeclaration {
        name: "candidate".to_owned(),
        program: DeclaredProgram {
            argv: split(command),
            folders: folder.into_iter().collect(),
            patience,
            ..DeclaredProgram::default()
        },
        go: Go::Nodes,
        loses: false,
    }
}

impl Trial<'_> {
    fn all(&mut self) {
        let handshake = self.handshake();
        let can_go_on = handshake.is_ok();
        self.tell(
            "it answers `ugi` with its name, its options and `ugiok`",
            handshake,
        );
        if !can_go_on {
            return;
        }
        for (what, rules) in rules() {
            let played = self.match_by(rules);
            self.tell(&format!("a match, {what}"), played);
        }
        let seeds = self.seeds();
        self.tell(
            "the same seed gives the same match, in another process",
            seeds,
        );
        let positions = self.positions();
        self.tell(&format!("a legal move in {POSITIONS} positions"), positions);
        let quit = self.quit();
        self.tell("it ends at quit", quit);
    }

    fn tell(&mut self, what: &str, result: Result<String, String>) {
        self.steps += 1;
        let line = match result {
            Ok(remark) if remark.is_empty() => format!("{}. ok: {what}", self.steps),
            Ok(remark) => format!("{}. ok: {what} ({remark})", self.steps),
            Err(message) => {
                self.failed += 1;
                format!("{}. failed: {what}\n   {message}", self.steps)
            }
        };
        self.console.answer(&line);
    }

    fn handshake(&self) -> Result<String, String> {
        let introduction = self.engines.introduction();
        let (name, options) = introduction.map_err(|trouble| trouble.to_string())?;
        Ok(if options.is_empty() {
            format!("{name}; no options")
        } else {
            format!("{name}; options {}", options.join(", "))
        })
    }

    /// The engine on both sides of a match of at most 60 plies, by some rules.
    fn match_by(&self, rules: Rules) -> Result<String, String> {
        match self.moves(rules, 0) {
            Ok(moves) => Ok(format!("{} plies", moves.len())),
            Err(fault) if fault.message.contains("option") && rules != Rules::ARSAC => {
                Ok("not played: it does not declare the option".to_owned())
            }
            Err(fault) => Err(fault.message),
        }
    }

    /// The moves of a match in which new players take both sides.
    fn moves(&self, rules: Rules, index: u64) -> Result<Vec<String>, WorkerError> {
        let mut game = Game::from(rules, rules.start());
        let mut players = self.players()?;
        for player in &mut players {
            player
                .begin_match(&game, &|| self.key.seed(index))
                .map_err(|fault| *fault)?;
        }
        let mut moves = Vec::new();
        while game.ending().is_none() && moves.len() < 60 {
            let player = usize::from(game.position().side == Side::Hens);
            let mut stream = self.key.stream(index);
            let budget = Budget::nodes(NODES);
            let choice = players[player].choose(&game, &mut stream, budget);
            let play = choice.map_err(|fault| *fault)?.play;
            moves.push(write_move(play));
            game.play(play);
        }
        let mut players = players.iter_mut();
        players.try_for_each(|player| player.end_match().map_err(|fault| *fault))?;
        Ok(moves)
    }

    fn players(&self) -> Result<[Box<dyn Contestant>; 2], WorkerError> {
        let build = |side| {
            let name = PlayerName::external(&self.player, side);
            name.map(|name| name.build())
                .map_err(|(message, _)| WorkerError::fault(message))
        };
        Ok([build(Side::Foxes)?, build(Side::Hens)?])
    }

    fn seeds(&self) -> Result<String, String> {
        let play = |time: &str| {
            let occasion = format!("a match played for the {time} time");
            self.player.keep_matches(occasion);
            self.moves(Rules::ARSAC, 7).map_err(|fault| fault.message)
        };
        let (first, second) = (play("first")?, play("second")?);
        let differing = first.iter().zip(&second).position(|(a, b)| a != b);
        self.player.end_check(differing.is_some());
        match differing {
            Some(ply) => Err(format!(
                "ply {} is {}, then {}: draw from the option Seed alone, and begin anew at uginewgame",
                ply + 1,
                first[ply],
                second[ply]
            )),
            None => Ok(String::new()),
        }
    }

    fn positions(&self) -> Result<String, String> {
        let rules = Rules::ARSAC;
        let mut player = self.players().map_err(|fault| fault.message)?;
        for plies in 0..POSITIONS {
            let opening = Opening {
                root: rules.start(),
                missing: plies % 5,
                plies: plies % 40,
            };
            let index = u64::from(plies);
            let start = opening.draw(&rules, &mut self.key.stream(index));
            let game = Game::from(rules, start);
            let player = &mut player[usize::from(start.side == Side::Hens)];
            let chosen = player
                .begin_match(&game, &|| self.key.seed(index))
                .and_then(|()| {
                    player.choose(&game, &mut self.key.stream(index), Budget::nodes(NODES))
                });
            chosen.map_err(|fault| fault.message)?;
        }
        Ok(String::new())
    }

    fn quit(&self) -> Result<String, String> {
        self.engines.close();
        let remarks = self.player.log().record().remarks;
        if remarks.is_empty() {
            Ok(String::new())
        } else {
            Err(remarks.join("; "))
        }
    }
}

/// Every rule in turn, the usual ones first.
fn rules() -> Vec<(String, Rules)> {
    let usual = Rules::ARSAC;
    let capture = |capture| Rules { capture, ..usual };
    let stuck = Stuck::Pass;
    let variants = [
        ("the usual rules", usual),
        ("Capture any", capture(Capture::Any)),
        ("Capture optional", capture(Capture::Optional)),
        ("Stuck pass", Rules { stuck, ..usual }),
        ("Quiet 20", Rules { quiet: 20, ..usual }),
        (
            "Repetition 2",
            Rules {
                repetition: 2,
                ..usual
            },
        ),
    ];
    let variants = variants.map(|(what, rules)| (what.to_owned(), rules));
    let boards = BOARDS.iter().filter(|board| board.name != usual.board.name);
    let boards = boards.map(|board| (format!("Board {}", board.name), Rules::on(board)));
    variants.into_iter().chain(boards).collect()
}
