//! The proof on the full board: can the hens force a win while losing at most so many of them?
//!
//! Layers (hens, sum of their rows) are solved from the end of the game to its start as in
//! [`foxes::solved::retrograde`], but with one bit for one question: more hens eaten, stuck hens and
//! endless play all count as not won. A position that is "won" here is therefore won in the full
//! game. All pairs of the foxes' cells of a configuration are one word. Finished layers are files;
//! memory holds one layer and the one above it. The result does not depend on threads.

mod check;
mod folder;
mod statement;
mod tables;

use std::fs::File;
use std::path::Path;

use rayon::{ThreadPool, prelude::*};

use base::threads;
use folder::Folder;
use foxes::board::Board;
use foxes::rules::{Capture, Rules, Stuck};
use foxes::solved::proof::blocks::{BlockLayout, HenBlock, RowCounts};
use foxes::solved::proof::captures::{CaptureTables, encoded};
use foxes::solved::proof::ground::MAX_EATEN;
use foxes::solved::proof::layer::BlockSolver;
use foxes::solved::proof::pairs::{MAX_FREE, Pairs};
use foxes::solved::retrograde::Shape;
use foxes::solved::{DrawLimits, OtherRule};

pub use check::{CheckFinding, check};
pub use folder::{LayerRecord, ProofFolderError};
pub use tables::ProofTables;

/// The folder of a proof's tables unless another is named.
pub const DEFAULT_FOLDER: &str = "foxes-proof";

/// The terms of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    board: &'static Board,
    sacrifices: u32,
}

impl Terms {
    /// The hens' win on a board with at most so many hens lost; `None` where a configuration would
    /// have more than sixteen free cells, or no game is left.
    pub fn new(board: &'static Board, sacrifices: u32) -> Option<Terms> {
        let fewest = board.flock().checked_sub(sacrifices)?;
        let free = (board.cells.count_ones() - fewest) as usize;
        let fits = free <= MAX_FREE && sacrifices as usize <= MAX_EATEN;
        (fits && sacrifices < board.enough_eaten).then_some(Terms { board, sacrifices })
    }

    /// Checks that a proof is about moves by these rules. Under which rules for draws it holds is known once it is
    /// made: see [`Proof::draws`] and [`ProofTables::check_rules`].
    ///
    /// # Errors
    /// The rule that it is not about.
    pub fn check_moves(&self, rules: &Rules) -> Result<(), OtherRule> {
        if rules.board != self.board {
            return Err(OtherRule::new("board", self.board.name));
        }
        if rules.capture != Capture::Longest {
            return Err(OtherRule::new("capture", Capture::Longest.as_ref()));
        }
        if rules.stuck != Stuck::FoxesWin {
            return Err(OtherRule::new("stuck", Stuck::FoxesWin.as_ref()));
        }
        Ok(())
    }

    /// The board.
    pub const fn board(&self) -> &'static Board {
        self.board
    }

    /// Most hens the hens may lose.
    pub const fn sacrifices(&self) -> u32 {
        self.sacrifices
    }

    /// Returns the number of free cells beside a number of hens.
    const fn free(&self, hens: u32) -> usize {
        (self.board.cells.count_ones() - hens) as usize
    }

    /// Returns the number of pairs of cells for the foxes beside a number of hens.
    const fn pairs(&self, hens: u32) -> u64 {
        foxes::solved::proof::pairs::pairs(self.free(hens)) as u64
    }

    /// Returns the bytes that a configuration of a number of hens takes on disk.
    const fn width(&self, hens: u32) -> usize {
        foxes::solved::proof::pairs::bytes(self.free(hens))
    }

    /// Hens that may still be lost in a layer.
    const fn most(&self, shape: Shape) -> usize {
        (self.sacrifices + shape.hens - self.board.flock()) as usize
    }

    /// Reads the text that [`Terms::text`] writes.
    fn read(text: &str) -> Option<Terms> {
        let values: Vec<&str> = text.lines().nth(1)?.split(',').collect();
        let [board, _, sacrifices] = values[..] else {
            return None;
        };
        let terms = Terms::new(Board::named(board)?, sacrifices.parse().ok()?)?;
        (terms.text() == text).then_some(terms)
    }

    fn values(&self) -> String {
        format!("{},longest,{}", self.board.name, self.sacrifices)
    }

    fn text(&self) -> String {
        format!("board,capture,sacrifices\n{}\n", self.values())
    }
}

