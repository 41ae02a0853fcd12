//! A tree over observations, grown by descents through sampled worlds.

use rustc_hash::FxHashMap;

use super::HiddenGame;
use kit::rng::{Stream, shuffle};

/// Visits of a node for each further move that it tries, in the base player's order (progressive
/// widening; Coulom 2007, Chaslot and others 2008). The root tries all its moves. Where little is
/// known a descent therefore plays as the base player does, not all moves in turn.
const WIDENING: u32 = 16;
/// A search ends early if one move has this many times the visits of every other,
const CLEAR: u32 = 10;
/// but not before this part of its descents.
const EARLIEST: u32 = 8;

/// The statistics of each observation met. One observation is one node, however it came about.
pub(super) struct ObservationTree<G: HiddenGame> {
    /// The place of each observation's node; that of the root is 0.
    places: FxHashMap<G::Observation, u32>,
    nodes: Vec<ObservationNode<G::Move>>,
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
    pub(super) fn new(exploration: f64) -> Self {
        Self {
            places: FxHashMap::default(),
            nodes: Vec::new(),
            exploration,
        }
    }

    /// The move tried most often in so many descents from what is seen.
    pub(super) fn search(
        mut self,
        game: &G,
        seen: &G::Observation,
        iterations: u32,
        stream: &mut Stream,
    ) -> Option<G::Move> {
        let canonical = game.canonical(seen);
        let mut order: Vec<u8> = (0..game.unseen(seen) as u8).collect();
        for done in 1..=iterations {
            shuffle(stream, &mut order);
            self.descend(game, game.redeal(&canonical, &order));
            let (first, second) = self.nodes[0].most_visits();
            let is_clear = done > iterations / EARLIEST && first > CLEAR * second.max(1);
            if is_clear || first > second + (iterations - done) {
                break;
            }
        }
        let arms = &self.nodes.first()?.arms;
        // Of equals `max_by_key` takes the last.
        let most = arms.iter().rev().max_by_key(|arm| arm.visits);
        most.map(|arm| arm.play)
    }

    fn descend(&mut self, game: &G, mut world: G::World) {
        let mut path = Vec::new();
        let mut is_known = true;
        while is_known {
            let index = self.index(game, &world);
            let node = &self.nodes[index];
            let is_root = path.is_empty();
            let more = if is_root {
                u32::MAX
            } else {
                node.visits / WIDENING
            };
            let Some(chosen) = node.choose(more, self.exploration) else {
                break;
            };
            let arm = &node.arms[chosen];
            is_known = arm.visits > 0;
            game.play(&mut world, arm.play);
            path.push((index, chosen));
        }
        let score = game.roll_out(world);
        for (index, chosen) in path {
            self.nodes[index].credit(chosen, score);
        }
    }

    /// The place of a world's node, which is made if there is none.
    fn index(&mut self, game: &G, world: &G::World) -> usize {
        let fresh = self.nodes.len() as u32;
        let index = *self.places.entry(game.observe(world)).or_insert(fresh);
        if index == fresh {
            self.nodes.push(ObservationNode::new(game.moves(world)));
        }
        index as usize
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

    /// Returns, of the first move and so many more, the first not tried yet, or the one with the largest
    /// upper confidence bound (UCB1; Auer, Cesa-Bianchi and Fischer 2002).
    fn choose(&self, more: u32, exploration: f64) -> Option<usize> {
        let open = (more as usize).saturating_add(1).min(self.arms.len());
        let arms = &self.arms[..open];
        if let Some(fresh) = arms.iter().position(|arm| arm.visits == 0) {
            return Some(fresh);
        }
        let log = libm::log(f64::from(self.visits));
        let bound = |arm: &Arm<M>| {
            let visits = f64::from(arm.visits);
            arm.total as f64 / visits + exploration * (log / visits).sqrt()
        };
        let bounds = arms.iter().map(bound).enumerate();
        let best = bounds.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(chosen, _)| chosen)
    }

