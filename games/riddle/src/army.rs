//! Colourless pieces, what each of them attacks, and placements of all of them.
//!
//! A piece is data: where it may stand, its rays, its leaps with an optional leg that must be
//! empty, and the regions its leaps may not leave. Lines stop at the first piece, and a piece never
//! attacks its own cell. Knows no sampling rule. Rays by the classical method (Chess Programming
//! Wiki, "Classical Approach").

use super::board::{CellSet, Chessboard, Offset, has, members, only, set_of};
use super::threats::ThreatMap;

/// The most pieces an army may have; threat counts then fit three bits.
pub(crate) const MAX_PIECES: usize = 5;

/// A single step or jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leap {
    /// The offset of the cell to which it leads.
    pub step: Offset,
    /// The cell that must be empty, relative to the start: a horse's leg, an elephant's eye.
    pub(crate) leg: Option<Offset>,
}

/// A colourless piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The piece's English name.
    pub name: &'static str,
    /// The piece's short name in text.
    pub short: &'static str,
    /// The piece's picture.
    pub symbol: char,
    /// The cells it may stand on.
    pub domain: CellSet,
    /// Directions it slides in.
    pub(crate) rays: &'static [Offset],
    /// The piece's leaps.
    pub(crate) leaps: Vec<Leap>,
    /// The regions that the piece's leaps do not leave; empty for the whole board.
    pub(crate) regions: Vec<CellSet>,
    /// True if it stands in the other half of the board than the first piece does.
    pub(crate) opposite: bool,
}

/// The pieces of a variant on its board, in drawing order.
#[derive(Clone, Debug)]
pub struct Army {
    /// The variant's name.
    pub name: &'static str,
    board: Chessboard,
    pieces: Vec<Piece>,
    sights: Vec<AttackSet>,
    /// The number of pieces that the book's sampler keeps when it draws again.
    pub(crate) kept: usize,
    /// True if the published program also demands distinct rows and columns.
    pub(crate) published_lines: bool,
}

/// The cells that a piece attacks from one cell.
#[derive(Clone, Debug)]
struct AttackSet {
    /// The cells that a piece reaches on an empty board.
    reach: CellSet,
    /// The cells whose occupation changes what is attacked.
    screen: CellSet,
    /// The rays one by one, each with the sign of its direction in cell numbers.
    rays: Vec<Ray>,
    /// Leaps with a leg: where they lead and the leg, both as sets.
    legged: Vec<(CellSet, CellSet)>,
}

#[derive(Clone, Copy, Debug)]
struct Ray {
    line: CellSet,
    step: Offset,
    ascending: bool,
}

impl Army {
    /// An army of at most [`MAX_PIECES`] pieces; further ones are left out.
    pub(crate) fn new(name: &'static str, board: Chessboard, mut pieces: Vec<Piece>) -> Self {
        pieces.truncate(MAX_PIECES);
        let sights = pieces
            .iter()
            .flat_map(|piece| (0..board.cells()).map(|cell| AttackSet::new(board, piece, cell)))
            .collect();
        Self {
            name,
            board,
            pieces,
            sights,
            kept: 1,
            published_lines: false,
        }
    }

    /// The board.
    pub fn board(&self) -> Chessboard {
        self.board
    }

    /// The pieces, in drawing order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The number of pieces.
    pub fn size(&self) -> usize {
        self.pieces.len()
    }

    /// Returns the cells that `piece` attacks from `cell` on an empty board.
    #[inline]
    pub(crate) fn reach(&self, piece: usize, cell: usize) -> CellSet {
        self.sight(piece, cell).reach
    }

    /// The part of [`reach`](Self::reach) that needs no empty leg.
    pub(crate) fn unlegged_reach(&self, piece: usize, cell: usize) -> CellSet {
        let sight = self.sight(piece, cell);
        let legged = sight.legged.iter().fold(0, |set, (target, _)| set | target);
        sight.reach & !legged
    }

    /// The cells whose occupation changes what `piece` attacks from `cell`.
    #[inline]
    pub(crate) fn screen(&self, piece: usize, cell: usize) -> CellSet {
        self.sight(piece, cell).screen
    }

    /// Returns the cells that `piece` attacks from `cell` when `occupied` are taken; occupied cells can be attacked.
    #[inline]
    pub fn attacks(&self, piece: usize, cell: usize, occupied: CellSet) -> CellSet {
        let sight = self.sight(piece, cell);
        if sight.screen & occupied == 0 {
            return sight.reach;
        }
        self.obstructed(sight, occupied)
    }

    fn obstructed(&self, sight: &AttackSet, occupied: CellSet) -> CellSet {
        let hidden_rays = sight
            .rays
            .iter()
            .map(|ray| self.hidden(ray, occupied))
            .fold(0, |set, hidden| set | hidden);
        let hidden_leaps = sight
            .legged
            .iter()
            .filter(|(_, leg)| leg & occupied != 0)
            .fold(0, |set, (target, _)| set | target);
        sight.reach & !(hidden_rays | hidden_leaps)
    }

