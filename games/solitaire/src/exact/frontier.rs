//! Positions that wait to be looked at, the most promising first, and how those looked at were
//! reached.

use super::open_position::OpenPosition;
use super::state::State;
use super::step::SearchStep;

/// The positions of one cost for which memory is kept from one deal to the next.
const KEPT: usize = 256;

/// The positions that wait, and the tree of those that do not any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    /// The positions of each cost, with the places of their parents in `tree`.
    waiting: Vec<Vec<(OpenPosition, usize)>>,
    /// No position that waits has a smaller cost.
    lowest: usize,
    /// The last step to each position looked at, and the place of its parent.
    tree: Vec<(Option<SearchStep>, usize)>,
}

impl Frontier {
    /// Forgets everything but a root.
    pub(crate) fn begin(&mut self, root: OpenPosition) {
        for waiting in &mut self.waiting {
            waiting.clear();
            // Other costs are common in other deals: together they would keep many times as much.
            waiting.shrink_to(KEPT);
        }
        self.lowest = 0;
        self.tree.clear();
        self.push(root, 0);
    }

    /// Adds a position; `parent` is the place of the one before it.
    #[inline]
    pub(crate) fn push(&mut self, node: OpenPosition, parent: usize) {
        let cost = cost(&node.state);
        if cost >= self.waiting.len() {
            self.waiting.resize_with(cost + 1, Vec::new);
        }
        self.waiting[cost].push((node, parent));
        self.lowest = self.lowest.min(cost);
    }

    /// Takes the position of the smallest cost, of several the latest, with its parent's place.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(OpenPosition, usize)> {
        while let Some(waiting) = self.waiting.get_mut(self.lowest) {
            if let Some(next) = waiting.pop() {
                return Some(next);
            }
            self.lowest += 1;
        }
        None
    }

    /// Gives a position that is looked at its place.
    #[inline]
    pub(crate) fn enter(&mut self, node: &OpenPosition, parent: usize) -> usize {
        self.tree.push((node.step, parent));
        self.tree.len() - 1
    }

    /// The steps from the root to the position at a place.
    pub(crate) fn steps(&self, mut index: usize) -> Vec<SearchStep> {
        let mut steps = Vec::new();
        while let Some(&(Some(step), parent)) = self.tree.get(index) {
            steps.push(step);
            index = parent;
        }
        steps.reverse();
        steps
    }
}

/// Returns the cost of a position, cheapest first: the cards left to unlock, and the part of the
/// stock, which runs out, that was spent. The weights were tried on 300 deals of either casino
/// game; they change how soon a win is found, nothing else.
#[inline]
fn cost(state: &State) -> usize {
    usize::from(state.locked) + 3 * usize::from(state.waste) + 48 * usize::from(state.pass)
}
