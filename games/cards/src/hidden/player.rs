//! Players that choose by an observation alone.

mod shortlist;

pub use shortlist::Shortlist;

use super::HiddenGame;
use super::observation_tree::ObservationTree;
use super::race::Race;
use super::worlds::worlds;
use kit::rng::{Stream, below, choose, fork};
use kit::search::Budget;

/// A player of games with unseen cards.
#[derive(Clone, Debug, PartialEq)]
pub enum HiddenPlayer {
    /// The game's base player, without search.
    Greedy,
    /// Any legal move.
    Random,
    /// The move with the best mean score over worlds, the base player playing on.
    Rollout {
        /// Worlds per decision.
        worlds: u32,
    },
    /// Like [`Self::Rollout`], but each world is played on as well as a player can who sees all cards.
    Hindsight {
        /// Worlds per decision.
        worlds: u32,
        /// Nodes of the exact search of a world, at most; `None` for as many as the
        /// [game](HiddenGame::FORESIGHT) says.
        nodes: Option<u32>,
    },
    /// Like [`Self::Rollout`], but another player plays on.
    Nested {
        /// Worlds per decision.
        worlds: u32,
        /// The player who plays on.
        player: Box<HiddenPlayer>,
    },
    /// A player that judges worlds, with more of them as long as moves are close.
    Race {
        /// Worlds per decision, at most.
        worlds: u32,
        /// The player who judges; its own number of worlds is that at first.
        player: Box<HiddenPlayer>,
    },
    /// A player that decides among the moves that another hardly tells apart.
    Close {
        /// The moves that are close.
        shortlist: Shortlist,
        /// The player who judges all moves, and passes on those that are close.
        judge: Box<HiddenPlayer>,
        /// The player who decides among them.
        player: Box<HiddenPlayer>,
    },
    /// A player that errs on purpose: it makes another's moves, and now and then any legal one.
    Errs {
        /// The share of its decisions, in per cent, at which all legal moves are equally likely.
        percent: u32,
        /// The player whose moves it makes otherwise.
        player: Box<HiddenPlayer>,
    },
    /// A tree over what is seen, each descent in a world of its own: information set Monte Carlo
    /// tree search (Cowling, Powley and Whitehouse 2012); with one player it is the tree of POMCP
    /// (Silver and Veness 2010).
    Ismcts {
        /// Descents per decision, at most.
        iterations: u32,
        /// The weight of exploration, in units of the score.
        exploration: f64,
    },
}

/// The needs of a player besides the rules: memory, and counts of its work.
pub struct Scratch<G: HiddenGame> {
    /// The exact search's memory.
    pub solver: G::Solver,
    /// Exact searches so far.
    pub solves: u64,
}

impl<G: HiddenGame> Default for Scratch<G> {
    fn default() -> Self {
        Self {
            solver: G::Solver::default(),
            solves: 0,
        }
    }
}

impl HiddenPlayer {
    /// Returns hindsight over a number of worlds, with the game's own limit of nodes.
    pub const fn hindsight(worlds: u32) -> HiddenPlayer {
        HiddenPlayer::Hindsight {
            worlds,
            nodes: None,
        }
    }