/// The foreseen cost of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// Hens' configurations: where no hen may be lost any more, and where some may.
    pub configurations: [u64; 2],
    /// Positions with the hens to move.
    pub positions: u64,
    /// Bytes on disk.
    pub disk: u64,
    /// Bytes in memory at most, for the number of threads there are.
    pub memory: u64,
}

/// The verdict of a proof on the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofVerdict {
    /// The win, if the hens have one and lose no more hens than the terms allow.
    pub win: Option<ProvedWin>,
}

/// A proved win of the hens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvedWin {
    /// A bound on the hens' moves.
    pub moves: u32,
    /// The rules for draws under which it is one.
    pub draws: DrawLimits,
}

impl ProofVerdict {
    /// The verdict in a sentence.
    pub fn sentence(&self, terms: &Terms) -> String {
        let template = self.template(terms);
        let template = template.replace("{sacrifices}", &terms.sacrifices.to_string());
        self.win.map_or(template.clone(), |win| {
            template
                .replace("{moves_at_most}", &win.moves.to_string())
                .replace("{quiet_at_least}", &win.draws.quiet().to_string())
        })
    }

    /// The verdict in a sentence that names its numbers in braces.
    fn template(&self, terms: &Terms) -> String {
        let board = terms.board.name;
        let hens = match terms.sacrifices {
            0 => "no hen",
            1 => "one hen",
            _ => "{sacrifices} hens",
        };
        match self.win {
            Some(_) => format!(
                "{board}: the hens win the start position, losing at most {hens}, in at most {{moves_at_most}} of \
                 their moves, where no fewer than {{quiet_at_least}} quiet plies are a draw"
            ),
            None => format!(
                "{board}: losing at most {hens}, the hens cannot force a win; nothing is known about \
                 losing more"
            ),
        }
    }
}

/// Blocks that eating up to so many hens leads to: one for every choice of rows to eat from.
const EATEN_INTO: [u64; MAX_EATEN + 1] = [0, 7, 7 + 28, 7 + 28 + 84];

/// A proof under way in its folder.
#[derive(Debug)]
pub struct Proof {
    tables: ProofTables,
    done: Vec<LayerRecord>,
    damaged: Option<Shape>,
    /// The layer solved last, where it is still in memory.
    held: Option<HeldPairs>,
    threads: ThreadPool,
    _lock: File,
}

/// A layer's pairs held with the foxes to move, by block and configuration.
#[derive(Debug)]
struct HeldPairs {
    shape: Shape,
    pairs: Vec<Vec<Pairs>>,
}

impl Proof {
    /// Begins a proof in a folder, or continues from the sound part of the proof that is there.
    ///
    /// # Errors
    /// If the folder cannot be used, or holds another proof.
    pub fn open(path: &Path, terms: Terms) -> Result<Proof, ProofFolderError> {
        let folder = Folder::create(path, &terms)?;
        let lock = folder.lock()?;
        let journal = folder.journal()?;
        let mut proof = Proof {
            tables: ProofTables::new(terms, folder),
            done: Vec::new(),
            damaged: None,
            held: None,
            threads: threads::pool(0).map_err(ProofFolderError::Threads)?,
            _lock: lock,
        };
        proof.take_over(journal)?;
        Ok(proof)
    }

    /// Takes the journal's layers as done, up to the first that is not what was written.
    fn take_over(&mut self, journal: Vec<LayerRecord>) -> Result<(), ProofFolderError> {
        for (record, layout) in journal.into_iter().zip(&self.tables.plan) {
            if record.shape != layout.shape || !self.tables.folder.is_sound(&record)? {
                self.damaged = Some(layout.shape);
                break;
            }
            self.done.push(record);
        }
        Ok(())
    }

    /// The terms of a proof.
    pub const fn terms(&self) -> &Terms {
        &self.tables.terms
    }

