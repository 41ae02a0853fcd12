//! `play klondike`: a person plays the casino with the face-down cards unseen.

use crate::cards::play::PlayCards;
use base::Failure;
use clap::Args;
use klondike::deck::Deck;
use klondike::layout::{Layout, LayoutError};
use task::{Console, VerbOptions};

/// `etude play klondike`.
#[derive(Debug, Args)]
#[command(
    about = "Play the casino yourself, without seeing the face-down cards, with advice on request",
    after_help = "Examples:
  etude play klondike
      the first deal of seed 1
  etude play klondike --seed 1978 --index 14
      a deal of the experiments"
)]
pub struct PlayKlondike {
    #[command(flatten)]
    cards: PlayCards,
    /// The layout to deal
    #[arg(long, default_value = "yukon")]
    layout: String,
}

impl VerbOptions for PlayKlondike {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let layout = read_layout(&self.layout, Deck::FULL)?;
        self.cards.play(&layout, console)
    }
}

/// The layout of `--layout`, which holds a deck.
pub(super) fn read_layout(text: &str, deck: Deck) -> Result<Layout, Failure> {
    let refuse =
        |error: LayoutError| Failure::input("--layout", error.to_string(), LayoutError::HELP);
    Layout::parse(text, deck).map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::tabletop::deal_stream;
    use klondike::card::Card;
    use klondike::cards;
    use klondike::deal::Deal;
    use klondike::pruned::World;
    use std::collections::BTreeSet;
    use task::{Script, Verb};

    const SEED_1978: &[&str] = &["--seed=1978"];

    fn start() -> World {
        let layout = "yukon".parse().unwrap();
        World::new(&Deal::draw(&layout, &mut deal_stream((1978, 0))))
    }

    fn run(options: &[&str], lines: &[&str]) -> Result<Script, Failure> {
        let verb = Verb::new::<PlayKlondike>("play");
        Script::answering(lines).run(&verb, options)
    }

    fn played(options: &[&str], lines: &[&str]) -> Script {
        run(options, lines).unwrap()
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
        let console = played(SEED_1978, &lines);
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
        assert!(console.heard("a player who sees every card can score"));
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
            played(SEED_1978, &lines)
                .notes
                .iter()
                .find(|note| note.contains("took back"))
                .cloned()
        };
        let turning = moves.into_iter().find(turns).unwrap();
        let once = "You took back a move that had turned a card over, and so knew more.";
        let twice = "You took back 2 moves that had turned cards over, and so knew more.";
        assert_eq!(told(turning, 1).as_deref(), Some(once));
        assert_eq!(told(turning, 2).as_deref(), Some(twice));
        let other = moves.into_iter().find(|card| !turns(card)).unwrap();
        assert_eq!(told(other, 1), None);
    }

    #[test]
    fn advice_is_given_and_wrong_moves_are_answered_with_the_right_ones() {
        let console = played(SEED_1978, &["advice", "xx", "KH", "moves", "undo", "quit"]);
        assert!(console.heard("hindsight(1000) would play"));
        assert!(console.heard("`xx` cannot be played; these can:"));
        assert!(console.heard("a player who sees every card can score"));
        assert!(!console.heard("took back"));
    }

    /// A game in progress: known cards stay, and unknown ones are dealt by the seed.
    #[test]
    fn a_game_goes_on_from_its_middle_with_unknown_cards() {
        let deal = "foundations: 5C 2D | ?? 7C 9♣ | ?? 8C | ?? TC | -- | \
            6C 3D 4D 5D 6D 7D 8D 9D 10♦ JD QD KD, JC QC KC | \
            AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 4S 5S 6S 7S 8S 9S TS JS QS KS";
        let from =
            |seed: u64, lines: &[&str]| played(&["--deal", deal, &format!("--seed={seed}")], lines);
        let console = from(1, &["quit"]);
        let board = &console.drawings[0];
        assert!(board.contains("(7 of 52)"), "{board}");
        assert_eq!(board.matches("??").count(), 3);
        let told = |seed, what: &str| {
            let notes = from(seed, &["reveal", "quit"]).notes;
            let told: Vec<String> = notes
                .into_iter()
                .filter(|note| note.contains(what))
                .collect();
            assert!(!told.is_empty(), "{what}");
            let is_restricted =
                |note: &String| note.contains("one guess alone, the 3 cards `??` as --seed");
            assert!(told.iter().all(is_restricted), "{told:?}");
            told
        };
        let scores: BTreeSet<String> = (1..5).flat_map(|seed| told(seed, "can score")).collect();
        assert!(
            scores.len() > 2,
            "the guess decides what can be reached: {scores:?}"
        );
        let turned = |seed| from(seed, &["8c"]).drawings.swap_remove(1);
        let boards: BTreeSet<String> = (0..9).map(turned).collect();
        assert!(boards.len() == 3, "{boards:?}");
        let known = deal
            .replacen("??", "as", 1)
            .replacen("??", "2s", 1)
            .replacen("??", "3s", 1);
        let error = run(&["--deal", &known, "--seed=1"], &[]).err().unwrap();
        assert_eq!(
            (error.kind, error.place.as_str()),
            (base::FailureKind::Usage, "--seed")
        );
        let one = deal.replacen("??", "as", 1).replacen("??", "2s", 1);
        for known in [&known, &one] {
            let notes = run(&["--deal", known], &["reveal", "quit"]).unwrap().notes;
            assert!(
                !notes.iter().any(|note| note.contains("guess")),
                "{notes:?}"
            );
        }
    }
}
