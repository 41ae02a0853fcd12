//! The record that a run keeps: its folder, journal, samples and timings.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use crate::experiment::Experiment;
use crate::run::{CompiledExperiment, FinishedBlock, Plan, Sink, StoredBlocks};

use super::error::FolderError;
use super::folder::RunFolder;
use super::journal::{Damage, Digest, Journal, JournalSchema, JournalWriter, Mismatch, rewrite};
use super::samples::{SampleReader, SampleWriter, are_as_stored};
use crate::tables::Timings;

/// The longest time until appended lines reach the disk: a power cut costs no more.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// An open run folder that blocks are stored in.
#[derive(Debug)]
pub struct RunRecord {
    folder: RunFolder,
    schema: JournalSchema,
    journal: JournalWriter,
    samples: Option<SampleWriter>,
    timings: Timings,
    synced: Instant,
}

/// The parts of a closed record: the folder, still locked, and the journal in it.
#[derive(Debug)]
pub struct ClosedRun {
    /// The folder.
    pub folder: RunFolder,
    /// Every stored block.
    pub journal: Journal,
}

/// A record together with what was found in its folder.
#[derive(Debug)]
pub struct ResumedRun {
    /// The record, ready to store blocks.
    pub record: RunRecord,
    /// The blocks that an earlier session stored.
    pub stored: StoredBlocks,
    /// Journal rows that could not be used; their blocks are run again.
    pub damage: Damage,
    /// Samples of each cell that are sound in the journal and run again all the same: those whose
    /// lines of `samples.csv` are lost, and those in a last, shorter block.
    pub redrawn: u64,
}

impl RunRecord {
    /// Opens the record of `experiment` in `folder`: with everything stored there if `resume`,
    /// from nothing otherwise. `session` counts the sessions of the run from 1.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the journal holds samples of something else.
    pub fn open(
        folder: RunFolder,
        experiment: &Experiment,
        compiled: &CompiledExperiment,
        plan: &Plan,
        (resume, session): (bool, u32),
    ) -> Result<ResumedRun, FolderError> {
        let schema = JournalSchema::of(experiment, compiled);
        let path = folder.file("blocks.csv");
        let refuse = |source| FolderError::io(&path, source);
        let mut journal = Journal::empty(compiled, plan, &schema);
        let mut timings = Timings::new(experiment.cell_names());
        if resume {
            journal = stored_journal(&folder, compiled, plan, &schema)?;
            timings.add_earlier(&folder.file("timings.csv"));
        }
        folder.write("config.toml", experiment.resolved_toml().as_bytes())?;
        if !experiment.file.output.samples {
            folder.remove("samples.csv")?;
        }
        let samples = experiment
            .file
            .output
            .samples
            .then(|| KeptSamples::check(&folder, experiment, compiled, plan, &mut journal));
        let mut stored = StoredBlocks::default();
        let place = (folder.disk().as_ref(), path.as_path());
        rewrite(place, &journal, &schema, compiled, &mut |index, block| {
            stored.add(index, &block.tally);
            let digests = samples.as_ref().map(|samples| &samples.digests);
            Ok(digests.and_then(|digests| digests.get(&index)).copied())
        })
        .map_err(refuse)?;
        let samples = samples.map(|samples| samples.open(&folder, experiment, compiled));
        Ok(ResumedRun {
            redrawn: journal.unused(),
            record: Self {
                journal: JournalWriter::append_to(folder.disk().as_ref(), &path, &schema, session)
                    .map_err(refuse)?,
                schema,
                samples: samples.transpose()?,
                timings,
                synced: Instant::now(),
                folder,
            },
            stored,
            damage: journal.damage,
        })
    }

