//! A layer: all positions with the same number of hens and the same sum of their rows, both
//! sides to move, solved together by retrograde analysis.
//!
//! A step up leads to the layer above, a chain to layers with fewer hens. Inside a layer hens move
//! sideways and foxes step, and only there can play go in circles. A layer is therefore solved
//! from its own positions and what `beyond` says of later ones; nothing else need be in memory.
//! Positions are settled in order of their distance from the end, each once (Thompson 1986,
//! "Retrograde analysis of certain endgames"). A position that is never settled is a draw.

use super::Worth;
use super::numbering::{Numbering, side_at};
use super::ranking::Shape;
use crate::board::{Cells, each};
use crate::moves::{Direction, Move};
use crate::position::{Position, Side};
use crate::rules::Rules;

/// Plies to the end plus one; the side to move has lost if the plies are even and won if odd.
type Code = u16;

const DRAW: Code = 0;

/// Decided in favour of the side to move before it moves: no play leads here.
const UNREACHABLE: Code = Code::MAX;

/// A layer's values.
#[derive(Debug)]
pub(crate) struct Layer {
    codes: Vec<Code>,
}

/// The counts of a layer, for the side named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerCensus {
    /// Open positions, both sides to move.
    pub positions: u64,
    /// Won by the hens.
    pub hens_win: u64,
    /// Won by the foxes.
    pub foxes_win: u64,
    /// Won by nobody.
    pub draws: u64,
    /// The longest win, in plies.
    pub longest: u16,
}

impl Layer {
    /// Returns the value of an undecided position of this layer.
    pub(crate) fn worth(&self, numbering: &Numbering<'_>, position: &Position) -> Worth {
        let index = numbering.index_of(position);
        self.codes
            .get(index)
            .map_or(Worth::Draw, |&code| worth(code, position.side))
    }

    /// Counts the layer's open positions by their worth.
    pub(crate) fn census(&self) -> LayerCensus {
        let mut census = LayerCensus::default();
        for (index, &code) in self.codes.iter().enumerate() {
            // Codes 1 and UNREACHABLE are positions decided before the move.
            if matches!(code, 1 | UNREACHABLE) {
                continue;
            }
            census.positions += 1;
            match worth(code, side_at(index)) {
                Worth::Draw => census.draws += 1,
                Worth::Won { winner, plies } => {
                    census.longest = census.longest.max(plies);
                    match winner {
                        Side::Hens => census.hens_win += 1,
                        Side::Foxes => census.foxes_win += 1,
                    }
                }
            }
        }
        census
    }
}

fn worth(code: Code, side: Side) -> Worth {
    match code {
        DRAW => Worth::Draw,
        UNREACHABLE => Worth::Won {
            winner: side,
            plies: 0,
        },
        code => Worth::Won {
            winner: if code % 2 == 0 { side } else { side.other() },
            plies: code - 1,
        },
    }
}

/// Solves a layer; `beyond` knows the undecided positions of later layers.
pub(crate) fn solve(
    rules: &Rules,
    numbering: Numbering<'_>,
    beyond: &dyn Fn(&Position) -> Worth,
) -> Layer {
    let positions = numbering.positions();
    let mut solver = RetrogradeSolver {
        rules,
        numbering,
        codes: vec![DRAW; positions],
        open: vec![0; positions],
        worst: vec![0; positions],
        queues: Vec::new(),
    };
    solver.look_beyond(beyond);
    solver.settle();
    Layer {
        codes: solver.codes,
    }
}

struct RetrogradeSolver<'a> {
    rules: &'a Rules,
    numbering: Numbering<'a>,
    codes: Vec<Code>,
    /// Moves inside the layer not yet known to lose; `NEVER` where another move saves the side.
    open: Vec<u8>,
    /// The longest resistance among the moves known to lose, in plies.
    worst: Vec<u16>,
    /// Positions to settle, by distance in plies.
    queues: Vec<Vec<usize>>,
}

/// A number of open moves that never runs out: no position has so many.
const NEVER: u8 = u8::MAX;