    /// Returns the number of layers of the proof.
    pub fn layers(&self) -> usize {
        self.tables.plan.len()
    }

    /// The rules for draws under which the layers done hold.
    pub fn draws(&self) -> DrawLimits {
        DrawLimits::of_passes(passes(&self.done))
    }

    /// The layers done.
    pub fn done(&self) -> &[LayerRecord] {
        &self.done
    }

    /// The first layer of an earlier proof that was not as written, if any; it is solved again.
    pub const fn damaged(&self) -> Option<Shape> {
        self.damaged
    }

    /// Returns the number of threads that solve a layer.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Returns the foreseen cost of the layers that are not done yet.
    pub fn forecast(&self) -> Forecast {
        let mut forecast = Forecast::default();
        let mut above = 0;
        for layout in &self.tables.plan[self.done.len()..] {
            let configurations = layout.configurations() as u64;
            let hens = layout.shape.hens;
            let may_lose = usize::from(self.tables.terms.most(layout.shape) > 0);
            forecast.configurations[may_lose] += configurations;
            forecast.positions += configurations * self.tables.terms.pairs(hens);
            forecast.disk += configurations * self.tables.terms.width(hens) as u64;
            forecast.memory = forecast.memory.max(self.memory(layout, above));
            above = configurations;
        }
        forecast
    }

    /// Bytes for the held pairs of a layer and the one above, its won pairs as stored, and what is
    /// in hand of a block: won and held pairs, two lists of changes, the blocks eaten into.
    fn memory(&self, layout: &BlockLayout, above: u64) -> u64 {
        let word = size_of::<Pairs>() as u64;
        let configurations = layout.configurations() as u64;
        let width = self.tables.terms.width(layout.shape.hens) as u64;
        let blocks = self.tables.plan.iter().flat_map(|layout| &layout.blocks);
        let largest = blocks.map(|block| block.size as u64).max().unwrap_or(0);
        // Every hen eaten makes a word two bytes wider at most.
        let eaten = EATEN_INTO[self.tables.terms.most(layout.shape)] * (width + 6);
        let in_hand = largest * (4 * word + 1 + eaten) * self.threads() as u64;
        above * word + configurations * (word + width) + in_hand
    }

    /// Returns the verdict on the start position, all layers being done, and writes the statement of it.
    ///
    /// # Errors
    /// If the tables cannot be read or the statement not be written.
    pub fn conclude(&self) -> Result<ProofVerdict, ProofFolderError> {
        let verdict = self.tables.verdict(&self.done)?;
        self.tables.conclude(verdict)?;
        Ok(verdict)
    }

    /// Solves the next layer and stores it; `None` when all are done.
    ///
    /// # Errors
    /// If tables cannot be read or written; what was stored before is safe.
    pub fn solve_next(&mut self) -> Result<Option<&LayerRecord>, ProofFolderError> {
        let Some(layout) = self.tables.plan.get(self.done.len()).cloned() else {
            return Ok(None);
        };
        let above = self.layer_above(layout.shape)?;
        let record = self.solve(&layout, above.as_ref())?;
        self.done.push(record);
        self.tables.folder.write_journal(&self.done)?;
        Ok(self.done.last())
    }

    fn solve(
        &mut self,
        layout: &BlockLayout,
        above: Option<&HeldPairs>,
    ) -> Result<LayerRecord, ProofFolderError> {
        let shape = layout.shape;
        let solver = self.solver(above);
        let width = self.tables.terms.width(shape.hens);
        let solve = |block: &HenBlock| {
            let eaten = self.eaten(shape, block)?;
            let solved = solver.solve(block, eaten);
            let won = solved.won.iter().map(|pairs| u64::from(pairs.count_ones()));
            let tally = (won.sum::<u64>(), solved.passes);
            Ok((solved.held, (encoded(&solved.won, width), tally)))
        };
        let solved: Vec<_> = self.threads.install(|| {
            let solved = layout.blocks.par_iter().with_max_len(1).map(solve);
            solved.collect::<Result<_, ProofFolderError>>()
        })?;
        let (pairs, stored): (Vec<_>, Vec<_>) = solved.into_iter().unzip();
        let (blocks, tallies): (Vec<_>, Vec<_>) = stored.into_iter().unzip();
        self.held = Some(HeldPairs { shape, pairs });
        Ok(LayerRecord {
            shape,
            positions: layout.configurations() as u64 * self.tables.terms.pairs(shape.hens),
            won: tallies.iter().map(|(won, _)| won).sum(),
            passes: tallies.iter().map(|&(_, passes)| passes).max().unwrap_or(0),
            blake3: self.tables.folder.write_layer(shape, &blocks)?,
        })
    }

