//! Alpha-beta search with a transposition table, quiescence over forced eating and iterative
//! deepening by nodes.
//!
//! The value of a position at a depth is that of plain minimax to the same depth: results are
//! reused at exactly their own depth only, and a win counts [`WIN`] plus the plies left, so it
//! depends on nothing but the position and the depth. Knuth and Moore 1975, "An analysis of
//! alpha-beta pruning". Knows no repetition: that is path-dependent and left to the caller.

use super::evaluation::{WEIGHTS, Weights, evaluate_for_mover, for_side};
use super::moves::Move;
use super::position::{Position, Side};
use super::rules::{Capture, Rules};
use crate::transposition::TranspositionTable;
use kit::search::{Budget, Meter};

/// A won position's value before the plies left are added; evaluations stay far below.
pub const WIN: i32 = 1_000_000;

/// Deepest search.
pub const MAX_DEPTH: u32 = 256;

const INFINITE: i32 = 2 * WIN;

/// The answer of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchAnswer {
    /// The value for the side to move at the last depth completed.
    pub value: i32,
    /// The moves of that value.
    pub best: Vec<Move>,
    /// The last depth completed; 0 where the budget did not cover one ply.
    pub depth: u32,
    /// Positions examined.
    pub nodes: u64,
}

impl SearchAnswer {
    /// Returns whether the value is that of a won or lost game.
    pub fn is_exact(&self) -> bool {
        self.value.abs() >= WIN / 2
    }

    /// Plies to the end of a won or lost game.
    pub fn plies_to_end(&self) -> Option<i32> {
        let left = self.value.abs() - WIN;
        self.is_exact().then_some(self.depth as i32 - left)
    }
}

/// A search with its memory.
pub struct Searcher {
    table: TranspositionTable<Found>,
    weights: Weights,
    lists: Vec<Vec<Move>>,
}

/// An entry of the table: the result of a search of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    value: i32,
    bound: BoundKind,
    /// The index of the best move in the rules' order, to be tried first next time.
    best: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BoundKind {
    #[default]
    Exact,
    AtLeast,
    AtMost,
}

/// The values still of interest, `alpha < value < beta`.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

impl Searcher {
    /// A search with a table of `2^log2_buckets` buckets.
    pub fn new(log2_buckets: u32) -> Self {
        Self::weighing(log2_buckets, WEIGHTS)
    }

    /// Like `new`, with other weights.
    fn weighing(log2_buckets: u32, weights: Weights) -> Self {
        Self {
            table: TranspositionTable::new(log2_buckets),
            weights,
            lists: Vec::new(),
        }
    }

    /// Forgets the results of earlier searches.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Searches an undecided position to depth 1, 2, ... until `depth`, a proof, or the end of the
    /// budget. `draws` says which first moves end the game in a draw.
    pub fn search(
        &mut self,
        rules: &Rules,
        position: &Position,
        (depth, budget): (u32, Budget),
        draws: &dyn Fn(Move) -> bool,
    ) -> SearchAnswer {
        let mut run = AlphaBeta {
            rules,
            meter: budget.meter(),
            searcher: self,
        };
        let mut answer = SearchAnswer::default();
        for depth in 1..=depth.min(MAX_DEPTH) {
            let Some((value, best)) = run.root(position, depth as i32, draws) else {
                break;
            };
            answer = SearchAnswer {
                value,
                best,
                depth,
                nodes: 0,
            };
            if answer.is_exact() {
                break;
            }
        }
        answer.nodes = run.meter.spent();
        answer
    }

    /// A line of best moves from an undecided position, `depth` plies long or to the end of the
    /// game, forced eating at its end included.
    pub fn line(&mut self, rules: &Rules, position: &Position, depth: u32) -> Vec<Move> {
        let (mut line, mut position) = (Vec::new(), *position);
        let mut left = depth;
        while rules.ending(&position).is_none() && (left > 0 || rules.must_eat(&position)) {
            let limits = (left.max(1), Budget::UNLIMITED);
            let answer = self.search(rules, &position, limits, &|_| false);
            let Some(&play) = answer.best.first() else {
                break;
            };
            line.push(play);
            position = rules.after(&position, play);
            left = left.saturating_sub(1);
        }
        line
    }
}

/// A running search. Its functions return `None` once the budget is spent.
struct AlphaBeta<'a> {
    rules: &'a Rules,
    meter: Meter,
    searcher: &'a mut Searcher,
}

