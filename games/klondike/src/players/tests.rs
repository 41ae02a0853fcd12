//! Players see no hidden card, and what they imagine agrees with what they see.

use std::collections::BTreeMap;

use super::super::card::Card;
use super::super::layout::Layout;
use super::super::position::Position;
use super::super::pruned::PrunedEngine;
use super::*;
use cards::hidden::{HiddenGame, worlds};
use kit::rng::{Stream, Streams, below, choose, shuffle};
use kit::search::Budget;

const PLAYERS: [&str; 8] = [
    "greedy",
    "random",
    "rollout(6)",
    "hindsight(6)",
    "nested(3, rollout(2))",
    "nested(3, ismcts(8))",
    "close(1, 2, hindsight(3), rollout(4))",
    "ismcts(40, 2)",
];

fn players() -> impl Iterator<Item = HiddenPlayer> {
    PLAYERS.iter().map(|name| name.parse().unwrap())
}

fn deal(seed: u64, index: u64) -> Deal {
    let mut stream = Streams::new(seed).key("deal").stream(index);
    Deal::draw(&"yukon".parse().unwrap(), &mut stream)
}

/// A position reached by a few random moves.
fn wander(seed: u64, index: u64) -> World {
    let mut world = World::new(&deal(seed, index));
    let mut stream = Streams::new(seed).key("wander").stream(index);
    for _ in 0..below(&mut stream, 12) {
        let moves: Vec<Card> = world.moves().collect();
        let Some(&card) = choose(&mut stream, &moves) else {
            break;
        };
        world.play(card);
    }
    world
}

/// Another position that looks the same.
fn redealt(world: &World, stream: &mut Stream) -> World {
    let mut hidden: Vec<Card> = world.hidden_in_order().collect();
    shuffle(stream, &mut hidden);
    let mut other = world.clone();
    other.redeal(&hidden);
    other
}

/// Seed 7: of 300 positions, the decisions that a redeal of the hidden cards changes.
fn changed_by_a_redeal(mut decide: impl FnMut(&World, Stream) -> Option<Card>) -> usize {
    let streams = Streams::new(7);
    let is_changed = |index: &u64| {
        let world = wander(7, *index);
        let other = redealt(&world, &mut streams.key("redeal").stream(*index));
        let draws = streams.key("decide").stream(*index);
        decide(&world, draws.clone()) != decide(&other, draws)
    };
    (0..300).filter(is_changed).count()
}

#[test]
fn redealing_hidden_cards_changes_no_decision() {
    let race = "race(12, hindsight(3))".parse().unwrap();
    for player in players().chain([race]) {
        let mut scratch = Scratch::default();
        let changed = changed_by_a_redeal(|world, mut stream| {
            player.decide(&Casino, &mut scratch, &world.observe(), &mut stream)
        });
        assert_eq!(changed, 0, "{player}");
    }
}

/// Two players that peek: one counts the cards put on the foundations after the turn, one solves
/// the true deal.
#[test]
fn players_that_peek_are_caught() {
    let after = |world: &World, card| {
        let mut next = world.clone();
        next.play(card);
        next
    };
    let counting = changed_by_a_redeal(|world, _| {
        let moves = Casino.moves(world).into_iter();
        moves.max_by_key(|&card| after(world, card).score())
    });
    let mut engine = PrunedEngine::new();
    let mut value = |world: &World| engine.value(world, Budget::UNLIMITED).lower();
    let solving = changed_by_a_redeal(|world, _| {
        let moves = Casino.moves(world).into_iter();
        moves.max_by_key(|&card| value(&after(world, card)))
    });
    assert!(counting > 0 && solving > 0, "{counting}, {solving}");
}

/// Seed 8: 200 positions, each with two of its worlds.
#[test]
fn every_world_looks_as_the_position_it_was_made_for() {
    let key = Streams::new(8).key("redeal");
    for index in 0..200 {
        let world = wander(8, index);
        let seen = world.observe();
        let canonical = seen.canonical();
        assert!(canonical.hidden_in_order().eq(seen.unseen()));
        let unseen = seen.unseen().len() as u8;
        for _ in 0..2 {
            let mut order: Vec<u8> = (0..unseen).collect();
            shuffle(&mut key.stream(index), &mut order);
            let other = Casino.redeal(&canonical, &order);
            let sorted: Vec<Card> = canonical.hidden_in_order().collect();
            let cards = order.iter().map(|&place| sorted[usize::from(place)]);
            assert!(other.hidden_in_order().eq(cards));
            assert_eq!(other.observe(), seen);
            assert_eq!(Casino.moves(&other), Casino.moves(&world));
            let first = Casino.moves(&world).first().copied();
            assert_eq!(Casino.policy(&other), first);
        }
    }
}