    /// The folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Brings the journal into block order, where gaps were filled late, and everything to disk.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn close(
        self,
        compiled: &CompiledExperiment,
        plan: &Plan,
    ) -> Result<ClosedRun, FolderError> {
        let path = self.folder.file("blocks.csv");
        let owned = self.folder.check_owned();
        owned.map_err(|source| FolderError::io(self.folder.path(), source))?;
        self.sync()?;
        let read = || self.folder.journal(compiled, plan, &self.schema);
        let journal = read()?;
        let place = (self.folder.disk().as_ref(), path.as_path());
        rewrite(place, &journal, &self.schema, compiled, &mut |_, block| {
            Ok(block.rows)
        })
        .map_err(|source| FolderError::io(&path, source))?;
        self.folder.write("timings.csv", &self.timings.to_csv())?;
        Ok(ClosedRun {
            journal: read()?,
            folder: self.folder,
        })
    }

    /// Brings samples and journal to disk, in this order: a block in the journal has its samples.
    fn sync(&self) -> Result<(), FolderError> {
        if let Some(samples) = &self.samples {
            let path = self.folder.file("samples.csv");
            samples
                .sync()
                .map_err(|source| FolderError::io(&path, source))?;
        }
        let path = self.folder.file("blocks.csv");
        self.journal
            .sync()
            .map_err(|source| FolderError::io(&path, source))
    }

    fn append(&mut self, finished: &FinishedBlock) -> Result<(), FolderError> {
        let path = self.folder.path();
        let owned = self.folder.check_owned();
        owned.map_err(|source| FolderError::io(path, source))?;
        let mut rows = None;
        if let Some(samples) = &mut self.samples {
            let path = self.folder.file("samples.csv");
            let appended = samples.append(finished);
            rows = Some(appended.map_err(|source| FolderError::io(&path, source))?);
        }
        let path = self.folder.file("blocks.csv");
        self.journal
            .append(finished.block, &finished.tally, rows)
            .map_err(|source| FolderError::io(&path, source))?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

impl Sink for RunRecord {
    /// Samples go first: a block in the journal has its samples stored.
    fn store(&mut self, finished: &FinishedBlock) -> io::Result<()> {
        self.append(finished).map_err(io::Error::other)?;
        self.timings.add(finished.block.samples, &finished.seconds);
        Ok(())
    }
}

/// The part of `samples.csv` that belongs to stored blocks.
#[derive(Default)]
struct KeptSamples {
    /// The hashes of the lines of the blocks kept.
    digests: BTreeMap<u64, Digest>,
    /// The bytes up to the end of the last of them; `None` for a new file.
    length: Option<u64>,
}

impl KeptSamples {
    /// Reads `samples.csv` as far as it has the lines of the first blocks of `journal`, as they
    /// were written, and leaves the other blocks out of the journal, to be run again.
    fn check(
        folder: &RunFolder,
        experiment: &Experiment,
        compiled: &CompiledExperiment,
        plan: &Plan,
        journal: &mut Journal,
    ) -> Self {
        let cells = experiment.cells.len();
        let path = folder.file("samples.csv");
        let mut kept = Self::default();
        if let Ok(mut reader) = SampleReader::open(&path, cells, compiled.metrics()) {
            for block in plan.blocks() {
                let parts = journal.parts(block.index);
                let is_stored = journal.indices().contains(&block.index);
                let Some(rows) = is_stored.then(|| reader.block(&block).ok()).flatten() else {
                    break;
                };
                if !are_as_stored(&rows, cells, &parts) {
                    break;
                }
                kept.digests.insert(block.index, Digest::of(&rows));
                kept.length = Some(reader.offset());
            }
        }
        journal.retain(|index| kept.digests.contains_key(index));
        kept
    }

    fn open(
        &self,
        folder: &RunFolder,
        experiment: &Experiment,
        compiled: &CompiledExperiment,
    ) -> Result<SampleWriter, FolderError> {
        let path = folder.file("samples.csv");
        let names = experiment.cell_names().map(str::to_owned).collect();
        let place = (folder.disk().as_ref(), path.as_path());
        SampleWriter::open(place, names, compiled.metrics(), self.length)
            .map_err(|source| FolderError::io(&path, source))
    }
}

/// The journal of a run to go on with. Nothing is lost to it but damaged rows.
fn stored_journal(
    folder: &RunFolder,
    compiled: &CompiledExperiment,
    plan: &Plan,
    schema: &JournalSchema,
) -> Result<Journal, FolderError> {
    let journal = folder.journal(compiled, plan, schema)?;
    let refuse = |source| FolderError::Mismatch {
        path: folder.file("blocks.csv"),
        source,
    };
    if journal.is_archived() {
        return Err(refuse(Mismatch::new(
            "the folder is archived: its journal holds only the hashes of blocks",
        )));
    }
    let samples = journal.unused();
    if samples > plan.block_size() {
        return Err(refuse(Mismatch::new(format!(
            "the {samples} stored samples are in blocks that do not fit the new stop rule"
        ))));
    }
    Ok(journal)
}