impl AlphaBeta<'_> {
    /// The value and all moves that have it: each is searched with a window that reaches down to
    /// the best value itself, so ties are exact.
    fn root(
        &mut self,
        position: &Position,
        depth: i32,
        draws: &dyn Fn(Move) -> bool,
    ) -> Option<(i32, Vec<Move>)> {
        let mut moves = Vec::new();
        self.rules.moves(position, &mut moves);
        let (mut value, mut best) = (-INFINITE, Vec::new());
        for play in moves {
            let window = Window {
                alpha: (value - 1).max(-INFINITE),
                beta: INFINITE,
            };
            let reply = if draws(play) {
                for_side(position.side, self.searcher.weights.draw)
            } else {
                self.child(position, play, depth, window)?
            };
            if reply > value {
                value = reply;
                best.clear();
            }
            if reply == value {
                best.push(play);
            }
        }
        Some((value, best))
    }

    fn child(&mut self, parent: &Position, play: Move, depth: i32, window: Window) -> Option<i32> {
        let after = self.rules.after(parent, play);
        self.value(&after, depth - 1, window.flipped())
            .map(|value| -value)
    }

    fn value(&mut self, position: &Position, depth: i32, window: Window) -> Option<i32> {
        if !self.meter.spend() {
            return None;
        }
        if let Some(value) = decided(self.rules, position, depth) {
            return Some(value);
        }
        if depth <= 0 {
            return self.quiescent(position, depth, window);
        }
        let key = position.key();
        if let Some(value) = self.remembered(key, depth, window) {
            return Some(value);
        }
        let (value, best) = self.expand(position, depth, window)?;
        self.remember(key, depth, window, (value, best));
        Some(value)
    }

    fn remembered(&self, key: u64, depth: i32, window: Window) -> Option<i32> {
        let entry = self.searcher.table.find_at(key, depth)?;
        let settles = match entry.bound {
            BoundKind::Exact => true,
            BoundKind::AtLeast => entry.value >= window.beta,
            BoundKind::AtMost => entry.value <= window.alpha,
        };
        settles.then_some(entry.value)
    }

    fn remember(&mut self, key: u64, depth: i32, window: Window, (value, best): (i32, usize)) {
        let bound = if value >= window.beta {
            BoundKind::AtLeast
        } else if value <= window.alpha {
            BoundKind::AtMost
        } else {
            BoundKind::Exact
        };
        let best = u8::try_from(best).unwrap_or(0);
        let entry = Found { value, bound, best };
        self.searcher.table.insert(key, depth, entry);
    }

    /// Returns the best value among the moves (fail-soft), and the move's index in the rules' order.
    fn expand(
        &mut self,
        position: &Position,
        depth: i32,
        mut window: Window,
    ) -> Option<(i32, usize)> {
        let mut moves = self.searcher.lists.pop().unwrap_or_default();
        moves.clear();
        self.rules.moves(position, &mut moves);
        let first = self.first_try(position, moves.len());
        let (mut best, mut best_move) = (-INFINITE, first);
        for turn in 0..moves.len() {
            let index = nth_try(turn, first);
            let value = self.child(position, moves[index], depth, window)?;
            if value > best {
                (best, best_move) = (value, index);
                window.alpha = window.alpha.max(value);
            }
            if window.alpha >= window.beta {
                break;
            }
        }
        self.searcher.lists.push(moves);
        Some((best, best_move))
    }

    /// Returns the index of the most promising move: the last search's best.
    fn first_try(&self, position: &Position, count: usize) -> usize {
        let known = self.searcher.table.find(position.key());
        known
            .map(|entry| usize::from(entry.value.best))
            .filter(|&index| index < count)
            .unwrap_or(0)
    }

    /// Past the depth only eating goes on, until nobody must; foxes free to decline may stop.
    fn quiescent(&mut self, position: &Position, depth: i32, mut window: Window) -> Option<i32> {
        let still = evaluate_for_mover(position, self.rules.board, &self.searcher.weights);
        if position.side == Side::Hens || !self.rules.can_eat(position) {
            return Some(still);
        }
        let mut best = -INFINITE;
        if self.rules.capture == Capture::Optional {
            best = still;
            window.alpha = window.alpha.max(still);
        }
        let mut moves = self.searcher.lists.pop().unwrap_or_default();
        moves.clear();
        self.rules.moves(position, &mut moves);
        for &play in moves.iter().filter(|play| play.taken != 0) {
            if window.alpha >= window.beta {
                break;
            }
            let value = self.child(position, play, depth, window)?;
            best = best.max(value);
            window.alpha = window.alpha.max(value);
        }
        self.searcher.lists.push(moves);
        Some(best)
    }
}

