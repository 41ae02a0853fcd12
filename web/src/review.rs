//! The review of a game of cards that is over. A worker that has its moves measures parts of it; one of them is told
//! all parts, and answers as `etude review` does.

use cards::review::{
    Finisher, Inquiry, Record, ReviewAnswer, ReviewPoint, ReviewReport, ReviewWork, ReviewedGame,
    Workers,
};
use serde::Serialize;
use std::collections::BTreeMap;

use super::dealt::STEPS;
use super::{Reply, first_word, json, number};

/// The seed of the imagined worlds, as the program has it.
const SEED: u64 = 1;

/// The review that a worker has begun.
pub type Reviewing = Option<Box<dyn Answers>>;

/// Whoever answers about the game of a review.
pub trait Answers {
    /// Answers a verb and its words.
    fn answer(&mut self, verb: &str, words: &str) -> Reply;
}

/// Answers a request: a verb and its words.
pub fn answer(reviewing: &mut Reviewing, request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    if verb == "begin" {
        *reviewing = Some(begin(rest)?);
        return json(&Done {});
    }
    let reviewer = reviewing.as_mut().ok_or("no game is reviewed")?;
    reviewer.answer(verb, rest)
}

/// Begins with `GAME RULES PLACE MOVES`.
fn begin(request: &str) -> Result<Box<dyn Answers>, String> {
    let (game, played) = first_word(request);
    match game {
        #[cfg(feature = "review-klondike")]
        "klondike" => Ok(Box::new(casino(played)?)),
        #[cfg(feature = "review-solitaire")]
        "solitaire" => Ok(Box::new(solitaire(played)?)),
        other => Err(format!("the game `{other}` has no review")),
    }
}

#[cfg(feature = "review-klondike")]
fn casino(request: &str) -> Result<Reviewer<klondike::review::CasinoFinisher>, String> {
    let (deal, line) = super::dealt::casino::played(request)?;
    let seat = klondike::seat::CasinoSeat::new(deal);
    let finisher = seat.finisher(klondike::review::CasinoFinisher::FOR_PEOPLE);
    let start = cards::tabletop::Tabletop::start(&seat).clone();
    Ok(Reviewer::new(Record::cut(start, &line), finisher))
}

#[cfg(feature = "review-solitaire")]
fn solitaire(request: &str) -> Result<Reviewer<solitaire::review::SolitaireFinisher>, String> {
    let (start, line) = super::dealt::solitaire::played(request)?;
    let finisher = solitaire::review::SolitaireFinisher::FOR_PEOPLE;
    Ok(Reviewer::new(Record::cut(start, &line), finisher))
}

/// The single moves of the games that a player measures.
type SingleOf<F> = <<F as Finisher>::Game as ReviewedGame>::Single;

/// A game that is over, and the parts of its review that were told.
struct Reviewer<F: Finisher> {
    record: Record<F::Game>,
    finisher: F,
    told: Told<SingleOf<F>>,
    memory: F::Memory,
}

/// The parts that were told, and the work that was asked for and is not done.
struct Told<S> {
    parts: BTreeMap<ReviewWork, Vec<ReviewAnswer<S>>>,
    wants: Vec<String>,
}

impl<F: Finisher> Workers<F> for Told<SingleOf<F>> {
    fn answers(
        &mut self,
        _: &Inquiry<'_, F>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer<SingleOf<F>>> {
        let parts = self.parts.get(&work).map_or(&[][..], Vec::as_slice);
        let done = parts.get(..count as usize);
        if done.is_none() {
            self.wants.push(format!("{work} {count}"));
        }
        done.map_or_else(Vec::new, <[ReviewAnswer<SingleOf<F>>]>::to_vec)
    }
}

/// The answer once everything asked for is done.
#[derive(Serialize)]
struct Done {}

/// Parts of a review in words.
#[derive(Serialize)]
struct MeasuredParts {
    parts: Vec<String>,
}

/// The work that a review of so many worlds takes besides what was told.
#[derive(Serialize)]
struct Wants {
    wants: Vec<String>,
}

