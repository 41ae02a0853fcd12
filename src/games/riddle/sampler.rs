//! Random placements by rejection: the seed's sampler and the unbiased one.
//!
//! The seed's program draws piece 1 once, then draws the others one by one and goes back to
//! piece 2 at the first conflict; that favours cells of piece 1 with few completions. The uniform
//! sampler goes back to piece 1, so every accepted placement is equally likely (von Neumann 1951).
//! The same draws give the same placement whether conflicts are looked up in the difference table
//! or in bitboards.

use super::army::{MAX_PIECES, Placement};
use super::board::members;
use super::rules::{Referee, Rule, same_line};
use crate::rng::{Stream, below};

/// Where a conflict sends the draw back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampler {
    /// To the second piece, the first being kept; in xiangqi to the first.
    Seed,
    /// To the first piece.
    Uniform,
}

/// The names of the samplers: seed, uniform.
pub const SAMPLERS: &[&str] = &["seed", "uniform"];

/// How conflicts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// As the seed's program does: every table value against every pair, one by one.
    Table,
    /// Precomputed bitboards.
    Bitboard,
}

/// The names of the algorithms: table, bitboard.
pub const ALGORITHMS: &[&str] = &["table", "bitboard"];

impl Sampler {
    /// The sampler of a name.
    pub fn parse(name: &str) -> Option<Self> {
        [Sampler::Seed, Sampler::Uniform]
            .into_iter()
            .zip(SAMPLERS)
            .find_map(|(sampler, &known)| (known == name).then_some(sampler))
    }
}

impl Algorithm {
    /// The algorithm of a name.
    pub fn parse(name: &str) -> Option<Self> {
        [Algorithm::Table, Algorithm::Bitboard]
            .into_iter()
            .zip(ALGORITHMS)
            .find_map(|(algorithm, &known)| (known == name).then_some(algorithm))
    }
}

/// An accepted placement and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The placement.
    pub placement: Placement,
    /// Passes from the point a conflict goes back to, the accepted one included.
    pub attempts: u64,
    /// Cells drawn.
    pub draws: u64,
}

/// Draws accepted placements.
#[derive(Debug)]
pub struct Generator {
    referee: Referee,
    kept: usize,
    differences: Option<Vec<usize>>,
    points: Vec<Points>,
}

/// The cells a piece is drawn from, by the half its opponent leaves it.
#[derive(Debug)]
struct Points {
    all: Vec<u8>,
    opposite: Option<[Vec<u8>; 2]>,
}

impl Generator {
    /// A generator of the referee's placements; `None` for [`Algorithm::Table`] with a rule that is
    /// no table.
    ///
    /// It draws forever where a kept piece has no completion: ask a
    /// [`Census`](super::census::Census) first whether one has.
    pub fn new(referee: Referee, sampler: Sampler, algorithm: Algorithm) -> Option<Self> {
        let army = referee.army();
        let differences = match algorithm {
            Algorithm::Table => Some(referee.rule().differences(army.board())?),
            Algorithm::Bitboard => None,
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
        match &self.differences {
            Some(differences) => self.draw_until(rng, |placement, _, cell| {
                !self.clashes(differences, placement, cell)
            }),
            None => self.draw_until(rng, |placement, piece, cell| {
                self.referee.fits(placement, piece, cell)
            }),
        }
    }

    fn draw_until(
        &self,
        rng: &mut Stream,
        fits: impl Fn(&Placement, usize, usize) -> bool,
    ) -> Generated {
        let mut placement = Placement::new();
        let (mut attempts, mut draws) = (0, 0);
        loop {
            attempts += 1;
            placement.truncate(self.kept);
            draws += self.draw_rest(rng, &mut placement, &fits);
            if placement.len() == self.referee.army().size()
                && self.referee.accepts_whole(&placement)
            {
                return Generated {
                    placement,
                    attempts,
                    draws,
                };
            }
        }
    }

    /// Draws the missing pieces up to the first conflict; returns the number of draws.
    #[inline]
    fn draw_rest(
        &self,
        rng: &mut Stream,
        placement: &mut Placement,
        fits: &impl Fn(&Placement, usize, usize) -> bool,
    ) -> u64 {
        let mut draws = 0;
        while placement.len() < self.referee.army().size() {
            let piece = placement.len();
            let cell = self.draw(rng, placement, piece);
            draws += 1;
            if !fits(placement, piece, cell) {
                break;
            }
            placement.push(cell);
        }
        draws
    }

    #[inline]
    fn draw(&self, rng: &mut Stream, placement: &Placement, piece: usize) -> usize {
        let points = match (&self.points[piece].opposite, placement.iter().next()) {
            (Some(halves), Some(first)) => {
                let board = self.referee.army().board();
                &halves[usize::from(board.row(first) < board.height() / 2)]
            }
            _ => &self.points[piece].all,
        };
        usize::from(points[below(rng, points.len() as u64) as usize])
    }

    /// The seed's test: every value of the table against every earlier piece. The listing repeats
    /// it over all pairs at the end, which can find nothing new.
    fn clashes(&self, differences: &[usize], placement: &Placement, cell: usize) -> bool {
        let army = self.referee.army();
        let lines = self.referee.rule() == Rule::TablePublished && army.published_lines;
        differences.iter().any(|&value| {
            placement
                .iter()
                .any(|earlier| earlier.abs_diff(cell) == value)
        }) || lines
            && placement
                .iter()
                .any(|earlier| same_line(army.board(), earlier, cell))
    }
}

impl Points {
    fn new(referee: &Referee, piece: usize) -> Self {
        let army = referee.army();
        let spec = &army.pieces()[piece];
        let list = |set| members(set).map(|cell| cell as u8).collect();
        let upper = army.board().rows(0..army.board().height() / 2);
        Self {
            all: list(spec.domain),
            opposite: (spec.opposite && piece > 0)
                .then(|| [list(spec.domain & upper), list(spec.domain & !upper)]),
        }
    }
}

const _: () = assert!(MAX_PIECES <= 7, "threat counts are kept in three bits");