fn decided(rules: &Rules, position: &Position, depth: i32) -> Option<i32> {
    let winner = rules.ending(position)?.winner()?;
    let value = WIN + depth;
    Some(if winner == position.side {
        value
    } else {
        -value
    })
}

/// The order 0, 1, 2, ... with `first` moved to the front.
const fn nth_try(turn: usize, first: usize) -> usize {
    if turn == 0 {
        first
    } else if turn <= first {
        turn - 1
    } else {
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::super::opening::Opening;
    use super::*;
    use kit::rng::Streams;

    /// Minimax by definition: no window, no table, no order.
    fn minimax(rules: &Rules, position: &Position, depth: i32) -> i32 {
        if let Some(value) = decided(rules, position, depth) {
            return value;
        }
        let still = evaluate_for_mover(position, rules.board, &WEIGHTS);
        let eats = position.side == Side::Foxes && rules.can_eat(position);
        if depth <= 0 && !eats {
            return still;
        }
        let mut moves = Vec::new();
        rules.moves(position, &mut moves);
        if depth <= 0 {
            moves.retain(|play| play.taken != 0);
        }
        let best = moves
            .iter()
            .map(|&play| -minimax(rules, &rules.after(position, play), depth - 1))
            .max();
        let best = best.unwrap_or(-INFINITE);
        if depth <= 0 && rules.capture == Capture::Optional {
            best.max(still)
        } else {
            best
        }
    }

    /// Seed 13: random openings of 0 to 59 plies, depths 1 to 5, each rule of eating.
    #[test]
    fn search_values_and_tied_moves_equal_plain_minimax() {
        let mut stream = Streams::new(13).key("minimax").stream(0);
        let mut searcher = Searcher::new(10);
        for index in 0..240 {
            let capture = [Capture::Longest, Capture::Any, Capture::Optional][index % 3];
            let rules = Rules {
                capture,
                ..Rules::ARSAC
            };
            let opening = Opening {
                root: rules.start(),
                missing: 0,
                plies: (index % 60) as u32,
            };
            let position = opening.draw(&rules, &mut stream);
            let depth = 1 + (index % 4) as u32;
            let answer = searcher.search(&rules, &position, (depth, Budget::UNLIMITED), &|_| false);
            let reached = answer.depth as i32;
            let mut moves = Vec::new();
            rules.moves(&position, &mut moves);
            let value = |play: &Move| -minimax(&rules, &rules.after(&position, *play), reached - 1);
            let best = moves.iter().map(value).max().unwrap();
            moves.retain(|play| value(play) == best);
            assert_eq!((answer.value, answer.best), (best, moves));
            assert!(reached == depth as i32 || answer.value.abs() >= WIN / 2);
        }
    }

    /// A value of at least 5 settles a window that ends there, one of at most 5 a window that begins there, and 5 itself all.
    #[test]
    fn a_bound_settles_the_windows_on_its_side() {
        let mut searcher = Searcher::new(4);
        for (bound, settled) in [
            (BoundKind::Exact, [true, true, true]),
            (BoundKind::AtLeast, [true, false, false]),
            (BoundKind::AtMost, [false, false, true]),
        ] {
            let (value, best) = (5, 0);
            let found = Found { value, bound, best };
            searcher.table.insert(7, 3, found);
            let run = AlphaBeta {
                rules: &Rules::ARSAC,
                meter: Budget::UNLIMITED.meter(),
                searcher: &mut searcher,
            };
            let windows = [(1, 5), (1, 9), (5, 9)].map(|(alpha, beta)| Window { alpha, beta });
            let found = windows.map(|window| run.remembered(7, 3, window) == Some(5));
            assert_eq!(found, settled, "{bound:?}");
            assert_eq!(run.remembered(7, 2, windows[0]), None, "another depth");
        }
    }

    #[test]
    fn a_budget_ends_a_search_at_the_last_full_depth() {
        let rules = Rules::ARSAC;
        let mut searcher = Searcher::new(12);
        let limits = (MAX_DEPTH, Budget::nodes(5_000));
        let answer = searcher.search(&rules, &rules.start(), limits, &|_| false);
        assert_eq!(answer.nodes, 5_000);
        assert!(answer.depth >= 3 && !answer.best.is_empty());
        searcher.forget();
        let limits = (answer.depth, Budget::UNLIMITED);
        let again = searcher.search(&rules, &rules.start(), limits, &|_| false);
        assert_eq!((again.value, again.best), (answer.value, answer.best));
    }
}