/// Seed 9: a world made from what is seen and the true order of the hidden cards is the true one:
/// it plays on as the deal does.
#[test]
fn the_true_order_of_the_hidden_cards_gives_the_true_world() {
    for index in 0..200 {
        let mut world = wander(9, index);
        let hidden: Vec<Card> = world.hidden_in_order().collect();
        let mut rebuilt = world.observe().canonical();
        rebuilt.redeal(&hidden);
        let mut stream = Streams::new(9).key("play on").stream(index);
        loop {
            assert_eq!(rebuilt.observe(), world.observe());
            assert_eq!(rebuilt.bound(), world.bound());
            let moves: Vec<Card> = world.moves().collect();
            assert!(rebuilt.moves().eq(moves.iter().copied()));
            let Some(&card) = choose(&mut stream, &moves) else {
                break;
            };
            world.play(card);
            rebuilt.play(card);
        }
    }
}

/// Seed 10: the score of a position is its score now, or that of its best move; 60 whole games.
#[test]
fn a_position_is_worth_what_its_best_move_is() {
    let mut engine = PrunedEngine::new();
    let mut value = |world: &World| {
        let score = engine.value(world, Budget::UNLIMITED).lower();
        assert!(score <= world.bound());
        score
    };
    for index in 0..60 {
        let mut world = World::new(&deal(10, index));
        while let Some(card) = Casino.policy(&world) {
            let after = world.moves().map(|card| {
                let mut next = world.clone();
                next.play(card);
                value(&next)
            });
            assert_eq!(after.max(), Some(value(&world)));
            world.play(card);
        }
    }
}

/// Seed 11: leaving out scores that cannot matter leaves the choice as it is.
#[test]
fn the_choice_is_the_first_move_with_the_largest_total() {
    let mut scratch = Scratch::default();
    let key = Streams::new(11).key("decide");
    for player in players().filter(|player| player.worlds().is_some()) {
        for index in 0..60 {
            let seen = wander(11, index).observe();
            let chosen = player.decide(&Casino, &mut scratch, &seen, &mut key.stream(index));
            let advice = player.advise(&Casino, &mut scratch, &seen, key.stream(index));
            let total = |scores: &[u32]| scores.iter().sum::<u32>();
            let best = advice
                .iter()
                .rev()
                .max_by_key(|advice| total(&advice.scores));
            assert_eq!(chosen, best.map(|advice| advice.play), "{player}, {index}");
        }
    }
}

/// The totals of some moves over some worlds.
fn totals(
    worlds: &[World],
    moves: &[Card],
    mut score: impl FnMut(&World) -> u32,
) -> Vec<(Card, u32)> {
    let mut after = |world: &World, card| {
        let mut next = world.clone();
        next.play(card);
        score(&next)
    };
    let total = |&card: &Card| (card, worlds.iter().map(|world| after(world, card)).sum());
    moves.iter().map(total).collect()
}

/// Seed 12, 2,000 positions: of the moves that come close to the best in some worlds, the one is made that a plain
/// player takes in the next ones.
#[test]
fn close_moves_are_those_of_plain_sums_and_so_is_the_choice_among_them() {
    let (mut scratch, mut engine) = (Scratch::default(), PrunedEngine::new());
    let key = Streams::new(12).key("decide");
    let (mut shortened, mut changed) = (0, 0);
    for index in 0..2_000 {
        let (margin, most) = ((index % 4) as u32, 1 + (index / 4 % 4) as usize);
        let seen = wander(12, index).observe();
        let (canonical, stream) = (seen.canonical(), &mut key.stream(index));
        let moves = Casino.moves(&canonical);
        let first = worlds(&Casino, &seen, &canonical, 4, stream);
        let mut close = totals(&first, &moves, |world| {
            Casino.solve(&mut engine, world, &(), Casino::FORESIGHT)
        });
        let best = close.iter().map(|close| close.1).max().unwrap_or(0);
        close.retain(|close| close.1 + margin * first.len() as u32 >= best);
        close.sort_by_key(|close| std::cmp::Reverse(close.1));
        close.truncate(most);
        let close: Vec<Card> = close.into_iter().map(|close| close.0).collect();
        let next = worlds(&Casino, &seen, &canonical, 5, stream);
        let next = totals(&next, &close, |world| Casino.roll_out(world.clone()));
        let chosen = next.iter().rev().max_by_key(|next| next.1);
        let name = format!("close({margin}, {most}, hindsight(4), rollout(5))");
        let player: HiddenPlayer = name.parse().unwrap();
        let made = player.decide(&Casino, &mut scratch, &seen, &mut key.stream(index));
        assert_eq!(made, chosen.map(|chosen| chosen.0), "{name}, {index}");
        shortened += usize::from(close.len() < moves.len());
        changed += usize::from(made != close.first().copied());
    }
    assert!(shortened > 500 && changed > 20, "{shortened}, {changed}");
}

/// Seed 3: 40 deals.
#[test]
fn no_player_beats_perfect_sight_and_each_plays_to_the_end() {
    let streams = Streams::new(3);
    let mut engine = PrunedEngine::new();
    for player in players() {
        let draws = streams.key("draws");
        let mut scratch = Scratch::default();
        for index in 0..40 {
            let deal = deal(3, index);
            let optimum = engine.solve(&deal, Budget::UNLIMITED).score.lower();
            let game = play(&deal, &player, &mut scratch, (&draws, index));
            assert!(game.end.score() <= optimum);
            let mut position = Position::new(&deal);
            game.plays.iter().for_each(|&card| position.play(card));
            assert!(position.moves().is_empty());
            assert_eq!(position.score(), game.end.score());
        }
    }
}

