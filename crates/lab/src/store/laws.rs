//! Laws of the files of a folder: what holds of any bytes that stand in one. The fuzz targets call them, and the tests
//! on the corpus that those left.

use super::journal::{Damage, Journal, JournalSchema, Remade, rewrite};
use super::sample_file::SampleReader;
use crate::run::{Block, BlockTally, CompiledExperiment, Plan};
use crate::tables::SampleTable;
use base::Failure;
use base::files::SystemDisk;
use experiment::Experiment;
use std::io;
use std::path::Path;
use std::sync::Arc;
use task::laws::ensure;

/// The laws of the files that a run of one experiment leaves.
pub struct FileLaws {
    compiled: Arc<CompiledExperiment>,
    plan: Plan,
    schema: Arc<JournalSchema>,
    samples: Arc<SampleTable>,
}

impl FileLaws {
    /// The laws of the files of an experiment.
    ///
    /// # Errors
    /// If a task of it cannot be built.
    pub fn of(experiment: &Experiment) -> Result<Self, Failure> {
        let compiled = Arc::new(CompiledExperiment::of_experiment(experiment)?);
        let plan = Plan::of(experiment);
        Ok(Self {
            schema: JournalSchema::of(experiment, &compiled, &plan),
            samples: Arc::new(SampleTable::of(experiment, &compiled)),
            compiled,
            plan,
        })
    }

    /// Checks that a journal which is read from these bytes is written as it is read, without damage, and that a sound
    /// row which holds them for its tally, with a sound checksum, does no harm. Writes files into `scratch`; returns
    /// whether a row of a block was read.
    ///
    /// # Errors
    /// The broken law.
    pub fn check_journal(&self, bytes: &[u8], scratch: &Path) -> Result<bool, String> {
        let mut forged = Remade::new(&self.schema);
        forged.push_encoded(self.plan.block(0), bytes);
        let forged = forged.into_journal().map_err(|failure| failure.message)?;
        forged.total().map_err(in_words)?;
        let Ok(kept) = Journal::parse(bytes, &self.schema) else {
            return Ok(false);
        };
        let is_read = kept.is_archived() || !kept.indices().is_empty();
        let path = scratch.join("blocks.csv");
        let rewritten = rewrite((&SystemDisk, &path), &kept, &mut |_, block| Ok(block.rows));
        rewritten.map_err(in_words)?;
        let again = Journal::read(&path, &self.schema).map_err(|failure| failure.message)?;
        let is_same = again.indices() == kept.indices();
        ensure(is_same, "a journal that was written has other rows")?;
        let is_whole = again.damage == Damage::default() && again.is_sealed();
        ensure(is_whole, "a journal that was written is damaged")?;
        let tallies = |journal: &Journal| -> io::Result<Vec<(u64, BlockTally)>> {
            let blocks = journal.blocks();
            blocks
                .map(|one| one.map(|(index, block)| (index, block.tally)))
                .collect()
        };
        let kept = tallies(&kept).map_err(in_words)?;
        let is_same = tallies(&again).map_err(in_words)? == kept;
        ensure(is_same, "a journal that was written has other tallies")?;
        Ok(is_read)
    }

    /// Checks that a tally which is read from these bytes is written as it is read, and can be merged; returns whether
    /// one was read.
    ///
    /// # Errors
    /// The broken law.
    pub fn check_tally(&self, bytes: &[u8]) -> Result<bool, String> {
        let tally = BlockTally::decode(bytes, &self.compiled);
        if let Some(tally) = &tally {
            let again = BlockTally::decode(&tally.encode(), &self.compiled);
            ensure(
                again.as_ref() == Some(tally),
                "a tally is written otherwise than it is read",
            )?;
            BlockTally::new(&self.compiled).merge(tally);
        }
        let mut is_sum = false;
        for is_part in [false, true] {
            let Some(sum) = BlockTally::decode_sum(bytes, &self.compiled, (9, is_part)) else {
                continue;
            };
            is_sum = true;
            ensure(
                sum.encode_sum() == bytes,
                "a sum is written otherwise than it is read",
            )?;
            let first = sum.first_cell();
            ensure(first.can_hold(&first), "a sum cannot hold itself")?;
        }
        Ok(tally.is_some() || is_sum)
    }

    /// Reads a file of samples with these bytes block by block, up to the first that is refused. Writes it into
    /// `scratch`; returns whether a block was read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn check_samples(&self, bytes: &[u8], scratch: &Path) -> Result<bool, String> {
        let path = scratch.join("samples.csv");
        std::fs::write(&path, bytes).map_err(in_words)?;
        let Ok(mut reader) = SampleReader::open(&path, &self.samples) else {
            return Ok(false);
        };
        let is_read = |block: &Block| reader.block(block).is_ok();
        Ok(self.plan.blocks().take_while(is_read).count() > 0)
    }
}

fn in_words(error: io::Error) -> String {
    error.to_string()
}