impl RetrogradeSolver<'_> {
    /// Judges every position by the moves that leave the layer.
    fn look_beyond(&mut self, beyond: &dyn Fn(&Position) -> Worth) {
        let numbering = self.numbering;
        let mut moves = Vec::new();
        for (index, position) in numbering.each_position().enumerate() {
            match self.rules.ending(&position).map(|ending| ending.winner()) {
                Some(winner) if winner == Some(position.side) => self.codes[index] = UNREACHABLE,
                Some(_) => self.enqueue(index, 0),
                None => {
                    moves.clear();
                    self.rules.moves(&position, &mut moves);
                    self.judge(index, &position, &moves, beyond);
                }
            }
        }
    }

    fn judge(
        &mut self,
        index: usize,
        position: &Position,
        moves: &[Move],
        beyond: &dyn Fn(&Position) -> Worth,
    ) {
        let (mut inside, mut safe) = (0, false);
        let (mut quickest, mut worst) = (None::<u16>, 0);
        for &play in moves {
            let after = self.rules.after(position, play);
            if Shape::of(after.hens) == self.numbering.shape()
                && self.rules.ending(&after).is_none()
            {
                inside += 1;
                continue;
            }
            match self.worth_of(&after, beyond) {
                Worth::Draw => safe = true,
                Worth::Won { winner, plies } if winner == position.side => {
                    quickest = Some(quickest.map_or(plies + 1, |best| best.min(plies + 1)));
                }
                Worth::Won { plies, .. } => worst = worst.max(plies + 1),
            }
        }
        self.worst[index] = worst;
        self.open[index] = if safe || quickest.is_some() {
            NEVER
        } else {
            inside
        };
        match quickest {
            Some(plies) => self.enqueue(index, plies),
            None if !safe && inside == 0 => self.enqueue(index, worst),
            None => {}
        }
    }

    fn worth_of(&self, after: &Position, beyond: &dyn Fn(&Position) -> Worth) -> Worth {
        match self.rules.ending(after).and_then(|ending| ending.winner()) {
            Some(winner) => Worth::Won { winner, plies: 0 },
            None => beyond(after),
        }
    }

    fn enqueue(&mut self, index: usize, plies: u16) {
        let plies = usize::from(plies);
        if self.queues.len() <= plies {
            self.queues.resize_with(plies + 1, Vec::new);
        }
        self.queues[plies].push(index);
    }

    /// Settles positions by increasing distance and tells their predecessors.
    fn settle(&mut self) {
        let mut plies = 0;
        while plies < self.queues.len() {
            for index in std::mem::take(&mut self.queues[plies]) {
                if self.codes[index] == DRAW {
                    self.codes[index] = plies as Code + 1;
                    self.tell_predecessors(index, plies as u16);
                }
            }
            plies += 1;
        }
    }

    fn tell_predecessors(&mut self, index: usize, plies: u16) {
        let position = self.numbering.position(index);
        let rank = self.numbering.rank_at(index);
        for earlier in predecessors(self.rules, &position) {
            let earlier = if earlier.hens == position.hens {
                self.numbering.place_at(rank, &earlier)
            } else {
                self.numbering.index_of(&earlier)
            };
            if self.codes[earlier] != DRAW {
                continue;
            }
            if plies.is_multiple_of(2) {
                self.enqueue(earlier, plies + 1);
            } else if self.open[earlier] != NEVER {
                self.open[earlier] -= 1;
                self.worst[earlier] = self.worst[earlier].max(plies + 1);
                if self.open[earlier] == 0 {
                    self.enqueue(earlier, self.worst[earlier]);
                }
            }
        }
    }
}

/// The positions of the same layer from which a move leads here.
fn predecessors(rules: &Rules, position: &Position) -> Vec<Position> {
    let (directions, pieces): (&[Direction], Cells) = match position.side {
        Side::Foxes => (&[Direction::Left, Direction::Right], position.hens),
        Side::Hens => (&Direction::ALL, position.foxes),
    };
    let free = position.free(rules.board);
    let mut earlier = Vec::new();
    for &direction in directions {
        for origin in each(direction.step(pieces) & free) {
            let undo = Move {
                piece: direction.back(origin),
                landing: origin,
                taken: 0,
            };
            let before = moved_back(position, undo);
            if !rules.must_eat(&before) {
                earlier.push(before);
            }
        }
    }
    let passed = Position {
        side: Side::Hens,
        ..*position
    };
    if position.side == Side::Foxes && rules.must_pass(&passed) {
        earlier.push(passed);
    }
    earlier
}

fn moved_back(position: &Position, undo: Move) -> Position {
    let swap = undo.piece ^ undo.landing;
    match position.side {
        Side::Foxes => Position {
            hens: position.hens ^ swap,
            side: Side::Hens,
            ..*position
        },
        Side::Hens => Position {
            foxes: position.foxes ^ swap,
            side: Side::Foxes,
            ..*position
        },
    }
}
