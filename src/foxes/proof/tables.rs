//! Reading finished layers: whole blocks for the proof, single positions for players and checks.

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use super::Terms;
use super::folder::{Folder, ProofFolderError, read_at};
use foxes::position::{Position, Side};
use foxes::rules::Rules;
use foxes::solved::proof::blocks::{BlockLayout, Rows};
use foxes::solved::proof::captures::{StoredHenBlock, decoded};
use foxes::solved::proof::ground::Ground;
use foxes::solved::proof::pairs::pair;
use foxes::solved::retrograde::Shape;
use foxes::solved::{DrawLimits, OtherRule};

/// A proof's layers, as far as they are done, for reading.
#[derive(Debug)]
pub struct ProofTables {
    pub(super) terms: Terms,
    pub(super) rows: Rows,
    pub(super) folder: Folder,
    /// The layers, each after those it needs.
    pub(super) plan: Vec<BlockLayout>,
    /// The files of the tables, opened when first read.
    files: Vec<Mutex<Option<File>>>,
    /// The most passes a layer took.
    passes: u32,
}

impl ProofTables {
    /// The finished tables in a folder; refuses a proof that is not complete.
    ///
    /// # Errors
    /// If the folder has no proof, or one that is not finished.
    pub fn open(path: &Path) -> Result<ProofTables, ProofFolderError> {
        let (folder, terms) = Folder::known(path)?;
        let mut tables = ProofTables::new(terms, folder);
        let journal = tables.folder.journal()?;
        let (done, all) = (journal.len(), tables.plan.len());
        if done < all {
            return Err(tables.folder.incomplete(done, all));
        }
        tables.passes = super::passes(&journal);
        Ok(tables)
    }

    pub(super) fn new(terms: Terms, folder: Folder) -> ProofTables {
        let rows = Rows::new(terms.board);
        let plan = plan(&terms, &rows);
        ProofTables {
            terms,
            rows,
            folder,
            files: plan.iter().map(|_| Mutex::new(None)).collect(),
            plan,
            passes: 0,
        }
    }

    /// The most sideways steps a way out of a layer takes.
    pub const fn passes(&self) -> u32 {
        self.passes
    }

    /// The rules for draws under which the hens that follow the tables win.
    pub const fn draws(&self) -> DrawLimits {
        DrawLimits::of_passes(self.passes)
    }

    /// Checks that the tables are about play by these rules.
    ///
    /// # Errors
    /// The rule that they are not about.
    pub fn check_rules(&self, rules: &Rules) -> Result<(), OtherRule> {
        self.terms.check_moves(rules)?;
        self.draws().check(rules)
    }

    /// Returns the terms of the proof.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(super) fn layout(&self, shape: Shape) -> Option<&BlockLayout> {
        self.plan.iter().find(|layout| layout.shape == shape)
    }

    /// Returns whether the hens, to move, are known to win; positions with more hens lost than the terms
    /// allow are not.
    ///
    /// # Errors
    /// If the tables cannot be read.
    pub fn is_won(&self, position: &Position) -> Result<bool, ProofFolderError> {
        debug_assert_eq!(position.side, Side::Hens);
        let shape = Shape::of(position.hens);
        let Some(layout) = self.layout(shape) else {
            return Ok(false);
        };
        let Some(number) = layout.number(&self.rows, position.hens) else {
            return Ok(false);
        };
        let width = self.terms.width(shape.hens);
        let bytes = self.read(shape, (number * width) as u64, width)?;
        let ground = Ground::new(self.terms.board.cells, position.hens);
        let low = position.foxes & position.foxes.wrapping_neg();
        let bit = pair(ground.number(position.foxes ^ low), ground.number(low));
        Ok(decoded(&bytes) & bit != 0)
    }

    /// Returns whether the hens are known to win with the foxes to move: whatever these do.
    ///
    /// # Errors
    /// If the tables cannot be read.
    pub fn is_held(&self, rules: &Rules, position: &Position) -> Result<bool, ProofFolderError> {
        if let Some(ending) = rules.ending(position) {
            return Ok(ending.winner() == Some(Side::Hens));
        }
        let mut answers = Vec::new();
        rules.moves(position, &mut answers);
        for answer in answers {
            if !self.is_won(&rules.after(position, answer))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads a block of a layer of the plan.
    pub(super) fn block(
        &self,
        layout: &BlockLayout,
        index: usize,
    ) -> Result<StoredHenBlock, ProofFolderError> {
        let block = layout.blocks[index].clone();
        let width = self.terms.width(layout.shape.hens);
        let from = (block.first * width) as u64;
        let bytes = self.read(layout.shape, from, block.size * width)?;
        Ok(StoredHenBlock::new(block, width, bytes))
    }

    pub(super) fn read(
        &self,
        shape: Shape,
        from: u64,
        length: usize,
    ) -> Result<Vec<u8>, ProofFolderError> {
        let index = self.plan.iter().position(|layout| layout.shape == shape);
        let path = self.folder.layer(shape);
        let Some(file) = index.and_then(|index| self.files.get(index)) else {
            return read_at(&path, &mut None, from, length);
        };
        // A panic elsewhere leaves the file as it was; every read seeks first.
        let mut file = file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        read_at(&path, &mut file, from, length)
    }
}

/// The layers that are not empty: fewer hens first, then greater heights first.
fn plan(terms: &Terms, rows: &Rows) -> Vec<BlockLayout> {
    let flock = terms.board.flock();
    let highest = foxes::evaluation::rows(terms.board.cells);
    (flock - terms.sacrifices..=flock)
        .flat_map(|hens| {
            (0..=highest)
                .rev()
                .map(move |height| Shape { hens, height })
        })
        .map(|shape| rows.layout(shape))
        .filter(|layout| !layout.blocks.is_empty())
        .collect()
}
