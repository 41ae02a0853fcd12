//! Random placements by rejection: the book's sampler and the unbiased one.
//!
//! The book's program draws piece 1 once, then draws the others one by one and goes back to
//! piece 2 at the first conflict; that favours cells of piece 1 with few completions. The uniform
//! sampler goes back to piece 1, so every accepted placement is equally likely (von Neumann 1951).
//! Equal draws give equal placements whether conflicts are looked up in the difference table
//! or in bitboards.

use super::army::MAX_PIECES;
use super::batched;
pub use super::batched::Generated;
use super::board::{Chessboard, has, members};
use super::rules::{Conflicts, Referee, Rule, same_line};
use kit::rng::{Stream, below};

/// The piece to which a conflict sends the draw back.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Sampler {
    /// The second piece, the first being kept; in xiangqi the first.
    Seed,
    /// The first piece.
    Uniform,
}

/// The algorithm that finds conflicts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum ConflictAlgorithm {
    /// The way of the book's program: every table value against every pair, one by one.
    Table,
    /// Precomputed bitboards.
    Bitboard,
}

/// Draws accepted placements.
#[derive(Debug)]
pub struct Generator {
    referee: Referee,
    kept: usize,
    differences: Option<Vec<usize>>,
    points: Vec<Points>,
}

/// The cells a piece is drawn from.
#[derive(Debug, PartialEq, Eq)]
enum Points {
    /// The piece's whole domain.
    Anywhere(Vec<u8>),
    /// The piece's cells in the upper and in the lower half; it takes the half the first piece leaves it.
    Opposite(Vec<u8>, Vec<u8>),
}

impl Generator {
    /// A generator of the referee's placements; `None` for [`ConflictAlgorithm::Table`] with a
    /// rule that is no table.
    ///
    /// The generator draws forever where a kept piece has no completion: ask a
    /// [`Census`](super::census::Census) first whether one has.
    pub fn new(referee: Referee, sampler: Sampler, algorithm: ConflictAlgorithm) -> Option<Self> {
        let army = referee.army();
        let differences = match algorithm {
            ConflictAlgorithm::Table => Some(referee.rule().differences(army.board())?),
            ConflictAlgorithm::Bitboard => None,
        };
        let kept = match sampler {
            Sampler::Seed => army.kept,
            Sampler::Uniform => 0,
        };
        let points = (0..army.size())
            .map(|piece| Points::new(&referee, piece))
            .collect();
        Some(Self {
            referee,
            kept,
            differences,
            points,
        })
    }

    /// The referee whose placements are drawn.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// Draws until a placement is accepted.
    pub fn generate(&self, rng: &mut Stream) -> Generated {
        match (&self.differences, self.shared_points()) {
            (Some(differences), _) => {
                self.draw_until(rng, Differences::new(&self.referee, differences))
            }
            (None, Some(points)) => batched::generate(&self.referee, points, self.kept, rng),
            (None, None) => self.draw_until(rng, Bitboards::new(&self.referee)),
        }
    }

    /// The points of all pieces, where they are the same and two pieces at least.
    fn shared_points(&self) -> Option<&[u8]> {
        let same = self.points.windows(2).all(|pair| pair[0] == pair[1]);
        match &self.points[..] {
            [Points::Anywhere(points), _, ..] if same && self.kept < 2 => Some(points),
            _ => None,
        }
    }

    fn draw_until(&self, rng: &mut Stream, mut placed: impl Placed) -> Generated {
        let size = self.referee.army().size();
        let mut cells = [0; MAX_PIECES];
        let mut generated = Generated::default();
        let mut piece = 0;
        loop {
            generated.attempts += 1;
            while piece < size {
                let cell = self.draw(rng, piece, cells[0]);
                generated.draws += 1;
                if placed.clashes(piece, cell) {
                    break;
                }
                placed.place(piece, cell);
                cells[piece] = cell;
                piece += 1;
            }
            if piece == size {
                generated.placement = cells[..size].iter().copied().collect();
                if self.referee.accepts_whole(&generated.placement) {
                    return generated;
                }
            }
            piece = self.kept.min(piece);
        }
    }

