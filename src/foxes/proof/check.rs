//! A second opinion on finished tables, by the rules of the baseline engine.
//!
//! A random position is judged by its moves. It is won if some move of the hens wins the game at
//! once, or leaves the foxes only answers that the tables call won. Its own bit must say exactly
//! that. Neither the engine's moves nor its numbering is used: positions are drawn cell by cell,
//! moves are the baseline's, and places in the files are counted here from their description in
//! [`super::folder`] and [`foxes::solved::proof::blocks`]. Only the bytes are shared.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use super::{ProofFolderError, ProofTables};
use base::threads;
use foxes::board::{Board, Cells, MAX_SIDE, each};
use foxes::mailbox::{ARSAC, Mailbox, Spot};
use foxes::position::{Position, Side};
use foxes::solved::retrograde::Shape;
use kit::rng::{Stream, Streams, below, shuffle};

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckFinding {
    /// Positions judged.
    pub positions: u64,
    /// The positions that are won, by their moves.
    pub won: u64,
    /// Positions whose bit says otherwise, in the order drawn.
    pub wrong: Vec<Position>,
}

/// Judges random positions with the hens to move: those with these numbers in the stream of a seed.
///
/// Layers are drawn in proportion to their positions.
///
/// # Errors
/// If the tables cannot be read.
pub fn check(
    tables: &ProofTables,
    seed: u64,
    numbers: Range<u64>,
) -> Result<CheckFinding, ProofFolderError> {
    let index = Index::new(tables);
    let key = Streams::new(seed).key("check");
    let judge = |number| {
        let position = index.draw(&mut key.stream(number));
        let mailbox = Mailbox::new(&position, tables.terms().board());
        let won = index.is_won_by_its_moves(&mailbox)?;
        Ok((won, (won != index.is_won(&mailbox)?).then_some(position)))
    };
    let threads = threads::pool(0).map_err(ProofFolderError::Threads)?;
    let judged: Vec<_> = threads.install(|| {
        let judged = numbers.into_par_iter().map(judge);
        judged.collect::<Result<_, ProofFolderError>>()
    })?;
    Ok(CheckFinding {
        positions: judged.len() as u64,
        won: judged.iter().map(|&(won, _)| u64::from(won)).sum(),
        wrong: judged.into_iter().filter_map(|(_, wrong)| wrong).collect(),
    })
}

impl CheckFinding {
    /// Adds the findings in later positions.
    pub fn add(&mut self, later: CheckFinding) {
        self.positions += later.positions;
        self.won += later.won;
        self.wrong.extend(later.wrong);
    }
}

/// The address of a position's bit, worked out from the description of the files.
struct Index<'a> {
    tables: &'a ProofTables,
    board: &'static Board,
    /// The cells of each row, as columns.
    rows: Vec<Vec<i8>>,
    /// The first configuration of every block of a layer, by the hens in each row.
    blocks: BTreeMap<(u64, u64), BTreeMap<Vec<u64>, u64>>,
}

