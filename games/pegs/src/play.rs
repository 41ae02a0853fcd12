//! Random play to the end: every legal jump is equally likely.
//!
//! Games on several streams advance side by side, one jump each in turn. A single game leaves the
//! processor waiting, because each jump depends on the one before. Finding and counting jumps is
//! the same for all games, and compilers turn it into vector instructions. Each stream is drawn
//! from as if it were the only one. Knows nothing of samples; streams come from the caller.

use super::board::{Jump, JumpDirection, PegBoard, Position, SHIFTS};
use kit::rng::{Stream, below};

/// The end of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutEnd {
    /// The pegs left.
    pub pegs: Position,
    /// Jumps made.
    pub jumps: u32,
    /// Moves made, consecutive jumps of one peg being one.
    pub moves: u32,
}

/// Streams whose games are played side by side.
pub const LANES: usize = 8;

/// Random play on one board.
pub struct Playouts(Directions);

/// The tables of a board whose pegs jump along lines alone, and of one with diagonals.
enum Directions {
    Straight(PlayoutTables<4>),
    Diagonal(PlayoutTables<8>),
}

impl Playouts {
    /// The player of a board; `None` if it has no jumps.
    pub fn new(board: &PegBoard) -> Option<Self> {
        let straight = PlayoutTables::new(board).map(Directions::Straight);
        let diagonal = || PlayoutTables::new(board).map(Directions::Diagonal);
        straight.or_else(diagonal).map(Self)
    }

    /// Plays `games` games from `start` on each stream, those of a stream one after the other, and
    /// tells every ending with the number of its stream.
    pub fn play(
        &self,
        start: Position,
        games: usize,
        streams: &mut [Stream],
        ended: &mut dyn FnMut(usize, PlayoutEnd),
    ) {
        match &self.0 {
            Directions::Straight(tables) => tables.play_on(start, games, streams, ended),
            Directions::Diagonal(tables) => tables.play_on(start, games, streams, ended),
        }
    }

    /// A uniform legal jump; `None` where there is none.
    pub fn draw(&self, pegs: Position, stream: &mut Stream) -> Option<Jump> {
        match &self.0 {
            Directions::Straight(tables) => tables.draw(pegs, stream),
            Directions::Diagonal(tables) => tables.draw(pegs, stream),
        }
    }
}

/// A board's directions, in arrays of known length.
struct PlayoutTables<const D: usize> {
    ways: [JumpDirection; D],
    starts: [Position; D],
    /// The holes that a jump of each direction from hole 0 changes; it can go around the edge.
    first_jumps: [Position; D],
}

impl<const D: usize> PlayoutTables<D> {
    /// The player of a board with `D` directions; `None` if it has another number of them.
    fn new(board: &PegBoard) -> Option<Self> {
        let ways: [JumpDirection; D] = board.directions().try_into().ok()?;
        let starts = ways.each_ref().map(JumpDirection::starts);
        let first_jumps = ways.each_ref().map(|way| way.jump(0).mask());
        Some(Self {
            ways,
            starts,
            first_jumps,
        })
    }

    fn play_on(
        &self,
        start: Position,
        games: usize,
        streams: &mut [Stream],
        ended: &mut dyn FnMut(usize, PlayoutEnd),
    ) {
        let (batches, rest) = streams.as_chunks_mut::<LANES>();
        for (at, batch) in batches.iter_mut().enumerate() {
            self.play(start, games, batch, |lane, end| {
                ended(LANES * at + lane, end)
            });
        }
        let first = LANES * batches.len();
        for (at, stream) in (first..).zip(rest) {
            self.play(start, games, std::array::from_mut(stream), |_, end| {
                ended(at, end)
            });
        }
    }

    fn play<const N: usize>(
        &self,
        start: Position,
        games: usize,
        streams: &mut [Stream; N],
        mut ended: impl FnMut(usize, PlayoutEnd),
    ) {
        let mut pegs = [start; N];
        let mut paths = [PlayoutHistory::START; N];
        let mut left = [games; N];
        let mut choices = Choices::<D, N>::NONE;
        let mut going = if games > 0 { N } else { 0 };
        while going > 0 {
            choices.find(&pegs, &self.starts);
            for (lane, stream) in streams.iter_mut().enumerate() {
                if let Some((way, from)) = choices.draw(lane, stream) {
                    pegs[lane] ^= self.first_jumps[way % D].rotate_left(from);
                    paths[lane].make(from, from.wrapping_add_signed(2 * SHIFTS[way % D]));
                } else if left[lane] > 0 {
                    ended(lane, paths[lane].ending(start, pegs[lane]));
                    left[lane] -= 1;
                    if left[lane] > 0 {
                        (pegs[lane], paths[lane]) = (start, PlayoutHistory::START);
                    } else {
                        going -= 1;
                    }
                }
            }
        }
    }

    /// A uniform legal jump. One jump costs a draw too, which keeps the loop free of a branch.
    fn draw(&self, pegs: Position, stream: &mut Stream) -> Option<Jump> {
        let mut choices = Choices::<D, 1>::NONE;
        choices.find(&[pegs], &self.starts);
        let (way, from) = choices.draw(0, stream)?;
        Some(self.ways[way].jump(from))
    }
}

