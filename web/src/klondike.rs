//! The casino in a page.
//!
//! The referee keeps the deal, and tells what a person sees of it. The adviser is given that text alone, as
//! `etude solve klondike --hidden --deal TEXT` is; where the game is over it is given the deal's seed.

use cards::DECK;
use cards::advice::{CardPlayer, Consultation, Unit};
use cards::hidden::HiddenGame;
use cards::tabletop::{Dealer, Tabletop, draws};
use kit::search::Budget;
use klondike::card::Card;
use klondike::casino::{Casino, PRIZE};
use klondike::deal::{Deal, tops};
use klondike::draw::caption;
use klondike::position::Position;
use klondike::pruned::PrunedEngine;
use klondike::seat::CasinoSeat;

use super::cards::{Advised, Choice, Column, Rival, Sight, View, asked, judge, scores, weigh};
use super::dealt::casino::{dealt, layout, played};
use super::dealt::{DealPlace, STEPS};
use super::mean::MeanOverGames;
use super::{Reply, first_word, json, number};

/// The nodes that telling what could be reached may cost.
const SIGHT: Budget = Budget::nodes(10_000_000);
/// The cards on the foundations that pay more than the $55 of a game.
const PAYS: u32 = 12;
/// The cards of a person's games: players who see what a person sees have a standard deviation of 11.
const CARDS: MeanOverGames = MeanOverGames {
    steps: 1,
    limits: (0, DECK as i64),
    apart: 4.0,
    spread: 11.0,
};
/// The dollars that a whole deck pays.
const MOST: i64 = PRIZE * DECK as i64;
/// The play of a person's games, in which no game counts more than a whole deck. Over 200 games it has a standard
/// deviation of 18 dollars for the player `greedy`, and of 24 for `random`.
const PLAY: MeanOverGames = MeanOverGames {
    steps: STEPS,
    limits: (-MOST, MOST),
    apart: 10.0,
    spread: 25.0,
};

/// The game that a worker keeps, and the advice that it is asked for.
#[derive(Default)]
pub struct Seats {
    referee: Option<Referee>,
    adviser: Option<Consultation<Casino>>,
}

impl Seats {
    fn adviser(&mut self) -> Result<&mut Consultation<Casino>, &'static str> {
        self.adviser.as_mut().ok_or("nobody asked for advice")
    }
}

/// Answers a request: a verb and its words.
pub fn answer(desk: &mut Seats, request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    match verb {
        "deal" => {
            let referee = desk.referee.insert(Referee::new(dealt(rest)?));
            json(&referee.view())
        }
        "play" | "undo" => {
            let referee = desk.referee.as_mut().ok_or("nothing is dealt")?;
            match verb {
                "play" => referee.play(rest)?,
                _ => referee.undo(),
            }
            json(&referee.view())
        }
        "replay" => replay(rest),
        "seen" => json(&view(&after(rest)?)),
        "advise" => asked(desk.adviser.insert(consult(rest)?)),
        "judge" => judge(desk.adviser()?, &Casino, rest),
        "weigh" => weigh(choices(desk.adviser()?, &scores(rest)?)),
        "record" => CARDS.mean(rest),
        "beside" => PLAY.mean(rest),
        "rival" => rival(rest),
        "sight" => sight(rest),
        other => Err(format!("the casino has no verb `{other}`")),
    }
}

fn read(position: &Position, text: &str) -> Result<Card, String> {
    let card = Card::read(text).filter(|card| position.moves().contains(card));
    card.ok_or_else(|| format!("`{text}` cannot be played there"))
}

/// A game in progress, with its deal.
struct Referee {
    deal: Deal,
    position: Position,
    played: Vec<Card>,
    /// Moves taken back that had shown a card.
    peeked: u32,
}

impl Referee {
    fn new(deal: Deal) -> Referee {
        Referee {
            position: Position::new(&deal),
            deal,
            played: Vec::new(),
            peeked: 0,
        }
    }

    /// Plays moves as they are typed, up to the first that turns a card.
    fn play(&mut self, moves: &str) -> Result<(), String> {
        let unseen = self.position.face_down();
        for text in moves.split(';').map(str::trim) {
            let card = read(&self.position, text)?;
            self.position.play(card);
            self.played.push(card);
            if self.position.face_down() != unseen {
                break;
            }
        }
        Ok(())
    }

    fn undo(&mut self) {
        let unseen = self.position.face_down();
        self.played.pop();
        self.position = Position::new(&self.deal);
        for &card in &self.played {
            self.position.play(card);
        }
        self.peeked += u32::from(self.position.face_down() != unseen);
    }

    fn view(&self) -> View {
        let line: Vec<String> = self.played.iter().map(Card::to_string).collect();
        View {
            played: self.played.len(),
            line: line.join("; "),
            peeked: self.peeked,
            ..view(&self.position)
        }
    }
}

