//! The fast exact engine: depth first with an upper bound, safe moves played at once, and an exact
//! table of positions.
//!
//! `book/src/soundness.md` justifies every rule that omits part of the tree, and tests compare the engine
//! with the plain program of `etude`.

mod board;
mod piles;
mod relax;
mod sight;
mod table;
mod view;
mod world;

use self::board::{DealtCards, PrunedPosition};
use self::relax::Future;
pub use self::sight::Observation;
use self::table::KeySet;
pub(crate) use self::view::View;
pub use self::world::World;
use super::card::{Card, CardSet};
use super::deal::Deal;
use super::outcome::SearchOutcome;
use kit::search::{Budget, Meter, Verdict};

/// A solver that keeps its table's memory from one deal to the next.
#[derive(Clone, Debug)]
pub struct PrunedEngine {
    table: KeySet,
}

impl Default for PrunedEngine {
    fn default() -> Self {
        Self::new()
    }
}

impl PrunedEngine {
    /// An engine with an empty table.
    pub fn new() -> PrunedEngine {
        PrunedEngine {
            table: KeySet::new(table::LARGEST),
        }
    }

    /// Solves a deal, or past the budget (or with a full table) bounds its score.
    pub fn solve(&mut self, deal: &Deal, budget: Budget) -> SearchOutcome {
        self.solve_from(&World::new(deal), budget)
    }

    /// Solves a game in progress, or past the budget (or with a full table) bounds its score.
    pub fn solve_from(&mut self, world: &World, budget: Budget) -> SearchOutcome {
        let first_moves = world.moves().len() as u8;
        self.search(world, budget).outcome(first_moves)
    }

    /// The score of a game in progress under the best play, or bounds on it, without the moves.
    pub fn value(&mut self, world: &World, budget: Budget) -> Verdict<u8> {
        self.search(world, budget).score()
    }

    fn search<'a>(&'a mut self, world: &'a World, budget: Budget) -> PrunedSearch<'a> {
        self.table.clear();
        let mut search = PrunedSearch {
            board: &world.board,
            table: &mut self.table,
            meter: budget.meter(),
            best: world.state.founded.len() as u8,
            open: 0,
            widest: 0,
            path: MovePath::default(),
            best_path: MovePath::default(),
        };
        let start = SearchNode {
            state: world.state,
            deferred: CardSet::EMPTY,
            trapped: CardSet::EMPTY,
        };
        search.visit(start, None);
        search
    }
}

/// Moves in order. No card moves twice, so there are at most 52.
#[derive(Clone, Copy)]
struct MovePath {
    moves: [Option<Card>; 52],
    len: usize,
}

impl Default for MovePath {
    fn default() -> Self {
        MovePath {
            moves: [None; 52],
            len: 0,
        }
    }
}

impl MovePath {
    #[inline]
    fn push(&mut self, card: Card) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(card);
            self.len += 1;
        }
    }

    fn cards(&self) -> Vec<Card> {
        self.moves[..self.len].iter().copied().flatten().collect()
    }
}

struct PrunedSearch<'a> {
    board: &'a DealtCards,
    table: &'a mut KeySet,
    meter: Meter,
    /// The best score reached.
    best: u8,
    /// The largest upper bound of the positions that the budget cut off.
    open: u8,
    widest: u8,
    path: MovePath,
    best_path: MovePath,
}

/// A position on the way.
#[derive(Clone, Copy)]
struct SearchNode {
    state: PrunedPosition,
    /// The cards that need not be moved or founded before their targets have come to lie on them:
    /// those ways to play are known to be no better than what was searched before.
    deferred: CardSet,
    /// The cards that have come under their targets since the last relaxation.
    trapped: CardSet,
}

impl SearchNode {
    #[inline]
    fn play(&mut self, board: &DealtCards, card: Card) {
        let before = self.state.blocked;
        board.play(&mut self.state, card);
        self.trapped = self.trapped | (self.state.blocked - before);
        self.deferred = self.deferred - self.state.blocked;
    }

    /// Returns the future of the position.
    #[inline]
    fn future(&self, board: &DealtCards) -> Future {
        Future::of(board, &self.state, self.deferred)
    }

    /// Returns the future if it is the same as `before`, the one from before the last moves.
    #[inline]
    fn same_future(&self, before: &Future) -> Option<Future> {
        before.after(&self.state, self.deferred, self.trapped)
    }
}

