//! The verb `play`: a person against the cards, which lie face down as at a table.

use super::deal::{Deal, DealError};
use super::draw::{self, Sight};
use super::exact::Solver;
use super::players;
use super::solve::{DRAW, PASSES, RULES, WORRYING_BACK, option, rules, sample};
use super::table::{Column, Move, Table};
use super::task::money;
use lab::search::Budget;
use lab::task::{Arguments, Console, OptionKind, Verb, VerbError};

/// The nodes that telling what could be reached may cost.
const REVEAL: Budget = Budget::nodes(3_000_000);

/// `etude play solitaire`.
pub const PLAY: Verb = Verb {
    name: "play",
    summary: "Play a deal, cards face down, with advice on request",
    examples: &[
        (
            "etude play solitaire",
            "draw three, as many passes as you like",
        ),
        (
            "etude play solitaire --rules vegas-3 --seed 7",
            "the casino's game: $52 a deck, $5 a card",
        ),
    ],
    options: &[
        RULES,
        DRAW,
        PASSES,
        WORRYING_BACK,
        option(
            "seed",
            "S",
            OptionKind::Integer,
            "deal sample I of this seed [default: 1]",
        ),
        option(
            "index",
            "I",
            OptionKind::Integer,
            "the sample to deal [default: 0]",
        ),
        option(
            "deal",
            "DEAL",
            OptionKind::Text,
            "52 cards: the columns from left to right, each from its base up, then the stock",
        ),
    ],
    run,
};

const HELP: &str = "type a move: `3 5` (column 3 to column 5), `3 f` (to its foundation), `w 5`, \
                    `w f` (from the waste), `h 5` (hearts back to column 5), `d` (draw), `t` (turn the waste); \
                    or: moves, hint, undo, reveal (tells what perfect sight could reach), help, quit";

/// A game in progress: the tables from the deal to now.
struct Session {
    past: Vec<Table>,
    table: Table,
}

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let table = Table::new(&deal(arguments)?, rules(arguments)?);
    let mut session = Session {
        past: Vec::new(),
        table,
    };
    console.note(HELP);
    show(&session.table, console);
    while !session.table.is_won() {
        let Some(line) = console.ask("move> ") else {
            break;
        };
        let line = line.trim().to_lowercase();
        if matches!(line.as_str(), "quit" | "exit" | "q") {
            break;
        }
        if !command(&line, &mut session, console) {
            play(&line, &mut session, console);
        }
    }
    let founded = session.table.founded();
    console.note(&format!(
        "{founded} cards on the foundations: at $52 a deck and $5 a card that is ${}",
        money(founded)
    ));
    Ok(())
}

fn deal(arguments: &Arguments) -> Result<Deal, VerbError> {
    let refuse = |error: DealError| VerbError::usage("--deal", error.to_string(), DealError::HELP);
    match arguments.text("deal") {
        Some(text) => text.parse().map_err(refuse),
        None => Ok(sample(
            arguments.integer("seed").unwrap_or(1),
            arguments.integer("index").unwrap_or(0),
        )),
    }
}

fn show(table: &Table, console: &mut dyn Console) {
    console.draw(&draw::board(table, Sight::Player));
}

/// Carries out a command; whether the line was one.
fn command(line: &str, session: &mut Session, console: &mut dyn Console) -> bool {
    match line {
        "" | "help" | "?" => console.note(HELP),
        "moves" => console.note(&moves(&session.table)),
        "hint" => console.note(&hint(&session.table)),
        "reveal" => console.note(&reveal(&session.table)),
        "undo" => undo(session, console),
        _ => return false,
    }
    true
}

fn undo(session: &mut Session, console: &mut dyn Console) {
    match session.past.pop() {
        Some(table) => {
            session.table = table;
            show(&session.table, console);
        }
        None => console.note("there is nothing to undo"),
    }
}

fn moves(table: &Table) -> String {
    let moves = table.moves();
    let told = |&play: &Move| format!("{play}: {}", draw::caption(table, play));
    match moves.is_empty() {
        true => "there is no move left".to_owned(),
        false => moves.iter().map(told).collect::<Vec<_>>().join("\n"),
    }
}

