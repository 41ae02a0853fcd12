//! `play klondike`: a person plays the casino with the face-down cards unseen.

use super::advise::{ADVISER, best, estimates};
use super::card::Card;
use super::cards;
use super::deal::Deal;
use super::draw;
use super::layout::{Layout, LayoutError};
use super::players;
use super::position::Position;
use super::pruned::World;
use lab::rng::Streams;
use lab::search::Budget;
use lab::search::hidden::{HiddenPlayer, Scratch};
use lab::task::{Arguments, Console, Verb, VerbError, VerbOption};

/// `etude play klondike`.
pub const PLAY: Verb = Verb {
    name: "play",
    summary: "play the casino yourself, without seeing the face-down cards, with advice on request",
    examples: &[
        ("etude play klondike", "the first deal of seed 1"),
        (
            "etude play klondike --seed 1978 --index 14",
            "a deal of the experiments",
        ),
    ],
    options: &[
        VerbOption::integer(
            "seed",
            "S",
            "deal sample I of this seed, as an experiment would",
        )
        .or_integer(1),
        VerbOption::integer("index", "I", "the sample to deal").or_integer(0),
        VerbOption::text("layout", "LAYOUT", "the layout to deal").or_text("yukon"),
    ],
    run: play,
};

const HELP: &str = "Type the card to move, such as `7D`: it takes along all that lies upon it. \
    Or: moves, advice, undo, board, help, quit. A card undone stays seen.";
/// Who plays the same deal at the end, for comparison.
const RIVAL: HiddenPlayer = HiddenPlayer::Hindsight { worlds: 32 };

struct Session {
    deal: Deal,
    seed: u64,
    index: u64,
    played: Vec<Card>,
    /// Moves taken back that had turned a card: knowledge that no player here has.
    undone: usize,
}

fn play(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let mut session = open(arguments)?;
    console.note(HELP);
    console.draw(&draw::seen(&session.position()));
    loop {
        if session.world().moves().is_empty() {
            console.note("No card can move: the game is over.");
            break;
        }
        let line = console.ask("move> ");
        let Some(line) = line.filter(|line| !matches!(line.trim(), "quit" | "q" | "exit")) else {
            break;
        };
        answer(line.trim(), &mut session, console);
    }
    conclude(&session, console);
    Ok(())
}

fn open(arguments: &Arguments) -> Result<Session, VerbError> {
    let text = arguments.text("layout").unwrap_or_default();
    let refuse =
        |error: LayoutError| VerbError::usage("--layout", error.to_string(), LayoutError::HELP);
    let layout: Layout = text.parse().map_err(refuse)?;
    let seed = arguments.integer("seed").unwrap_or_default();
    let index = arguments.integer("index").unwrap_or_default();
    let mut stream = Streams::new(seed).key("deal").stream(index);
    Ok(Session {
        deal: Deal::draw(&layout, &mut stream),
        seed,
        index,
        played: Vec::new(),
        undone: 0,
    })
}

impl Session {
    fn world(&self) -> World {
        let mut world = World::new(&self.deal);
        self.played.iter().for_each(|&card| world.play(card));
        world
    }

    fn undo(&mut self) {
        let unseen = self.world().hidden();
        self.played.pop();
        self.undone += usize::from(self.world().hidden() != unseen);
    }

    fn position(&self) -> Position {
        let mut position = Position::new(&self.deal);
        self.played.iter().for_each(|&card| position.play(card));
        position
    }
}

/// Does what a line asks for.
fn answer(line: &str, session: &mut Session, console: &mut dyn Console) {
    match line {
        "" | "help" | "h" | "?" => console.note(HELP),
        "board" | "b" => console.draw(&draw::seen(&session.position())),
        "moves" | "m" => console.note(&captions(session.position().moves())),
        "advice" | "a" | "hint" => advise(session, console),
        "undo" | "u" => {
            session.undo();
            console.draw(&draw::seen(&session.position()));
        }
        _ => move_card(line, session, console),
    }
}

fn captions(moves: Vec<Card>) -> String {
    let captions: Vec<String> = moves.into_iter().map(draw::caption).collect();
    captions.join("; ")
}

fn move_card(line: &str, session: &mut Session, console: &mut dyn Console) {
    let line = line.to_uppercase();
    let mut letters = line.chars();
    let card = letters
        .next()
        .zip(letters.next())
        .filter(|_| letters.next().is_none())
        .and_then(|(rank, suit)| Card::from_symbol(rank, suit));
    match card.filter(|&card| session.world().moves().contains(card)) {
        Some(card) => {
            session.played.push(card);
            console.draw(&draw::seen(&session.position()));
        }
        None => console.note(&format!(
            "`{line}` cannot move; these can: {}",
            captions(session.position().moves())
        )),
    }
}

