//! A tree over what is seen, grown by descents through sampled worlds.

use std::collections::HashMap;

use super::HiddenGame;
use crate::rng::{Stream, shuffle};

/// What was met of each observation. One observation is one node, however it came about.
pub(super) struct ObservationTree<G: HiddenGame> {
    nodes: HashMap<G::Observation, ObservationNode<G::Move>>,
    exploration: f64,
}

struct ObservationNode<M> {
    visits: u32,
    arms: Vec<Arm<M>>,
}

#[derive(Clone)]
struct Arm<M> {
    play: M,
    visits: u32,
    total: u64,
}

impl<G: HiddenGame> ObservationTree<G> {
    /// An empty tree; `exploration` is the constant of UCB1 in units of the score.
    pub fn new(exploration: f64) -> Self {
        Self {
            nodes: HashMap::new(),
            exploration,
        }
    }

    /// The move tried most often in so many descents from what is seen.
    pub fn search(
        mut self,
        game: &G,
        seen: &G::Observation,
        iterations: u32,
        stream: &mut Stream,
    ) -> Option<G::Move> {
        let canonical = game.canonical(seen);
        let mut order: Vec<u8> = (0..game.unseen(seen) as u8).collect();
        for _ in 0..iterations {
            shuffle(stream, &mut order);
            self.descend(game, game.redeal(&canonical, &order));
        }
        let arms = &self.nodes.get(seen)?.arms;
        // Of equals `max_by_key` takes the last.
        let most = arms.iter().rev().max_by_key(|arm| arm.visits);
        most.map(|arm| arm.play)
    }

    fn descend(&mut self, game: &G, mut world: G::World) {
        let mut path = Vec::new();
        let mut is_known = true;
        while is_known {
            let seen = game.observe(&world);
            let node = self.nodes.entry(seen.clone());
            let node = node.or_insert_with(|| ObservationNode::new(game.moves(&world)));
            let Some(chosen) = node.choose(self.exploration) else {
                break;
            };
            let arm = &node.arms[chosen];
            is_known = arm.visits > 0;
            game.play(&mut world, arm.play);
            path.push((seen, chosen));
        }
        let score = game.roll_out(world);
        for (seen, chosen) in path {
            if let Some(node) = self.nodes.get_mut(&seen) {
                node.credit(chosen, score);
            }
        }
    }
}

impl<M> ObservationNode<M> {
    fn new(moves: Vec<M>) -> Self {
        let arm = |play| Arm {
            play,
            visits: 0,
            total: 0,
        };
        Self {
            visits: 0,
            arms: moves.into_iter().map(arm).collect(),
        }
    }

    /// The first move not tried yet, or the one with the largest upper confidence bound (UCB1;
    /// Auer, Cesa-Bianchi and Fischer 2002).
    fn choose(&self, exploration: f64) -> Option<usize> {
        if let Some(fresh) = self.arms.iter().position(|arm| arm.visits == 0) {
            return Some(fresh);
        }
        let log = f64::from(self.visits).ln();
        let bound = |arm: &Arm<M>| {
            let visits = f64::from(arm.visits);
            arm.total as f64 / visits + exploration * (log / visits).sqrt()
        };
        let bounds = self.arms.iter().map(bound).enumerate();
        let best = bounds.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(chosen, _)| chosen)
    }

    fn credit(&mut self, chosen: usize, score: u32) {
        self.visits += 1;
        self.arms[chosen].visits += 1;
        self.arms[chosen].total += u64::from(score);
    }
}
