//! The exact engine: who wins every position, and how soon, on boards small enough.
//!
//! Hens never step back and never return, so every position belongs to a layer (hens left, sum of
//! their rows), and play leaves a layer only upwards or with fewer hens. Layers are solved from
//! the end of the game to its start, each from later ones alone. Endless play is a draw; the
//! drawing rules of a match, which cut it short, are left out.

mod layer;
mod numbering;
mod ranking;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::position::{Position, Side};
use crate::rules::Rules;

pub(crate) use layer::Layer;
pub use layer::LayerCensus;
pub(crate) use numbering::Numbering;
pub(crate) use ranking::Ranking;
pub use ranking::Shape;

/// The value of a position under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Neither side can force a win.
    Draw,
    /// A side wins.
    Won {
        /// The side that wins.
        winner: Side,
        /// The plies to the end if the winner hurries and the loser resists.
        plies: u16,
    },
}

impl Worth {
    /// 1 for a side's win, 0 for a draw, -1 for its loss.
    pub fn for_side(self, side: Side) -> i32 {
        match self {
            Worth::Draw => 0,
            Worth::Won { winner, .. } if winner == side => 1,
            Worth::Won { .. } => -1,
        }
    }
}

/// Every position of a board, solved.
#[derive(Debug)]
pub struct Tablebase {
    rules: Rules,
    ranking: Ranking,
    layers: BTreeMap<Shape, Layer>,
}

impl Tablebase {
    /// An empty one; solve its layers in the order of [`Tablebase::plan`].
    pub fn new(rules: Rules) -> Tablebase {
        Tablebase {
            rules,
            ranking: Ranking::new(rules.board),
            layers: BTreeMap::new(),
        }
    }

    /// Solves all layers.
    pub fn solved(rules: Rules) -> Tablebase {
        let mut tablebase = Tablebase::new(rules);
        for shape in tablebase.plan() {
            tablebase.solve(shape);
        }
        tablebase
    }

    /// The layers that are not empty, later ones before those that lead to them: fewer hens
    /// first, then greater heights first.
    pub fn plan(&self) -> Vec<Shape> {
        let board = self.rules.board;
        let fewest = board.square.count_ones();
        (fewest..=board.flock())
            .flat_map(|hens| {
                let heights = (0..=self.ranking.max_height()).rev();
                heights.map(move |height| Shape { hens, height })
            })
            .filter(|&shape| self.ranking.count(shape) > 0)
            .collect()
    }

    /// Configurations of hens in a layer.
    pub fn configurations(&self, shape: Shape) -> u64 {
        self.ranking.count(shape)
    }

    /// Solves the next layer of the plan.
    pub fn solve(&mut self, shape: Shape) -> LayerCensus {
        let beyond = |position: &Position| self.look_up(position);
        let layer = layer::solve(&self.rules, self.numbering(shape), &beyond);
        let census = layer.census();
        self.layers.insert(shape, layer);
        census
    }

    /// Returns the value of a position, its layer being solved.
    pub fn worth(&self, position: &Position) -> Worth {
        match self
            .rules
            .ending(position)
            .and_then(|ending| ending.winner())
        {
            Some(winner) => Worth::Won { winner, plies: 0 },
            None => self.look_up(position),
        }
    }

    fn look_up(&self, position: &Position) -> Worth {
        let shape = Shape::of(position.hens);
        self.layers.get(&shape).map_or(Worth::Draw, |layer| {
            layer.worth(&self.numbering(shape), position)
        })
    }

    fn numbering(&self, shape: Shape) -> Numbering<'_> {
        Numbering::new(self.rules.board, &self.ranking, shape)
    }
}

/// Tables already solved in this process. Drawing rules do not enter them.
static SOLVED: Mutex<Vec<Arc<Tablebase>>> = Mutex::new(Vec::new());

/// The solved table of a small board, computed when first asked for and shared from then on.
pub fn shared(rules: Rules) -> Arc<Tablebase> {
    // A panic while solving leaves the list as it was, so a poisoned lock is still good.
    let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |table: &&Arc<Tablebase>| {
        let known = &table.rules;
        (known.board.name, known.capture, known.stuck)
            == (rules.board.name, rules.capture, rules.stuck)
    };
    if let Some(table) = solved.iter().find(same) {
        return Arc::clone(table);
    }
    let table = Arc::new(Tablebase::solved(rules));
    solved.push(Arc::clone(&table));
    table
}

#[cfg(test)]
mod tests;
