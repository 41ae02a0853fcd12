//! The verb `play`: a person against the cards, which lie face down as at a table.

use super::settings::GivenRules;
use crate::cards::play::PlayCards;
use base::Failure;
use clap::Args;
use task::{Console, VerbOptions};

/// `etude play solitaire`.
#[derive(Debug, Args)]
#[command(
    about = "Play a deal without seeing the face-down cards, with advice on request",
    after_help = "Examples:
  etude play solitaire
      draw three, as many passes as you like
  etude play solitaire --rules vegas-3 --seed 7
      the casino's game: $52 a deck, $5 a card"
)]
pub struct PlaySolitaire {
    #[command(flatten)]
    rules: GivenRules,
    #[command(flatten)]
    cards: PlayCards,
}

impl VerbOptions for PlaySolitaire {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        self.cards.play(&self.rules.rules()?, console)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::hidden::HiddenGame;
    use cards::tabletop::{Tabletop, deal_stream};
    use kit::search::Verdict;
    use solitaire::deal::Deal;
    use solitaire::round::Round;
    use solitaire::rules::{DeckShape, Rules};
    use solitaire::seat::SolitaireSeat;
    use solitaire::table::CardTable;
    use task::{Script, Verb};

    fn run(deal: &str, seed: &[&str], answers: &[&str]) -> Result<Script, Failure> {
        let verb = Verb::new::<PlaySolitaire>("play");
        let options = [&["--rules=vegas-3", "--deal", deal], seed].concat();
        Script::answering(answers).run(&verb, &options)
    }

    fn played(deal: &str, answers: &[&str]) -> Script {
        run(deal, &[], answers).unwrap()
    }

    fn sorted() -> String {
        Deal::sorted(DeckShape::FULL).to_string()
    }

    /// The sorted deck, which a test of `draw` shows.
    #[test]
    fn moves_are_played_refused_and_taken_back() {
        let script = ["1 f", "4 5", "9 9", "D", "undo", "undo", "undo", "undo"];
        let console = played(&sorted(), &script);
        assert!(console.heard("A♥ to its foundation"));
        assert!(console.heard("3♦ onto 4♣"));
        assert!(console.heard("waste 8H 8D 8C   (stock 21, pass 1 of 3)"));
        assert!(console.heard("`9 9` cannot be played; these can:"));
        assert!(console.heard("There is nothing to undo."));
        assert_eq!(console.drawings.first(), console.drawings.last());
        // The draw, and the move of 3D, which turns a card.
        assert!(
            console.heard("You took back 2 moves that had turned cards over, and so knew more.")
        );
    }

    /// As `play klondike` ends.
    #[test]
    fn a_game_ends_with_its_money_and_what_others_make_of_the_deal() {
        let console = played(&sorted(), &["1 f", "quit", "4 5"]);
        let end = console
            .notes
            .iter()
            .rev()
            .take(2)
            .rev()
            .cloned()
            .collect::<Vec<_>>();
        assert_eq!(
            end[0],
            "1 of 52 cards on the foundations: at $52 a deck and $5 a card you lost $47."
        );
        assert!(end[1].starts_with("rollout(1000), which saw only what you saw, scores "));
        assert!(
            end[1].contains("; a player who sees every card can score "),
            "{}",
            end[1]
        );
    }

    /// No casino pays if passes are not limited.
    #[test]
    fn a_game_without_limit_of_passes_ends_without_money() {
        let verb = Verb::new::<PlaySolitaire>("play");
        let script = Script::answering(&["1 f", "quit"]);
        let console = script.run(&verb, &["--deal", &sorted()]).unwrap();
        assert!(console.heard("1 of 52 cards on the foundations: the game is not won."));
        let seat = SolitaireSeat(Round::new(CardTable::new(
            &Deal::sorted(DeckShape::FULL),
            Rules::DRAW_3,
        )));
        let won = "52 of 52 cards on the foundations: you won the game.";
        assert_eq!(seat.result(52), won);
    }

    /// Advice tells what wins, if passes are not limited.
    #[test]
    fn advice_by_macro_moves_tells_the_chance_to_win() {
        let verb = Verb::new::<PlaySolitaire>("play");
        let console = Script::answering(&["advice", "quit"])
            .run(&verb, &[])
            .unwrap();
        assert!(console.heard("macros(hindsight(400)) would play: draw 8 times, then turn"));
        let judged = console.notes.iter().find(|note| note.contains(": wins "));
        assert!(judged.unwrap().ends_with(" of 400 worlds"));
        assert!(console.heard("macros(hindsight(100)), which saw only what you saw, scores "));
    }