/// The review as a page shows it.
#[derive(Serialize)]
struct ToldReview {
    /// The lines of `etude review`.
    lines: Vec<String>,
    /// The numbers of the moves that were mistakes, the costliest first.
    mistakes: Vec<usize>,
    /// Moves before a decision, and the measure's mean in points or dollars: before it, after it, and the ends of the
    /// latter.
    curve: Vec<[f64; 5]>,
    /// The measure's mean before the deal, and the result.
    ends: [f64; 2],
    /// Points or dollars of the cards and of the play.
    cards: i64,
    play: i64,
    /// The play in steps, as the games' `beside` takes it.
    exact: i64,
}

impl<F: Finisher> Answers for Reviewer<F> {
    fn answer(&mut self, verb: &str, words: &str) -> Reply {
        match verb {
            "measure" => self.measure(words),
            "tell" => self.tell(words),
            "worlds" => self.review(words),
            other => Err(format!("a review has no verb `{other}`")),
        }
    }
}

impl<F: Finisher> Reviewer<F> {
    fn new(record: Record<F::Game>, finisher: F) -> Reviewer<F> {
        Reviewer {
            record,
            finisher,
            told: Told {
                parts: BTreeMap::new(),
                wants: Vec::new(),
            },
            memory: F::Memory::default(),
        }
    }

    /// Answers `WORK FROM TO`: these parts.
    fn measure(&mut self, request: &str) -> Reply {
        let (work, range) = first_word(request);
        let (from, to) = first_word(range);
        let work = kind(work)?;
        let range = number(from, "first part")?..number(to, "end of the parts")?;
        let memory = &mut self.memory;
        let inquiry = inquiry(&self.record, &self.finisher, 0);
        let measure = |number| inquiry.measure(work, number, memory).to_string();
        let parts = range.map(measure).collect();
        json(&MeasuredParts { parts })
    }

    /// Is told `WORK PART PART ...`, the parts behind those that it was told before, with `|` between them.
    fn tell(&mut self, request: &str) -> Reply {
        let (work, parts) = first_word(request);
        let work = kind(work)?;
        let parts = parts.split('|').map(str::parse);
        let parts: Result<Vec<ReviewAnswer<SingleOf<F>>>, _> = parts.collect();
        let parts = parts.map_err(|error| error.to_string())?;
        self.told.parts.entry(work).or_default().extend(parts);
        json(&Done {})
    }

    /// Answers the review in so many worlds, or what it wants.
    fn review(&mut self, worlds: &str) -> Reply {
        let worlds = number(worlds, "number of worlds")?;
        let inquiry = inquiry(&self.record, &self.finisher, worlds);
        let report = inquiry.answer(&mut self.told);
        let wants = std::mem::take(&mut self.told.wants);
        match report {
            Some(report) if wants.is_empty() => json(&told(&report)),
            _ => json(&Wants { wants }),
        }
    }
}

fn kind(word: &str) -> Result<ReviewWork, String> {
    word.parse().map_err(|_| format!("`{word}` is no work"))
}

fn inquiry<'a, F: Finisher>(
    record: &'a Record<F::Game>,
    finisher: &'a F,
    playouts: u64,
) -> Inquiry<'a, F> {
    Inquiry {
        record,
        finisher,
        playouts,
        seed: SEED,
    }
}