impl PrunedSearch<'_> {
    /// Searches everything below a position but for what its deferred cards leave out.
    fn visit(&mut self, mut node: SearchNode, parent: Option<&Future>) {
        self.record(&node.state);
        if self.table.is_full() {
            return self.cut(&node.future(self.board));
        }
        // A deferred card that is founded left without its target ever lying on it.
        let is_lost = !(node.deferred & node.state.founded).is_empty();
        if !self.table.insert(node.state.key()) || is_lost {
            return;
        }
        let known = parent.and_then(|parent| node.same_future(parent));
        let future = known.unwrap_or_else(|| node.future(self.board));
        if future.bound <= self.best || future.is_hopeless {
            return;
        }
        if known.is_some() && self.is_hopeless(&node, &future) {
            return;
        }
        if !self.meter.spend() {
            return self.cut(&future);
        }
        let start_of_path = self.path.len;
        node.trapped = CardSet::EMPTY;
        self.play_safe_moves(&mut node, &future);
        if self.path.len == start_of_path || self.is_new(&node.state) {
            self.branch(node, &future);
        }
        self.path.len = start_of_path;
    }

    /// Returns whether a deferred card's target cannot come to lie on it any more.
    #[inline]
    fn is_hopeless(&self, node: &SearchNode, future: &Future) -> bool {
        let mut cards = node.deferred;
        cards.any(|card| !(self.board).may_be_blocked(card, &node.state, future.movable))
    }

    /// Records a position after safe moves; says whether it is to be searched.
    #[inline]
    fn is_new(&mut self, state: &PrunedPosition) -> bool {
        self.record(state);
        self.table.is_full() || self.table.insert(state.key())
    }

    /// Leaves a position unsearched.
    fn cut(&mut self, future: &Future) {
        self.open = self.open.max(future.bound);
    }

    /// Tries each legal move, until nothing better can be found. A card tried is deferred in what
    /// is tried after it; kings are not, as they compete for columns.
    fn branch(&mut self, mut node: SearchNode, future: &Future) {
        for card in self.board.legal_moves(&node.state) - node.deferred {
            if future.bound <= self.best {
                return;
            }
            let mut child = node;
            child.play(self.board, card);
            self.path.push(card);
            self.visit(child, Some(future));
            self.path.len -= 1;
            node.deferred = node.deferred | (CardSet::of(card) - CardSet::KINGS);
        }
    }

    /// Plays safe moves as long as there are any.
    ///
    /// A safe move stays safe when others are played, so one look at each legal move is enough.
    fn play_safe_moves(&mut self, node: &mut SearchNode, future: &Future) {
        let mut looked_at = CardSet::EMPTY;
        loop {
            let legal = self.board.legal_moves(&node.state);
            self.widest = self.widest.max(legal.len() as u8);
            let fresh = legal - looked_at - node.deferred;
            if fresh.is_empty() {
                return;
            }
            looked_at = looked_at | fresh;
            for card in fresh {
                if self.is_safe(card, &node.state, future) && !node.state.founded.contains(card) {
                    node.play(self.board, card);
                    self.path.push(card);
                }
            }
        }
    }

    /// Returns whether a legal move can do no harm.
    #[inline]
    fn is_safe(&self, card: Card, state: &PrunedPosition, future: &Future) -> bool {
        if card.is_king() {
            let rivals = (future.movable & CardSet::KINGS) - state.moved;
            return rivals.len() <= u32::from(state.empty);
        }
        !self.board.may_be_blocked(card, state, future.movable)
    }

    #[inline]
    fn record(&mut self, state: &PrunedPosition) {
        let score = state.founded.len() as u8;
        if score > self.best {
            self.best = score;
            self.best_path = self.path;
        }
    }

    fn score(&self) -> Verdict<u8> {
        let missing = self.board.missing as u8;
        Verdict::from_bounds(self.best - missing, self.best.max(self.open) - missing)
    }

    fn outcome(self, first_moves: u8) -> SearchOutcome {
        SearchOutcome {
            score: self.score(),
            positions: self.table.len() as u64,
            nodes: self.meter.spent(),
            first_moves,
            widest: self.widest.max(first_moves),
            moves: self.best_path.cards(),
        }
    }
}

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
