//! The verb `solve`: the optimal score of one deal or of a file of them.

use super::play::read_layout;
use crate::cards::solve::{SolveCards, SolvedCards};
use base::Failure;
use cards::DECK;
use clap::Args;
use klondike::card::Card;
use klondike::deal::Deal;
use klondike::deck::{Deck, DeckError};
use klondike::draw;
use klondike::engine::ExactEngine;
use klondike::outcome::SearchOutcome;
use klondike::position::Position;
use klondike::pruned::PrunedEngine;
use task::{Console, TableCell, VerbOptions, by_name};

/// `etude solve klondike`.
#[derive(Debug, Args)]
#[command(
    about = "The optimal score of a deal, or of a file of deals",
    after_help = "Examples:
  etude solve klondike --seed 1978 --index 0
      the first deal of a seed, with its solution
  etude solve klondike --deals deals.csv --format csv
      every deal of a file's column `deal`
  etude solve klondike --seed 7 --index 3 --layout open
      a deal with all cards face up
  etude solve klondike --hidden --seed 1978 --moves AH
      advice for a player who cannot see the face-down cards, after a first move
  etude solve klondike --hidden --deal \"foundations: 2C | KD | ?? 5C QS | ...\"
      advice in the middle of a game
  etude solve klondike --hidden --deck 2x5 --layout 0:1,2:2,3:2
      what a small deck is worth to a player who cannot see the face-down cards"
)]
pub struct SolveKlondike {
    #[command(flatten)]
    cards: SolveCards,
    /// The layout to deal with --seed or --deck; a written deal shows its columns
    #[arg(long, default_value = "yukon", conflicts_with_all = ["deals", "deal"])]
    layout: String,
    /// The search
    #[arg(long, value_parser = by_name::<ExactEngine>(), default_value = ExactEngine::Pruned.as_ref(), conflicts_with = "hidden")]
    algorithm: ExactEngine,
    /// With --hidden: all orders of a small deck, suits x ranks, in --layout; at most 11 cards,
    /// which take minutes where 10 take seconds
    #[arg(
        long,
        value_name = "SxR",
        value_parser = read_deck,
        group = "source",
        requires = "hidden",
        requires = "layout",
        conflicts_with_all = ["index", "moves", "player", "play"]
    )]
    deck: Option<Deck>,
}

fn read_deck(text: &str) -> Result<Deck, String> {
    let refuse = |error: DeckError| format!("{error}; {}", DeckError::HELP);
    text.parse().map_err(refuse)
}

const COLUMNS: [&str; 6] = [
    "index",
    "optimal_score",
    "upper_bound",
    "proved",
    "positions",
    "nodes",
];

impl VerbOptions for SolveKlondike {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let layout = read_layout(&self.layout, self.deck.unwrap_or(Deck::FULL))?;
        if self.deck.is_some() {
            return super::hidden_value::solve(&layout, console);
        }
        let (mut engine, budget) = (PrunedEngine::new(), self.cards.budget());
        self.cards
            .run(&layout, console, &COLUMNS, |deal| SolvedDeal {
                outcome: self.algorithm.solve(&mut engine, &deal, budget),
                deal,
            })
    }
}

/// A deal with the result of an exact search.
struct SolvedDeal {
    deal: Deal,
    outcome: SearchOutcome,
}

impl SolvedCards for SolvedDeal {
    fn cells(&self) -> Vec<TableCell> {
        let outcome = &self.outcome;
        vec![
            outcome.score.lower().into(),
            outcome.score.upper().into(),
            outcome.score.is_proved().into(),
            outcome.positions.into(),
            outcome.nodes.into(),
        ]
    }

    fn is_win(&self) -> Option<bool> {
        let score = self.outcome.score;
        let ends = [score.lower(), score.upper()].map(|score| score >= DECK);
        (ends[0] == ends[1]).then_some(ends[0])
    }

    fn is_best(&self) -> bool {
        self.outcome.score.is_proved()
    }

    fn moves(&self) -> String {
        let symbols: Vec<String> = self.outcome.moves.iter().map(Card::to_string).collect();
        symbols.join(" ")
    }

    fn picture(&self) -> String {
        draw::svg(&Position::new(&self.deal), None)
    }

