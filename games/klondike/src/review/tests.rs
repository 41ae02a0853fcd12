//! Reviews add up, have the means that they must have, and see no hidden card.

use super::*;
use crate::card::Card;
use crate::deal::Deal;
use crate::players::play;
use crate::pruned::World;
use cards::hidden::{HiddenGame, HiddenPlayer, Scratch};
use cards::review::{
    Finisher as _, Inquiry, MoveComparison, OneWorker, Review, ReviewDraws, ReviewedGame,
    StartValue,
};
use kit::rng::Streams;

fn deal(seed: u64, index: u64) -> Deal {
    let mut stream = Streams::new(seed).key("deal").stream(index);
    Deal::draw(&"yukon".parse().unwrap(), &mut stream)
}

fn player(name: &str) -> HiddenPlayer {
    name.parse().unwrap()
}

fn finisher(name: &str) -> CasinoFinisher {
    CasinoFinisher::new(player(name), "yukon".parse().unwrap())
}

/// A game that a player plays on a deal of this seed and index.
fn game(name: &str, seed: u64, index: u64) -> Record {
    let draws = Streams::new(seed).key("game");
    let (deal, scratch) = (deal(seed, index), &mut Scratch::default());
    let played = play(&deal, &player(name), scratch, (&draws, index));
    Record::cut(World::new(&deal), &played.plays)
}

/// The play of a game in dollars, over so many rounds, and how often the finisher's own moves led elsewhere.
fn play_of(record: &Record, finisher: &CasinoFinisher, index: u64, rounds: u64) -> (f64, usize) {
    let draws = ReviewDraws::new(&Streams::new(index), "review");
    let review = Review {
        record,
        finisher,
        draws: &draws,
        index,
    };
    let memory = &mut Scratch::default();
    let compared = (0..rounds).flat_map(|number| review.imagine(number, memory));
    let compared: Vec<MoveComparison<Card>> = compared.collect();
    let sum: i64 = compared.iter().map(MoveComparison::difference).sum();
    let differ = compared.iter().filter(|one| **one != MoveComparison::Same);
    (sum as f64 / rounds as f64, differ.count())
}

/// The mean of some numbers, in standard errors, and the standard error.
fn in_errors(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|one| (one - mean).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    (mean / error, error)
}

/// Seed 790, samples 0 to 29: the pieces are the game, and all but the last end with a card that was turned.
#[test]
fn a_game_is_cut_where_an_unknown_card_shows() {
    let mut stopped = 0;
    for index in 0..30 {
        let whole = game("greedy", 790, index);
        let line: Vec<Card> = (whole.pieces.iter().flat_map(|piece| &piece.moves))
            .copied()
            .collect();
        // Every other game ends early.
        let kept = line.len() - (index as usize % 2).min(line.len());
        let record = Record::cut(whole.start, &line[..kept]);
        let (mut world, mut moves) = (record.start.clone(), 0);
        for (place, piece) in record.pieces.iter().enumerate() {
            assert_eq!((&piece.seen, piece.first), (&Casino.observe(&world), moves));
            let hidden = world.hidden();
            for (card, rest) in piece.moves.iter().zip((0..piece.moves.len()).rev()) {
                assert!(world.moves().contains(*card) && world.hidden() == hidden);
                world.play(*card);
                let turns = world.hidden() != hidden;
                let is_last = place + 1 >= record.pieces.len() - 1;
                assert!(
                    turns == (rest == 0) || (is_last && !turns),
                    "{index}: {piece:?}"
                );
            }
            moves += piece.moves.len();
        }
        assert_eq!((world == record.end, moves), (true, kept));
        let stops = record.pieces.last().is_some_and(|piece| piece.stops());
        assert_eq!(stops, !record.end.moves().is_empty());
        stopped += usize::from(stops);
    }
    assert!((10..=15).contains(&stopped), "{stopped}");
}

/// Seed 791: a player without draws makes its own moves in every world.
#[test]
fn a_finisher_that_reviews_its_own_game_finds_no_difference() {
    for index in 0..30 {
        let record = game("greedy", 791, index);
        assert_eq!(play_of(&record, &finisher("greedy"), index, 4), (0.0, 0));
    }
}

/// Seed 792, 4,000 deals: the errors of a player that errs at four choices in five cost what the dollars say, within
/// four standard errors.
#[test]
fn the_play_is_on_average_the_difference_in_dollars() {
    let measure = finisher("greedy");
    let (mut cost, mut off) = (0.0, Vec::new());
    for index in 0..4_000 {
        let dollars = |record: &Record| Casino.result(&record.end) as f64;
        let record = game("errs(80, greedy)", 792, index);
        let (play, _) = play_of(&record, &measure, index, 2);
        cost += play;
        off.push(play - (dollars(&record) - dollars(&game("greedy", 792, index))));
    }
    let (mean, error) = in_errors(&off);
    assert!(mean.abs() < 4.0 && error < 0.7, "{mean} of {error}");
    assert!(cost / 4_000.0 < -1.2, "{cost}");
}