/// Moving 2C plays the ace under it, moving 5D turns the king under it; 8S, before them by rank
/// but not by suit, does neither.
#[test]
fn greedy_prefers_founding_to_turning_and_turning_to_other_moves() {
    let text = "4S 9S | 4D KH 6D | 4C KC 3C | 3S AH 2C | Kd 5D | 3D QS 8S | 2D QD | 2S QC | \
        2H QH | AC AS KS AD JS JD JC JH TS TD TC TH 9D 9C 9H 8D 8C 8H 7S 7D 7C 7H 6S 6C 6H 5S \
        5C 5H 4H 3H";
    let world = World::new(&text.parse().unwrap());
    let symbols: Vec<String> = Casino.moves(&world).iter().map(Card::to_string).collect();
    assert_eq!(symbols[..2], ["2C", "5D"]);
    assert_ne!(
        world.moves().map(|card| card.to_string()).next().as_deref(),
        Some("2C")
    );
}

/// Totals over all deals of small decks, from an independent expectimax: perfect sight,
/// hindsight over all worlds, greedy.
const SMALL: [(&str, &str, [u32; 3]); 2] = [
    ("2x4", "0:1,2:1,3:1", [226_496, 223_016, 222_872]),
    ("2x4", "1:1,2:1,2:1", [247_184, 246_512, 246_512]),
];

#[test]
fn totals_over_all_deals_of_a_small_deck_are_the_known_ones() {
    let draws = Streams::new(1).key("unused");
    let names = ["hindsight(720)", "greedy"];
    for (deck, columns, totals) in SMALL {
        let layout = Layout::parse(columns, deck.parse().unwrap()).unwrap();
        let players = names.map(|name| name.parse::<HiddenPlayer>().unwrap());
        let mut scratch = Scratch::<Casino>::default();
        let mut sums = [0; 3];
        for_every_order(
            &mut layout.deck().cards().collect::<Vec<_>>(),
            0,
            &mut |cards| {
                let deal = Deal::with_cards(&layout, cards).unwrap();
                let optimum = scratch.solver.solve(&deal, Budget::UNLIMITED).score;
                sums[0] += u32::from(optimum.lower());
                for (total, player) in sums[1..].iter_mut().zip(&players) {
                    let game = play(&deal, player, &mut scratch, (&draws, 0));
                    *total += u32::from(game.end.score());
                }
            },
        );
        assert_eq!(sums, totals, "{columns}");
    }
}

fn for_every_order(cards: &mut [Card], from: usize, visit: &mut dyn FnMut(&[Card])) {
    if from + 1 >= cards.len() {
        return visit(cards);
    }
    for next in from..cards.len() {
        cards.swap(from, next);
        for_every_order(cards, from + 1, visit);
        cards.swap(from, next);
    }
}

/// All 40,320 deals of a small deck, played by `greedy` to the third position: whatever was seen,
/// the arrangements of the unseen cards are equally frequent, exactly.
#[test]
fn given_what_was_seen_all_arrangements_are_equally_likely() {
    let layout = Layout::parse("1:1,2:1,2:1", "2x4".parse().unwrap()).unwrap();
    let mut counts: BTreeMap<String, BTreeMap<Vec<Card>, u32>> = BTreeMap::new();
    for_every_order(
        &mut layout.deck().cards().collect::<Vec<_>>(),
        0,
        &mut |cards| {
            let mut world = World::new(&Deal::with_cards(&layout, cards).unwrap());
            for _ in 0..2 {
                if let Some(card) = Casino.policy(&world) {
                    world.play(card);
                }
            }
            let hidden = world.hidden_in_order().collect();
            let seen = format!("{:?}", world.observe());
            *counts.entry(seen).or_default().entry(hidden).or_default() += 1;
        },
    );
    assert!(counts.len() > 1_000);
    for (seen, arrangements) in counts {
        let unseen = arrangements.keys().next().map_or(0, Vec::len);
        assert_eq!(
            arrangements.len(),
            (1..=unseen).product::<usize>(),
            "{seen}"
        );
        assert!(arrangements.values().all(|&count| count == 1), "{seen}");
    }
}

/// Seed 13: two players share the deal of a sample, and no draw of any decision.
#[test]
fn players_share_deals_and_not_draws() {
    let streams = Streams::new(13);
    let draws = ["hindsight(8)", "hindsight(32)", "random"]
        .map(|name| name.parse::<HiddenPlayer>().unwrap().purpose())
        .map(|purpose| streams.key(&purpose));
    let mut first: Vec<u64> = Vec::new();
    for key in &draws {
        for decision in 0..20 {
            let mut stream = key.step(5, decision);
            first.extend([below(&mut stream, u64::MAX), below(&mut stream, u64::MAX)]);
        }
    }
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), 3 * 20 * 2);
}