    fn story(&self) -> (String, Vec<String>, String) {
        let mut position = Position::new(&self.deal);
        let start = format!("{}\n\n{}", self.deal, draw::board(&position));
        let moves = self.outcome.moves.iter();
        let moves = moves.map(|&card| {
            position.play(card);
            draw::caption(card)
        });
        let moves = moves.collect();
        (start, moves, draw::board(&position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike::pruned::World;
    use task::{Script, Verb};

    fn run(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<SolveKlondike>("solve"), options)
    }

    fn error(options: &[&str]) -> Failure {
        run(options).err().unwrap()
    }

    fn with_file(text: &str, options: &[&str]) -> Result<Script, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deals.csv");
        std::fs::write(&path, text).unwrap();
        run(&[&["--deals", path.to_str().unwrap()], options].concat())
    }

    /// Seed 1978, sample 0, drawn as the text of its deal and as a sample.
    #[test]
    fn a_single_deal_is_drawn_with_its_solution() {
        let drawn = run(&["--seed=1978", "--index=2"]).unwrap();
        let deal = drawn.drawings[0].lines().next().unwrap();
        let read = run(&["--deal", deal]).unwrap();
        assert_eq!(read.drawings, drawn.drawings);
        assert_eq!(read.rows[0][1..], drawn.rows[0][1..]);
    }

    /// A search that its budget ends claims nothing of the moves that it did not find.
    #[test]
    fn what_was_not_proved_is_not_told_as_proved() {
        let deal = ["--seed=1978", "--index=14"];
        let told = |budget: &str| {
            let script = run(&[&deal[..], &[budget]].concat()).unwrap();
            script.drawings[1].clone()
        };
        assert!(told("--budget-nodes=1").contains("but there may be some"));
        let whole = run(&deal).unwrap().drawings[1].clone();
        assert!(
            !whole.contains("not proved") && !whole.contains("may be some"),
            "{whole}"
        );
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        let small = ["--hidden", "--deck=2x4", "--layout=0:1,2:1,3:1"];
        let advice = ["--hidden", "--seed=1"];
        for (mode, option) in [
            (&["--seed=1"][..], "--moves=AH"),
            (&["--seed=1"], "--player=rollout(9)"),
            (&[], "--deck=2x4"),
            (&advice, "--budget-nodes=1"),
            (&advice, "--algorithm=etude"),
            (&advice, "--svg"),
            (&small, "--seed=1"),
            (&small, "--index=3"),
            (&small, "--moves=AH"),
            (&["--deal=AC"], "--index=3"),
            (&["--deal=AC"], "--layout=open"),
            (&["--hidden", "--deal=AC"], "--index=3"),
            (&["--hidden", "--deal=AC"], "--layout=open"),
        ] {
            let message = error(&[mode, &[option]].concat()).message;
            let said = [
                "cannot be used with",
                "required arguments were not provided",
            ];
            assert!(said.iter().any(|said| message.contains(said)), "{message}");
        }
        let file = with_file("deal\nAC\n", &["--index=3"]).err().unwrap();
        assert!(file.message.contains("cannot be used with"));
        assert!(
            error(&["--hidden", "--deck=2x4"])
                .message
                .contains("--layout")
        );
    }

    #[test]
    fn a_picture_of_the_deal_is_a_column() {
        let console = run(&["--seed=1978", "--svg"]).unwrap();
        assert_eq!(console.columns[6..], ["moves", "svg"]);
        assert!(console.column(7)[0].starts_with("<svg "));
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let in_file = |text: &str| with_file(text, &[]).err().unwrap().place;
        assert!(in_file("deal\nAC\n").ends_with("deals.csv:2"));
        assert!(in_file("x\nAC\n").ends_with("deals.csv:1"));
        assert_eq!(error(&["--deal=XX"]).place, "--deal");
        assert_eq!(error(&["--seed=1", "--layout=52"]).place, "--layout");
        assert_eq!(
            error(&["--seed=1", "--algorithm=magic"]).place,
            "--algorithm"
        );
        let none = error(&[]);
        assert_eq!(none.kind, base::FailureKind::Usage);
        assert!(none.message.contains("--deals <FILE>|--deal <DEAL>"));
        assert_eq!(
            error(&["--seed=1", "--deal=XX"]).kind,
            base::FailureKind::Usage
        );
    }

    const DEALT: &str = "7H | 2s 3C QH 5S 8D QS | 5c Ts 4S AD TH 9H AS | 5d 7s Jh KS 7C 2D 2C 2H | \
        8h 5h 6s 3h TD 8S QD AC 6C | Jd Kh 6d Qc 3s 7D 9C 6H JC 9S | \
        3d 4d Js 4c 8c Kd AH KC 4H 9D TC";

    fn advised(options: &[&str], deal: &str) -> Result<Script, Failure> {
        run(&[&["--hidden", "--deal", deal], options].concat())
    }

    /// Face-down cards, named or not, change nothing.
    #[test]
    fn advice_does_not_depend_on_hidden_cards() {
        let options = ["--player=hindsight(40)"];
        let known = advised(&options, DEALT).unwrap();
        let is_hidden = |symbol: &str| symbol.ends_with(|letter: char| letter.is_ascii_lowercase());
        let unknown = DEALT
            .split_whitespace()
            .map(|symbol| if is_hidden(symbol) { "??" } else { symbol });
        let unknown: Vec<&str> = unknown.collect();
        let same = advised(&options, &unknown.join(" ")).unwrap();
        assert_eq!(known.rows, same.rows);
        assert_eq!(known.drawings, same.drawings);
        assert!(known.drawings[0].contains("??") && !known.drawings[0].contains("2s"));
        assert!(known.rows.len() > 1);
    }

    /// Every move of the deal that turns a card, and one more after it.
    #[test]
    fn a_move_that_turns_a_guessed_card_is_refused_and_one_card_is_no_guess() {
        let unknown = |symbol: &str| {
            let is_hidden = symbol.ends_with(|letter: char| letter.is_ascii_lowercase());
            if is_hidden { "??" } else { symbol }.to_owned()
        };
        let unknown: Vec<String> = DEALT.split_whitespace().map(unknown).collect();
        let unknown = unknown.join(" ");
        let one = DEALT.replacen("2s", "??", 1);
        let start = World::new(&DEALT.parse().unwrap());
        let mut turning = 0;
        for card in start.moves() {
            let mut world = start.clone();
            world.play(card);
            let advised =
                |deal| advised(&["--player=rollout(2)", "--moves", &card.to_string()], deal);
            let (known, guessed) = (advised(DEALT).unwrap(), advised(&unknown));
            assert_eq!(advised(&one).unwrap().drawings, known.drawings);
            if world.hidden() == start.hidden() {
                assert_eq!(guessed.unwrap().drawings, known.drawings);
                continue;
            }
            turning += 1;
            let error = guessed.err().unwrap();
            assert_eq!(error.place, "--moves");
            assert!(
                error.message.contains("turns a card that is `??`"),
                "{}",
                error.message
            );
        }
        assert!(turning > 0);
    }

    #[test]
    fn the_best_move_comes_first_with_its_interval_around_it() {
        let console = advised(&[], DEALT).unwrap();
        let number = |cell: &TableCell| match cell {
            TableCell::Number(number) => *number,
            _ => panic!("{cell:?} is no number"),
        };
        let means: Vec<f64> = console.rows.iter().map(|row| number(&row[1])).collect();
        assert!(means.is_sorted_by(|one, other| one >= other));
        for row in &console.rows {
            assert!(number(&row[2]) < number(&row[1]) && number(&row[1]) < number(&row[3]));
            assert_eq!(row[4], TableCell::Integer(1_000));
        }
    }

    #[test]
    fn faults_of_advice_are_shown_at_their_place() {
        let place = |options: &[&str], deal| advised(options, deal).err().unwrap().place;
        assert_eq!(place(&[], "7H | ??"), "--deal");
        for player in ["greedy", "peek", "ismcts(9)", "race(1000, rollout(2))"] {
            let player = format!("--player={player}");
            assert_eq!(place(&[&player], DEALT), "--player", "{player}");
        }
        assert_eq!(place(&["--moves=1C"], DEALT), "--moves");
        assert_eq!(place(&["--moves=KH"], DEALT), "--moves");
    }

    /// Seed 1978, samples 0 to 5: the moves of the table reach its score.
    #[test]
    fn a_table_has_the_moves_of_each_solution() {
        for index in 0..6 {
            let console = run(&["--seed=1978", &format!("--index={index}")]).unwrap();
            let deal: Deal = console.drawings[0].lines().next().unwrap().parse().unwrap();
            let mut position = Position::new(&deal);
            for symbol in console.column(6)[0].split_whitespace() {
                let card = Card::read(symbol).unwrap();
                assert!(position.moves().contains(&card));
                position.play(card);
            }
            assert_eq!(position.score().to_string(), console.column(1)[0]);
        }
    }

    #[test]
    fn unknown_cards_are_for_advice_alone_and_a_list_is_dealt_to_the_usual_columns() {
        let unknown = DEALT.replacen("2s", "??", 1);
        let error = error(&["--deal", &unknown]);
        assert_eq!(error.message, "1 of the cards are unknown");
        assert!(error.help.contains("--hidden"));
        let list = DEALT.replace('|', ",");
        let drawn = |text: &str| run(&["--deal", text]).unwrap().drawings;
        assert_eq!(drawn(&list), drawn(DEALT));
        assert_eq!(drawn(&list.to_lowercase().replace('t', "10")), drawn(DEALT));
    }
}