fn advise(session: &Session, console: &mut dyn Console) {
    let Ok(adviser) = ADVISER.parse() else {
        return;
    };
    let estimates = estimates(&session.world(), &adviser, session.seed);
    for estimate in &estimates {
        let (lo, hi) = estimate.interval;
        console.note(&format!(
            "{}: {:.2} cards ({lo:.2} to {hi:.2}) over {} worlds",
            draw::caption(estimate.card),
            estimate.mean,
            estimate.worlds
        ));
    }
    if let Some(card) = best(&estimates) {
        console.note(&format!("{ADVISER} would move {}.", draw::caption(card)));
    }
}

/// What the game came to, and what others would have made of the deal.
fn conclude(session: &Session, console: &mut dyn Console) {
    let score = session.world().score();
    console.note(&format!(
        "{} on the foundations: the casino pays ${} for your $55.",
        cards(score),
        5 * u32::from(score)
    ));
    let mut scratch = Scratch::default();
    let draws = Streams::new(session.seed).key(&format!("play of {RIVAL}"));
    let game = players::play(&session.deal, &RIVAL, &mut scratch, (&draws, session.index));
    let optimum = scratch
        .solver
        .engine
        .solve(&session.deal, Budget::nodes(10_000_000));
    let founded = optimum.score;
    let at_least = if founded.is_proved() { "" } else { "at least " };
    console.note(&format!(
        "{RIVAL}, which saw only what you saw, scores {}; perfect sight scores {at_least}{}.",
        game.outcome.score.lower(),
        founded.lower()
    ));
    match session.undone {
        0 => (),
        1 => console.note("You took back a move and knew what it had turned."),
        moves => console.note(&format!(
            "You took back {moves} moves and knew what they had turned."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::Script;

    fn run(lines: &[&str]) -> Script {
        let mut console = Script::answering(lines);
        let arguments = Arguments::defaults(PLAY.options).with_integer("seed", 1978);
        play(&arguments, &mut console).unwrap();
        console
    }

    /// Seed 1978, sample 0: the first legal move is played until none is left.
    #[test]
    fn a_game_is_played_to_its_end_without_showing_a_hidden_card() {
        let mut world = World::new(
            &open(&Arguments::defaults(PLAY.options).with_integer("seed", 1978))
                .unwrap()
                .deal,
        );
        let mut lines = Vec::new();
        while let Some(card) = world.moves().next() {
            lines.push(card.to_string().to_lowercase());
            world.play(card);
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let console = run(&lines);
        assert_eq!(console.drawings.len(), lines.len() + 1);
        for drawing in &console.drawings {
            let lower = |letter: char| matches!(letter, 'c' | 'd' | 'h' | 's');
            assert!(
                !drawing.lines().skip(2).any(|line| line.contains(lower)),
                "{drawing}"
            );
        }
        assert!(console.heard("No card can move"));
        assert!(console.heard(&format!("{} on the foundations", cards(world.score()))));
        assert!(console.heard("perfect sight scores"));
    }

    /// Seed 1978, sample 0: moves that turn a card, and one that turns none.
    #[test]
    fn only_moves_that_turned_a_card_are_told_of() {
        let turns = |card: &Card| {
            let start = open(&Arguments::defaults(PLAY.options).with_integer("seed", 1978));
            let mut world = World::new(&start.unwrap().deal);
            let before = world.hidden();
            world.play(*card);
            world.hidden() != before
        };
        let start = open(&Arguments::defaults(PLAY.options).with_integer("seed", 1978));
        let moves = World::new(&start.unwrap().deal).moves();
        let told = |card: Card, times: usize| {
            let card = card.to_string();
            let lines = [card.as_str(), "undo"].repeat(times);
            run(&lines)
                .notes
                .iter()
                .find(|note| note.contains("took back"))
                .cloned()
        };
        let turning = moves.into_iter().find(turns).unwrap();
        let once = "You took back a move and knew what it had turned.";
        let twice = "You took back 2 moves and knew what they had turned.";
        assert_eq!(told(turning, 1).as_deref(), Some(once));
        assert_eq!(told(turning, 2).as_deref(), Some(twice));
        let other = moves.into_iter().find(|card| !turns(card)).unwrap();
        assert_eq!(told(other, 1), None);
    }

    #[test]
    fn advice_is_given_and_wrong_moves_are_answered_with_the_right_ones() {
        let console = run(&["advice", "xx", "KH", "moves", "undo", "quit"]);
        assert!(console.heard("hindsight(1000) would move"));
        assert!(console.heard("`XX` cannot move; these can: "));
        assert!(console.heard("perfect sight scores"));
        assert!(!console.heard("took back"));
    }
}
