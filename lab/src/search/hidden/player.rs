//! Players that choose by what they see.

use super::tree::Tree;
use super::{HiddenGame, Worlds};
use crate::rng::{Stream, choose, fork};

/// A player of games with unseen cards.
#[derive(Clone, Debug, PartialEq)]
pub enum Player {
    /// The game's base player, without search.
    Greedy,
    /// Any legal move.
    Random,
    /// The move with the best mean score over worlds, the base player playing on.
    Rollout {
        /// Worlds a decision.
        worlds: u32,
    },
    /// The same with the best play of one who sees all cards.
    Hindsight {
        /// Worlds a decision.
        worlds: u32,
    },
    /// The same with another player playing on.
    Nested {
        /// Worlds a decision.
        worlds: u32,
        /// Who plays on.
        player: Box<Player>,
    },
    /// A tree over what is seen, each descent in a world of its own: information set Monte Carlo
    /// tree search (Cowling, Powley and Whitehouse 2012); with one player it is the tree of POMCP
    /// (Silver and Veness 2010).
    Ismcts {
        /// Descents a decision.
        iterations: u32,
        /// The weight of exploration, in units of the score.
        exploration: f64,
    },
}

/// What a player needs besides the rules: memory, and counts of what it did.
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

/// A move with its score in each world.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice<M> {
    /// The move.
    pub play: M,
    /// Its score in each world; the worlds are the same for all moves.
    pub scores: Vec<u32>,
}

impl Player {
    /// The move chosen for what is seen, `None` where there is none. A single legal move is played
    /// without thought. Ties go to the move that the base player likes better.
    pub fn decide<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        seen: &G::Observation,
        stream: &mut Stream,
    ) -> Option<G::Move> {
        let (world, state) = Worlds::canonical(game, seen);
        let moves = game.moves(&world, &state);
        match (moves.as_slice(), self) {
            ([] | [_], _) => moves.first().copied(),
            (_, Player::Greedy) => game.policy(&world, &state),
            (_, Player::Random) => choose(stream, &moves).copied(),
            (
                _,
                &Player::Ismcts {
                    iterations,
                    exploration,
                },
            ) => Tree::new(exploration).search(game, seen, iterations, stream),
            _ => self.best(game, scratch, seen, &moves, stream),
        }
    }

    /// Every legal move, in the base player's order, with its scores; none for players that judge
    /// no worlds.
    pub fn advise<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        seen: &G::Observation,
        stream: &mut Stream,
    ) -> Vec<Advice<G::Move>> {
        let Some(limit) = self.worlds() else {
            return Vec::new();
        };
        let (world, state) = Worlds::canonical(game, seen);
        let worlds = Imagined::draw(game, seen, limit, stream);
        let moves = game.moves(&world, &state).into_iter();
        moves
            .map(|play| {
                let score = |number| self.score(game, scratch, &worlds, number, play);
                let scores = (0..worlds.list.len()).map(score).collect();
                Advice { play, scores }
            })
            .collect()
    }

    /// The worlds that a decision is judged on, for players that judge worlds.
    pub fn worlds(&self) -> Option<u32> {
        match *self {
            Player::Rollout { worlds }
            | Player::Hindsight { worlds }
            | Player::Nested { worlds, .. } => Some(worlds),
            Player::Greedy | Player::Random | Player::Ismcts { .. } => None,
        }
    }

    /// The first of `moves` with the largest total, found without those scores that cannot matter.
    fn best<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        seen: &G::Observation,
        moves: &[G::Move],
        stream: &mut Stream,
    ) -> Option<G::Move> {
        let worlds = Imagined::draw(game, seen, self.worlds().unwrap_or(0), stream);
        let ceilings: Vec<u32> = worlds.ceilings(game, self);
        let most: u64 = ceilings.iter().map(|&bound| u64::from(bound)).sum();
        let mut best: Option<(G::Move, u64)> = None;
        for &play in moves {
            let mut hope = most;
            for (number, &ceiling) in ceilings.iter().enumerate() {
                if best.is_some_and(|(_, total)| hope <= total) {
                    break;
                }
                let score = self.score(game, scratch, &worlds, number, play);
                hope -= u64::from(ceiling.saturating_sub(score));
            }
            if best.is_none_or(|(_, total)| hope > total) {
                best = Some((play, hope));
            }
        }
        best.map(|(play, _)| play)
    }

    /// The score of a move in one of the worlds.
    fn score<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        worlds: &Imagined<G>,
        number: usize,
        play: G::Move,
    ) -> u32 {
        let (world, state) = &worlds.list[number];
        let mut state = state.clone();
        game.play(world, &mut state, play);
        match self {
            Player::Hindsight { .. } => {
                scratch.solves += 1;
                game.solve(&mut scratch.solver, world, &state)
            }
            Player::Nested { player, .. } => {
                let mut stream = worlds.streams[number].clone();
                player.finish(game, scratch, world, state, &mut stream)
            }
            _ => roll_out(game, world, state),
        }
    }

    /// The score of a game that this player plays on.
    fn finish<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        world: &G::World,
        mut state: G::State,
        stream: &mut Stream,
    ) -> u32 {
        loop {
            let seen = game.observe(world, &state);
            match self.decide(game, scratch, &seen, stream) {
                Some(play) => game.play(world, &mut state, play),
                None => return game.score(&state),
            }
        }
    }
}

/// The score of a game that the base player plays on.
pub(super) fn roll_out<G: HiddenGame>(game: &G, world: &G::World, mut state: G::State) -> u32 {
    while let Some(play) = game.policy(world, &state) {
        game.play(world, &mut state, play);
    }
    game.score(&state)
}

/// The worlds of a decision with a stream for each, for players that draw as they play on.
struct Imagined<G: HiddenGame> {
    list: Vec<(G::World, G::State)>,
    streams: Vec<Stream>,
}

impl<G: HiddenGame> Imagined<G> {
    fn draw(game: &G, seen: &G::Observation, limit: u32, stream: &mut Stream) -> Self {
        let list = Worlds::draw(game, seen, limit, stream).list;
        let streams = list.iter().map(|_| fork(stream)).collect();
        Self { list, streams }
    }

    /// What no move can exceed in each world. A rollout is cheaper than a bound on it.
    fn ceilings(&self, game: &G, player: &Player) -> Vec<u32> {
        let bound = |(world, state): &(G::World, G::State)| match player {
            Player::Rollout { .. } => u32::MAX,
            _ => game.bound(world, state),
        };
        self.list.iter().map(bound).collect()
    }
}