/// Returns bits moved down by a number of places, or up by a negative one.
#[inline(always)]
fn shifted(pegs: Position, places: i32) -> Position {
    if places < 0 {
        pegs << -places
    } else {
        pegs >> places
    }
}

/// The memory that tells moves from jumps.
#[derive(Clone, Copy)]
struct PlayoutHistory {
    last: u32,
    moves: u32,
}

impl PlayoutHistory {
    const START: Self = Self { last: 64, moves: 0 };

    #[inline(always)]
    fn make(&mut self, from: u32, to: u32) {
        self.moves += u32::from(self.last != from);
        self.last = to;
    }

    fn ending(&self, start: Position, pegs: Position) -> PlayoutEnd {
        PlayoutEnd {
            pegs,
            jumps: start.count_ones() - pegs.count_ones(),
            moves: self.moves,
        }
    }
}

const BYTES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The legal jumps of `N` positions: by groups of four directions, by row, by direction, by column.
struct Choices<const D: usize, const N: usize> {
    /// The holes they start from.
    starts: [[Position; N]; D],
    /// The number of jumps from each row and the rows below, a byte a row, for each group.
    up_to: [[u64; N]; 2],
}

impl<const D: usize, const N: usize> Choices<D, N> {
    const NONE: Self = Self {
        starts: [[0; N]; D],
        up_to: [[0; N]; 2],
    };

    /// Finds the jumps of positions that start `within` these holes, by direction.
    #[inline(always)]
    fn find(&mut self, pegs: &[Position; N], within: &[Position; D]) {
        for (lane, &pegs) in pegs.iter().enumerate() {
            // The short loop inside: shifts known when this is compiled are cheaper.
            for way in 0..D {
                let over = shifted(pegs, SHIFTS[way]);
                let to = shifted(pegs, 2 * SHIFTS[way]);
                // What a shift loses would start or land off the board.
                self.starts[way][lane] = pegs & over & !to & within[way];
            }
        }
        for (up_to, starts) in self.up_to.iter_mut().zip(self.starts.as_chunks().0) {
            count_rows(starts, up_to);
        }
    }

    /// The direction and the start of a uniform jump of one position.
    #[inline(always)]
    fn draw(&self, lane: usize, stream: &mut Stream) -> Option<(usize, u32)> {
        let total = self.total(lane);
        (total > 0).then(|| self.select(lane, below(stream, total)))
    }

    #[inline(always)]
    fn total(&self, lane: usize) -> u64 {
        let of_group = |group: usize| self.up_to[group][lane] >> 56;
        if D > 4 {
            of_group(0) + of_group(1)
        } else {
            of_group(0)
        }
    }

    /// The direction and the start of jump number `rank`, below the total.
    #[inline(always)]
    fn select(&self, lane: usize, rank: u64) -> (usize, u32) {
        let straight = self.up_to[0][lane] >> 56;
        if D > 4 && rank >= straight {
            self.select_in(1, lane, rank - straight)
        } else {
            self.select_in(0, lane, rank)
        }
    }

    #[inline(always)]
    fn select_in(&self, group: usize, lane: usize, rank: u64) -> (usize, u32) {
        let up_to = self.up_to[group][lane];
        // A byte keeps its high bit where the rows up to it have no more than `rank` jumps.
        let passed = (((rank * BYTES) | HIGH_BITS) - up_to) & HIGH_BITS;
        let row = ((passed >> 7).wrapping_mul(BYTES) >> 56) as u32;
        let below = (up_to << 8) >> (8 * row) & 0xFF;
        let in_row = |way: usize| {
            let starts = self.starts[(4 * group + way) % D][lane];
            (starts >> (8 * row) & 0xFF) << (8 * way)
        };
        let jumps = in_row(0) | in_row(1) | in_row(2) | in_row(3);
        let first = nth_bit(jumps as u32, rank - below);
        (4 * group + (first / 8) as usize, 8 * row + first % 8)
    }
}

/// Counts the jumps of four directions row by row. A row is a byte; a line of eight holes has at
/// most six jumps to both sides, so four directions have at most 96 and every sum fits seven bits.
///
/// Bits are counted in parallel (Warren, "Hacker's delight", 5-1), and summed without a
/// multiplication, for which there is no vector instruction.
#[inline(always)]
fn count_rows<const N: usize>(starts: &[[Position; N]; 4], up_to: &mut [u64; N]) {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    const EIGHTS: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    let fours = |bits: Position| {
        let pairs = bits - (bits >> 1 & PAIRS);
        (pairs & FOURS) + (pairs >> 2 & FOURS)
    };
    let [a, b, c, d] = starts;
    for (lane, up_to) in up_to.iter_mut().enumerate() {
        let (ab, cd) = (
            fours(a[lane]) + fours(b[lane]),
            fours(c[lane]) + fours(d[lane]),
        );
        let mut rows = (ab & EIGHTS) + (ab >> 4 & EIGHTS) + (cd & EIGHTS) + (cd >> 4 & EIGHTS);
        rows += rows << 8;
        rows += rows << 16;
        rows += rows << 32;
        *up_to = rows;
    }
}

