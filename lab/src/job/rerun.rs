//! Runs blocks again and compares them with the stored ones.

use std::io;
use std::path::PathBuf;

use crate::run::{Block, BlockTally, Timeouts};
use crate::store::{Digest, Journal, Remade, SampleReader, are_as_stored};
use crate::tables::{Work, sample_rows};
use crate::task::{Row, SampleError, Workspace};

use super::Job;
use crate::failure::Failure;

/// Runs blocks again, in index order.
pub(super) struct Rerun<'run> {
    job: &'run Job,
    workspace: Workspace,
    names: Vec<String>,
    samples_path: PathBuf,
    stored: Option<SampleReader>,
    /// The work of the samples that were run again, if `samples.csv` was dropped.
    pub work: Option<Work>,
    /// The blocks that were run again, as the rows of a journal.
    pub remade: Remade,
    /// Samples of each cell that were run again.
    pub samples: u64,
    /// The tally of all samples that were run again.
    pub total: BlockTally,
    /// Blocks that were not compared, because a sample took longer than it may and had not before.
    pub late: u64,
}

impl<'run> Rerun<'run> {
    /// Ready to run blocks of a job.
    ///
    /// # Errors
    /// If samples were kept and cannot be read; where they may have been dropped, if they are there.
    pub fn of(job: &'run Job, may_be_dropped: bool) -> Result<Self, Failure> {
        let (experiment, compiled) = (&job.experiment, &job.compiled);
        let path = job.folder.join("samples.csv");
        let open = || SampleReader::open(&path, compiled.cells(), compiled.metrics());
        let is_dropped = experiment.file.output.samples && may_be_dropped && !path.exists();
        let is_stored = experiment.file.output.samples && !is_dropped;
        let stored = is_stored.then(open).transpose();
        Ok(Self {
            job,
            workspace: Workspace::new(),
            names: experiment.cell_names().map(str::to_owned).collect(),
            stored: stored
                .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?,
            work: is_dropped.then(|| Work::of(compiled)),
            samples: 0,
            late: 0,
            total: BlockTally::new(compiled),
            remade: Remade::new(&job.schema()),
            samples_path: path,
        })
    }

    /// Returns the differences between a block that was run again and the stored one.
    pub fn compare(&mut self, block: Block, journal: Option<&Journal>) -> Vec<String> {
        let timeouts = journal.map(|journal| journal.timeouts(&block, &self.job.compiled));
        let timeouts = timeouts.unwrap_or_default();
        let (tally, rows) = match self.run(block, &timeouts) {
            Ok(run) => run,
            Err(error) => return vec![format!("sample {} cannot be drawn: {error}", error.sample)],
        };
        if *tally.timeouts() != timeouts {
            self.late += 1;
            return self.skip(block);
        }
        self.samples += block.samples;
        let (first, last) = (block.first, block.range().end - 1);
        let mut faults = Vec::new();
        let texts = [tally.encode(), tally.encode_as_before()];
        let digests = texts.map(|text| Digest::of(text.as_bytes()).short());
        self.total.merge(&tally);
        self.remade.push(block, &tally);
        let stored = journal.map(|journal| journal.digest(&block));
        if stored.is_some_and(|stored| !stored.is_ok_and(|stored| digests.contains(&stored))) {
            faults.push(format!(
                "block {} (samples {first} to {last}) gives different numbers when run again",
                block.index
            ));
        }
        let rows = || sample_rows((&self.names, self.job.compiled.metrics()), &block, &rows);
        if let Some(work) = &mut self.work {
            // Rows that were just made are CSV.
            let _ = work.push_rows(rows().as_bytes());
        }
        if let Some(file) = &mut self.stored {
            let rows = rows();
            match file.block(&block) {
                Ok(found) if found == rows.as_bytes() => {}
                Ok(_) => faults.push(format!(
                    "samples.csv: some of samples {first} to {last} are different when run again"
                )),
                Err(error) => faults.push(format!("samples.csv: {error}")),
            }
        }
        faults
    }

    /// Returns the first difference between `samples.csv` and the journal; extra lines at the end
    /// count as one.
    pub fn surplus(&self, journal: &Journal) -> Option<String> {
        let path = &self.samples_path;
        self.stored.as_ref()?;
        let cells = self.job.compiled.cells();
        let check = || -> io::Result<Option<String>> {
            let mut reader = SampleReader::open(path, cells, self.job.compiled.metrics())?;
            for block in self
                .job
                .plan
                .blocks()
                .filter(|block| journal.is_stored(block))
            {
                let before = reader.offset();
                let rows = reader.block(&block)?;
                let skipped = reader.offset() - before != rows.len() as u64;
                if skipped || !are_as_stored(&rows, cells, &journal.parts(block.index)) {
                    let (first, last) = (block.first, block.range().end - 1);
                    return Ok(Some(format!(
                        "samples.csv: the lines of samples {first} to {last} are not those stored"
                    )));
                }
            }
            let more = !reader.is_at_end()?;
            Ok(more.then(|| "samples.csv: there are extra lines at its end".into()))
        };
        check().unwrap_or_else(|error| Some(format!("samples.csv: {error}")))
    }

    /// Passes over the rows of a block in `samples.csv`.
    fn skip(&mut self, block: Block) -> Vec<String> {
        let passed = self.stored.as_mut().map(|file| file.block(&block));
        let fault = passed.and_then(Result::err);
        fault
            .map(|error| format!("samples.csv: {error}"))
            .into_iter()
            .collect()
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
        for (cell, rows) in rows.iter_mut().enumerate() {
            self.draw(cell, (block.first, rows), timeouts)?;
        }
        let views: Vec<&[Row]> = rows.iter().map(Vec::as_slice).collect();
        let mut tally = BlockTally::new(compiled);
        tally.push(compiled, block.first, &views);
        Ok((tally, rows))
    }

    /// Draws the samples from `first` on of a cell, but for those that had timed out.
    fn draw(
        &mut self,
        cell: usize,
        (mut first, mut rows): (u64, &mut [Row]),
        timeouts: &Timeouts,
    ) -> Result<(), SampleError> {
        while !rows.is_empty() {
            let end = first + rows.len() as u64;
            let late = timeouts.range((cell, first)..(cell, end)).next();
            let before = late.map_or(rows.len(), |(_, sample)| (sample - first) as usize);
            let (now, rest) = std::mem::take(&mut rows).split_at_mut(before);
            self.job
                .compiled
                .draw(cell, &mut self.workspace, first, now)?;
            first += before as u64 + 1;
            let Some((row, later)) = rest.split_first_mut() else {
                break;
            };
            self.job.compiled.task(cell).time_out(row);
            rows = later;
        }
        Ok(())
    }
}
