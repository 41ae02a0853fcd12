//! Advice on a decision: every move with its scores in the worlds it is judged on.

use std::ops::Range;

use super::HiddenGame;
use super::player::{HiddenPlayer, Scratch};
use kit::rng::Stream;

/// A move with its score in each world.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice<M> {
    /// The move.
    pub play: M,
    /// The move's score in each world; the worlds are the same for all moves.
    pub scores: Vec<u32>,
}

/// Advice in the making: moves, and worlds to judge them on. A world is judged by itself, so worlds may be
/// shared out.
pub struct Judging<G: HiddenGame> {
    player: HiddenPlayer,
    moves: Vec<G::Move>,
    /// Each world, with the stream of the draws in it where the player needs one.
    worlds: Vec<(G::World, Option<Stream>)>,
}

impl<G: HiddenGame> Judging<G> {
    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.worlds.len()
    }

    /// The scores of all moves in some of the worlds, a row for each world.
    pub fn judge(&self, game: &G, scratch: &mut Scratch<G>, worlds: Range<usize>) -> Vec<Vec<u32>> {
        let player = &self.player;
        let end = worlds.end.min(self.worlds.len());
        let worlds = &self.worlds[worlds.start.min(end)..end];
        let judge = |(world, stream): &(G::World, Option<Stream>)| {
            let imagined = player.imagine_one(game, scratch, world.clone(), stream.clone());
            let score = |&play| player.score(game, scratch, &imagined, play);
            self.moves.iter().map(score).collect()
        };
        worlds.iter().map(judge).collect()
    }

    /// Every move with its scores in the worlds that were judged.
    pub fn advice(&self, judged: &[Vec<u32>]) -> Vec<Advice<G::Move>> {
        let advice = |(index, &play): (usize, &G::Move)| Advice {
            play,
            scores: judged
                .iter()
                .filter_map(|row| row.get(index).copied())
                .collect(),
        };
        self.moves.iter().enumerate().map(advice).collect()
    }
}

impl HiddenPlayer {
    /// Every legal move, in the base player's order, with its scores; no scores of players that do
    /// not judge all moves on as many [`worlds`](Self::worlds).
    pub fn advise<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        seen: &G::Observation,
        stream: Stream,
    ) -> Vec<Advice<G::Move>> {
        let judging = self.begin_advice(game, seen, stream);
        let judged = judging.judge(game, scratch, 0..judging.worlds());
        judging.advice(&judged)
    }

    /// Begins what [`advise`](Self::advise) does at once.
    pub fn begin_advice<G: HiddenGame>(
        &self,
        game: &G,
        seen: &G::Observation,
        mut stream: Stream,
    ) -> Judging<G> {
        let canonical = game.canonical(seen);
        let limit = self.worlds().unwrap_or(0);
        Judging {
            player: self.clone(),
            moves: game.moves(&canonical),
            worlds: self.draw_worlds(game, (seen, &canonical), limit, &mut stream),
        }
    }
}
