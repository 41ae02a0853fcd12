//! Players see no hidden card, and what they imagine agrees with what they see.

use super::super::card::Card;
use super::super::position::Position;
use super::super::pruned::Engine;
use super::super::pruned::sight::{Observation, Play};
use super::*;
use lab::rng::{Stream, Streams, below, shuffle};
use lab::search::Budget;

const PLAYERS: [&str; 7] = [
    "greedy",
    "random",
    "rollout(6)",
    "hindsight(6)",
    "nested(3, rollout(2))",
    "nested(3, ismcts(8))",
    "ismcts(40, 2)",
];

fn players() -> impl Iterator<Item = Player> {
    PLAYERS.iter().map(|name| name.parse().unwrap())
}

fn deal(seed: u64, index: u64) -> Deal {
    let mut stream = Streams::new(seed).key("deal").stream(index);
    Deal::draw(&"yukon".parse().unwrap(), &mut stream)
}

/// A position reached by a few random moves.
fn wander(seed: u64, index: u64) -> (World, Play) {
    let (world, mut state) = World::of(&deal(seed, index));
    let mut stream = Streams::new(seed).key("wander").stream(index);
    for _ in 0..below(&mut stream, 12) {
        let moves: Vec<Card> = world.moves(&state).collect();
        let Some(&card) = lab::rng::choose(&mut stream, &moves) else {
            break;
        };
        world.play(&mut state, card);
    }
    (world, state)
}

/// Another position that looks the same.
fn redealt(seen: &Observation, stream: &mut Stream) -> (World, Play) {
    let mut order: Vec<u8> = (0..seen.unseen().len() as u8).collect();
    shuffle(stream, &mut order);
    seen.world(&order)
}

/// Seed 7: whether a redeal of the hidden cards changes a decision, over 60 positions.
fn is_changed_by_a_redeal(mut decide: impl FnMut(&World, &Play, Stream) -> Option<Card>) -> bool {
    let streams = Streams::new(7);
    (0..60).any(|index| {
        let (world, state) = wander(7, index);
        let mut stream = streams.key("redeal").stream(index);
        let (other, same) = redealt(&world.observe(&state), &mut stream);
        let draws = streams.key("decide").stream(index);
        decide(&world, &state, draws.clone()) != decide(&other, &same, draws)
    })
}

#[test]
fn redealing_hidden_cards_changes_no_decision() {
    for player in players() {
        let mut scratch = Scratch::default();
        let is_changed = is_changed_by_a_redeal(|world, state, mut stream| {
            let seen = world.observe(state);
            player.decide(&Casino, &mut scratch, &seen, &mut stream)
        });
        assert!(!is_changed, "{player}");
    }
}

/// Two players that peek: one counts the cards founded after the turn, one solves the true deal.
#[test]
fn players_that_peek_are_caught() {
    let founded = |world: &World, state: &Play, card| {
        let mut next = state.clone();
        world.play(&mut next, card);
        next.founded().len()
    };
    assert!(is_changed_by_a_redeal(|world, state, _| {
        let moves = Casino.moves(world, state).into_iter();
        moves.max_by_key(|&card| founded(world, state, card))
    }));
    let mut engine = Engine::new();
    assert!(is_changed_by_a_redeal(|world, state, _| {
        let moves = Casino.moves(world, state).into_iter();
        moves.max_by_key(|&card| {
            let mut next = state.clone();
            world.play(&mut next, card);
            engine
                .solve_position(world, &next, Budget::UNLIMITED)
                .lower()
        })
    }));
}

/// Seed 8: 200 positions, each with two of its worlds.
#[test]
fn every_world_looks_as_the_position_it_was_made_for() {
    let key = Streams::new(8).key("redeal");
    for index in 0..200 {
        let (world, state) = wander(8, index);
        let seen = world.observe(&state);
        for _ in 0..2 {
            let (other, same) = redealt(&seen, &mut key.stream(index));
            assert_eq!(other.observe(&same), seen);
            assert_eq!(other.moves(&same), world.moves(&state));
            assert_eq!(Casino.moves(&other, &same), Casino.moves(&world, &state));
            assert_eq!(Casino.policy(&other, &same), Casino.policy(&world, &state));
            let first = Casino.moves(&world, &state).first().copied();
            assert_eq!(Casino.policy(&world, &state), first);
        }
    }
}

