//! The verb `play`: a person against the cards, which lie face down as at a table.

use super::deal::Deal;
use super::draw::{self, Sight};
use super::exact::Solver;
use super::heuristic;
use super::round::{Play, Round};
use super::solve::{DRAW, PASSES, RULES, WORRYING_BACK, read_deal, rules, sample};
use super::table::{CardTable, Move};
use super::task::money;
use lab::search::Budget;
use lab::task::{Arguments, Console, Verb, VerbError, VerbOption};

/// The nodes that telling what could be reached may cost.
const REVEAL: Budget = Budget::nodes(3_000_000);

/// `etude play solitaire`.
pub const PLAY: Verb = Verb {
    name: "play",
    summary: "Play a deal without seeing the face-down cards, with advice on request",
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
        VerbOption::integer("seed", "S", "deal sample I of this seed [default: 1]"),
        VerbOption::integer("index", "I", "the sample to deal [default: 0]"),
        VerbOption::text(
            "deal",
            "DEAL",
            "52 cards: the columns from left to right, each bottom card first, then the stock",
        ),
    ],
    run,
};

const HELP: &str = "type a move: `3 5` (column 3 to column 5), `3 f` (to its foundation), `w 5`, \
                    `w f` (from the waste), `h 5` (hearts back to column 5), `d` (draw), `t` (turn the waste); \
                    or: moves, advice, undo, reveal (tells what perfect sight reaches), help, quit";

/// A game in progress: the rounds before every move, and now.
struct Session {
    past: Vec<Round>,
    round: Round,
}

impl Session {
    fn new(table: CardTable) -> Self {
        Self {
            past: Vec::new(),
            round: Round::new(table),
        }
    }
}

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let mut session = Session::new(CardTable::new(&deal(arguments)?, rules(arguments)?));
    console.note(HELP);
    show(&session.round, console);
    while !session.round.table().is_won() {
        if session.round.table().moves().is_empty() {
            console.note("No card can move: the game is over.");
            break;
        }
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
    console.note(&result(session.round.score()));
    Ok(())
}

/// The end of a game in words.
fn result(score: u8) -> String {
    let money = money(score);
    let verb = if money < 0 { "lost" } else { "won" };
    let dollars = money.abs();
    format!(
        "{score} of 52 cards on the foundations: at $52 a deck and $5 a card you {verb} ${dollars}"
    )
}

fn deal(arguments: &Arguments) -> Result<Deal, VerbError> {
    match arguments.text("deal") {
        Some(text) => {
            arguments.refuse(
                &["seed", "index"],
                "does nothing with --deal",
                "leave it out",
            )?;
            read_deal("--deal", text)
        }
        None => Ok(sample(
            arguments.integer("seed").unwrap_or(1),
            arguments.integer("index").unwrap_or_default(),
        )),
    }
}

fn show(round: &Round, console: &mut dyn Console) {
    console.draw(&draw::board(round.table(), Sight::Player));
}

/// Carries out a command; whether the line was one.
fn command(line: &str, session: &mut Session, console: &mut dyn Console) -> bool {
    match line {
        "" | "help" | "?" => console.note(HELP),
        "moves" => console.note(&moves(session.round.table())),
        "advice" | "a" | "hint" => console.note(&advice(&session.round)),
        "reveal" => console.note(&reveal(session.round.table())),
        "undo" => undo(session, console),
        _ => return false,
    }
    true
}

fn undo(session: &mut Session, console: &mut dyn Console) {
    match session.past.pop() {
        Some(round) => {
            session.round = round;
            show(&session.round, console);
        }
        None => console.note("there is nothing to undo"),
    }
}

/// A move as it is typed, with its meaning.
fn told(table: &CardTable, single: Move) -> String {
    match single {
        Move::Draw | Move::Recycle => single.to_string(),
        _ => format!("{single} ({})", draw::caption(table, single)),
    }
}

fn moves(table: &CardTable) -> String {
    let moves = table.moves();
    let told = |&single: &Move| told(table, single);
    if moves.is_empty() {
        "there is no move left".to_owned()
    } else {
        moves.iter().map(told).collect::<Vec<_>>().join("\n")
    }
}

/// What the player `greedy` would do, who sees no more than the person.
fn advice(round: &Round) -> String {
    let mut round = round.sight().canonical();
    let Some(play) = heuristic::first(&round) else {
        return "I would stop here".to_owned();
    };
    let mut table = *round.table();
    let mut steps = Vec::new();
    round.play_and_tell(play, |single| {
        steps.push(told(&table, single));
        table.play(single);
    });
    steps.join(", then ")
}

/// What can still be reached by a player who sees all cards.
fn reveal(table: &CardTable) -> String {
    let best = Solver::default().solve(table, REVEAL).foundation;
    let (count, cards) = (best.lower(), table.cards());
    if !best.is_proved() {
        format!("from here {count} of {cards} cards, or more, can lie on the foundations")
    } else if count == cards {
        "this deal can still be won".to_owned()
    } else {
        format!("from here at most {count} of {cards} cards can lie on the foundations")
    }
}

