//! Alpha-beta to a depth or within a number of nodes, with ties drawn at random.

use super::{Argument, Choice, Player, PlayerBuild, PlayerEntry};
use crate::alphabeta::{MAX_DEPTH, Searcher};
use crate::game::Game;
use crate::moves::Move;
use kit::rng::{Stream, choose};
use kit::search::Budget;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "search(depth, nodes)",
    side: "both",
    summary: "alpha-beta to a depth, or up to `nodes` per move (default: 1000000)",
    arguments: &[
        Argument {
            name: "depth",
            min: 1,
            max: MAX_DEPTH as u64,
            default: None,
        },
        Argument {
            name: "nodes",
            min: 1,
            max: u64::MAX,
            default: Some(1_000_000),
        },
    ],
    build: PlayerBuild::WithNumbers(|arguments| Box::new(DepthPlayer::new(arguments))),
};

/// Buckets of the table, as a power of two: small enough for a worker's cache.
const LOG2_BUCKETS: u32 = 14;

struct DepthPlayer {
    searcher: Searcher,
    depth: u32,
    nodes: u64,
    scratch: Vec<Move>,
}

impl DepthPlayer {
    fn new(arguments: &[u64]) -> Self {
        let argument = |index| arguments.get(index).copied().unwrap_or(1);
        Self {
            searcher: Searcher::new(LOG2_BUCKETS),
            depth: argument(0) as u32,
            nodes: argument(1),
            scratch: Vec::new(),
        }
    }
}

impl Player for DepthPlayer {
    fn begin(&mut self) {
        self.searcher.forget();
    }

    fn choose(&mut self, game: &Game, rng: &mut Stream, budget: Budget) -> Choice {
        let nodes = Budget::nodes(self.nodes.min(budget.limit()));
        let limits = (self.depth, nodes);
        let draws = |play| game.is_drawn_by(play);
        let answer = self
            .searcher
            .search(game.rules(), game.position(), limits, &draws);
        match choose(rng, &answer.best) {
            Some(&play) => Choice {
                play,
                candidates: answer.best.len(),
                nodes: answer.nodes,
            },
            None => self.without_a_thought(game, rng, answer.nodes),
        }
    }
}

impl DepthPlayer {
    /// The budget did not cover one ply: any legal move.
    fn without_a_thought(&mut self, game: &Game, rng: &mut Stream, nodes: u64) -> Choice {
        let (play, candidates) = game
            .rules()
            .random_move(game.position(), rng, &mut self.scratch);
        Choice {
            play,
            candidates,
            nodes,
        }
    }
}