/// What a player would do who sees no more than the person.
fn hint(table: &Table) -> String {
    match players::greedy(table).first() {
        Some(&play) => format!("{play}: {}", draw::caption(table, play)),
        None => "I would stop here".to_owned(),
    }
}

/// What could still be reached by one who sees all cards.
fn reveal(table: &Table) -> String {
    let best = Solver::default().solve(table, REVEAL).foundation;
    match (best.is_proved(), best.lower()) {
        (true, count) if count == table.cards() => "this deal can still be won".to_owned(),
        (true, count) => format!("at most {count} cards can get to the foundations from here"),
        (false, count) => format!("at least {count} cards can get to the foundations from here"),
    }
}

fn play(line: &str, session: &mut Session, console: &mut dyn Console) {
    let found = session.table.moves();
    let found = found
        .into_iter()
        .find(|&play| is_meant(line, &session.table, play));
    let Some(play) = found else {
        console.note(&format!(
            "`{line}` is not a legal move here; `moves` lists those"
        ));
        return;
    };
    console.note(&draw::caption(&session.table, play));
    session.past.push(session.table);
    session.table.play(play);
    show(&session.table, console);
}

/// Whether a line means a move: its notation, or the same without the number of cards where a
/// run has one part that fits.
fn is_meant(line: &str, table: &Table, play: Move) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let notation = play.to_string();
    let full: Vec<&str> = notation.split_whitespace().collect();
    match (play, words.as_slice()) {
        (Move::Draw, ["d"]) | (Move::Recycle, ["t" | "d"]) => true,
        (Move::ColumnToColumn { to, .. }, [from, target]) => {
            // A king's run goes to an empty column as a whole: it fits there in one part only.
            let is_pointless = table
                .columns()
                .get(usize::from(to))
                .and_then(Column::top)
                .is_none()
                && is_whole_pile(table, play);
            [*from, *target] == full[..2] && !is_pointless
        }
        (_, words) => words == full,
    }
}

/// Whether a move takes all cards of a column.
fn is_whole_pile(table: &Table, play: Move) -> bool {
    match play {
        Move::ColumnToColumn { from, count, .. } => {
            let column = table.columns().get(usize::from(from));
            column.is_some_and(|column| column.cards().len() == usize::from(count))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::Script;

    fn played(arguments: &Arguments, answers: &[&str]) -> Script {
        let mut console = Script::answering(answers);
        run(arguments, &mut console).unwrap();
        console
    }

    fn sorted() -> Arguments {
        let deal = Deal::sorted(super::super::rules::Deck::FULL).to_string();
        Arguments::new()
            .with_text("deal", &deal)
            .with_text("rules", "vegas-3")
    }

    /// The sorted deck: AH AD | AC ... as `draw` tests show it.
    #[test]
    fn moves_are_played_refused_and_taken_back() {
        let script = [
            "1 f", "4 5", "9 9", "d", "undo", "undo", "undo", "undo", "quit",
        ];
        let console = played(&sorted(), &script);
        assert!(console.heard("AH to its foundation"));
        assert!(console.heard("3D onto 4C"));
        assert!(console.heard("`9 9` is not a legal move"));
        assert!(console.heard("there is nothing to undo"));
        assert!(
            console.heard("0 cards on the foundations: at $52 a deck and $5 a card that is $-52")
        );
    }

    #[test]
    fn cards_face_down_stay_hidden() {
        let console = played(&sorted(), &["d", "moves", "hint"]);
        assert!(console.drawings.iter().all(|board| board.contains("??")));
        assert!(console.heard("d"));
    }

    /// Seed 1, sample 0.
    #[test]
    fn advice_is_given_on_request_alone() {
        let vegas = Arguments::new().with_text("rules", "vegas-1");
        let console = played(&vegas, &["hint", "reveal", "help", ""]);
        assert!(console.heard("from here") || console.heard("can still be won"));
        let silent = played(&vegas, &["d"]);
        assert!(!silent.heard("from here") && !silent.heard("can still be won"));
    }
}