/// Returns the part of a position that a person sees.
fn view(position: &Position) -> View {
    let choice = |card: Card| Choice {
        text: card.to_string(),
        card: Some(card.to_string()),
        told: caption(card),
    };
    let tops = tops(position.founded());
    View {
        columns: columns(position, false),
        foundations: [2, 1, 0, 3].map(|suit: usize| Some(tops[suit]?.to_string())),
        founded: position.score(),
        moves: position.moves().into_iter().map(choice).collect(),
        text: text(position),
        won: position.score() == 52,
        ..View::default()
    }
}

/// The columns, the face-down cards told or counted.
fn columns(position: &Position, is_open: bool) -> Vec<Column> {
    let column = |head| {
        let (down, up): (Vec<Card>, Vec<Card>) = position
            .pile(head)
            .partition(|&card| position.face_down().contains(card));
        let symbols = |cards: &[Card]| cards.iter().map(Card::to_string).collect();
        Column {
            down: down.len(),
            hidden: if is_open { symbols(&down) } else { Vec::new() },
            up: symbols(&up),
        }
    };
    position.columns().map(column).collect()
}

/// Everything that was seen of a position, as `--deal` takes it.
fn text(position: &Position) -> String {
    let founded = tops(position.founded()).into_iter().flatten();
    let founded: Vec<String> = founded.map(|card| card.to_string()).collect();
    let column = |column: Column| {
        let down = vec!["??".to_owned(); column.down];
        match [down, column.up].concat().join(" ") {
            cards if cards.is_empty() => "--".to_owned(),
            cards => cards,
        }
    };
    let columns: Vec<String> = columns(position, false).into_iter().map(column).collect();
    format!(
        "foundations: {} | {}",
        founded.join(" "),
        columns.join(" | ")
    )
}

/// Answers `COUNT LAYOUT PLACE MOVES`: the deal after the first `COUNT` of some moves, all cards visible.
fn replay(request: &str) -> Reply {
    let position = after(request)?;
    json(&View {
        columns: columns(&position, true),
        ..view(&position)
    })
}

/// The position of `COUNT LAYOUT PLACE MOVES`: after the first `COUNT` of some moves.
fn after(request: &str) -> Result<Position, String> {
    let (count, game) = first_word(request);
    let (deal, cards) = played(game)?;
    let mut position = Position::new(&deal);
    let cards = cards.into_iter().take(number(count, "number of moves")?);
    cards.for_each(|card| position.play(card));
    Ok(position)
}

/// Begins advice from `LAYOUT PLACE STEP TEXT`: what is seen after `STEP` moves, and the draws of a player of that deal.
fn consult(request: &str) -> Result<Consultation<Casino>, String> {
    let mut words = request.splitn(4, ' ');
    let mut word = || words.next().unwrap_or_default();
    let layout = layout(word())?;
    let (place, step) = (DealPlace::read(word())?, number(word(), "step")?);
    let table = layout.read(word()).map_err(|error| error.to_string())?;
    let deal = layout.lay_out(&table).map_err(|error| error.to_string())?;
    let seat = CasinoSeat::new(deal);
    let world = Casino.observe(seat.start()).canonical();
    let player = seat.adviser();
    let stream = draws(place.seed, &player).step(place.sample, step);
    Ok(Consultation::new(
        &Casino,
        &world,
        player.judge(),
        stream,
        Unit::Cards,
    ))
}

/// The moves by their scores, the best one first.
fn choices(consultation: &Consultation<Casino>, judged: &[Vec<u32>]) -> Vec<Advised> {
    let advised =
        |(card, estimate): (Card, _)| Advised::new(card.to_string(), vec![caption(card)], estimate);
    let estimates = consultation.estimates(judged);
    estimates.into_iter().map(advised).collect()
}

/// Answers `LAYOUT PLACE`: the game of a player that sees what a person sees.
fn rival(request: &str) -> Reply {
    let place = DealPlace::read(first_word(request).1)?;
    let seat = CasinoSeat::new(dealt(request)?);
    let player: CardPlayer = seat.rival();
    let key = draws(place.seed, &player);
    let score = seat.play_out(&player, (&key, place.sample)).score;
    json(&Rival {
        player: player.to_string(),
        score,
        won: score >= PAYS,
    })
}