    /// A cell for `piece`, the first piece being on `first`.
    #[inline]
    fn draw(&self, rng: &mut Stream, piece: usize, first: usize) -> usize {
        let points = match &self.points[piece] {
            Points::Anywhere(points) => points,
            Points::Opposite(upper, lower) => {
                let board = self.referee.army().board();
                let is_upper = board.row(first) < board.height() / 2;
                if is_upper { lower } else { upper }
            }
        };
        usize::from(points[below(rng, points.len() as u64) as usize])
    }
}

/// The pieces placed so far, as an algorithm remembers them. Placing a piece forgets those after
/// it.
trait Placed {
    /// Returns whether `piece` on `cell` is in conflict with an earlier piece.
    fn clashes(&self, piece: usize, cell: usize) -> bool;
    /// Puts `piece` on `cell`.
    fn place(&mut self, piece: usize, cell: usize);
}

/// The conflict sets of the placed pieces.
struct Bitboards<'a> {
    referee: &'a Referee,
    conflicts: [&'a Conflicts; MAX_PIECES],
}

impl<'a> Bitboards<'a> {
    fn new(referee: &'a Referee) -> Self {
        Self {
            referee,
            conflicts: [&[0; MAX_PIECES]; MAX_PIECES],
        }
    }
}

impl Placed for Bitboards<'_> {
    #[inline]
    fn clashes(&self, piece: usize, cell: usize) -> bool {
        let earlier = &self.conflicts[..piece];
        earlier.iter().any(|conflicts| has(conflicts[piece], cell))
    }

    #[inline]
    fn place(&mut self, piece: usize, cell: usize) {
        self.conflicts[piece] = self.referee.conflicts(piece, cell);
    }
}

/// The numbers of the placed pieces' cells, tried against every value of the table as the book's
/// listing does. The listing repeats its test over all pairs at the end, which can find nothing
/// new.
struct Differences<'a> {
    board: Chessboard,
    values: &'a [usize],
    lines: bool,
    cells: [usize; MAX_PIECES],
}

impl<'a> Differences<'a> {
    fn new(referee: &Referee, values: &'a [usize]) -> Self {
        let army = referee.army();
        Self {
            board: army.board(),
            values,
            lines: referee.rule() == Rule::TablePublished && army.published_lines,
            cells: [0; MAX_PIECES],
        }
    }
}

impl Placed for Differences<'_> {
    fn clashes(&self, piece: usize, cell: usize) -> bool {
        let earlier = &self.cells[..piece];
        let differs_by = |value| earlier.iter().any(|at| at.abs_diff(cell) == value);
        let on_line = || earlier.iter().any(|&at| same_line(self.board, at, cell));
        self.values.iter().any(|&value| differs_by(value)) || self.lines && on_line()
    }

    fn place(&mut self, piece: usize, cell: usize) {
        self.cells[piece] = cell;
    }
}

impl Points {
    fn new(referee: &Referee, piece: usize) -> Self {
        let army = referee.army();
        let spec = &army.pieces()[piece];
        let list = |set| members(set).map(|cell| cell as u8).collect();
        let upper = army.board().rows(0..army.board().height() / 2);
        if spec.opposite && piece > 0 {
            Points::Opposite(list(spec.domain & upper), list(spec.domain & !upper))
        } else {
            Points::Anywhere(list(spec.domain))
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::variants::Variant;
    use kit::rng::Streams;

    /// Seed 64. Drawing ahead must give what drawing one by one gives: placement, attempts, draws,
    /// and the same next word of the stream.
    #[test]
    fn draws_made_ahead_change_nothing() {
        for variant in Variant::iter() {
            for rule in [Rule::NonAttacking, Rule::Amazon, Rule::Any] {
                for sampler in [Sampler::Seed, Sampler::Uniform] {
                    let referee = Referee::new(variant.army(), rule);
                    let generator =
                        Generator::new(referee, sampler, ConflictAlgorithm::Bitboard).unwrap();
                    let key = Streams::new(64).key("ahead");
                    for index in 0..60 {
                        let (mut one, mut other) = (key.stream(index), key.stream(index));
                        for _ in 0..3 {
                            let plain = Bitboards::new(&generator.referee);
                            let expected = generator.draw_until(&mut one, plain);
                            assert_eq!(generator.generate(&mut other), expected);
                            assert_eq!(one, other, "{variant:?} {rule:?} {sampler:?}");
                        }
                    }
                }
            }
        }
    }
}