/// The number of the set bit that has `rank` set bits below it.
#[inline(always)]
fn nth_bit(mut bits: u32, mut rank: u64) -> u32 {
    // Most ranks are reached by the first steps, which take no branch to be mispredicted.
    for _ in 0..3 {
        let fewer = bits & bits.wrapping_sub(1);
        bits = if rank > 0 { fewer } else { bits };
        rank = rank.saturating_sub(1);
    }
    for _ in 0..rank {
        bits &= bits.wrapping_sub(1);
    }
    bits.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::super::problem::NamedProblem;
    use super::*;
    use kit::rng::Streams;

    /// More than are played side by side.
    fn streams(seed: u64) -> [Stream; LANES + 3] {
        let key = Streams::new(seed).key("games");
        std::array::from_fn(|lane| key.stream(lane as u64))
    }

    /// A jump by a list of them all: from the bottom row up, by direction, then by column, the
    /// diagonals after the straight ones.
    fn draw_from_list(board: &PegBoard, pegs: Position, stream: &mut Stream) -> Option<Jump> {
        let mut jumps: Vec<(bool, u8, usize, Jump)> = Vec::new();
        for (way, direction) in board.directions().iter().enumerate() {
            for jump in board.jumps(pegs) {
                if direction.jump(jump.from.into()) == jump {
                    jumps.push((way >= 4, jump.from / 8, way, jump));
                }
            }
        }
        jumps.sort_by_key(|&(diagonal, row, way, jump)| (diagonal, row, way, jump.from));
        let rank = (!jumps.is_empty()).then(|| below(stream, jumps.len() as u64))?;
        Some(jumps[rank as usize].3)
    }

    /// A game by lists.
    fn play_by_list(board: &PegBoard, start: Position, stream: &mut Stream) -> PlayoutEnd {
        let (mut pegs, mut line) = (start, Vec::new());
        while let Some(jump) = draw_from_list(board, pegs, stream) {
            assert_eq!(pegs & jump.mask(), 1 << jump.from | 1 << jump.over);
            pegs ^= jump.mask();
            line.push(jump);
        }
        assert!(board.is_dead(pegs));
        PlayoutEnd {
            pegs,
            jumps: line.len() as u32,
            moves: super::super::solve::count_moves(&line),
        }
    }

    /// Seeds 0 ... 4 for five boards: 11 streams, eight of them side by side, 40 games each, against lists.
    fn hold_against_lists(boards: [(PegBoard, &str); 5]) {
        for (seed, (board, empty)) in boards.into_iter().enumerate() {
            let start = board.holes() & !board.parse_holes(empty).unwrap();
            let player = Playouts::new(&board).unwrap();
            let mut endings = [const { Vec::new() }; LANES + 3];
            let mut together = streams(seed as u64);
            player.play(start, 40, &mut together, &mut |lane, ending| {
                endings[lane].push(ending);
            });
            for (lane, mut stream) in streams(seed as u64).into_iter().enumerate() {
                let game = |_| play_by_list(&board, start, &mut stream);
                assert_eq!(endings[lane], (0..40).map(game).collect::<Vec<_>>());
                assert_eq!(
                    together[lane], stream,
                    "it is where a game by lists left it"
                );
            }
        }
    }

    fn boards() -> [(PegBoard, &'static str); 5] {
        let full = |size: usize| PegBoard::parse(&vec!["o".repeat(size); size].join("/")).unwrap();
        [
            (PegBoard::english(), "44"),
            (PegBoard::french(), "37"),
            (full(8), "11 88 45"),
            (full(3), "22"),
            (PegBoard::parse("oooooooo").unwrap(), "31"),
        ]
    }

    #[test]
    fn games_side_by_side_are_those_played_by_lists_of_jumps() {
        hold_against_lists(boards());
    }

    #[test]
    fn games_with_diagonals_are_those_played_by_lists_of_jumps() {
        let diagonal = |(board, empty): (PegBoard, _)| (board.with_diagonals(), empty);
        hold_against_lists(boards().map(diagonal));
    }

    /// Seed 5: 60,000 draws among the jumps of one position; chi-square beyond its 0.1 % point
    /// would be a fault.
    #[test]
    fn every_legal_jump_is_equally_likely() {
        let problem = NamedProblem::find("lamp").unwrap().problem(false).unwrap();
        let player = Playouts::new(&problem.board).unwrap();
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
    fn games_from_a_dead_start_end_where_they_begin() {
        let board = PegBoard::english();
        let player = Playouts::new(&board).unwrap();
        assert!(PlayoutTables::<8>::new(&board).is_none());
        let mut ended = 0;
        let two = &mut streams(6)[..2];
        player.play(1 << 27, 3, two, &mut |_, ending| {
            assert_eq!((ending.pegs, ending.jumps, ending.moves), (1 << 27, 0, 0));
            ended += 1;
        });
        player.play(1 << 27, 0, two, &mut |_, _| ended += 100);
        assert_eq!(ended, 6);
    }
}
