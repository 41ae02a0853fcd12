//! `play foxes`: a person against a player, as in the source's program.

use super::super::draw;
use super::super::players::PlayerName;
use super::super::position::Side;
use super::super::record::MatchRecord;
use super::super::typed::read_move;
use super::session::Session;
use super::{BOARD, CAPTURE, POSITION, STUCK, read_open_root, read_rules};
use lab::rng::Streams;
use lab::task::{Arguments, Console, Verb, VerbError, VerbOption};

pub(super) const PLAY: Verb = Verb {
    name: "play",
    summary: "play the hens, or the foxes, against any player",
    examples: &[
        ("etude play foxes", "your hens against Arsac's fox"),
        (
            "etude play foxes --side foxes --opponent 'search(6)'",
            "your foxes against hens that look six plies ahead",
        ),
    ],
    options: &[
        VerbOption::choice("side", &["hens", "foxes"], "your side").or_text("hens"),
        VerbOption::text(
            "opponent",
            "PLAYER",
            "the other side's player (default: arsac, or safe-advance for the hens)",
        ),
        VerbOption::integer("seed", "N", "seed of its random choices").or_integer(1),
        VerbOption::file("load", "FILE", "a saved match to continue"),
        POSITION,
        BOARD,
        CAPTURE,
        STUCK,
    ],
    run,
};

const HELP: &str = "type a move: `d4 d5`, `d4u` (u, d, l, r), a chain by its cells `c5 c3 c1`; \
                    or: moves, hint, undo, save FILE, load FILE, board, help, quit";

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let mut session = open(arguments)?;
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

fn open(arguments: &Arguments) -> Result<Session, VerbError> {
    let person = match arguments.text("side").unwrap_or_default() {
        "hens" => Side::Hens,
        "foxes" => Side::Foxes,
        other => {
            let message = format!("`{other}` is not a side");
            return Err(VerbError::usage("--side", message, "choose hens or foxes"));
        }
    };
    let default = match person {
        Side::Hens => "arsac",
        Side::Foxes => "safe-advance",
    };
    let name = arguments.text("opponent").unwrap_or(default);
    let player = PlayerName::read(name, person.other())
        .map_err(|(message, help)| VerbError::usage("--opponent", message, help))?;
    let record = first_record(arguments, person, name)?;
    let streams = Streams::new(arguments.integer("seed").unwrap_or_default());
    let rng = streams.key("opponent").stream(0);
    Ok(Session::new(record, person, &player, rng))
}

fn first_record(arguments: &Arguments, person: Side, name: &str) -> Result<MatchRecord, VerbError> {
    if let Some(file) = arguments.file("load") {
        return MatchRecord::read(&file.text).map_err(|error| {
            let place = format!("{}:{}", file.path, error.line);
            VerbError::usage(place, error.message, error.help)
        });
    }
    let rules = read_rules(arguments)?;
    let names = |side| if side == person { "person" } else { name };
    Ok(MatchRecord {
        rules,
        fox: names(Side::Foxes).to_owned(),
        hens: names(Side::Hens).to_owned(),
        start: read_open_root(arguments, &rules)?,
        moves: Vec::new(),
    })
}

fn show(session: &Session, console: &mut dyn Console) {
    let board = session.rules().board;
    console.draw(&draw::text(session.position(), board, console.colour()));
    console.note(&format!("hens eaten: {}", session.position().eaten));
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
    match read_move(&line, session.rules(), session.position()) {
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
    let Some(line) = console.ask("undo, save FILE, load FILE or quit> ") else {
        return false;
    };
    if is_quit(&line) {
        return false;
    }
    if !command(&line, session, console) {
        console.note("the game is over: undo, save FILE, load FILE or quit");
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
        "moves" => console.note(&session.legal()),
        "hint" => console.note(&session.hint()),
        "board" => show(session, console),
        "undo" if session.undo() => show(session, console),
        "undo" => console.note("there is nothing to undo"),
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
        return "name a file: save FILE".to_owned();
    }
    match std::fs::write(path, session.record().write()) {
        Ok(()) => format!("saved to {path}"),
        Err(error) => format!("cannot write {path}: {error}"),
    }
}

fn load(path: &str, session: &mut Session) -> String {
    let path = path.trim();
    if path.is_empty() {
        return "name a file: load FILE".to_owned();
    }
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return format!("cannot read {path}: {error}"),
    };
    match MatchRecord::read(&text) {
        Ok(record) => {
            session.load(record);
            format!("loaded {path}")
        }
        Err(error) => format!("{path}: {error}; {}", error.help),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::Script;
    use proptest::prelude::*;

    fn played(arguments: &Arguments, answers: &[&str]) -> Script {
        let mut console = Script::answering(answers);
        run(arguments, &mut console).unwrap();
        console
    }

    #[test]
    fn moves_are_played_and_answered_and_taken_back() {
        let answers = ["a4u", "undo", "undo", "moves", "hint", "board", "quit"];
        let console = played(&Arguments::defaults(PLAY.options), &answers);
        assert!(console.heard("the foxes play "));
        assert!(console.heard("nothing to undo"));
        assert!(console.heard("a4-a5"), "moves lists a4-a5");
    }

    #[test]
    fn a_person_may_have_the_foxes() {
        let arguments = Arguments::defaults(PLAY.options)
            .with_text("side", "foxes")
            .with_text("opponent", "safe");
        let console = played(&arguments, &["moves", "nonsense", ""]);
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
        let console = played(&Arguments::defaults(PLAY.options), &script);
        for part in ["saved to", "loaded", "name a file", "cannot read"] {
            assert!(console.heard(part), "{part}");
        }
        std::fs::write(path, "etude foxes record 1\nrules x").unwrap();
        assert!(played(&Arguments::defaults(PLAY.options), &[&load]).heard("line 2"));
    }

    #[test]
    fn a_finished_game_says_how_it_ended() {
        let arguments = Arguments::defaults(PLAY.options)
            .with_text("position", "3/3/7/3h3/3f3/1f1/3 f 11")
            .with_text("side", "foxes");
        let console = played(&arguments, &["d3 d5", "d4u", "quit"]);
        assert!(console.heard("the foxes win"));
        assert!(console.heard("the game is over"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_input_is_answered(lines in prop::collection::vec("[a-z0-9 ?]{0,12}", 0..8)) {
            let lines: Vec<&str> = lines
                .iter()
                .map(String::as_str)
                .filter(|line| !line.starts_with("save") && *line != "hint")
                .collect();
            played(&Arguments::defaults(PLAY.options), &lines);
        }
    }
}
