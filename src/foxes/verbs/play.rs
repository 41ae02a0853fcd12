//! `play foxes`: a person against a player, as in the source's program.

use std::path::Path;

use super::super::players::PlayerName;
use super::PositionOptions;
use super::session::Session;
use crate::input::InputFile;
use base::{Failure, files, parse_integer};
use clap::Args;
use foxes::draw;
use foxes::position::Side;
use foxes::record::MatchRecord;
use foxes::review::{DEPTH, MatchReview};
use foxes::typed::read_move;
use kit::rng::Streams;
use task::{Console, VerbOptions};

/// `etude play foxes`.
#[derive(Debug, Args)]
#[command(
    about = "Play the hens, or the foxes, against any player",
    after_help = "Examples:
  etude play foxes
      your hens against Arsac's fox
  etude play foxes --side foxes --opponent 'search(6)'
      your foxes against hens that look six plies ahead"
)]
pub struct PlayFoxes {
    /// Your side
    #[arg(long, default_value = "hens", value_parser = ["hens", "foxes"])]
    side: String,
    /// The other side's player [default: arsac, or safe-advance for the hens]
    #[arg(long, value_name = "PLAYER", allow_hyphen_values = true)]
    opponent: Option<String>,
    /// Seed of its random choices
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer)]
    seed: u64,
    /// A saved match to continue
    #[arg(
        long,
        value_name = "FILE",
        value_parser = InputFile::read,
        conflicts_with_all = super::PLACE,
    )]
    load: Option<InputFile>,
    #[command(flatten)]
    position: PositionOptions,
}

const HELP: &str = "Type a move: `d4 d5`, `d4u` (u, d, l, r), a chain by its cells `c5 c3 c1`, or \
                    its number in the list of `moves`.\nOr: moves, advice, undo, board, reveal, \
                    review, save FILE, load FILE, help, quit.";

/// The answer to `reveal`, which the games with hidden cards or pieces have.
const NOTHING_HIDDEN: &str = "Nothing is hidden in this game. `advice` suggests a move.";

impl VerbOptions for PlayFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let mut session = self.open()?;
        console.note(HELP);
        show(&session, console);
        loop {
            if let Some(outcome) = session.outcome() {
                console.note(outcome);
                if !after_the_end(&mut session, console) {
                    break;
                }
            } else if !session.is_persons_turn() {
                let reply = session.reply();
                console.note(&reply);
                show(&session, console);
            } else if !turn(&mut session, console) {
                break;
            }
        }
        Ok(())
    }
}

impl PlayFoxes {
    fn open(&self) -> Result<Session, Failure> {
        let (person, usual) = match self.side.as_str() {
            "foxes" => (Side::Foxes, "safe-advance"),
            _ => (Side::Hens, "arsac"),
        };
        let name = self.opponent.as_deref().unwrap_or(usual);
        let player = PlayerName::read(name, person.other())
            .map_err(|(message, help)| Failure::input("--opponent", message, help))?;
        let record = self.first_record(person, name)?;
        let rng = Streams::new(self.seed).key("opponent").stream(0);
        Ok(Session::new(record, person, &player, rng))
    }

    fn first_record(&self, person: Side, name: &str) -> Result<MatchRecord, Failure> {
        if let Some(file) = &self.load {
            return super::read_record(file);
        }
        let (rules, start) = self.position.read_open()?;
        let names = |side| if side == person { "person" } else { name };
        Ok(MatchRecord {
            rules,
            fox: names(Side::Foxes).to_owned(),
            hens: names(Side::Hens).to_owned(),
            start,
            moves: Vec::new(),
        })
    }
}

fn show(session: &Session, console: &mut dyn Console) {
    let board = session.rules().board;
    console.draw(&draw::text(session.position(), board, console.colour()));
    console.note(&format!("Hens eaten: {}", session.position().eaten));
}

/// Takes one line from the person whose turn it is; whether to go on.
fn turn(session: &mut Session, console: &mut dyn Console) -> bool {
    let prompt = format!("{}> ", session.position().side.name());
    let Some(line) = console.ask(&prompt) else {
        return false;
    };
    if is_quit(&line) {
        return false;
    }
    if command(&line, session, console) {
        return true;
    }
    let number = line.trim().trim_end_matches('.').parse().ok();
    let numbered = number.and_then(|number| session.numbered(number));
    let read = || read_move(&line, session.rules(), session.position());
    match numbered.map_or_else(read, Ok) {
        Ok(play) => {
            session.play(play);
            show(session, console);
        }
        Err(error) => {
            console.note(&error.to_string());
            console.note(&error.help);
        }
    }
    true
}