impl<'a> Index<'a> {
    fn new(tables: &'a ProofTables) -> Index<'a> {
        let board = tables.terms().board();
        let here = |x: i8, y: i8| board.cells >> (8 * y + x) & 1 == 1;
        let side = 0..MAX_SIDE as i8;
        let rows = side
            .clone()
            .map(|y| side.clone().filter(|&x| here(x, y)).collect());
        let mut index = Index {
            tables,
            board,
            rows: rows.collect(),
            blocks: BTreeMap::new(),
        };
        let fewest = u64::from(board.flock() - tables.terms().sacrifices());
        index.list(&mut Vec::new(), fewest..=u64::from(board.flock()));
        index
    }

    /// Enters every way of spreading the hens over the rows, in ascending order.
    fn list(&mut self, counts: &mut Vec<u64>, hens: RangeInclusive<u64>) {
        if counts.len() < self.rows.len() {
            for more in 0..=self.rows[counts.len()].len() as u64 {
                counts.push(more);
                self.list(counts, hens.clone());
                counts.pop();
            }
            return;
        }
        let total: u64 = counts.iter().sum();
        let height = (0..)
            .zip(counts.iter())
            .map(|(row, count)| row * count)
            .sum();
        if hens.contains(&total) {
            let layer = self.blocks.entry((total, height)).or_default();
            let last = layer.iter().next_back();
            let first = last.map_or(0, |(before, first)| first + size(&self.rows, before));
            layer.insert(counts.clone(), first);
        }
    }

    /// A position of the tables: first how many hens, then cells for them, then for the foxes.
    fn draw(&self, rng: &mut Stream) -> Position {
        let flock = self.board.flock();
        let cells: Vec<Cells> = each(self.board.cells).collect();
        let fewest = flock - self.tables.terms().sacrifices();
        let weight = |hens: u32| {
            let free = cells.len() as u64 - u64::from(hens);
            binomial(cells.len() as u64, u64::from(hens)) * binomial(free, 2)
        };
        let all: u64 = (fewest..=flock).map(weight).sum();
        let mut at = below(rng, all);
        let mut hens = fewest;
        while at >= weight(hens) {
            at -= weight(hens);
            hens += 1;
        }
        let mut drawn = cells;
        shuffle(rng, &mut drawn);
        let set = |cells: &[Cells]| cells.iter().fold(0, |set, cell| set | cell);
        Position {
            hens: set(&drawn[..hens as usize]),
            foxes: set(&drawn[hens as usize..][..2]),
            eaten: flock - hens,
            side: Side::Hens,
        }
    }

    fn is_won_by_its_moves(&self, position: &Mailbox) -> Result<bool, ProofFolderError> {
        if let Some(foxes_won) = position.won_by_foxes(ARSAC) {
            return Ok(!foxes_won);
        }
        for step in position.listed(ARSAC) {
            if self.is_held(&position.after(&step))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether the foxes, to move, have lost or have only answers that lose.
    fn is_held(&self, position: &Mailbox) -> Result<bool, ProofFolderError> {
        if let Some(foxes_won) = position.won_by_foxes(ARSAC) {
            return Ok(!foxes_won);
        }
        for answer in position.listed(ARSAC) {
            let after = position.after(&answer);
            if after.eaten > self.tables.terms().sacrifices() || !self.is_won(&after)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the verdict of the tables.
    fn is_won(&self, position: &Mailbox) -> Result<bool, ProofFolderError> {
        let hens = position.pieces(b'h');
        let height: i64 = hens.iter().map(|&(_, y)| i64::from(y)).sum();
        let shape = Shape {
            hens: hens.len() as u32,
            height: height as u32,
        };
        let bit = pair_bit(position);
        let free = self.board.cells.count_ones() as u64 - hens.len() as u64;
        let width = binomial(free, 2).div_ceil(8);
        let byte = self.number(position) * width + bit / 8;
        let bytes = self.tables.read(shape, byte, 1)?;
        Ok(bytes.first().is_some_and(|byte| byte >> (bit % 8) & 1 == 1))
    }

    /// The configuration's number in its layer.
    fn number(&self, position: &Mailbox) -> u64 {
        let rows: Vec<Vec<u64>> = (0..)
            .zip(&self.rows)
            .map(|(y, row)| filled(position, row, y))
            .collect();
        let counts: Vec<u64> = rows.iter().map(|filled| filled.len() as u64).collect();
        let hens = counts.iter().sum();
        let height = (0..).zip(&counts).map(|(row, count)| row * count).sum();
        let layer = self.blocks.get(&(hens, height));
        let first = layer.and_then(|layer| layer.get(&counts)).copied();
        let mut number = 0;
        for row in most_significant_first(&self.rows) {
            number *= binomial(self.rows[row].len() as u64, counts[row]);
            number += pattern(&rows[row]);
        }
        first.unwrap_or(0) + number
    }
}

/// Rows from the most significant digit on: narrow before wide, upper before lower.
fn most_significant_first(rows: &[Vec<i8>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).rev().collect();
    order.sort_by_key(|&row| rows[row].len());
    order
}

/// The cells of row `y`, counted from its left, hold hens.
fn filled(position: &Mailbox, row: &[i8], y: i8) -> Vec<u64> {
    let hens = (0..)
        .zip(row)
        .filter(|&(_, &x)| position.at((x, y)) == b'h');
    hens.map(|(index, _)| index).collect()
}

/// The number of a set among those of its size, in the order of the largest element, then of the
/// next: the combinatorial number system (Knuth, TAOCP 7.2.1.3).
fn pattern(places: &[u64]) -> u64 {
    (1..)
        .zip(places)
        .map(|(size, &index)| binomial(index, size))
        .sum()
}

/// The number of the foxes' pair among the cells without hens, row by row from the lower left.
fn pair_bit(position: &Mailbox) -> u64 {
    let mut free: Vec<(Spot, u8)> = [b'f', b'.']
        .into_iter()
        .flat_map(|mark| {
            position
                .pieces(mark)
                .into_iter()
                .map(move |spot| (spot, mark))
        })
        .collect();
    free.sort_by_key(|&((x, y), _)| (y, x));
    let foxes = (0..).zip(&free).filter(|(_, (_, mark))| *mark == b'f');
    let foxes: Vec<u64> = foxes.map(|(index, _)| index).collect();
    pattern(&foxes)
}

fn size(rows: &[Vec<i8>], counts: &[u64]) -> u64 {
    let ways = rows
        .iter()
        .zip(counts)
        .map(|(row, &count)| binomial(row.len() as u64, count));
    ways.product()
}

fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |ways, taken| ways * (n - taken) / (taken + 1))
}
