//! Runs blocks again and compares them with the stored ones.

use std::fmt::Display;
use std::io;
use std::sync::Arc;

use crate::run::{Block, BlockTally, CellLimits, Timeouts, row_of};
use crate::store::{Digest, Journal, Remade, SampleReader};
use crate::tables::SampleTable;
use task::{Entrant, Row, SampleError, Workspace};

use super::Job;
use base::Failure;

/// Runs blocks again, in index order.
pub(super) struct Rerun<'run> {
    job: &'run Job,
    workspace: Workspace,
    /// The entrants of a race, by cell.
    entrants: Vec<Box<dyn Entrant>>,
    table: Arc<SampleTable>,
    /// The cells that draw no more.
    pub(crate) limits: CellLimits,
    stored: Option<SampleReader>,
    /// The blocks that were run again, as the rows of a journal.
    pub(crate) remade: Remade,
    /// Samples of each cell that were run again.
    pub(crate) samples: u64,
    /// The tally of all samples that were run again.
    pub(crate) total: BlockTally,
    /// Blocks that were not compared, because other samples than before took longer than they may.
    pub(crate) late: u64,
}

impl<'run> Rerun<'run> {
    /// Ready to run blocks of a job that `journal` holds.
    ///
    /// # Errors
    /// If the journal cannot be read, or samples that were kept; where an archive may have dropped them, if they are
    /// there.
    pub(crate) fn of(job: &'run Job, journal: &Journal) -> Result<Self, Failure> {
        let (compiled, table) = (&job.compiled, job.sample_table());
        let path = job.folder.join("samples.csv");
        let is_kept = job.experiment.keeps_samples() && (!journal.is_archived() || path.exists());
        let open = || SampleReader::open(&path, &table);
        let stored = is_kept.then(open).transpose();
        Ok(Self {
            job,
            workspace: Workspace::new(),
            entrants: job.entrants()?,
            stored: stored.map_err(|error| Failure::of_file(&path, error))?,
            samples: 0,
            late: 0,
            total: BlockTally::new(compiled),
            remade: Remade::new(&job.schema()),
            table,
            limits: job.limits(journal)?,
        })
    }

    /// Returns the differences between a block that was run again and the stored one.
    pub(crate) fn compare(&mut self, block: Block, journal: &Journal) -> Vec<String> {
        let timeouts = journal.timeouts(&block);
        let (tally, rows) = match self.run(block, &timeouts) {
            Ok(run) => run,
            Err(error) => return vec![format!("sample {} cannot be drawn: {error}", error.sample)],
        };
        if *tally.timeouts() != timeouts {
            self.late += 1;
            let stored = self.stored_rows(&block);
            let fault = stored.and_then(Result::err).map(of_samples);
            return fault.into_iter().collect();
        }
        self.samples += block.samples;
        self.total.merge(&tally);
        self.remade.push(block, &tally);
        let mut faults = Vec::new();
        if !is_stored(&tally, &block, journal) {
            let (index, samples) = (block.index, span(&block));
            faults.push(format!(
                "block {index} ({samples}) gives different numbers when run again"
            ));
        }
        faults.extend(self.compare_rows(&block, &rows));
        faults
    }

    /// Returns the difference between the rows of a block that was run again and the stored ones.
    fn compare_rows(&mut self, block: &Block, rows: &[Vec<Row>]) -> Option<String> {
        match self.stored_rows(block)? {
            Ok(stored) if stored == self.table.rows(block, rows).as_bytes() => None,
            Ok(_) => Some(of_samples(format!(
                "some of {} are different when run again",
                span(block)
            ))),
            Err(error) => Some(of_samples(error)),
        }
    }

    /// The lines of a block in `samples.csv`, where it is kept.
    fn stored_rows(&mut self, block: &Block) -> Option<io::Result<Vec<u8>>> {
        let file = self.stored.as_mut()?;
        let passed = file.pass_to(block.first);
        Some(passed.and_then(|()| file.block(block)))
    }

    /// Returns the first difference between `samples.csv` and the journal; extra lines at the end
    /// count as one.
    pub(crate) fn surplus(&self, journal: &Journal) -> Option<String> {
        self.stored.as_ref()?;
        self.check_lines(journal).err().map(of_samples)
    }

    fn check_lines(&self, journal: &Journal) -> io::Result<()> {
        let path = self.job.folder.join("samples.csv");
        let mut reader = SampleReader::open(&path, &self.table)?;
        let blocks = self.job.plan.blocks();
        for block in blocks.filter(|block| journal.is_stored(block)) {
            reader.stored_block(&block, journal)?;
        }
        if !reader.is_at_end()? {
            return Err(io::Error::other("there are extra lines at its end"));
        }
        Ok(())
    }

    /// The block's tally, and the samples of every cell. Those that had timed out are taken as
    /// unresolved: the clock decided that, so they cannot be drawn again.
    fn run(
        &mut self,
        block: Block,
        timeouts: &Timeouts,
    ) -> Result<(BlockTally, Vec<Vec<Row>>), SampleError> {
        let compiled = &self.job.compiled;
        let mut rows = vec![vec![Row::new(); block.samples as usize]; compiled.cells()];
        for (cell, entrant) in self.entrants.iter_mut().enumerate() {
            let is_late = timeouts.contains(&(cell, block.first));
            let unknown = vec![None; compiled.metrics().len()];
            let answer = (!is_late).then(|| entrant.answer(block.first).values);
            rows[cell] = vec![row_of(compiled.metrics(), &answer.unwrap_or(unknown))];
        }
        let mut left_out = Vec::new();
        let drawn = rows.iter_mut().enumerate().skip(self.entrants.len());
        for (cell, rows) in drawn {
            if self.limits.is_settled(cell, block.first) {
                compiled.source(cell).leave_out(rows);
                left_out.push(cell);
                continue;
            }
            compiled.draw_again(cell, &mut self.workspace, (block.first, rows), timeouts)?;
        }
        let mut tally = BlockTally::of(compiled, block.first, &rows);
        for cell in left_out {
            tally.leave_out(compiled, (cell, block.samples));
        }
        Ok((tally, rows))
    }
}

/// Returns whether a journal holds this tally of a block.
fn is_stored(tally: &BlockTally, block: &Block, journal: &Journal) -> bool {
    let digest = Digest::of(&tally.encode()).short();
    journal.digest(block).is_ok_and(|stored| stored == digest)
}

fn span(block: &Block) -> String {
    format!("samples {} to {}", block.first, block.range().end - 1)
}

/// A fault of `samples.csv`.
fn of_samples(fault: impl Display) -> String {
    format!("samples.csv: {fault}")
}
