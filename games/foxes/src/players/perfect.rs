//! Hens that cannot be beaten: they read a proof's tables and keep to positions known to be won.
//!
//! Among the moves that keep the win, they need one that makes progress, or they might wander
//! among won positions forever. The measure is the largest number of sideways steps before they
//! can step up for good. A separate search, no deeper than the passes of the tables, finds it, and
//! each move lowers it until the sum of rows rises or a hen is eaten. Where nothing is known to be
//! won they play like `safe-advance`.

use std::collections::HashMap;
use std::sync::Arc;

use super::safe::Safe;
use super::{Choice, Player, PlayerBuild, PlayerEntry};
use crate::game::Game;
use crate::moves::Move;
use crate::position::{Position, Side};
use crate::rules::Rules;
use kit::rng::{Stream, choose};
use kit::search::Budget;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    title: "perfect(folder)",
    side: "hens",
    summary: "never leaves the positions that `prove foxes` proved won; its argument is the folder of the tables (default foxes-proof)",
    arguments: &[],
    build: PlayerBuild::WithTables,
};

/// The positions that a proof has won, with the hens to move.
pub trait WonPositions {
    /// Returns whether the hens, to move, are known to win.
    fn is_won(&self, position: &Position) -> bool;

    /// Returns the most sideways steps that a way out of a layer takes.
    fn passes(&self) -> u32;
}

/// Hens that follow a proof.
pub struct Perfect<T> {
    tables: Arc<T>,
    otherwise: Safe,
}

impl<T: WonPositions> Perfect<T> {
    /// Hens that follow these tables.
    pub fn new(tables: Arc<T>) -> Self {
        Self {
            tables,
            otherwise: Safe::new(true),
        }
    }
}

impl<T: WonPositions> Player for Perfect<T> {
    fn choose(&mut self, game: &Game, rng: &mut Stream, budget: Budget) -> Choice {
        let mut search = WayOut::new(game.rules(), &*self.tables);
        let moves = search.quickest(game.position());
        match choose(rng, &moves) {
            Some(&play) => Choice {
                play,
                candidates: moves.len(),
                nodes: search.nodes,
            },
            None => self.otherwise.choose(game, rng, budget),
        }
    }
}

/// The knowledge of a won position: the fewest sideways steps that force a way out of its layer.
#[derive(Clone, Copy, Default)]
struct KnownWin {
    /// Too few.
    less_than: u32,
    /// Enough.
    enough: Option<u32>,
}

/// A search for the way out of a layer.
struct WayOut<'a, T> {
    rules: &'a Rules,
    tables: &'a T,
    known: HashMap<Position, KnownWin>,
    nodes: u64,
}

impl<'a, T: WonPositions> WayOut<'a, T> {
    fn new(rules: &'a Rules, tables: &'a T) -> Self {
        Self {
            rules,
            tables,
            known: HashMap::new(),
            nodes: 0,
        }
    }

    /// The moves that win and need the fewest sideways steps; none where nothing is known to win.
    fn quickest(&mut self, position: &Position) -> Vec<Move> {
        if !self.is_won(position) {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.rules.moves(position, &mut moves);
        for steps in 0..=self.tables.passes() {
            let quick: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|&play| self.is_way_out(position, play, steps))
                .collect();
            if !quick.is_empty() {
                return quick;
            }
        }
        Vec::new()
    }

    /// Returns whether the tables have the position won.
    fn is_won(&mut self, position: &Position) -> bool {
        self.nodes += 1;
        self.tables.is_won(position)
    }

    /// Returns whether a move wins and gets out of the layer with at most so many sideways steps, itself
    /// included.
    fn is_way_out(&mut self, position: &Position, play: Move, steps: u32) -> bool {
        let up = Rules::is_irreversible(Side::Hens, play);
        if !up && steps == 0 {
            return false;
        }
        let after = self.rules.after(position, play);
        if let Some(ending) = self.rules.ending(&after) {
            return ending.winner() == Some(Side::Hens);
        }
        let mut answers = Vec::new();
        self.rules.moves(&after, &mut answers);
        answers.iter().all(|&answer| {
            let next = self.rules.after(&after, answer);
            self.is_won(&next) && (up || answer.taken != 0 || self.gets_out(&next, steps - 1))
        })
    }

    /// Returns whether a won position can be left for good with at most so many sideways steps.
    fn gets_out(&mut self, position: &Position, steps: u32) -> bool {
        let known = self.known.get(position).copied().unwrap_or_default();
        if steps < known.less_than {
            return false;
        }
        if known.enough.is_some_and(|enough| steps >= enough) {
            return true;
        }
        let mut moves = Vec::new();
        self.rules.moves(position, &mut moves);
        let is_won = moves
            .iter()
            .any(|&play| self.is_way_out(position, play, steps));
        let known = self.known.entry(*position).or_default();
        if is_won {
            known.enough = Some(steps);
        } else {
            known.less_than = steps + 1;
        }
        is_won
    }
}