    fn credit(&mut self, chosen: usize, score: u32) {
        self.visits += 1;
        self.arms[chosen].visits += 1;
        self.arms[chosen].total += u64::from(score);
    }

    /// The most visits of a move, and the most of another.
    fn most_visits(&self) -> (u32, u32) {
        let visits = self.arms.iter().map(|arm| arm.visits);
        visits.fold((0, 0), |(first, second), visits| {
            (first.max(visits), second.max(first.min(visits)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hidden::tests::TwoMoves;

    fn node(visits: [u32; 3]) -> ObservationNode<char> {
        let mut node = ObservationNode::new(vec!['a', 'b', 'c']);
        for (arm, visits) in visits.into_iter().enumerate() {
            (0..visits).for_each(|_| node.credit(arm, 1));
        }
        node
    }

    #[test]
    fn moves_are_tried_in_order_and_no_more_of_them_than_allowed() {
        let chosen = |visits, more| node(visits).choose(more, 2.0);
        assert_eq!(chosen([0, 0, 0], u32::MAX), Some(0));
        assert_eq!(chosen([1, 0, 0], 0), Some(0));
        assert_eq!(chosen([1, 0, 0], 1), Some(1));
        assert_eq!(chosen([9, 1, 0], 1), Some(1));
        assert_eq!(chosen([9, 9, 0], 2), Some(2));
        assert_eq!(chosen([9, 8, 9], u32::MAX), Some(1));
        assert_eq!(
            ObservationNode::<char>::new(Vec::new()).choose(3, 2.0),
            None
        );
    }

    /// Means of 2 and 1 after 4 visits and 1: with the logarithm of 5 their bounds are 2.63 and 2.27, and with twice the
    /// exploration 3.27 and 3.54.
    #[test]
    fn the_move_with_the_largest_upper_bound_is_tried() {
        let mut node = ObservationNode::new(vec!['a', 'b']);
        (0..4).for_each(|_| node.credit(0, 2));
        node.credit(1, 1);
        assert_eq!(node.choose(1, 1.0), Some(0));
        assert_eq!(node.choose(1, 2.0), Some(1));
        assert_eq!(node.choose(0, 2.0), Some(0));
    }

    #[test]
    fn the_two_moves_with_the_most_visits_are_found_in_any_order() {
        for visits in [[5, 3, 1], [3, 5, 1], [1, 3, 5], [5, 1, 3]] {
            assert_eq!(node(visits).most_visits(), (5, 3));
        }
        assert_eq!(node([4, 4, 0]).most_visits(), (4, 4));
    }

    /// A descent ends with the first move that was never made before it; after `b`, which scores most at first, the
    /// second move is open from the seventeenth visit on.
    #[test]
    fn a_descent_adds_a_node_at_most_and_tries_few_of_its_moves() {
        let mut tree = ObservationTree::<TwoMoves>::new(0.0);
        let visits = |tree: &ObservationTree<TwoMoves>, node: usize| -> Vec<(u32, u64)> {
            let arms = tree.nodes[node].arms.iter();
            arms.map(|arm| (arm.visits, arm.total)).collect()
        };
        let descend = |tree: &mut ObservationTree<TwoMoves>, times| {
            (0..times).for_each(|_| tree.descend(&TwoMoves, (Vec::new(), 0)));
        };
        descend(&mut tree, 3);
        assert_eq!((tree.nodes.len(), tree.nodes[0].visits), (1, 3));
        assert_eq!(visits(&tree, 0), [(1, 3), (1, 5), (1, 1)]);
        descend(&mut tree, 1);
        assert_eq!((tree.nodes.len(), tree.nodes[1].visits), (2, 1));
        descend(&mut tree, 15);
        assert_eq!((tree.nodes.len(), tree.nodes[1].visits), (3, 16));
        assert_eq!(visits(&tree, 0), [(1, 3), (17, 85), (1, 1)]);
        assert_eq!(visits(&tree, 1), [(16, 80), (0, 0)]);
        descend(&mut tree, 1);
        assert_eq!(visits(&tree, 1), [(16, 80), (1, 0)]);
    }
}
