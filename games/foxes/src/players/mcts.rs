//! Monte Carlo tree search: random games below a growing tree, the most visited move played.
//!
//! Selection follows the mean result plus `sqrt(parent's visits) / (1 + own visits)`, the
//! exploration term of PUCT with equal priors (Rosin 2011; Silver et al. 2017). It needs square
//! roots and divisions only, which IEEE 754 rounds exactly, so a choice is the same everywhere.

use super::{Argument, Choice, Player, PlayerBuild, PlayerEntry};
use crate::game::Game;
use crate::moves::Move;
use crate::position::{Position, Side};
use crate::rules::Rules;
use kit::rng::{Stream, choose};
use kit::search::{Budget, Meter};

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "mcts(playouts)",
    side: "both",
    summary: "Monte Carlo tree search with that many random games per move",
    arguments: &[Argument {
        name: "playouts",
        min: 1,
        max: 1_000_000,
        default: None,
    }],
    build: PlayerBuild::WithNumbers(|arguments| {
        Box::new(Mcts::new(arguments.first().copied().unwrap_or(1)))
    }),
};

/// Plies after which a random game counts as a draw.
const PLAYOUT_PLIES: u32 = 300;

/// The weight of exploration: few visits speak for a move.
const EXPLORATION: f64 = 0.7;

/// A position reached by `play`; `points` are half points for the side that played it.
struct MctsNode {
    play: Move,
    first_child: usize,
    children: usize,
    visits: u32,
    points: u32,
}

impl MctsNode {
    fn new(play: Move) -> MctsNode {
        MctsNode {
            play,
            first_child: 0,
            children: 0,
            visits: 0,
            points: 0,
        }
    }

    fn promise(&self, parent_visits: f64) -> f64 {
        let visits = f64::from(self.visits);
        // What has not been tried counts as even.
        let mean = (f64::from(self.points) / 2.0 + 0.5) / (visits + 1.0);
        mean + EXPLORATION * parent_visits.sqrt() / (1.0 + visits)
    }
}

struct Mcts {
    playouts: u64,
    nodes: Vec<MctsNode>,
    path: Vec<usize>,
    moves: Vec<Move>,
}

impl Mcts {
    fn new(playouts: u64) -> Self {
        Self {
            playouts,
            nodes: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl Player for Mcts {
    fn choose(&mut self, game: &Game, rng: &mut Stream, budget: Budget) -> Choice {
        let mut meter = budget.meter();
        let (rules, root) = (game.rules(), game.position());
        self.nodes.clear();
        self.nodes.push(MctsNode::new(Move::PASS));
        self.expand(0, rules, root);
        for _ in 0..self.playouts {
            if meter.is_exhausted() {
                break;
            }
            self.playout(rules, root, rng, &mut meter);
        }
        self.most_visited(rng, meter.spent())
    }
}

impl Mcts {
    fn playout(&mut self, rules: &Rules, root: &Position, rng: &mut Stream, meter: &mut Meter) {
        let mut position = self.descend(rules, root);
        let mut winner = rules.ending(&position).map(|ending| ending.winner());
        for _ in 0..PLAYOUT_PLIES {
            if winner.is_some() || !meter.spend() {
                break;
            }
            let (play, _) = rules.random_move(&position, rng, &mut self.moves);
            position = rules.after(&position, play);
            winner = rules.ending(&position).map(|ending| ending.winner());
        }
        self.credit(root.side, winner.flatten());
    }

    /// Follows the most promising moves to a leaf and grows it; the leaf's position.
    fn descend(&mut self, rules: &Rules, root: &Position) -> Position {
        let (mut index, mut position) = (0, *root);
        self.path.clear();
        self.path.push(0);
        while self.nodes[index].children > 0 {
            index = self.most_promising(index);
            position = rules.after(&position, self.nodes[index].play);
            self.path.push(index);
        }
        if self.nodes[index].visits > 0 && rules.ending(&position).is_none() {
            self.expand(index, rules, &position);
        }
        position
    }

    fn expand(&mut self, index: usize, rules: &Rules, position: &Position) {
        self.moves.clear();
        rules.moves(position, &mut self.moves);
        let first_child = self.nodes.len();
        self.nodes
            .extend(self.moves.iter().map(|&play| MctsNode::new(play)));
        let node = &mut self.nodes[index];
        node.first_child = first_child;
        node.children = self.moves.len();
    }

    fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        node.first_child..node.first_child + node.children
    }

    fn most_promising(&self, index: usize) -> usize {
        let visits = f64::from(self.nodes[index].visits);
        let promise = |child: &usize| self.nodes[*child].promise(visits);
        // The first among equals: `max_by` would take the last.
        let better = |a: &usize, b: &usize| promise(a).total_cmp(&promise(b)).then(b.cmp(a));
        self.children(index).max_by(better).unwrap_or(index)
    }

    /// Adds a visit and the result along the path, from the root's `side` downwards.
    fn credit(&mut self, side: Side, winner: Option<Side>) {
        // The root was reached by the other side's move.
        let mut mover = side.other();
        for &index in &self.path {
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.points += match winner {
                None => 1,
                Some(winner) => 2 * u32::from(winner == mover),
            };
            mover = mover.other();
        }
    }

    fn most_visited(&self, rng: &mut Stream, nodes: u64) -> Choice {
        let children = || self.children(0).map(|child| &self.nodes[child]);
        let most = children().map(|child| child.visits).max();
        let best: Vec<Move> = children()
            .filter(|child| Some(child.visits) == most)
            .map(|child| child.play)
            .collect();
        Choice {
            play: choose(rng, &best).copied().unwrap_or(Move::PASS),
            candidates: best.len(),
            nodes,
        }
    }
}