    #[test]
    fn a_deal_and_a_seed_do_not_go_together() {
        let error = run(&sorted(), &["--seed=3"], &[]).err().unwrap();
        assert_eq!(
            (error.kind, error.place.as_str()),
            (base::FailureKind::Usage, "--seed")
        );
    }

    #[test]
    fn cards_face_down_stay_hidden() {
        let console = played(&sorted(), &["d", "moves"]);
        assert_eq!(console.drawings.len(), 2);
        for board in &console.drawings {
            assert_eq!(board.matches("??").count(), 21);
        }
        assert!(console.heard("4 5 1 (3♦ onto 4♣)"));
    }

    /// Decks of four cards, which a test of `plain` solves by hand.
    #[test]
    fn perfect_sight_is_told_from_where_the_game_stands() {
        let deck = DeckShape::new(1, 1, 4).unwrap();
        let best = |text: &str| {
            let deal = Deal::read(deck, text).unwrap();
            let table = CardTable::new(&deal, Rules::new(1, Some(1)));
            let round = Round::new(table);
            SolitaireSeat(round).perfect(&round)
        };
        assert_eq!(best("4H 2H 3H AH"), Verdict::Proved(1));
        assert_eq!(best("AH 2H 3H 4H"), Verdict::Proved(4));
        let told = played(&sorted(), &["reveal"]);
        assert!(told.notes[1].starts_with("From here a player who sees every card can score "));
    }

    /// Seed 25, samples 0 to 9: each play that `greedy` considers can be typed, step by step.
    #[test]
    fn plays_are_told_as_they_are_typed() {
        for index in 0..10 {
            let deal = Deal::draw(DeckShape::FULL, &mut deal_stream((25, index)));
            let seat = SolitaireSeat(Round::new(CardTable::new(&deal, Rules::DRAW_3)));
            let (mut typed, mut round) = (seat.0, seat.0);
            while let Some(play) = seat.game().policy(&round) {
                for step in seat.told(&round, play).split(", then ") {
                    let step = step.split(" (").next().unwrap();
                    let times = step
                        .strip_suffix(" times")
                        .and_then(|step| step.rsplit_once(' '));
                    let (line, times) =
                        times.map_or((step, 1), |(line, n)| (line, n.parse().unwrap()));
                    for _ in 0..times {
                        let single = seat.read(&typed, line).unwrap();
                        seat.game().play(&mut typed, single);
                    }
                }
                round.play(play);
                assert_eq!(typed, round);
            }
        }
    }

    /// A second pass, whose stock this player does not remember.
    const MIDDLE: &str = "foundations: 3H 5D 2♣ 4♠ | KS QD | ?? 8C | ?? ?? 10H, 9♠ | -- | \
        ?? ?? ?? JC | ?? 9d ?? ?? QH | KD QS JH tS 9H 8S 7D 6S | waste: KH 9C 8D 10C 6C | \
        stock: ?? ?? ?? ?? ?? ?? ?? ?? | pass: 2";

    #[test]
    fn a_game_goes_on_from_its_middle_with_unknown_cards() {
        let console = played(MIDDLE, &["d", "quit"]);
        let board = &console.drawings[0];
        assert!(board.contains("(14 of 52)"), "{board}");
        assert!(board.contains("waste 8D TC 6C   (stock 8, pass 2 of 3)"));
        assert_eq!(board.matches("??").count(), 10);
        for note in played(MIDDLE, &["reveal", "quit"]).notes {
            let is_fact = note.contains("can score");
            assert_eq!(
                is_fact,
                note.contains("That holds for one guess alone"),
                "{note}"
            );
        }
        let drawn = |seed: &str| {
            run(MIDDLE, &[seed], &["d"])
                .unwrap()
                .drawings
                .swap_remove(1)
        };
        assert_ne!(drawn("--seed=1"), drawn("--seed=2"));
        let refused = |from: &str, to: &str| {
            let text = MIDDLE.replacen(from, to, 1);
            let error = run(&text, &[], &[]).err().unwrap();
            assert_eq!(error.place, "--deal");
            error.message
        };
        assert_eq!(
            refused("pass: 2", "pass: 4"),
            "pass 4 of 3 that the rules allow"
        );
        let down = "column 2: 2 cards are face down; a game begins with 1 there";
        assert_eq!(refused("?? 8C | ??", "?? ?? 8C | "), down);
        assert!(refused("KS QD", "QD KS").starts_with("column 1, card 2: KS does not fit on QD"));
        let known = "stock: 1 of its 8 cards were seen; after the first pass write all of them, \
            before its end `??` for each";
        assert_eq!(refused("stock: ??", "stock: KC"), known);
        assert!(refused("KS QD", "KS QD 2H").ends_with("2H occurs a second time"));
        assert!(refused("| -- |", "| -- | -- |").starts_with("there are 8 parts without a name"));
    }
}
