//! The solution graph: every position that lies on some solution, level by level.
//!
//! Positions are expanded forward from the start and backward from the end, always the smaller
//! frontier, until both have the same number of jumps. From where they meet, the rest is pruned in
//! both directions. If they do not meet, there is no solution. Bidirectional search: Pohl 1971,
//! "Bi-directional search".

use super::board::Position;
use super::engine::{JumpEngine, StepDirection};
use super::table::Positions;
use kit::search::Meter;

/// The result of a search from both ends.
pub(crate) enum Meeting {
    /// `levels[j]` holds the positions after `j` jumps that lie on a solution.
    Solutions(Vec<Positions>),
    /// No sequence of jumps leads from the start to the end.
    Nowhere,
    /// The budget ran out first.
    Unresolved,
}

/// The limits of a search from both ends.
pub(crate) struct Limits<'a> {
    /// Each position held counts against it.
    pub(crate) meter: &'a mut Meter,
    /// The positions held at each level, at most: those with the pegs nearest to the centre, from
    /// both ends, so that the ends may meet. The others are forgotten, and with them the proof
    /// that there is no solution.
    pub(crate) width: Option<usize>,
}

/// Finds all positions on sequences of `jumps` jumps from `start` to `end`, or, within a width,
/// some of them.
pub(crate) fn meet<const G: usize>(
    engine: &JumpEngine<G>,
    (start, end): (Position, Position),
    jumps: usize,
    limits: Limits,
) -> Meeting {
    let mut forgotten = false;
    let mut forward = vec![Positions::single(engine.canonical(start))];
    let mut backward = vec![Positions::single(engine.canonical(end))];
    while forward.len() + backward.len() < jumps + 2 {
        let ahead = forward.last().map_or(0, Positions::len);
        let behind = backward.last().map_or(0, Positions::len);
        let (side, step) = if ahead <= behind {
            (&mut forward, StepDirection::Jump)
        } else {
            (&mut backward, StepDirection::Unjump)
        };
        let Some(last) = side.last() else { break };
        let mut next = engine.step(last, step, None);
        if let Some(width) = limits.width.filter(|&width| next.len() > width) {
            next = next.cheapest(width, |pegs| engine.board().spread(pegs));
            forgotten = true;
        }
        let empty = next.is_empty();
        if !limits.meter.spend_many(next.len() as u64) {
            return Meeting::Unresolved;
        }
        side.push(next);
        if empty {
            break;
        }
    }
    match join(engine, forward, backward) {
        Meeting::Nowhere if forgotten => Meeting::Unresolved,
        meeting => meeting,
    }
}

/// Prunes both sides to the positions that are connected through the level at which they meet.
fn join<const G: usize>(
    engine: &JumpEngine<G>,
    mut forward: Vec<Positions>,
    mut backward: Vec<Positions>,
) -> Meeting {
    let (Some(ahead), Some(behind)) = (forward.pop(), backward.pop()) else {
        return Meeting::Nowhere;
    };
    let middle = ahead.intersection(&behind);
    drop((ahead, behind));
    if middle.is_empty() {
        return Meeting::Nowhere;
    }
    let mut levels = vec![middle];
    while let Some(reached) = forward.pop() {
        let last = &levels[levels.len() - 1];
        levels.push(engine.step(last, StepDirection::Unjump, Some(&reached)));
    }
    levels.reverse();
    while let Some(reaching) = backward.pop() {
        let last = &levels[levels.len() - 1];
        levels.push(engine.step(last, StepDirection::Jump, Some(&reaching)));
    }
    Meeting::Solutions(levels)
}
