//! The review of a game of solitaire that is over. A worker that has its moves measures parts of it; one of them is told
//! all parts, and answers as `etude review solitaire` does.

use cards::review::{Inquiry, ReviewAnswer, ReviewPoint, ReviewReport, ReviewWork, Workers};
use serde::Serialize;
use solitaire::players::PlayerMemory;
use solitaire::review::{Record, SolitaireFinisher};
use solitaire::table::Move;
use std::collections::BTreeMap;

use super::dealt::{WHOLE, played};
use super::{Reply, first_word, json, number};

/// The seed of the imagined worlds, as the program has it.
const SEED: u64 = 1;

/// The player that a game is measured against.
static MEASURE: SolitaireFinisher = SolitaireFinisher::FOR_PEOPLE;

/// Answers a request: a verb and its words.
pub fn answer(reviewer: &mut Option<Reviewer>, request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    if verb == "begin" {
        *reviewer = Some(Reviewer::new(rest)?);
        return json(&Done {});
    }
    let reviewer = reviewer.as_mut().ok_or("no game is reviewed")?;
    match verb {
        "measure" => reviewer.measure(rest),
        "tell" => reviewer.tell(rest),
        "worlds" => reviewer.review(rest),
        other => Err(format!("a review has no verb `{other}`")),
    }
}

/// A game that is over, and the parts of its review that were told.
pub struct Reviewer {
    record: Record,
    told: Told,
    memory: PlayerMemory,
}

/// The parts that were told, and the work that was asked for and is not done.
#[derive(Default)]
struct Told {
    parts: BTreeMap<ReviewWork, Vec<ReviewAnswer<Move>>>,
    wants: Vec<String>,
}

impl Workers<SolitaireFinisher> for Told {
    fn answers(
        &mut self,
        _: &Inquiry<'_, SolitaireFinisher>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer<Move>> {
        let parts = self.parts.get(&work).map_or(&[][..], Vec::as_slice);
        let done = parts.get(..count as usize);
        if done.is_none() {
            self.wants.push(format!("{work} {count}"));
        }
        done.map_or_else(Vec::new, <[ReviewAnswer<Move>]>::to_vec)
    }
}

/// What was asked for is done.
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
    /// What `etude review solitaire` says.
    lines: Vec<String>,
    /// The numbers of the moves that were mistakes, and their costs in points, the costliest first.
    mistakes: Vec<(usize, i64)>,
    /// Moves before a decision, and the measure's chances in points: before it, after it, and the ends of the latter.
    curve: Vec<[f64; 5]>,
    /// The chances before the deal, and at the end, in points.
    ends: [f64; 2],
    /// Points of the cards and of the play.
    cards: i64,
    play: i64,
    /// Half the width of the interval of the play, in points.
    width: f64,
    /// The play in thousandths of a game won, as [`crate::beside::beside`] takes it.
    exact: i64,
}

impl Reviewer {
    /// Begins with `RULES PLACE MOVES`.
    fn new(request: &str) -> Result<Reviewer, String> {
        let (start, line) = played(request)?;
        Ok(Reviewer {
            record: Record::cut(start, &line),
            told: Told::default(),
            memory: PlayerMemory::default(),
        })
    }

    /// Answers `WORK FROM TO`: these parts.
    fn measure(&mut self, request: &str) -> Reply {
        let (work, range) = first_word(request);
        let (from, to) = first_word(range);
        let work = kind(work)?;
        let range = number(from, "first part")?..number(to, "end of the parts")?;
        let (record, memory) = (&self.record, &mut self.memory);
        let inquiry = inquiry(record, 0);
        let measure = |number| inquiry.measure(work, number, memory).to_string();
        let parts = range.map(measure).collect();
        json(&MeasuredParts { parts })
    }

    /// Is told `WORK PART PART ...`, the parts behind those that it was told before, with `|` between them.
    fn tell(&mut self, request: &str) -> Reply {
        let (work, parts) = first_word(request);
        let work = kind(work)?;
        let parts = parts.split('|').map(str::parse);
        let parts: Result<Vec<ReviewAnswer<Move>>, _> = parts.collect();
        let parts = parts.map_err(|error| error.to_string())?;
        self.told.parts.entry(work).or_default().extend(parts);
        json(&Done {})
    }

    /// Answers the review in so many worlds, or what it wants.
    fn review(&mut self, worlds: &str) -> Reply {
        let inquiry = inquiry(&self.record, number(worlds, "number of worlds")?);
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

fn inquiry(record: &Record, playouts: u64) -> Inquiry<'_, SolitaireFinisher> {
    Inquiry {
        record,
        finisher: &MEASURE,
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
    let cost = |gain: f64| -points(gain).round() as i64;
    let mistakes = report.mistakes.iter();
    ToldReview {
        lines: report.lines(),
        mistakes: mistakes
            .map(|mistake| (mistake.number, cost(mistake.gain.mean)))
            .collect(),
        curve: report.curve.iter().map(point).collect(),
        ends: [points(report.start.mean), parts.result as f64],
        cards: parts.cards,
        play: parts.play,
        width: points(report.play.interval.width() / 2.0),
        exact: (WHOLE as f64 * report.play.mean).round() as i64,
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

    /// Deal 3 of draw three, given up after three draws: workers that share the parts of a review say what the program
    /// does, and a review that grows is that of its worlds.
    #[test]
    fn a_review_is_the_programs_however_many_workers_share_it() {
        let game = "draw-3 3 draw; draw; draw";
        let (start, line) = played(game).unwrap();
        let record = Record::cut(start, &line);
        let expected = inquiry(&record, 6).answer(&mut OneWorker::default());
        let expected = expected.unwrap();
        for workers in [1, 2] {
            let found = shared(game, 6, workers);
            let lines: Vec<&str> = (found["lines"].as_array().unwrap().iter())
                .map(|line| line.as_str().unwrap())
                .collect();
            assert_eq!(lines, expected.lines());
            assert_eq!(found["play"], expected.parts(1).play);
            assert_eq!(
                found["curve"].as_array().unwrap().len(),
                expected.curve.len()
            );
            assert!(found["curve"].as_array().unwrap().len() > 1);
        }
    }

    #[test]
    fn what_is_no_part_of_the_game_is_refused() {
        let mut desk = Desk::default();
        assert!(ask(&mut desk, "worlds 40")["error"].is_string());
        assert!(ask(&mut desk, "begin draw-3 3 draw; 1 9")["error"].is_string());
        ask(&mut desk, "begin draw-3 3 draw");
        for request in ["measure all 0 1", "tell rounds round,x/y/z", "worlds x"] {
            assert!(ask(&mut desk, request)["error"].is_string(), "{request}");
        }
    }
}
