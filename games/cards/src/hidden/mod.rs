//! One-player games with unseen cards, and players that do not see them.
//!
//! A game defines what is seen, which worlds agree with it, and what the best play of a world
//! scores. Every player here is built on these three. A player receives an observation without
//! hidden cards, so it cannot peek. Knows no game. Sampling worlds and solving each as if all
//! cards were seen is hindsight, or averaging over clairvoyance (Ginsberg 2001, "GIB: imperfect
//! information in a computationally challenging game"). What it misses is strategy fusion (Frank
//! and Basin 1998, "Search in games with incomplete information").

mod advice;
mod game;
mod name;
mod observation_tree;
mod player;
mod race;
mod worlds;

pub use advice::{Advice, Judging};
pub use game::PlayedGame;
pub use name::PlayerError;
pub use player::{HiddenPlayer, Scratch, Shortlist};
pub use worlds::{count_worlds, worlds};

use kit::search::Budget;
use std::hash::Hash;

/// The rules of a game for one player in which every arrangement of the unseen cards is equally
/// likely.
pub trait HiddenGame {
    /// The sight of the player. It cannot hold an unseen card.
    type Observation: Clone + Eq + Hash;
    /// A game in progress with every card in its place.
    type World: Clone;
    /// True if worlds in which a move disappointed are tried first for the next move, and worlds
    /// whose bound is 0 are passed over. That changes no choice, only the number of searches, which
    /// stored results hold.
    const TRIES_DOUBTFUL_FIRST: bool = false;
    /// The nodes that each exact search of a player may cost whose name says nothing of them.
    const FORESIGHT: Budget;
    /// A move: the same in all worlds of an observation.
    type Move: Copy + Eq;
    /// Memory of the exact search, kept from one call to the next.
    type Solver: Default;
    /// A world's solution before a move, to find those after it sooner; `()` of games without.
    type Guide;

    /// Returns the player's sight of a world.
    fn observe(&self, world: &Self::World) -> Self::Observation;

    /// The world in which the unseen cards lie sorted on the hidden places: what is seen, and no
    /// more.
    fn canonical(&self, seen: &Self::Observation) -> Self::World;

    /// Returns the number of unseen cards.
    fn unseen(&self, seen: &Self::Observation) -> usize;

    /// The canonical world with the unseen cards in another order: hidden place `i` gets card
    /// `order[i]` of the sorted ones.
    fn redeal(&self, canonical: &Self::World, order: &[u8]) -> Self::World;

    /// The legal moves, those first that the base player likes best. They and their order depend
    /// on what is seen only.
    fn moves(&self, world: &Self::World) -> Vec<Self::Move>;

    /// The number of legal moves.
    fn width(&self, world: &Self::World) -> usize {
        self.moves(world).len()
    }

    /// The base player's move, `None` at the end: the first of [`moves`](Self::moves).
    fn policy(&self, world: &Self::World) -> Option<Self::Move> {
        self.moves(world).first().copied()
    }

    /// The score of a game that the base player plays on to its end. A game that has a quicker way
    /// to the same score takes it.
    fn roll_out(&self, mut world: Self::World) -> u32 {
        while let Some(play) = self.policy(&world) {
            self.play(&mut world, play);
        }
        self.score(&world)
    }

    /// Plays a legal move.
    fn play(&self, world: &mut Self::World, play: Self::Move);

    /// The score if the game ended now.
    fn score(&self, world: &Self::World) -> u32;

    /// The score of the best play by a player who sees all cards, or what a search within the budget
    /// makes of it; `guide` is from the [`bound`](Self::bound) of the world before the last move.
    fn solve(
        &self,
        solver: &mut Self::Solver,
        world: &Self::World,
        guide: &Self::Guide,
        budget: Budget,
    ) -> u32;

    /// A bound that no [`solve`](Self::solve) after a move exceeds: quicker than that search, or
    /// one search for all moves, whose guide it is. A world whose bound is 0 is not looked at any
    /// more.
    fn bound(
        &self,
        solver: &mut Self::Solver,
        world: &Self::World,
        budget: Budget,
    ) -> (u32, Self::Guide);
}

#[cfg(test)]
mod tests;