fn told(report: &ReviewReport) -> ToldReview {
    let points = |value: f64| report.scale() * value;
    let parts = report.parts(1);
    let point = |point: &ReviewPoint| {
        let ends = point.after.interval;
        let values = [point.before, point.after.mean, ends.lo, ends.hi].map(points);
        [
            point.first as f64,
            values[0],
            values[1],
            values[2],
            values[3],
        ]
    };
    let mistakes = report.mistakes.iter();
    ToldReview {
        lines: report.lines(),
        mistakes: mistakes.map(|mistake| mistake.number).collect(),
        curve: report.curve.iter().map(point).collect(),
        ends: [points(report.start.mean), parts.result as f64],
        cards: parts.cards,
        play: parts.play,
        exact: report.parts(STEPS).play,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Desk;
    use super::*;
    use cards::review::OneWorker;
    use serde_json::Value;

    fn ask(desk: &mut Desk, request: &str) -> Value {
        serde_json::from_str(&desk.answer(&format!("review {request}"))).unwrap()
    }

    /// The review of a game by workers that share its parts, the last ones measured first.
    fn shared(game: &str, worlds: u64, workers: usize) -> Value {
        let mut desks: Vec<Desk> = (0..workers).map(|_| Desk::default()).collect();
        for desk in &mut desks {
            assert!(ask(desk, &format!("begin {game}"))["error"].is_null());
        }
        for _ in 0..10 {
            let reply = ask(&mut desks[0], &format!("worlds {worlds}"));
            let Some(wants) = reply["wants"].as_array() else {
                return reply;
            };
            for want in wants {
                let (work, count) = want.as_str().unwrap().split_once(' ').unwrap();
                let half = count.parse::<u64>().unwrap() / 2;
                let mut measure = |desk: usize, range: String| {
                    let reply = ask(&mut desks[desk], &format!("measure {work} {range}"));
                    let parts = reply["parts"].as_array().unwrap().iter();
                    let parts: Vec<&str> = parts.map(|part| part.as_str().unwrap()).collect();
                    parts.join("|")
                };
                let second = measure(workers - 1, format!("{half} {count}"));
                let first = measure(0, format!("0 {half}"));
                for parts in [first, second] {
                    assert!(ask(&mut desks[0], &format!("tell {work} {parts}"))["error"].is_null());
                }
            }
        }
        panic!("the review always wants more");
    }

    /// A review by workers that share its parts says what the program does, and one that grows is that of its worlds.
    fn is_the_programs<F: Finisher>(game: &str, alone: Reviewer<F>) {
        let Reviewer {
            record, finisher, ..
        } = alone;
        let expected = inquiry(&record, &finisher, 6).answer(&mut OneWorker::default());
        let expected = expected.unwrap();
        for workers in [1, 2] {
            let found = shared(game, 6, workers);
            let lines: Vec<&str> = (found["lines"].as_array().unwrap().iter())
                .map(|line| line.as_str().unwrap())
                .collect();
            assert_eq!(lines, expected.lines());
            assert_eq!(found["play"], expected.parts(1).play);
            assert_eq!(found["exact"], expected.parts(10).play);
            let curve = found["curve"].as_array().unwrap();
            assert_eq!(curve.len(), expected.curve.len());
            assert!(curve.len() > 1);
        }
    }

    /// Deal 3 of draw three, given up after three draws.
    #[test]
    fn a_review_of_solitaire_is_the_programs_however_many_workers_share_it() {
        let game = "draw-3 3 draw; draw; draw";
        is_the_programs(&format!("solitaire {game}"), solitaire(game).unwrap());
    }

    /// Deal 12 of the casino, given up after four moves.
    #[test]
    fn a_review_of_the_casino_is_the_programs_however_many_workers_share_it() {
        let game = "yukon 12 9C; JS; 2C; 2D";
        is_the_programs(&format!("klondike {game}"), casino(game).unwrap());
    }

    #[test]
    fn what_is_no_part_of_the_game_is_refused() {
        let mut desk = Desk::default();
        assert!(ask(&mut desk, "worlds 40")["error"].is_string());
        for game in [
            "solitaire draw-3 3 draw; 1 9",
            "klondike yukon 3 ZZ",
            "klondike moat 3",
            "pegs cross 3",
        ] {
            let request = format!("begin {game}");
            assert!(ask(&mut desk, &request)["error"].is_string(), "{game}");
        }
        for game in ["solitaire draw-3 3 draw", "klondike yukon 3 6D"] {
            ask(&mut desk, &format!("begin {game}"));
            for request in [
                "measure all 0 1",
                "tell rounds round,x/y/z",
                "worlds x",
                "guess",
            ] {
                assert!(ask(&mut desk, request)["error"].is_string(), "{request}");
            }
        }
    }
}
