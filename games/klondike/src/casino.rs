//! The casino as people meet it: face-down cards are unseen.
//!
//! Given what a person has seen, every arrangement of the unseen cards is equally likely: turns
//! and foundations are forced, and moves depend only on what is seen. `book/src/soundness.md` has the
//! argument.

use std::cmp::Reverse;

use super::card::Card;
use super::pruned::{Observation, PrunedEngine, World};
use cards::hidden::HiddenGame;
use kit::search::Budget;

/// The price of a game, in dollars.
pub const STAKE: i64 = 55;
/// The payment for each card on the foundations, in dollars.
pub const PRIZE: i64 = 5;

/// The rules for the players of [`cards::hidden`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Casino;

impl HiddenGame for Casino {
    type Observation = Observation;
    type World = World;
    type Move = Card;
    type Solver = PrunedEngine;
    type Guide = ();
    const FORESIGHT: Budget = Budget::nodes(1_000_000);

    fn observe(&self, world: &World) -> Observation {
        world.observe()
    }

    fn canonical(&self, seen: &Observation) -> World {
        seen.canonical()
    }

    fn unseen(&self, seen: &Observation) -> usize {
        seen.unseen().len() as usize
    }

    fn redeal(&self, canonical: &World, order: &[u8]) -> World {
        let sorted: Vec<Card> = canonical.hidden().collect();
        let card = |&index: &u8| sorted.get(usize::from(index)).copied();
        let cards: Vec<Card> = order.iter().filter_map(card).collect();
        let mut world = canonical.clone();
        world.redeal(&cards);
        world
    }

    /// Returns the moves in the order of `greedy`: the most cards put on the foundations as far as
    /// is seen, then those that turn a card, then by suit and rank.
    fn moves(&self, world: &World) -> Vec<Card> {
        let mut moves: Vec<Card> = world.moves().collect();
        if moves.len() > 1 {
            // The sort is stable, and a set hands out its cards by suit and rank.
            moves.sort_by_cached_key(|&card| Reverse(world.gain(card)));
        }
        moves
    }

    fn width(&self, world: &World) -> usize {
        world.moves().len() as usize
    }

    fn policy(&self, world: &World) -> Option<Card> {
        let mut moves = world.moves();
        let first = moves.next()?;
        if moves.is_empty() {
            return Some(first);
        }
        let gains = moves.map(|card| (card, world.gain(card)));
        let start = (first, world.gain(first));
        let best = gains.fold(
            start,
            |best, next| if next.1 > best.1 { next } else { best },
        );
        Some(best.0)
    }

    fn play(&self, world: &mut World, card: Card) {
        world.play(card);
    }

    fn score(&self, world: &World) -> u32 {
        u32::from(world.score())
    }

    fn solve(&self, engine: &mut PrunedEngine, world: &World, _: &(), budget: Budget) -> u32 {
        // Past the budget, the score of the best play found.
        u32::from(engine.value(world, budget).lower())
    }

    fn bound(&self, _: &mut PrunedEngine, world: &World, _: Budget) -> (u32, ()) {
        (u32::from(world.bound()), ())
    }
}
