//! Players see no hidden card, and what they imagine agrees with what they see.

use super::super::card::Card;
use super::super::deal::Deal;
use super::super::exact::Solver;
use super::super::rules::{DeckShape, Rules};
use super::super::table::CardTable;
use super::*;
use cards::hidden::HiddenGame;
use kit::rng::{Stream, Streams, below, choose, shuffle};
use kit::search::Budget;

const PLAYERS: [&str; 7] = [
    "greedy",
    "random",
    "race(24, rollout(6))",
    "hindsight(4, 200)",
    "nested(2, rollout(2))",
    "close(9, 3, rollout(4), race(12, rollout(4)))",
    "ismcts(30, 2)",
];

fn players() -> impl Iterator<Item = HiddenPlayer> {
    PLAYERS.iter().map(|name| name.parse().unwrap())
}

fn table(seed: u64, index: u64) -> CardTable {
    let rules = [Rules::VEGAS_3, Rules::VEGAS_1, Rules::DRAW_3][(index % 3) as usize];
    let mut stream = Streams::new(seed).key("deal").stream(index);
    CardTable::new(&Deal::draw(DeckShape::FULL, &mut stream), rules)
}

/// A round reached by some random plays.
fn wander(seed: u64, index: u64) -> Round {
    let mut round = Round::new(table(seed, index));
    let mut stream = Streams::new(seed).key("wander").stream(index);
    for _ in 0..below(&mut stream, 40) {
        let Some(&play) = choose(&mut stream, &Casino.moves(&round)) else {
            break;
        };
        round.play(play);
    }
    round
}

fn redealt(round: &Round, stream: &mut Stream) -> Round {
    let mut unseen = round.unseen();
    shuffle(stream, &mut unseen);
    round.redealt(&unseen)
}

/// Seed 7: of 60 rounds, those in which a redeal of the unseen cards changes the decision.
fn changed_by_a_redeal(mut decide: impl FnMut(&Round, Stream) -> Option<Play>) -> usize {
    let streams = Streams::new(7);
    let is_changed = |index: &u64| {
        let round = wander(7, *index);
        let other = redealt(&round, &mut streams.key("redeal").stream(*index));
        let draws = streams.key("decide").stream(*index);
        decide(&round, draws.clone()) != decide(&other, draws)
    };
    (0..60).filter(is_changed).count()
}

#[test]
fn redealing_unseen_cards_changes_no_decision() {
    for player in players() {
        let mut scratch = Scratch::<Casino>::default();
        let changed = changed_by_a_redeal(|round, mut stream| {
            player.decide(&Casino, &mut scratch, &round.sight(), &mut stream)
        });
        assert_eq!(changed, 0, "{player}");
    }
}

/// Honest players change none of their decisions; this one changes some.
#[test]
fn a_player_that_peeks_is_caught() {
    let mut scratch = Scratch::<Casino>::default();
    let changed = changed_by_a_redeal(|round, _| {
        let plays = Casino.moves(round).into_iter();
        plays.max_by_key(|&play| {
            let mut next = *round;
            next.play(play);
            Casino.solve(&mut scratch.solver, &next, &(), Budget::nodes(200))
        })
    });
    assert!(changed > 0);
}

/// Seed 8: 150 rounds.
#[test]
fn every_world_looks_as_the_round_it_was_made_for() {
    let key = Streams::new(8).key("redeal");
    for index in 0..150 {
        let round = wander(8, index);
        let other = redealt(&round, &mut key.stream(index));
        assert_eq!(other.sight(), round.sight());
        assert_eq!(round.redealt(&round.unseen()), round);
        assert_eq!(Casino.moves(&other), Casino.moves(&round));
        assert_eq!(Casino.policy(&other), Casino.moves(&round).first().copied());
        let canonical = round.sight().canonical();
        let sorted = canonical.unseen();
        assert!(sorted.is_sorted());
        let mut order: Vec<u8> = (0..sorted.len() as u8).collect();
        shuffle(&mut key.stream(index), &mut order);
        let cards = order.iter().map(|&place| sorted[usize::from(place)]);
        let dealt = Casino.redeal(&canonical, &order).unseen();
        assert!(dealt.into_iter().eq(cards));
        let is_same = |one: &[Card], other: &[Card]| one == other;
        let seen = round.table().talon().len() - round.table().stock().len();
        assert!(is_same(
            &canonical.table().talon()[..seen],
            &round.table().talon()[..seen]
        ));
    }
}

/// Seed 9: 300 rounds, played on by the greedy player with real cards and quickly.
#[test]
fn quick_games_end_as_games_with_real_cards() {
    for index in 0..300 {
        let mut round = wander(9, index);
        let quick = Casino.roll_out(round);
        while let Some(play) = Casino.policy(&round) {
            assert!(play_is_legal(&round, play), "{play:?}");
            round.play(play);
        }
        assert_eq!(quick, Casino.score(&round));
    }
}

/// Seed 10, samples 0 to 1,499, of each rule a third: the cards brought home and the games won, as they were when the
/// habits were last changed. A habit that is not followed shows in one of them.
#[test]
fn the_greedy_player_keeps_its_habits() {
    let mut found = [(0_u32, 0_u32); 3];
    for index in 0..1_500 {
        let score = Casino.roll_out(Round::new(table(10, index)));
        let (cards, won) = &mut found[(index % 3) as usize];
        *cards += score;
        *won += u32::from(score >= 52);
    }
    assert_eq!(found, [(4_511, 29), (4_899, 20), (7_281, 86)]);
}

/// Every single move of a play is legal when it is made.
fn play_is_legal(round: &Round, play: Play) -> bool {
    let (mut table, mut legal, mut next) = (*round.table(), true, *round);
    next.play_and_tell(play, |single| {
        legal &= table.allows(single);
        table.play(single);
    });
    legal
}

/// Seed 3, samples 0 to 11: plays are legal single moves, end, and do not beat perfect play.
#[test]
fn games_are_legal_and_do_not_beat_perfect_play() {
    let draws = Streams::new(3).key("draws");
    let mut memory = PlayerMemory::default();
    for player in players().map(CardPlayer::ByMoves) {
        for index in 0..12 {
            let start = table(3, index);
            let game = play(Round::new(start), &player, &mut memory, (&draws, index));
            let (mut table, mut most) = (start, 0);
            for single in game.line {
                assert!(table.allows(single), "{player}: {single}");
                table.play(single);
                most = most.max(table.founded());
            }
            assert_eq!(most, game.score);
            let best = Solver::default().solve(&start, Budget::nodes(20_000));
            assert!(game.score <= best.foundation.upper());
        }
    }
}
