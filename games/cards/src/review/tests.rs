//! The review of a game that anybody can work out by hand.

use super::*;
use crate::hidden::HiddenGame;
use kit::rng::{Stream, StreamKey};
use kit::search::Budget;
use stats::Span;
use std::fmt;

/// The coins face down, worth 0 to 4 dollars, four of which are turned.
const COINS: usize = 5;

/// A game in which coins are turned one after the other, each to be taken or passed.
#[derive(Clone, Copy, Debug, Default)]
struct Coins;

#[derive(Clone, Debug, PartialEq)]
struct Row {
    coins: [u8; COINS],
    turned: usize,
    passed: u8,
    taken: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Changes nothing and shows nothing.
    Look,
    Take,
    Pass,
}

const STEPS: [(Step, &str); 3] = [
    (Step::Look, "look"),
    (Step::Take, "take"),
    (Step::Pass, "pass"),
];

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = STEPS.iter().find(|(step, _)| step == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

impl SingleMove for Step {
    fn written(text: &str) -> Option<Step> {
        let step = STEPS.iter().find(|(_, name)| *name == text);
        step.map(|(step, _)| *step)
    }
}

impl HiddenGame for Coins {
    /// The coins turned, the number of those passed, and the dollars taken.
    type Observation = (Vec<u8>, u8, i64);
    type World = Row;
    type Move = Step;
    type Solver = ();
    type Guide = ();
    const FORESIGHT: Budget = Budget::UNLIMITED;

    fn observe(&self, row: &Row) -> (Vec<u8>, u8, i64) {
        (row.coins[..row.turned].to_vec(), row.passed, row.taken)
    }

    fn canonical(&self, (seen, passed, taken): &(Vec<u8>, u8, i64)) -> Row {
        let unseen = (0..COINS as u8).filter(|coin| !seen.contains(coin));
        let coins: Vec<u8> = seen.iter().copied().chain(unseen).collect();
        Row {
            coins: coins.try_into().unwrap(),
            turned: seen.len(),
            passed: *passed,
            taken: *taken,
        }
    }

    fn unseen(&self, (seen, ..): &(Vec<u8>, u8, i64)) -> usize {
        COINS - seen.len()
    }

    fn redeal(&self, canonical: &Row, order: &[u8]) -> Row {
        let mut row = canonical.clone();
        for (place, &from) in order.iter().enumerate() {
            row.coins[row.turned + place] = canonical.coins[canonical.turned + usize::from(from)];
        }
        row
    }

    fn moves(&self, row: &Row) -> Vec<Step> {
        let open = !self.is_over(row);
        open.then_some([Step::Take, Step::Pass])
            .into_iter()
            .flatten()
            .collect()
    }

    fn play(&self, row: &mut Row, step: Step) {
        self.make(row, step);
    }

    fn score(&self, row: &Row) -> u32 {
        row.taken as u32
    }

    fn solve(&self, (): &mut (), row: &Row, (): &(), _: Budget) -> u32 {
        self.roll_out(row.clone())
    }

    fn bound(&self, (): &mut (), row: &Row, _: Budget) -> (u32, ()) {
        (self.roll_out(row.clone()), ())
    }
}

impl ReviewedGame for Coins {
    type Single = Step;

    fn make(&self, row: &mut Row, step: Step) {
        match step {
            Step::Look => return,
            Step::Take => row.taken += i64::from(row.coins[row.turned]),
            Step::Pass => row.passed += 1,
        }
        row.turned += 1;
    }

    fn next_length(&self, _: &Row, line: &[Step]) -> usize {
        let shows = line.iter().position(|&step| step != Step::Look);
        shows.map_or(line.len(), |place| place + 1)
    }

    fn is_over(&self, row: &Row) -> bool {
        row.turned == COINS - 1
    }

    fn told_line(&self, _: &Row, steps: &[Step]) -> String {
        let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
        steps.join(", then ")
    }

    fn result(&self, row: &Row) -> i64 {
        row.taken
    }

    fn stakes(&self, _: &Row) -> Stakes {
        Stakes::Dollars { least: 0, most: 10 }
    }

    fn founded(&self, row: &Row) -> u8 {
        row.turned as u8
    }
}

/// Looks and takes, always. It gains 8 dollars a game: four coins of 2 on average.
struct Taker;

impl Finisher for Taker {
    type Game = Coins;
    type Memory = ();

    fn name(&self) -> String {
        "take".to_owned()
    }

    fn own_moves(&self, row: &Row, (): &mut (), _: &mut Stream) -> OwnMoves<Coins> {
        let mut world = row.clone();
        Coins.make(&mut world, Step::Take);
        OwnMoves {
            moves: vec![Step::Look, Step::Take],
            is_over: Coins.is_over(&world),
            world,
        }
    }

    fn finish(&self, row: Row, (): &mut (), _: (&StreamKey, u64)) -> i64 {
        Coins.roll_out(row).into()
    }

    fn play_other(&self, _: &Row, (): &mut (), _: (&StreamKey, u64)) -> i64 {
        8
    }

    fn known_start(&self, _: &Row) -> Option<StartValue> {
        Some(StartValue {
            mean: 8.0,
            interval: Span::point(8.0),
        })
    }
}

/// A game that takes 1, passes 3, takes 0 and stops before the 2, with one more that nobody turns.
fn played() -> Record<Coins> {
    let start = Row {
        coins: [1, 3, 0, 2, 4],
        turned: 0,
        passed: 0,
        taken: 0,
    };
    Record::cut(start, &[Step::Take, Step::Look, Step::Pass, Step::Take])
}

#[test]
fn a_record_is_cut_where_a_coin_shows_and_where_the_player_stops() {
    let record = played();
    let pieces = record.pieces.iter();
    let lengths: Vec<(usize, usize)> = pieces.map(|one| (one.first, one.moves.len())).collect();
    assert_eq!(lengths, [(0, 1), (1, 2), (3, 1), (4, 0)]);
    assert_eq!((record.end.taken, record.end.turned), (1, 3));
    let to_the_end = Record::<Coins>::cut(record.start, &[Step::Take; 4]);
    assert_eq!(to_the_end.pieces.len(), 4);
}

/// To pass costs 9 / 4 dollars, the mean of 0, 2, 3 and 4, and to stop 3, that of 2 and 4. 400 worlds of seed 5.
#[test]
fn a_game_of_coins_is_reviewed_as_by_hand() {
    let (record, finisher) = (played(), Taker);
    let inquiry = Inquiry {
        record: &record,
        finisher: &finisher,
        playouts: 400,
        seed: 5,
    };
    let report = inquiry.answer(&mut OneWorker::default()).unwrap();
    let near = |one: f64, other: f64| assert!((one - other).abs() < 0.3, "{one}, not {other}");
    assert_eq!(
        (report.result, report.cards, report.replays),
        (1, 3, 6 * 16)
    );
    assert_eq!((report.decisions, report.playouts), (2, 400));
    near(report.play.mean, -2.25 - 3.0);
    assert!((report.start.mean + report.luck.mean + report.play.mean - 1.0).abs() < 1e-9);

    let [stop, pass] = &report.mistakes[..] else {
        panic!("{:?}", report.mistakes);
    };
    let told = |mistake: &ToldMistake| {
        (
            mistake.number,
            mistake.played.clone(),
            mistake.better.clone(),
        )
    };
    let words = |number, played: &str, better: &str| (number, played.to_owned(), better.to_owned());
    assert_eq!(told(stop), words(5, "stop", "look, then take"));
    assert_eq!(told(pass), words(3, "pass", "take"));
    near(stop.gain.mean, -3.0);
    near(pass.gain.mean, -2.25);

    let [passed, stopped] = &report.curve[..] else {
        panic!("{:?}", report.curve);
    };
    assert_eq!((passed.first, stopped.first), (1, 4));
    near(passed.before, 1.0 + 3.0 * 2.25);
    near(passed.after.mean, 1.0 + 2.0 * 2.25);
    near(stopped.before, 1.0 + 3.0);
    assert_eq!(stopped.after.mean, 1.0);

    let lines = quick_review(&record, &finisher, 5);
    assert_eq!(
        lines[0],
        "You made money: 3 of 52 cards on the foundations."
    );
    assert!(
        lines
            .last()
            .unwrap()
            .contains("how take would have moved and played on, in 50 imagined")
    );
}