    /// The move chosen for what is seen, `None` where there is none. A single legal move is played
    /// without any search. Ties go to the move that the base player likes better.
    pub fn decide<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        seen: &G::Observation,
        stream: &mut Stream,
    ) -> Option<G::Move> {
        let canonical = game.canonical(seen);
        if *self == HiddenPlayer::Greedy {
            return game.policy(&canonical);
        }
        let moves = game.moves(&canonical);
        self.decide_among(game, scratch, (seen, &canonical), &moves, stream)
    }

    /// The move chosen of some legal ones. Ties go to the first.
    fn decide_among<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        sight: (&G::Observation, &G::World),
        moves: &[G::Move],
        stream: &mut Stream,
    ) -> Option<G::Move> {
        if moves.len() < 2 {
            return moves.first().copied();
        }
        match self {
            HiddenPlayer::Greedy => moves.first().copied(),
            HiddenPlayer::Random => choose(stream, moves).copied(),
            HiddenPlayer::Errs { percent, player } => {
                if below(stream, 100) < u64::from(*percent) {
                    choose(stream, moves).copied()
                } else {
                    player.decide_among(game, scratch, sight, moves, stream)
                }
            }
            HiddenPlayer::Ismcts {
                iterations,
                exploration,
            } => ObservationTree::new(*exploration).search(game, sight.0, *iterations, stream),
            HiddenPlayer::Race { worlds, player } => {
                let race = Race {
                    first: player.worlds().unwrap_or(1),
                    limit: *worlds,
                };
                let imagine =
                    |scratch: &mut _, count| player.imagine(game, scratch, sight, count, stream);
                let score =
                    |scratch: &mut _, world: &_, play| player.score(game, scratch, world, play);
                race.run(moves, scratch, imagine, score)
            }
            HiddenPlayer::Close {
                shortlist,
                judge,
                player,
            } => {
                let worlds = judge.imagine_all(game, scratch, sight, stream);
                let close = judge.shortlist(game, scratch, &worlds, moves, *shortlist);
                player.decide_among(game, scratch, sight, &close, stream)
            }
            _ => {
                let worlds = self.imagine_all(game, scratch, sight, stream);
                let is_out = |hope, best| hope <= best;
                let rivals = self.rivals(game, scratch, &worlds, moves, &is_out);
                // Each is better than all before it.
                rivals.last().map(|rival| rival.play)
            }
        }
    }

    /// The worlds that each move of a decision is judged on, for players that judge all moves on
    /// the same number of them.
    pub fn worlds(&self) -> Option<u32> {
        match *self {
            HiddenPlayer::Rollout { worlds }
            | HiddenPlayer::Hindsight { worlds, .. }
            | HiddenPlayer::Nested { worlds, .. } => Some(worlds),
            HiddenPlayer::Greedy
            | HiddenPlayer::Random
            | HiddenPlayer::Race { .. }
            | HiddenPlayer::Close { .. }
            | HiddenPlayer::Errs { .. }
            | HiddenPlayer::Ismcts { .. } => None,
        }
    }

    /// The nodes that each of its exact searches may cost.
    fn foresight<G: HiddenGame>(&self) -> Budget {
        match *self {
            HiddenPlayer::Hindsight {
                nodes: Some(nodes), ..
            } => Budget::nodes(nodes.into()),
            _ => G::FORESIGHT,
        }
    }

    /// The player with the foresight that a game gives where a name says nothing of it. Players
    /// that differ in their foresight alone draw the same worlds.
    #[must_use]
    pub fn with_usual_foresight(&self) -> HiddenPlayer {
        let mut player = self.clone();
        player.forget_foresight();
        player
    }

    fn forget_foresight(&mut self) {
        match self {
            HiddenPlayer::Hindsight { nodes, .. } => *nodes = None,
            HiddenPlayer::Nested { player, .. }
            | HiddenPlayer::Race { player, .. }
            | HiddenPlayer::Errs { player, .. } => player.forget_foresight(),
            HiddenPlayer::Close { judge, player, .. } => {
                judge.forget_foresight();
                player.forget_foresight();
            }
            HiddenPlayer::Greedy
            | HiddenPlayer::Random
            | HiddenPlayer::Rollout { .. }
            | HiddenPlayer::Ismcts { .. } => (),
        }
    }

    /// The purpose of the streams that it draws from: players share draws only if they differ in nothing
    /// but foresight.
    pub fn purpose(&self) -> String {
        format!("play of {}", self.with_usual_foresight())
    }

    /// The worlds of a decision; none where [`worlds`](Self::worlds) are none.
    fn imagine_all<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        sight: (&G::Observation, &G::World),
        stream: &mut Stream,
    ) -> Vec<Imagined<G>> {
        self.imagine(game, scratch, sight, self.worlds().unwrap_or(0), stream)
    }

    /// Imagines the given number of worlds of a decision, or all of them if they are fewer.
    fn imagine<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        sight: (&G::Observation, &G::World),
        limit: u32,
        stream: &mut Stream,
    ) -> Vec<Imagined<G>> {
        let list = self.draw_worlds(game, sight, limit, stream).into_iter();
        list.map(|(world, stream)| self.imagine_one(game, scratch, world, stream))
            .collect()
    }

    /// The given number of worlds of a decision, or all of them if they are fewer, each with the stream of
    /// the draws in it where the player draws as it plays on.
    pub(super) fn draw_worlds<G: HiddenGame>(
        &self,
        game: &G,
        (seen, canonical): (&G::Observation, &G::World),
        limit: u32,
        stream: &mut Stream,
    ) -> Vec<(G::World, Option<Stream>)> {
        let list = worlds(game, seen, canonical, limit, stream).into_iter();
        let draws = matches!(self, HiddenPlayer::Nested { .. });
        list.map(|world| (world, draws.then(|| fork(stream))))
            .collect()
    }

    /// A world of a decision with what is known of it before any move.
    pub(super) fn imagine_one<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        world: G::World,
        stream: Option<Stream>,
    ) -> Imagined<G> {
        // A rollout is cheaper than a bound on it.
        let bound = (!matches!(self, HiddenPlayer::Rollout { .. }))
            .then(|| game.bound(&mut scratch.solver, &world, self.foresight::<G>()));
        let (ceiling, guide) = bound.unzip();
        Imagined {
            ceiling: ceiling.unwrap_or(u32::MAX),
            guide,
            stream,
            world,
        }
    }

    /// The score of a move in one of the worlds.
    pub(super) fn score<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        imagined: &Imagined<G>,
        play: G::Move,
    ) -> u32 {
        if imagined.ceiling == 0 && G::TRIES_DOUBTFUL_FIRST {
            return 0;
        }
        let mut world = imagined.world.clone();
        game.play(&mut world, play);
        match (self, &imagined.guide, &imagined.stream) {
            (HiddenPlayer::Hindsight { .. }, Some(guide), _) => {
                scratch.solves += 1;
                game.solve(&mut scratch.solver, &world, guide, self.foresight::<G>())
            }
            (HiddenPlayer::Nested { player, .. }, _, Some(stream)) => {
                player.finish(game, scratch, world, &mut stream.clone())
            }
            _ => game.roll_out(world),
        }
    }

    /// The score of a game that this player plays on.
    fn finish<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        mut world: G::World,
        stream: &mut Stream,
    ) -> u32 {
        while let Some(play) = self.decide(game, scratch, &game.observe(&world), stream) {
            game.play(&mut world, play);
        }
        game.score(&world)
    }
}

/// A world of a decision.
pub(super) struct Imagined<G: HiddenGame> {
    world: G::World,
    /// An upper bound of the score of any play of it.
    ceiling: u32,
    /// The world's solution, of players that solve it.
    guide: Option<G::Guide>,
    /// The stream of the draws in it, equal for all moves, for players that draw as they play on.
    stream: Option<Stream>,
}

#[cfg(test)]
mod tests;