    /// The cells of a ray behind its first occupied one.
    fn hidden(&self, ray: &Ray, occupied: CellSet) -> CellSet {
        let blockers = ray.line & occupied;
        if blockers == 0 {
            return 0;
        }
        if ray.ascending {
            let first = blockers & blockers.wrapping_neg();
            ray.line & !(first | (first - 1))
        } else {
            let first = 1 << (127 - blockers.leading_zeros());
            ray.line & (first - 1)
        }
    }

    #[inline]
    fn sight(&self, piece: usize, cell: usize) -> &AttackSet {
        &self.sights[piece * self.board.cells() + cell]
    }

    /// Returns the number of pieces that attack each cell.
    pub fn threats(&self, placement: &Placement) -> ThreatMap {
        let occupied = placement.occupied();
        let mut map = ThreatMap::default();
        for (piece, cell) in placement.iter().enumerate() {
            map.add(self.attacks(piece, cell, occupied));
        }
        map
    }

    /// The half of the board, upper or lower, that does not hold `cell`.
    pub(crate) fn other_half(&self, cell: usize) -> CellSet {
        let middle = self.board.height() / 2;
        if self.board.row(cell) < middle {
            self.board.rows(middle..self.board.height())
        } else {
            self.board.rows(0..middle)
        }
    }

    /// The number of equally likely draws, coinciding cells included: the product of the numbers
    /// of cells each piece is drawn from.
    pub fn tuples(&self) -> u64 {
        self.pieces
            .iter()
            .map(|piece| {
                let half = if piece.opposite { 2 } else { 1 };
                u64::from(piece.domain.count_ones()) / half
            })
            .product()
    }

    /// The placement in text: cells in drawing order, `e4 d1 ...`.
    pub fn write(&self, placement: &Placement) -> String {
        let names: Vec<String> = placement.iter().map(|cell| self.board.name(cell)).collect();
        names.join(" ")
    }
}

impl AttackSet {
    fn new(board: Chessboard, piece: &Piece, cell: usize) -> Self {
        let rays: Vec<Ray> = piece
            .rays
            .iter()
            .map(|&step| ray(board, cell, step))
            .collect();
        let region = piece
            .regions
            .iter()
            .copied()
            .find(|&region| has(region, cell))
            .unwrap_or(board.all());
        let leaps = piece.leaps.iter().filter_map(|leap| {
            let target = board.step(cell, leap.step).filter(|&to| has(region, to))?;
            let leg = leap.leg.and_then(|leg| board.step(cell, leg));
            Some((only(target), leg.map_or(0, only)))
        });
        let (legged, free): (Vec<_>, Vec<_>) = leaps.partition(|&(_, leg)| leg != 0);
        let lines = rays.iter().fold(0, |set, ray| set | ray.line);
        let ends = set_of(rays.iter().filter_map(|ray| ray.end(board)));
        let targets = free.iter().chain(&legged).fold(0, |set, leap| set | leap.0);
        Self {
            reach: lines | targets,
            screen: (lines & !ends) | legged.iter().fold(0, |set, leap| set | leap.1),
            rays,
            legged,
        }
    }
}

impl Ray {
    /// The last cell of the ray: what stands there hides nothing.
    fn end(self, board: Chessboard) -> Option<usize> {
        members(self.line).find(|&cell| board.step(cell, self.step).is_none())
    }
}

fn ray(board: Chessboard, cell: usize, step: Offset) -> Ray {
    Ray {
        line: board.line(cell, step),
        step,
        ascending: step > (0, 0),
    }
}

const _: () = assert!(MAX_PIECES <= 7, "threat counts are kept in three bits");

/// The cells of an army's first pieces, in drawing order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    cells: [u8; MAX_PIECES],
    len: u8,
}

impl Placement {
    /// No piece placed yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Places the next piece; one past [`MAX_PIECES`] is ignored.
    #[inline]
    pub(crate) fn push(&mut self, cell: usize) {
        if let Some(place) = self.cells.get_mut(usize::from(self.len)) {
            *place = cell as u8;
            self.len += 1;
        }
    }

    /// Takes the last piece off.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
        self.cells[usize::from(self.len)] = 0;
    }

    /// The number of pieces placed.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// The cells in drawing order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells[..self.len()]
            .iter()
            .map(|&cell| usize::from(cell))
    }

    /// The set of occupied cells.
    #[inline]
    pub fn occupied(&self) -> CellSet {
        set_of(self.iter())
    }
}

impl FromIterator<usize> for Placement {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut placement = Self::new();
        cells.into_iter().for_each(|cell| placement.push(cell));
        placement
    }
}