/// Seed 793, 1,200 deals each: the mean of the luck is 0 for a player that takes the best move at sight and for one that
/// plays at random, within four standard errors. The finisher's mean is that of 50,000 deals of `klondike-hidden`.
#[test]
fn the_mean_of_luck_is_nothing_whoever_plays() {
    let measure = finisher("hindsight(8)");
    for name in ["greedy", "random"] {
        let luck = |index: u64| {
            let record = game(name, 793, index);
            let (play, _) = play_of(&record, &measure, index, 1);
            Casino.result(&record.end) as f64 - (25.9025 - 55.0) - play
        };
        let luck: Vec<f64> = (0..1_200).map(luck).collect();
        let (mean, error) = in_errors(&luck);
        assert!(mean.abs() < 4.0 && error < 2.2, "{name}: {mean} of {error}");
    }
}

/// Seed 794: cards that never turned lie elsewhere, and the review is the same to the last world.
#[test]
fn hidden_cards_that_never_turned_do_not_reach_a_review() {
    let mut tried = 0;
    for index in 0..30 {
        let record = game("greedy", 794, index);
        let unseen: Vec<Card> = record.end.hidden().collect();
        if unseen.len() < 2 {
            continue;
        }
        let elsewhere = |card: Card| {
            let place = unseen.iter().position(|&unseen| unseen == card);
            place.map_or(card, |place| unseen[(place + 1) % unseen.len()])
        };
        let mut start = record.start.clone();
        let swapped: Vec<Card> = start.hidden_in_order().map(elsewhere).collect();
        start.redeal(&swapped);
        let line: Vec<Card> = (record.pieces.iter().flat_map(|piece| &piece.moves))
            .copied()
            .collect();
        let same_for_people = Record::cut(start, &line);
        assert!(same_for_people.start != record.start);
        assert_eq!(same_for_people.pieces, record.pieces);
        tried += 1;
    }
    assert!(tried >= 20, "{tried}");
}

/// Seed 795: in every world the same moves can be made.
#[test]
fn no_world_contradicts_a_turned_card() {
    let mut stream = Streams::new(795).key("worlds").stream(0);
    for index in 0..30 {
        for piece in &game("greedy", 795, index).pieces {
            let mut world = piece.imagine(&mut stream);
            assert_eq!(Casino.observe(&world), piece.seen);
            for &card in &piece.moves {
                assert!(world.moves().contains(card));
                world.play(card);
            }
        }
    }
}

/// Seed 796, sample 6: an answer adds up to the last cent, and a stop where much could still be had is told as the mistake.
#[test]
fn an_answer_adds_up_to_the_last_cent_and_names_the_costly_stop() {
    let line = game("greedy", 796, 6);
    let record = Record::cut(line.start, &[]);
    let measure = finisher("hindsight(32)");
    let inquiry = Inquiry {
        record: &record,
        finisher: &measure,
        playouts: 200,
        seed: 5,
    };
    let report = inquiry.answer(&mut OneWorker::default()).unwrap();
    for steps in [1, 100] {
        let parts = report.parts(steps);
        assert_eq!(parts.start + parts.cards + parts.play, parts.result);
    }
    assert_eq!((report.result, report.start.mean), (-45, -28.3661));
    assert_eq!(report.mistakes.len(), 1, "{report:?}");
    let mistake = &report.mistakes[0];
    assert_eq!((mistake.number, mistake.played.as_str()), (1, "stop"));
    assert!(report.play.interval.hi < 0.0 && mistake.gain.mean < -5.0);
    let lines = report.lines();
    assert!(lines[0].starts_with("You lost money: 2 of 52 cards"));
    assert!(
        lines[2].starts_with("move 1   you: stop   better: ") && lines[2].contains(" dollars (")
    );
}

#[test]
fn the_mean_of_the_finisher_is_known_for_the_usual_layout_alone() {
    let start = World::new(&deal(1, 0));
    let known: Option<StartValue> = finisher("hindsight(32)").known_start(&start);
    assert_eq!(known.map(|known| known.mean), Some(-28.3661));
    assert_eq!(finisher("hindsight(33)").known_start(&start), None);
    let open = CasinoFinisher::new(CasinoFinisher::FOR_PEOPLE, "open".parse().unwrap());
    assert_eq!(open.known_start(&start), None);
}