/// Seed 9: a world rebuilt from what is seen and the true order of the hidden cards is the true
/// one: it plays on as the deal does.
#[test]
fn the_true_order_of_the_hidden_cards_gives_the_true_world() {
    for index in 0..200 {
        let deal = deal(9, index);
        let (world, state) = wander(9, index);
        let seen = world.observe(&state);
        let unseen: Vec<Card> = seen.unseen().collect();
        let hidden = deal.cards().iter().filter(|card| unseen.contains(card));
        let place = |card: &Card| unseen.iter().position(|other| other == card).unwrap() as u8;
        let order: Vec<u8> = hidden.map(place).collect();
        let (rebuilt, mut copy) = seen.world(&order);
        let mut state = state;
        let mut stream = Streams::new(9).key("play on").stream(index);
        loop {
            assert_eq!(rebuilt.observe(&copy), world.observe(&state));
            let moves: Vec<Card> = world.moves(&state).collect();
            assert_eq!(rebuilt.moves(&copy).collect::<Vec<_>>(), moves);
            let Some(&card) = lab::rng::choose(&mut stream, &moves) else {
                break;
            };
            world.play(&mut state, card);
            rebuilt.play(&mut copy, card);
        }
    }
}

/// Seed 10: the score of a position is its score now, or that of its best move; 60 whole games.
#[test]
fn a_position_is_worth_what_its_best_move_is() {
    let mut engine = Engine::new();
    let mut value = |world: &World, state: &Play| {
        let found = engine.solve_position(world, state, Budget::UNLIMITED);
        assert!(u32::from(found.lower()) <= Casino.bound(world, state));
        found.lower()
    };
    for index in 0..60 {
        let (world, mut state) = World::of(&deal(10, index));
        let mut whole = Engine::new();
        let optimum = whole.solve(&deal(10, index), Budget::UNLIMITED).score;
        assert_eq!(value(&world, &state), optimum.lower());
        while let Some(card) = Casino.policy(&world, &state) {
            let after = world.moves(&state).map(|card| {
                let mut next = state.clone();
                world.play(&mut next, card);
                value(&world, &next)
            });
            assert_eq!(after.max(), Some(value(&world, &state)));
            world.play(&mut state, card);
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
            let (world, state) = wander(11, index);
            let seen = world.observe(&state);
            let chosen = player.decide(&Casino, &mut scratch, &seen, &mut key.stream(index));
            let advice = player.advise(&Casino, &mut scratch, &seen, &mut key.stream(index));
            let total = |scores: &[u32]| scores.iter().sum::<u32>();
            let best = advice
                .iter()
                .rev()
                .max_by_key(|advice| total(&advice.scores));
            assert_eq!(chosen, best.map(|advice| advice.play), "{player}, {index}");
        }
    }
}

/// Seed 3: 40 deals.
#[test]
fn no_player_beats_perfect_sight_and_each_plays_to_the_end() {
    let streams = Streams::new(3);
    let mut engine = Engine::new();
    for player in players() {
        let draws = streams.key("draws");
        let mut scratch = Scratch::default();
        for index in 0..40 {
            let deal = deal(3, index);
            let optimum = engine.solve(&deal, Budget::UNLIMITED).score.lower();
            let game = play(&deal, &player, &mut scratch, (&draws, index));
            assert!(game.outcome.score.lower() <= optimum);
            let mut position = Position::new(&deal);
            game.outcome
                .moves
                .iter()
                .for_each(|&card| position.play(card));
            assert!(position.moves().is_empty());
            assert_eq!(position.score(), game.outcome.score.lower());
        }
    }
}

/// Moving 2C founds the ace under it, moving 5D turns the king under it; 8S, before them by rank
/// but not by suit, does neither.
#[test]
fn greedy_founds_rather_than_turns_and_turns_rather_than_not() {
    let text = "4S 9S | 4D KH 6D | 4C KC 3C | 3S AH 2C | Kd 5D | 3D QS 8S | 2D QD | 2S QC | \
        2H QH | AC AS KS AD JS JD JC JH TS TD TC TH 9D 9C 9H 8D 8C 8H 7S 7D 7C 7H 6S 6C 6H 5S \
        5C 5H 4H 3H";
    let (world, state) = World::of(&text.parse().unwrap());
    let moves = Casino.moves(&world, &state);
    let symbols: Vec<String> = moves.iter().map(Card::to_string).collect();
    assert_eq!(symbols, ["2C", "5D", "8S"]);
}
