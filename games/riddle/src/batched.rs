//! Rejection sampling by bitboards, with draws made ahead.
//!
//! Most passes end at their first test, and a processor mispredicts some of these branches. Cells
//! are therefore drawn 64 at a time and tested together, one bit each, without branches. The
//! sampler then jumps from one pass worth following to the next. Unused draws are given back, so
//! every placement and every later draw is that of drawing one by one.

use super::army::{MAX_PIECES, Placement};
use super::board::{CellSet, has};
use super::rules::{Conflicts, Referee};
use kit::rng::{Stream, below};

/// Cells drawn at a time: one for each bit of a word.
const AHEAD: usize = 64;

/// Every other bit of a word, the lowest included.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The conflicts of a piece that is not placed yet: none.
static NO_CONFLICTS: Conflicts = [0; MAX_PIECES];

/// An accepted placement and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The placement.
    pub placement: Placement,
    /// Passes from the point a conflict goes back to, the accepted one included.
    pub attempts: u64,
    /// Cells drawn.
    pub draws: u64,
}

/// Draws a placement whose pieces all come from the same `points`, going back to piece `kept`, 0
/// or 1, at a conflict.
pub(super) fn generate(
    referee: &Referee,
    points: &[u8],
    kept: usize,
    rng: &mut Stream,
) -> Generated {
    let mut chase = Chase {
        referee,
        kept,
        conflicts: [&NO_CONFLICTS; MAX_PIECES],
        closed: 0,
        closed_kept: 0,
        cells: [0; MAX_PIECES],
        generated: Generated {
            attempts: 1,
            ..Generated::default()
        },
    };
    for piece in 0..kept {
        chase.place(piece, draw(rng, points));
        chase.generated.draws += 1;
    }
    chase.closed_kept = chase.closed;
    let mut piece = kept;
    loop {
        let before = rng.clone();
        let mut ahead = [0; AHEAD];
        ahead.fill_with(|| draw(rng, points) as u8);
        if let Some(used) = chase.follow(&mut piece, &ahead) {
            *rng = before;
            (0..used).for_each(|_| {
                draw(rng, points);
            });
            return chase.generated;
        }
    }
}

#[inline]
fn draw(rng: &mut Stream, points: &[u8]) -> usize {
    usize::from(points[below(rng, points.len() as u64) as usize])
}

/// A placement under way.
struct Chase<'a> {
    referee: &'a Referee,
    kept: usize,
    /// The cells that each placed piece closes to the others.
    conflicts: [&'a Conflicts; MAX_PIECES],
    /// The cells closed to the next piece.
    closed: CellSet,
    /// The cells closed at the beginning of a pass.
    closed_kept: CellSet,
    cells: [usize; MAX_PIECES],
    generated: Generated,
}

impl Chase<'_> {
    /// Goes on with these cells from where `piece` is to be placed; how many were needed, if a
    /// placement was accepted.
    fn follow(&mut self, piece: &mut usize, ahead: &[u8; AHEAD]) -> Option<usize> {
        let promising = self.promising(ahead);
        let size = self.referee.army().size();
        let mut next = 0;
        while next < AHEAD {
            if *piece == self.kept {
                next = self.skip(promising, next);
                if next == AHEAD {
                    break;
                }
            }
            let cell = usize::from(ahead[next]);
            next += 1;
            self.generated.draws += 1;
            if has(self.closed, cell) {
                self.begin_again(piece);
                continue;
            }
            self.place(*piece, cell);
            *piece += 1;
            if *piece == size {
                if self.accepted() {
                    return Some(next);
                }
                self.begin_again(piece);
            }
        }
        None
    }

    #[inline]
    fn begin_again(&mut self, piece: &mut usize) {
        self.generated.attempts += 1;
        self.closed = self.closed_kept;
        *piece = self.kept;
    }

    /// The cells at which a pass may begin that does not end at its first test. With a piece kept
    /// that is the test of the next one's cell, else that of the second cell of the pass.
    fn promising(&self, ahead: &[u8; AHEAD]) -> u64 {
        let bit = |index: usize, open: bool| u64::from(open) << index;
        if self.kept == 0 {
            let open = |index: usize| {
                let [first, second] = [ahead[index], ahead[index + 1]].map(usize::from);
                !has(self.referee.conflict(0, first, 1), second)
            };
            let tested = (0..AHEAD - 1).fold(0, |set, index| set | bit(index, open(index)));
            return tested | bit(AHEAD - 1, true);
        }
        let open = |index: usize| !has(self.closed_kept, usize::from(ahead[index]));
        (0..AHEAD).fold(0, |set, index| set | bit(index, open(index)))
    }

    /// Returns the index of the next promising pass from `next` on, and counts those skipped.
    #[inline]
    fn skip(&mut self, promising: u64, next: usize) -> usize {
        let (passes, cells) = match self.kept {
            0 => (EVEN, 2),
            _ => (u64::MAX, 1),
        };
        let skipped = ((promising >> next & passes).trailing_zeros() as usize).min(AHEAD - next);
        self.generated.attempts += (skipped / cells) as u64;
        self.generated.draws += skipped as u64;
        next + skipped
    }

    /// Puts a piece on its cell and finds what that and the earlier ones close to the next piece;
    /// most passes end there, so no set is made before it is asked for.
    #[inline]
    fn place(&mut self, piece: usize, cell: usize) {
        self.cells[piece] = cell;
        self.conflicts[piece] = self.referee.conflicts(piece, cell);
        let next = (piece + 1).min(MAX_PIECES - 1);
        let placed = &self.conflicts[..=piece];
        self.closed = placed
            .iter()
            .fold(0, |set, conflicts| set | conflicts[next]);
    }

    fn accepted(&mut self) -> bool {
        let size = self.referee.army().size();
        let placement: Placement = self.cells[..size].iter().copied().collect();
        self.generated.placement = placement;
        self.referee.accepts_whole(&placement)
    }
}