/// Answers `LAYOUT PLACE`: the best game with every card visible.
fn sight(request: &str) -> Reply {
    let outcome = PrunedEngine::new().solve(&dealt(request)?, SIGHT);
    let cards = outcome.score.lower();
    json(&Sight {
        won: outcome
            .score
            .is_proved()
            .then_some(u32::from(cards) >= PAYS),
        cards,
        moves: outcome.moves.iter().map(Card::to_string).collect(),
        told: outcome.moves.into_iter().map(caption).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Desk;
    use super::super::cards::in_rows;
    use super::*;
    use kit::rng::{Streams, choose};
    use serde_json::Value;

    fn ask(desk: &mut Desk, request: &str) -> Value {
        serde_json::from_str(&desk.answer(&format!("klondike {request}"))).unwrap()
    }

    /// Deals 1 to 60, 40 random moves each: cards that nobody has seen are in no text, and the text has all that was
    /// seen.
    #[test]
    fn the_text_of_a_view_holds_what_is_seen_and_no_more() {
        let layout = layout("yukon").unwrap();
        for seed in 1..=60 {
            let mut referee = Referee::new(dealt(&format!("yukon {seed}")).unwrap());
            let mut stream = Streams::new(seed).key("moves").stream(0);
            for _ in 0..40 {
                let text = referee.view().text;
                for hidden in referee.position.face_down() {
                    assert!(!text.contains(&hidden.to_string()), "{hidden}: {text}");
                }
                let deal = layout.lay_out(&layout.read(&text).unwrap()).unwrap();
                assert_eq!(super::text(&Position::new(&deal)), text);
                let seat = CasinoSeat::new(deal);
                assert_eq!(seat.start().score(), referee.position.score());
                let moves = referee.position.moves();
                let Some(card) = choose(&mut stream, &moves) else {
                    break;
                };
                referee.play(&card.to_string()).unwrap();
            }
        }
    }

    /// Deal 7: the advice is that of the verbs `play` and `solve --hidden`, in whatever pieces it is asked for.
    #[test]
    fn advice_is_the_programs_for_the_same_seed_and_moves() {
        let mut desk = Desk::default();
        let view = ask(&mut desk, "deal yukon 7");
        let seat = CasinoSeat::new(dealt("yukon 7").unwrap());
        let player = seat.adviser();
        let expected = seat.advice(seat.start(), &player, draws(7, &player).step(0, 0));
        assert!(expected.len() > 2);
        let text = view["text"].as_str().unwrap();
        let asked = ask(&mut desk, &format!("advise yukon 7 0 {text}"));
        let worlds = asked["worlds"].as_u64().unwrap();
        let mut scores = Vec::new();
        for worlds in [0..300, 300..worlds] {
            let judged = ask(&mut desk, &format!("judge {} {}", worlds.start, worlds.end));
            scores.extend(judged["scores"].as_array().unwrap().clone());
        }
        let weighed = ask(&mut desk, &format!("weigh {}", in_rows(&scores)));
        let found = weighed["choices"].as_array().unwrap();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found["moves"].as_str(), Some(expected.written.as_str()));
            assert_eq!(found["mean"].as_f64(), Some(expected.estimate.mean));
            assert_eq!(found["lo"].as_f64(), Some(expected.estimate.interval.lo));
        }
    }

    /// Deal 14: perfect sight's line leads to the score that it tells, and what is undone stays seen.
    #[test]
    fn the_line_of_perfect_sight_can_be_watched_and_undo_tells_of_cards_that_were_seen() {
        let mut desk = Desk::default();
        let sight = ask(&mut desk, "sight yukon 14");
        let moves: Vec<String> = serde_json::from_value(sight["moves"].clone()).unwrap();
        let all = format!("replay {} yukon 14 {}", moves.len(), moves.join(";"));
        assert_eq!(ask(&mut desk, &all)["founded"], sight["cards"]);
        let start = ask(&mut desk, "deal yukon 14");
        let mut down = |request: &str| -> (u64, Value) {
            let view = ask(&mut desk, request);
            let columns = view["columns"].as_array().unwrap().iter();
            let down = columns.map(|column| column["down"].as_u64().unwrap()).sum();
            (down, view)
        };
        for card in &moves {
            if down(&format!("play {card}")).0 < 21 {
                break;
            }
        }
        let (down, back) = down("undo");
        assert_eq!((down, &back["peeked"]), (21, &Value::from(1)));
        assert!(
            start["moves"]
                .as_array()
                .is_some_and(|moves| !moves.is_empty())
        );
        assert!(ask(&mut desk, "play ZZ")["error"].is_string());
    }

    /// Deal 14, after three moves: the table as it was seen, and all of it.
    #[test]
    fn a_table_is_seen_again_as_it_was_seen() {
        let mut desk = Desk::default();
        let seen = ask(&mut desk, "seen 3 yukon 14 3C; TC; 9S; 4C");
        let open = ask(&mut desk, "replay 3 yukon 14 3C; TC; 9S; 4C");
        ask(&mut desk, "deal yukon 14");
        let [.., view] = ["3C", "TC", "9S"].map(|card| ask(&mut desk, &format!("play {card}")));
        for part in ["text", "moves", "founded"] {
            assert_eq!((&seen[part], &open[part]), (&view[part], &view[part]));
        }
        let is_shown = |view: &Value| view["columns"][6]["hidden"] != Value::Array(Vec::new());
        assert!(is_shown(&open) && !is_shown(&seen));
    }

    /// The play of two games in tenths of a dollar, one of them far beyond what a game is about.
    #[test]
    fn play_is_kept_in_steps_and_told_in_dollars() {
        let told = ask(&mut Desk::default(), "beside -125 99999");
        assert_eq!(told["mean"][0], (260.0 - 12.5) / 2.0);
        let [apart, most] = ["apart", "most"].map(|part| told[part].as_f64());
        assert_eq!((apart, most), (Some(10.0), Some(260.0)));
    }
}
