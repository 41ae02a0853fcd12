//! The casino as people meet it: cards face down are unseen.
//!
//! Given what a person has seen, every arrangement of the unseen cards is equally likely: turns and
//! foundations are forced, and moves are chosen by what is seen. `SOUNDNESS.md` argues it.

use std::cmp::Reverse;

use super::card::Card;
use super::pruned::sight::{Observation, Play, World};
use super::pruned::{Engine, bound};
use lab::search::Budget;
use lab::search::hidden::HiddenGame;

/// The rules for the players of [`lab::search::hidden`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Casino;

/// The exact engine, with what each of its searches may cost.
pub struct Solver {
    /// The engine.
    pub engine: Engine,
    /// The nodes of one search.
    pub budget: Budget,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            engine: Engine::new(),
            budget: Budget::UNLIMITED,
        }
    }
}

impl HiddenGame for Casino {
    type Observation = Observation;
    type World = World;
    type State = Play;
    type Move = Card;
    type Solver = Solver;

    fn observe(&self, world: &World, state: &Play) -> Observation {
        world.observe(state)
    }

    fn unseen(&self, seen: &Observation) -> usize {
        seen.unseen().len() as usize
    }

    fn world(&self, seen: &Observation, order: &[u8]) -> (World, Play) {
        seen.world(order)
    }

    /// In the order of `greedy`: the most cards founded as far as is seen, then those that turn a
    /// card, then by suit and rank.
    fn moves(&self, world: &World, state: &Play) -> Vec<Card> {
        let mut moves: Vec<Card> = world.moves(state).collect();
        if moves.len() > 1 {
            // The sort is stable, and a set hands out its cards by suit and rank.
            moves.sort_by_cached_key(|&card| Reverse(world.gain(state, card)));
        }
        moves
    }

    fn policy(&self, world: &World, state: &Play) -> Option<Card> {
        let mut moves = world.moves(state);
        let first = moves.next()?;
        if moves.is_empty() {
            return Some(first);
        }
        let gains = moves.map(|card| (card, world.gain(state, card)));
        let start = (first, world.gain(state, first));
        let best = gains.fold(
            start,
            |best, next| if next.1 > best.1 { next } else { best },
        );
        Some(best.0)
    }

    fn play(&self, world: &World, state: &mut Play, card: Card) {
        world.play(state, card);
    }

    fn score(&self, state: &Play) -> u32 {
        state.founded().len()
    }

    fn solve(&self, solver: &mut Solver, world: &World, state: &Play) -> u32 {
        let found = solver.engine.solve_position(world, state, solver.budget);
        // Past the budget, the score of the best play found.
        u32::from(found.lower())
    }

    fn bound(&self, world: &World, state: &Play) -> u32 {
        u32::from(bound(world, state))
    }
}
