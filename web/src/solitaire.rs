//! Solitaire in a page.
//!
//! The referee keeps the deal, and tells what a person sees of it. The adviser is given that text alone, as
//! `etude solve solitaire --hidden --deal TEXT` is; where the game is over it is given the deal's seed.

use cards::advice::{CardPlayer, Consultation, ScoreEstimate, Unit};
use cards::hidden::HiddenGame;
use cards::tabletop::{Dealer, Tabletop, draws};
use kit::search::Budget;
use solitaire::draw::caption;
use solitaire::exact::Solver;
use solitaire::players::single_moves;
use solitaire::round::{Play, Round};
use solitaire::rules::{DeckShape, Rules};
use solitaire::seat::{SolitaireSeat, doing_first, written};
use solitaire::table::Move;
use solitaire::unseen::game::{Macros, last_moves};
use solitaire::written::WrittenRound;
use solitaire::{card::Card, deal::Deal};

use super::cards::{Advised, Choice, Column, Rival, Sight, View, asked, judge, scores, weigh};
use super::dealt::solitaire::{dealt, played, rules};
use super::dealt::{DealPlace, STEPS};
use super::mean::MeanOverGames;
use super::{Reply, first_word, json, number};

/// The positions that telling whether a deal can be won may cost.
const SIGHT: Budget = Budget::nodes(3_000_000);

/// The play of a person's games, in which no game counts more than a whole one. Its standard deviation in the result
/// `solitaire-review` is 16 to 28 points.
const PLAY: MeanOverGames = MeanOverGames {
    steps: STEPS,
    limits: (-100, 100),
    apart: 10.0,
    spread: 30.0,
};

/// The game that a worker keeps, and the advice that it is asked for.
#[derive(Default)]
pub struct Seats {
    referee: Option<Referee>,
    adviser: Option<Adviser>,
}

impl Seats {
    fn adviser(&mut self) -> Result<&mut Adviser, &'static str> {
        self.adviser.as_mut().ok_or("nobody asked for advice")
    }
}