fn play(line: &str, session: &mut Session, console: &mut dyn Console) {
    let moves = session.round.table().moves();
    let Some(single) = moves.into_iter().find(|&single| is_meant(line, single)) else {
        console.note(&format!(
            "`{line}` is not a legal move here; `moves` lists those"
        ));
        return;
    };
    console.note(&draw::caption(session.round.table(), single));
    session.past.push(session.round);
    session.round.play(match single {
        Move::Draw | Move::Recycle => Play::DRAW,
        _ => Play::of(single),
    });
    show(&session.round, console);
}

/// Whether a line means a move: its notation, or a short form. The number of cards may be left
/// out, as at most one part of a run fits on a column.
fn is_meant(line: &str, single: Move) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let notation = single.to_string();
    let full: Vec<&str> = notation.split_whitespace().collect();
    match (single, words.as_slice()) {
        (Move::Draw, ["d"]) | (Move::Recycle, ["t" | "d"]) => true,
        (Move::ColumnToColumn { .. }, short @ [_, _]) => *short == full[..2],
        (_, words) => words == full,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{DeckShape, Rules};
    use super::*;
    use lab::task::Script;

    fn played(arguments: &Arguments, answers: &[&str]) -> Script {
        let mut console = Script::answering(answers);
        run(arguments, &mut console).unwrap();
        console
    }

    fn sorted() -> Arguments {
        let deal = Deal::sorted(DeckShape::FULL).to_string();
        Arguments::defaults(PLAY.options)
            .with_text("deal", &deal)
            .with_text("rules", "vegas-3")
    }

    /// The sorted deck, which a test of `draw` shows.
    #[test]
    fn moves_are_played_refused_and_taken_back() {
        let script = ["1 f", "4 5", "9 9", "D", "undo", "undo", "undo", "undo"];
        let console = played(&sorted(), &script);
        assert!(console.heard("AH to its foundation"));
        assert!(console.heard("3D onto 4C"));
        assert!(console.heard("waste 8H 8D 8C   (stock 21, pass 1 of 3)"));
        assert!(console.heard("`9 9` is not a legal move"));
        assert!(console.heard("there is nothing to undo"));
        assert_eq!(console.drawings.first(), console.drawings.last());
        assert_eq!(console.notes.last(), Some(&result(0)));
        let console = played(&sorted(), &["1 f", "quit", "4 5"]);
        assert!(
            console.heard(
                "1 of 52 cards on the foundations: at $52 a deck and $5 a card you lost $47"
            )
        );
    }

    #[test]
    fn a_deal_and_a_seed_do_not_go_together() {
        let both = sorted().with_integer("seed", 3);
        let error = run(&both, &mut Script::default()).err().unwrap();
        assert_eq!((error.usage, error.place.as_str()), (true, "--seed"));
    }

    #[test]
    fn cards_face_down_stay_hidden() {
        let console = played(&sorted(), &["d", "moves", "advice"]);
        assert_eq!(console.drawings.len(), 2);
        for board in &console.drawings {
            assert_eq!(board.matches("??").count(), 21);
        }
        assert!(console.heard("4 5 1 (3D onto 4C)"));
        assert!(console.heard("1 f (AH to its foundation)"));
    }

    /// Decks of four cards, which a test of `plain` solves by hand.
    #[test]
    fn results_of_perfect_sight_are_shown_only_on_request() {
        let deck = DeckShape::new(1, 1, 4).unwrap();
        let told = |text: &str| {
            let deal = Deal::read(deck, text).unwrap();
            reveal(&CardTable::new(&deal, Rules::new(1, Some(1))))
        };
        assert_eq!(
            told("4H 2H 3H AH"),
            "from here at most 1 of 4 cards can lie on the foundations"
        );
        assert_eq!(told("AH 2H 3H 4H"), "this deal can still be won");
        let silent = played(&sorted(), &["d", "hint", "moves"]);
        assert!(!silent.heard("from here") && !silent.heard("can still be won"));
    }

    /// Seed 25, samples 0 to 9: what the advice says can be typed, ends, and is the game of one who
    /// is handed the real table.
    #[test]
    fn advice_can_be_typed_and_plays_greedily() {
        for index in 0..10 {
            let table = CardTable::new(&sample(25, index), Rules::DRAW_3);
            let mut session = Session::new(table);
            let mut console = Script::default();
            for _ in 0..300 {
                for step in advice(&session.round).split(", then ") {
                    let typed = step.split(" (").next().unwrap();
                    if typed != "I would stop here" {
                        play(typed, &mut session, &mut console);
                    }
                }
            }
            assert!(!console.heard("not a legal move"));
            let mut round = Round::new(table);
            while let Some(play) = heuristic::first(&round) {
                round.play(play);
            }
            assert_eq!(session.round, round);
        }
    }
}
