//! Random play to the end: every legal jump equally likely.
//!
//! Knows nothing of samples and streams; the random numbers come in from outside.

use super::board::{Board, Direction, Jump, Position, ROTATIONS, movable};
use crate::rng::{Stream, below};

/// How a random game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The pegs left.
    pub pegs: Position,
    /// Jumps made.
    pub jumps: u32,
    /// Moves made, consecutive jumps of one peg being one.
    pub moves: u32,
}

/// A board's directions, in arrays of known length.
pub struct Player<const D: usize> {
    ways: [Direction; D],
    starts: [Position; D],
}

impl<const D: usize> Player<D> {
    /// The player of a board with `D` directions; `None` if it has another number of them.
    pub fn new(board: &Board) -> Option<Self> {
        let ways: [Direction; D] = board.directions().try_into().ok()?;
        let starts = ways.each_ref().map(Direction::starts);
        Some(Self { ways, starts })
    }

    /// Plays from `pegs` until no peg can jump.
    pub fn play(&self, mut pegs: Position, stream: &mut Stream) -> Ending {
        let (mut jumps, mut moves, mut last) = (0, 0, 64);
        while let Some(jump) = self.draw(pegs, stream) {
            pegs ^= jump.mask();
            jumps += 1;
            moves += u32::from(last != jump.from);
            last = jump.to;
        }
        Ending { pegs, jumps, moves }
    }

    /// A uniform legal jump. One jump costs a draw too, which keeps the loop free of a branch.
    #[inline(always)]
    pub fn draw(&self, pegs: Position, stream: &mut Stream) -> Option<Jump> {
        // Rotations known when this is compiled are a third of the price of others.
        let mut starts = self.starts;
        for (starts, rotation) in starts.iter_mut().zip(ROTATIONS) {
            *starts = movable(pegs, rotation, *starts);
        }
        let (straight, diagonal) = starts.split_first_chunk::<4>()?;
        let straight = Rows::new(*straight);
        let Some(&diagonal) = diagonal.first_chunk::<4>() else {
            let rank = rank_below(straight.total(), stream)?;
            return Some(self.jump(straight.select(rank), 0));
        };
        let diagonal = Rows::new(diagonal);
        let rank = rank_below(straight.total() + diagonal.total(), stream)?;
        Some(match rank.checked_sub(straight.total()) {
            None => self.jump(straight.select(rank), 0),
            Some(rank) => self.jump(diagonal.select(rank), 4),
        })
    }

    #[inline(always)]
    fn jump(&self, (way, from): (usize, u32), first_way: usize) -> Jump {
        self.ways[first_way + way].jump(from)
    }
}

#[inline(always)]
fn rank_below(total: u64, stream: &mut Stream) -> Option<u64> {
    (total > 0).then(|| below(stream, total))
}

const BYTES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The starts of four directions' jumps, counted row by row.
///
/// A row is a byte. A line of eight holes has at most six jumps to both sides, so four directions
/// have at most 96 and every sum fits seven bits.
struct Rows {
    starts: [Position; 4],
    /// In each byte the jumps from its row and the rows below.
    up_to: u64,
}

impl Rows {
    /// Counts bits in parallel, four directions at once (Warren, "Hacker's delight", 5-1).
    #[inline(always)]
    fn new(starts: [Position; 4]) -> Self {
        const PAIRS: u64 = 0x5555_5555_5555_5555;
        const FOURS: u64 = 0x3333_3333_3333_3333;
        const EIGHTS: u64 = 0x0F0F_0F0F_0F0F_0F0F;
        let fours = |bits: Position| {
            let pairs = bits - (bits >> 1 & PAIRS);
            (pairs & FOURS) + (pairs >> 2 & FOURS)
        };
        let [a, b, c, d] = starts;
        let (ab, cd) = (fours(a) + fours(b), fours(c) + fours(d));
        let rows = (ab & EIGHTS) + (ab >> 4 & EIGHTS) + (cd & EIGHTS) + (cd >> 4 & EIGHTS);
        Self {
            starts,
            up_to: rows.wrapping_mul(BYTES),
        }
    }

    #[inline(always)]
    fn total(&self) -> u64 {
        self.up_to >> 56
    }

    /// The direction and the start of jump number `rank`, below the total.
    #[inline(always)]
    fn select(&self, rank: u64) -> (usize, u32) {
        // A byte keeps its high bit where the rows up to it have no more than `rank` jumps.
        let passed = (((rank * BYTES) | HIGH_BITS) - self.up_to) & HIGH_BITS;
        let row = ((passed >> 7).wrapping_mul(BYTES) >> 56) as u32;
        let below = (self.up_to << 8) >> (8 * row) & 0xFF;
        let in_row = |bits: Position| bits >> (8 * row) & 0xFF;
        let [a, b, c, d] = self.starts;
        let mut jumps = in_row(a) | in_row(b) << 8 | in_row(c) << 16 | in_row(d) << 24;
        let mut passed_by = rank - below;
        // Most ranks are reached by the first steps, which take no branch to be mispredicted.
        for _ in 0..3 {
            let fewer = jumps & jumps.wrapping_sub(1);
            jumps = if passed_by > 0 { fewer } else { jumps };
            passed_by = passed_by.saturating_sub(1);
        }
        for _ in 0..passed_by {
            jumps &= jumps - 1;
        }
        let first = jumps.trailing_zeros();
        ((first / 8) as usize, 8 * row + first % 8)
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::Named;
    use super::*;
    use crate::rng::Streams;

    /// Seed 5: 60,000 draws among the jumps of one position; chi-square beyond its 0.1 % point
    /// would be a fault.
    #[test]
    fn every_legal_jump_is_equally_likely() {
        let problem = Named::find("lamp").unwrap().problem(false).unwrap();
        let player = Player::<4>::new(&problem.board).unwrap();
        let jumps: Vec<Jump> = problem.board.jumps(problem.start).collect();
        let mut counts = vec![0u32; jumps.len()];
        let mut stream = Streams::new(5).key("jumps").stream(0);
        for _ in 0..60_000 {
            let jump = player.draw(problem.start, &mut stream).unwrap();
            counts[jumps.iter().position(|&legal| legal == jump).unwrap()] += 1;
        }
        let expected = 60_000.0 / jumps.len() as f64;
        let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi_square: f64 = counts.iter().map(square).sum();
        let freedom = jumps.len() as f64 - 1.0;
        assert!(
            chi_square < freedom + 3.1 * (2.0 * freedom).sqrt() + 6.0,
            "{chi_square}"
        );
    }

    #[test]
    fn games_end_when_no_peg_can_jump() {
        let problem = Named::find("central").unwrap().problem(false).unwrap();
        let player = Player::<4>::new(&problem.board).unwrap();
        assert!(Player::<8>::new(&problem.board).is_none());
        for index in 0..200 {
            let mut stream = Streams::new(6).key("games").stream(index);
            let ending = player.play(problem.start, &mut stream);
            assert!(problem.board.is_dead(ending.pegs));
            assert_eq!(ending.pegs.count_ones() + ending.jumps, 32);
            assert!(ending.moves <= ending.jumps);
        }
    }
}