/// Answers a request: a verb and its words.
pub fn answer(desk: &mut Seats, request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    match verb {
        "deal" => {
            let referee = desk.referee.insert(Referee::new(rest)?);
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
        // All cards visible, or as a person saw it.
        "replay" => json(&open(&after(rest)?)),
        "seen" => json(&view(&after(rest)?)),
        "advise" => asked(&desk.adviser.insert(Adviser::new(rest)?).consultation),
        "judge" => judge(
            &mut desk.adviser()?.consultation,
            &Macros::LookingFirst,
            rest,
        ),
        "weigh" => weigh(desk.adviser()?.choices(&scores(rest)?)),
        "rival" => rival(rest),
        "sight" => sight(rest),
        "beside" => PLAY.mean(rest),
        other => Err(format!("solitaire has no verb `{other}`")),
    }
}

/// A game in progress, with its deal.
struct Referee {
    seat: SolitaireSeat,
    round: Round,
    played: Vec<Move>,
    /// Moves taken back that had shown a card.
    peeked: u32,
}

impl Referee {
    fn new(request: &str) -> Result<Referee, String> {
        let (round, _) = dealt(request)?;
        Ok(Referee {
            seat: SolitaireSeat(round),
            round,
            played: Vec::new(),
            peeked: 0,
        })
    }

    /// Plays moves as they are typed, up to the first that turns a card.
    fn play(&mut self, moves: &str) -> Result<(), String> {
        let unseen = self.round.table().face_down();
        for line in moves.split(';').map(str::trim) {
            let play = self.seat.read(&self.round, line);
            let play = play.ok_or_else(|| format!("`{line}` cannot be played there"))?;
            let singles = single_moves(self.round, &[play]);
            self.seat.game().play(&mut self.round, play);
            self.played.extend(singles);
            if self.round.table().face_down() < unseen {
                break;
            }
        }
        Ok(())
    }

    fn undo(&mut self) {
        let unseen = self.round.unseen().len();
        self.played.pop();
        self.round = self.seat.0;
        for &single in &self.played {
            self.round.play(Play::single(single));
        }
        self.peeked += u32::from(self.round.unseen().len() > unseen);
    }

    fn view(&self) -> View {
        View {
            played: self.played.len(),
            line: written(&self.played),
            peeked: self.peeked,
            ..view(&self.round)
        }
    }
}

/// Returns the part of a round that a person sees.
fn view(round: &Round) -> View {
    let table = round.table();
    let symbols = |cards: &[Card]| cards.iter().map(Card::to_string).collect();
    let choice = |single| Choice {
        text: written(&[single]),
        card: table.moved_card(single).map(|card| card.to_string()),
        told: caption(table, single),
    };
    View {
        columns: (table.columns().iter())
            .map(|column| Column {
                down: column.face_down(),
                hidden: Vec::new(),
                up: symbols(column.run()),
            })
            .collect(),
        waste: symbols(table.waste()),
        stock: table.stock().len(),
        foundations: [0, 1, 2, 3].map(|suit| Some(table.foundation_top(suit)?.to_string())),
        founded: table.founded(),
        moves: table.moves().into_iter().map(choice).collect(),
        text: round.sight().to_string(),
        won: table.is_won(),
        ..View::default()
    }
}

/// The view of someone who may see all cards.
fn open(round: &Round) -> View {
    let mut view = view(round);
    for (column, cards) in view.columns.iter_mut().zip(round.table().columns()) {
        let hidden = &cards.cards()[..cards.face_down()];
        column.hidden = hidden.iter().map(Card::to_string).collect();
    }
    view
}

/// The round of `COUNT RULES PLACE MOVES`: after the first `COUNT` of some moves.
fn after(request: &str) -> Result<Round, String> {
    let (count, game) = first_word(request);
    let (mut round, line) = played(game)?;
    for &single in line.iter().take(number(count, "number of moves")?) {
        round.play(Play::single(single));
    }
    Ok(round)
}

/// A player who advises, on what is seen.
struct Adviser {
    round: Round,
    consultation: Consultation<Macros>,
}

impl Adviser {
    /// Begins from `RULES PLACE STEP TEXT`: what is seen after `STEP` moves, and the draws of a player of that deal.
    fn new(request: &str) -> Result<Adviser, String> {
        let mut words = request.splitn(4, ' ');
        let mut word = || words.next().unwrap_or_default();
        let rules = rules(word())?;
        let (place, step) = (DealPlace::read(word())?, number(word(), "step")?);
        let round = read(&rules, word())?;
        let player = SolitaireSeat(round).adviser();
        let stream = draws(place.seed, &player).step(place.sample, step);
        Ok(Adviser {
            round,
            consultation: Consultation::new(
                &Macros::LookingFirst,
                &round,
                player.judge(),
                stream,
                Unit::Wins,
            ),
        })
    }

    /// The macro moves by their scores; where none is left, all that the known cards allow.
    fn choices(&self, judged: &[Vec<u32>]) -> Vec<Advised> {
        let estimates = self.consultation.estimates(judged);
        let choices: Vec<Advised> = doing_first(&self.round, estimates)
            .into_iter()
            .map(|(moves, estimate)| self.advised(&moves, estimate))
            .collect();
        let last = last_moves(&self.round);
        if !choices.is_empty() || last.is_empty() {
            return choices;
        }
        let score = Macros::LookingFirst.score(&self.round);
        vec![self.advised(&last, ScoreEstimate::known(Unit::Wins, score))]
    }

    fn advised(&self, moves: &[Move], estimate: ScoreEstimate) -> Advised {
        let mut table = *self.round.table();
        let told = |&single: &Move| {
            let told = caption(&table, single);
            table.play(single);
            told
        };
        Advised::new(written(moves), moves.iter().map(told).collect(), estimate)
    }
}

/// The round of a text, its unseen cards in any order.
fn read(rules: &Rules, text: &str) -> Result<Round, String> {
    let table = Deal::read_table(DeckShape::FULL, text).map_err(|error| error.to_string())?;
    let written: WrittenRound = rules.lay_out(&table).map_err(|error| error.to_string())?;
    Ok(written.round.sight().canonical())
}

/// Answers `RULES PLACE`: the game of the player who advises, which sees what a person sees.
fn rival(request: &str) -> Reply {
    let (round, place) = dealt(request)?;
    let seat = SolitaireSeat(round);
    let player: CardPlayer = seat.rival();
    let draws = draws(place.seed, &player);
    let score = seat.play_out(&player, (&draws, place.sample)).score;
    json(&Rival {
        player: player.to_string(),
        score,
        won: score == u32::from(round.table().cards()),
    })
}

/// Answers `RULES PLACE`: the best game with every card visible.
fn sight(request: &str) -> Reply {
    let (round, _) = dealt(request)?;
    let mut table = *round.table();
    let solution = Solver::default().solve(&table, SIGHT);
    let line = solution.line(&table);
    let told = line.iter().map(|&single| {
        let told = caption(&table, single);
        table.play(single);
        told
    });
    json(&Sight {
        won: solution.is_win(),
        cards: solution.foundation.lower(),
        told: told.collect(),
        moves: line.iter().map(|&single| written(&[single])).collect(),
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
        serde_json::from_str(&desk.answer(request)).unwrap()
    }

    /// The advice on what a view shows of so many advisers, who share the guesses and judge the last ones first.
    fn advice(view: &Value, step: usize, advisers: usize) -> Value {
        let text = view["text"].as_str().unwrap();
        let ask_all = format!("solitaire advise draw-3 7 {step} {text}");
        let mut desks: Vec<Desk> = (0..advisers).map(|_| Desk::default()).collect();
        let mut scores = Vec::new();
        for (index, desk) in desks.iter_mut().enumerate().rev() {
            let worlds = ask(desk, &ask_all)["worlds"].as_u64().unwrap() as usize;
            let [from, to] = [index, index + 1].map(|index| index * worlds / advisers);
            let judged = ask(desk, &format!("solitaire judge {from} {to}"));
            scores.splice(0..0, judged["scores"].as_array().unwrap().clone());
        }
        let weigh = format!("solitaire weigh {}", in_rows(&scores));
        ask(&mut desks[0], &weigh)["choices"].clone()
    }

    /// The advice is that of the verbs `play` and `solve --hidden`, however many advisers share it.
    /// Deal 7, after the look through the stock.
    #[test]
    fn advice_is_the_programs_for_the_same_seed_and_moves() {
        let mut desk = Desk::default();
        ask(&mut desk, "solitaire deal draw-3 7");
        let look = "draw; draw; draw; draw; draw; draw; draw; draw; turn";
        let view = ask(&mut desk, &format!("solitaire play {look}"));
        let round = desk.solitaire.referee.as_ref().unwrap().round;
        let seat = SolitaireSeat(round);
        let player = seat.adviser();
        let stream = draws(7, &player).step(0, 9);
        let expected = seat.advice(&round, &player, stream);
        assert!(expected.len() > 2);
        for advisers in [1, 3] {
            let found = advice(&view, 9, advisers);
            let found = found.as_array().unwrap();
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found["moves"].as_str(), Some(expected.written.as_str()));
                assert_eq!(found["mean"].as_f64(), Some(expected.estimate.mean));
                assert_eq!(found["lo"].as_f64(), Some(expected.estimate.interval.lo));
                assert_eq!(found["hi"].as_f64(), Some(expected.estimate.interval.hi));
            }
        }
    }

    /// Deals 1 to 60, 40 random moves each: the text says no more than is seen, and all of that, so cards
    /// that nobody has seen cannot change advice.
    #[test]
    fn the_text_of_a_view_holds_what_is_seen_and_no_more() {
        for seed in 1..=60 {
            let (mut round, _) = dealt(&format!("draw-{} {seed}", 1 + 2 * (seed % 2))).unwrap();
            let mut stream = Streams::new(seed).key("moves").stream(0);
            for _ in 0..40 {
                let mut unseen = round.unseen();
                unseen.reverse();
                let text = view(&round).text;
                assert_eq!(view(&round.redealt(&unseen)).text, text);
                let again = read(&round.table().rules(), &text).unwrap();
                assert_eq!(again.sight().to_string(), text);
                assert_eq!(again.table(), round.sight().canonical().table(), "{text}");
                assert_eq!(again.is_stock_known(), round.is_stock_known());
                let moves = round.table().moves();
                let Some(&single) = choose(&mut stream, &moves) else {
                    break;
                };
                round.play(Play::single(single));
            }
        }
    }

    /// Deal 1978: undoing a move that turned a card is counted, and the card lies face down again.
    #[test]
    fn undo_tells_of_cards_that_were_seen() {
        let mut desk = Desk::default();
        let start = ask(&mut desk, "solitaire deal draw-3 1978");
        let turning = start["moves"].as_array().unwrap().iter().find(|choice| {
            let mut desk = Desk::default();
            ask(&mut desk, "solitaire deal draw-3 1978");
            let text = choice["text"].as_str().unwrap();
            let after = ask(&mut desk, &format!("solitaire play {text}"));
            let down = |view: &Value| -> u64 {
                let columns = view["columns"].as_array().unwrap().iter();
                columns.map(|column| column["down"].as_u64().unwrap()).sum()
            };
            down(&after) < down(&start)
        });
        let text = turning.unwrap()["text"].as_str().unwrap();
        assert_eq!(
            ask(&mut desk, &format!("solitaire play {text}"))["peeked"],
            0
        );
        let back = ask(&mut desk, "solitaire undo");
        assert_eq!(back["peeked"], 1);
        assert_eq!(
            (&back["text"], &back["columns"]),
            (&start["text"], &start["columns"])
        );
        assert!(ask(&mut desk, "solitaire play 9 9")["error"].is_string());
    }

    /// Deal 20261125: perfect sight's line leads to the score that it tells.
    #[test]
    fn the_line_of_perfect_sight_can_be_watched() {
        let mut desk = Desk::default();
        let sight = ask(&mut desk, "solitaire sight draw-3 20261125");
        let moves: Vec<&str> = sight["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap())
            .collect();
        let request = format!(
            "solitaire replay {} draw-3 20261125 {}",
            moves.len(),
            moves.join(";")
        );
        assert_eq!(ask(&mut desk, &request)["founded"], sight["cards"]);
        let start = ask(&mut desk, "solitaire replay 0 draw-3 20261125");
        assert_eq!(start["columns"][6]["hidden"].as_array().unwrap().len(), 6);
    }
}
