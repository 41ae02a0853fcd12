//! `play klondike`: a person plays the casino with the face-down cards unseen.

use super::deal::Deal;
use super::layout::{Layout, LayoutError};
use super::seat::CasinoSeat;
use crate::cards::play;
use crate::cards::tabletop::{DEAL, refuse, seat_number, written};
use lab::rng::Streams;
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
            "deal sample I of this seed, as an experiment would; or the cards `??` of --deal [default: 1]",
        ),
        VerbOption::integer("index", "I", "the sample to deal [default: 0]"),
        VerbOption::text("layout", "LAYOUT", "the layout to deal [default: yukon]"),
        DEAL,
    ],
    run,
};

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    play::play(arguments, &CasinoSeat::new(deal(arguments)?), console);
    Ok(())
}

fn deal(arguments: &Arguments) -> Result<Deal, VerbError> {
    let layout = layout(arguments)?;
    match written(arguments, Deal::read_table)? {
        Some(table) => Deal::of(&table, &layout).map_err(refuse("--deal")),
        None => {
            let (seed, index) = seat_number(arguments);
            let mut stream = Streams::new(seed).key("deal").stream(index);
            Ok(Deal::draw(&layout, &mut stream))
        }
    }
}

/// The layout of `--layout`.
pub(super) fn layout(arguments: &Arguments) -> Result<Layout, VerbError> {
    let text = arguments.text("layout").unwrap_or("yukon");
    let refuse =
        |error: LayoutError| VerbError::usage("--layout", error.to_string(), LayoutError::HELP);
    text.parse().map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::super::card::Card;
    use super::super::cards;
    use super::super::pruned::World;
    use super::*;
    use lab::task::Script;
    use std::collections::BTreeSet;

    fn seed_1978() -> Arguments {
        Arguments::defaults(PLAY.options).with_integer("seed", 1978)
    }

    fn start() -> World {
        World::new(&deal(&seed_1978()).unwrap())
    }

    fn played(arguments: &Arguments, lines: &[&str]) -> Script {
        let mut console = Script::answering(lines);
        run(arguments, &mut console).unwrap();
        console
    }

    /// Seed 1978, sample 0: the first legal move is played until none is left.
    #[test]
    fn a_game_is_played_to_its_end_without_showing_a_hidden_card() {
        let mut world = start();
        let mut lines = Vec::new();
        while let Some(card) = world.moves().next() {
            lines.push(card.to_string().to_lowercase());
            world.play(card);
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let console = played(&seed_1978(), &lines);
        assert_eq!(console.drawings.len(), lines.len() + 1);
        for drawing in &console.drawings {
            let lower = |letter: char| matches!(letter, 'c' | 'd' | 'h' | 's');
            assert!(
                !drawing.lines().skip(2).any(|line| line.contains(lower)),
                "{drawing}"
            );
        }
        assert!(console.heard("Nothing can move"));
        assert!(console.heard(&format!("{} on the foundations", cards(world.score()))));
        assert!(console.heard("perfect sight scores"));
    }

    /// Seed 1978, sample 0: moves that turn a card, and one that turns none.
    #[test]
    fn only_moves_that_turned_a_card_are_told_of() {
        let turns = |card: &Card| {
            let mut world = start();
            let before = world.hidden();
            world.play(*card);
            world.hidden() != before
        };
        let moves = start().moves();
        let told = |card: Card, times: usize| {
            let card = card.to_string();
            let lines = [card.as_str(), "undo"].repeat(times);
            played(&seed_1978(), &lines)
                .notes
                .iter()
                .find(|note| note.contains("took back"))
                .cloned()
        };
        let turning = moves.into_iter().find(turns).unwrap();
        let once = "You took back a move and knew what it had shown.";
        let twice = "You took back 2 moves and knew what they had shown.";
        assert_eq!(told(turning, 1).as_deref(), Some(once));
        assert_eq!(told(turning, 2).as_deref(), Some(twice));
        let other = moves.into_iter().find(|card| !turns(card)).unwrap();
        assert_eq!(told(other, 1), None);
    }

    #[test]
    fn advice_is_given_and_wrong_moves_are_answered_with_the_right_ones() {
        let console = played(
            &seed_1978(),
            &["advice", "xx", "KH", "moves", "undo", "quit"],
        );
        assert!(console.heard("hindsight(1000) would play"));
        assert!(console.heard("`xx` cannot be played; these can: "));
        assert!(console.heard("perfect sight scores"));
        assert!(!console.heard("took back"));
    }

    /// A game in progress: what is known stays, unknown cards are dealt by the seed.
    #[test]
    fn a_game_goes_on_from_its_middle_with_unknown_cards() {
        let deal = "foundations: 5C 2D | ?? 7C 9♣ | ?? 8C | ?? TC | -- | \
            6C 3D 4D 5D 6D 7D 8D 9D 10♦ JD QD KD, JC QC KC | \
            AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 4S 5S 6S 7S 8S 9S TS JS QS KS";
        let arguments = |seed| {
            let options = Arguments::defaults(PLAY.options);
            options.with_text("deal", deal).with_integer("seed", seed)
        };
        let console = played(&arguments(1), &["quit"]);
        let board = &console.drawings[0];
        assert!(board.contains("(7 of 52)"), "{board}");
        assert_eq!(board.matches("??").count(), 3);
        let turned = |seed| played(&arguments(seed), &["8c"]).drawings.swap_remove(1);
        let boards: BTreeSet<String> = (0..9).map(turned).collect();
        assert!(boards.len() == 3, "{boards:?}");
        let known = deal
            .replacen("??", "as", 1)
            .replacen("??", "2s", 1)
            .replacen("??", "3s", 1);
        let known = arguments(1).with_text("deal", &known);
        let error = run(&known, &mut Script::default()).err().unwrap();
        assert_eq!((error.usage, error.place.as_str()), (true, "--seed"));
    }
}