/// A finished game can still be saved, undone or replaced; whether to go on.
fn after_the_end(session: &mut Session, console: &mut dyn Console) -> bool {
    let Some(line) = console.ask("review, undo, save FILE, load FILE or quit> ") else {
        return false;
    };
    if is_quit(&line) {
        return false;
    }
    if !command(&line, session, console) {
        console.note("The game is over: review, undo, save FILE, load FILE or quit.");
    }
    true
}

fn is_quit(line: &str) -> bool {
    matches!(line.trim(), "quit" | "exit" | "q")
}

/// Carries out a command; whether the line was one.
fn command(line: &str, session: &mut Session, console: &mut dyn Console) -> bool {
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    match word {
        "" | "help" | "?" => console.note(HELP),
        "moves" | "m" => console.note(&session.legal()),
        "advice" | "a" | "hint" => console.note(&session.advice()),
        "reveal" => console.note(NOTHING_HIDDEN),
        "review" => {
            let review = MatchReview::of(session.record(), DEPTH);
            review.lines().iter().for_each(|line| console.note(line));
        }
        "board" | "b" => show(session, console),
        "undo" | "u" if session.undo() => show(session, console),
        "undo" | "u" => console.note("There is nothing to undo."),
        "save" => console.note(&save(rest, session)),
        "load" => {
            console.note(&load(rest, session));
            show(session, console);
        }
        _ => return false,
    }
    true
}

fn save(path: &str, session: &Session) -> String {
    let path = path.trim();
    if path.is_empty() {
        return "Name a file: save FILE.".to_owned();
    }
    match files::write_named(Path::new(path), session.record().write().as_bytes()) {
        Ok(()) => format!("Saved to {path}."),
        Err(error) => format!("{path} cannot be written: {error}"),
    }
}

fn load(path: &str, session: &mut Session) -> String {
    let path = path.trim();
    if path.is_empty() {
        return "Name a file: load FILE.".to_owned();
    }
    let text = match files::read_text(Path::new(path)) {
        Ok(text) => text,
        Err(error) => return format!("{path} cannot be read: {error}"),
    };
    match MatchRecord::read(&text) {
        Ok(record) => {
            session.load(record);
            format!("Loaded {path}.")
        }
        Err(error) => format!("{path}: {error}; {}", error.help),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use task::{Script, Verb};

    fn played(options: &[&str], answers: &[&str]) -> Script {
        let verb = Verb::new::<PlayFoxes>("play");
        Script::answering(answers).run(&verb, options).unwrap()
    }

    #[test]
    fn moves_are_played_and_answered_and_taken_back() {
        let answers = [
            "a4u", "undo", "undo", "moves", "advice", "reveal", "1", "quit",
        ];
        let console = played(&[], &answers);
        assert!(console.heard("the foxes play "));
        assert!(console.heard("There is nothing to undo."));
        assert!(console.heard("a4-a5"), "moves lists a4-a5");
        assert!(
            console.heard("as far as"),
            "advice says what its move is worth"
        );
    }

    #[test]
    fn a_person_may_have_the_foxes() {
        let console = played(
            &["--side=foxes", "--opponent=safe"],
            &["moves", "nonsense", ""],
        );
        assert!(console.heard("the hens play "));
        assert!(console.heard("neither a cell nor a direction"));
    }

    #[test]
    fn a_saved_game_is_loaded_and_a_broken_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt");
        let path = path.to_str().unwrap();
        let (save, load) = (format!("save {path}"), format!("load {path}"));
        let script = ["a4u", &save, "undo", &load, "load", "save", "load none.txt"];
        let console = played(&[], &script);
        for part in ["Saved to", "Loaded", "Name a file", "cannot be read"] {
            assert!(console.heard(part), "{part}");
        }
        std::fs::write(path, "etude foxes record 1\nrules x").unwrap();
        assert!(played(&[], &[&load]).heard("line 2"));
    }

    #[test]
    fn a_finished_game_says_how_it_ended() {
        let options = ["--position=3/3/7/3h3/3f3/1f1/3 f 11", "--side=foxes"];
        let console = played(&options, &["d3 d5", "d4u", "quit"]);
        assert!(console.heard("the foxes win"));
        assert!(console.heard("The game is over"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_input_is_answered(lines in prop::collection::vec("[a-z0-9 ?]{0,12}", 0..8)) {
            let lines: Vec<&str> = lines
                .iter()
                .map(String::as_str)
                .filter(|line| !line.starts_with("save") && !["a", "hint"].contains(line))
                .collect();
            played(&[], &lines);
        }
    }
}