    fn solver<'a>(&'a self, above: Option<&'a HeldPairs>) -> BlockSolver<'a> {
        let above =
            above.and_then(|held| Some((self.tables.layout(held.shape)?, held.pairs.as_slice())));
        BlockSolver {
            board: self.tables.terms.board,
            rows: &self.tables.rows,
            above,
        }
    }

    fn eaten(&self, shape: Shape, block: &HenBlock) -> Result<Vec<Pairs>, ProofFolderError> {
        let tables = &self.tables;
        let stored = |shape: Shape, counts: &RowCounts| {
            let layout = tables.layout(shape);
            let at = layout.and_then(|layout| Some((layout, layout.index_of(counts)?)));
            at.map(|(layout, index)| tables.block(layout, index))
                .transpose()
        };
        let captures = CaptureTables::read((shape, block), tables.terms.most(shape), &stored)?;
        Ok(captures.held(tables.terms.board, &tables.rows, block))
    }

    /// The held pairs of the layer above, from memory or worked out again from its file.
    fn layer_above(&mut self, shape: Shape) -> Result<Option<HeldPairs>, ProofFolderError> {
        let above = Shape {
            height: shape.height + 1,
            ..shape
        };
        match self.held.take() {
            Some(held) if held.shape == above => Ok(Some(held)),
            _ => {
                let layout = self.tables.layout(above);
                layout.map(|layout| self.restored(layout)).transpose()
            }
        }
    }

    fn restored(&self, layout: &BlockLayout) -> Result<HeldPairs, ProofFolderError> {
        let shape = layout.shape;
        let solver = self.solver(None);
        let restore = |(index, block): (usize, &HenBlock)| {
            let stored = self.tables.block(layout, index)?;
            let eaten = self.eaten(shape, block)?;
            Ok(solver.restore(block, &stored.all_won(), eaten))
        };
        let pairs = self.threads.install(|| {
            let blocks = layout.blocks.par_iter().enumerate().with_max_len(1);
            let pairs = blocks.map(restore);
            pairs.collect::<Result<_, ProofFolderError>>()
        })?;
        Ok(HeldPairs { shape, pairs })
    }
}

/// The most passes that a layer took.
fn passes(records: &[LayerRecord]) -> u32 {
    let passes = records.iter().map(|record| record.passes);
    passes.max().unwrap_or(0)
}

/// A bound on the hens' moves from won positions of a layer on, the layers being recorded in the
/// order of the plan.
///
/// In a layer they make at most as many moves sideways as it took passes, and one up; by then they
/// are in the layer above, or a chain has led to a layer with fewer hens, lower by `top` rows at
/// most for each hen eaten.
fn most_moves(records: &[LayerRecord], shape: Shape, top: u32) -> u32 {
    let mut bounds: Vec<(Shape, u32)> = Vec::new();
    for record in records.iter().filter(|record| record.won > 0) {
        let here = record.shape;
        let follows = |later: Shape| match here.hens - later.hens {
            0 => later.height == here.height + 1,
            eaten => (here.height..=here.height + 1 + top * eaten)
                .contains(&(later.height + top * eaten)),
        };
        let later = bounds.iter().filter(|&&(later, _)| follows(later));
        let after = later.map(|&(_, moves)| moves).max().unwrap_or(0);
        bounds.push((here, record.passes + 1 + after));
    }
    let bound = bounds.iter().find(|(bounded, _)| *bounded == shape);
    bound.map_or(0, |&(_, moves)| moves)
}

#[cfg(test)]
mod tests;
