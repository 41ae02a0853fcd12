//! Enumeration of all placements a referee accepts, with bitboards.
//!
//! Pieces are placed in drawing order; each removes cells from the pieces still to come, and the
//! last piece is never placed: the visitor gets all its cells as one set. Independent of what is
//! counted. Depth-first, as Knuth, TAOCP 4B, 7.2.2.

use super::army::{MAX_PIECES, Placement};
use super::board::{CellSet, members, only};
use super::rules::Referee;

/// The cells still open to each piece.
type Open = [CellSet; MAX_PIECES];

/// Walks over the accepted placements.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    referee: &'a Referee,
}

impl<'a> Walk<'a> {
    /// A walk over `referee`'s placements.
    pub(crate) fn new(referee: &'a Referee) -> Self {
        Self { referee }
    }

    /// Calls `visit(all pieces but the last, cells of the last)` for every way to place all but
    /// the last piece, the first on `first`. No pair in it conflicts; where the referee
    /// [checks the whole](Referee::checks_whole), single placements can still be refused.
    pub(crate) fn with_first(&self, first: usize, visit: &mut impl FnMut(&Placement, CellSet)) {
        let open = self.narrowed(self.domains(), 0, first);
        let mut placement = Placement::new();
        if self.referee.army().size() == 1 {
            return visit(&placement, only(first));
        }
        placement.push(first);
        self.descend(&mut placement, &open, visit);
    }

    fn descend(
        &self,
        placement: &mut Placement,
        open: &Open,
        visit: &mut impl FnMut(&Placement, CellSet),
    ) {
        let piece = placement.len();
        if piece + 1 == self.referee.army().size() {
            return visit(placement, open[piece]);
        }
        for cell in members(open[piece]) {
            let narrowed = self.narrowed(*open, piece, cell);
            placement.push(cell);
            self.descend(placement, &narrowed, visit);
            placement.pop();
        }
    }

    fn domains(&self) -> Open {
        let mut open = [0; MAX_PIECES];
        for (set, piece) in open.iter_mut().zip(self.referee.army().pieces()) {
            *set = piece.domain;
        }
        open
    }

    fn narrowed(&self, mut open: Open, piece: usize, cell: usize) -> Open {
        for (later, set) in open
            .iter_mut()
            .enumerate()
            .take(self.referee.army().size())
            .skip(piece + 1)
        {
            *set &= !self.referee.conflict(piece, cell, later);
        }
        open
    }
}
