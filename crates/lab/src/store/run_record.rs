//! The record that a run keeps: its folder, journal, samples and timings.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::run::{Block, FinishedBlock, KnownCells, Sink, StoredBlocks, Timing};
use base::Failure;
use experiment::Experiment;

use super::clock::{CLOCK, ClockWriter};
use super::error::{AtPath, mismatch};
use super::folder::RunFolder;
use super::journal::{Damage, Digest, Journal, JournalSchema, JournalWriter, rewrite};
use super::kept_cells::{ASIDE, KeptCells, set_aside};
use super::manifest::Manifest;
use super::sample_file::{SampleReader, SampleWriter, reopen};
use super::tallies::TALLIES;
use crate::tables::{SampleTable, Timings, read_rows};

/// The longest time until appended lines reach the disk: a power cut costs no more.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// An open run folder that blocks are stored in.
#[derive(Debug)]
pub(crate) struct RunRecord {
    folder: RunFolder,
    schema: Arc<JournalSchema>,
    journal: JournalWriter,
    samples: Option<SampleWriter>,
    /// The times of a race.
    clock: Option<ClockWriter>,
    timings: Timings,
    synced: Instant,
}

/// A record together with what was found in its folder.
#[derive(Debug)]
pub(crate) struct ResumedRun {
    /// The record, ready to store blocks.
    pub record: RunRecord,
    /// The blocks that an earlier session stored.
    pub stored: StoredBlocks,
    /// The times of a race in these; `None` of any other run.
    pub(crate) raced: Option<Vec<Timing>>,
    /// The cells of the other blocks that a run with other cells stored.
    pub known: Option<Arc<dyn KnownCells>>,
    /// The cells among these that are drawn again, for differences from new ones.
    pub(crate) drawn_again: BTreeSet<usize>,
    /// Journal rows that could not be used; their blocks are run again.
    pub damage: Damage,
    /// The first line of `samples.csv` that could not be used; all samples from its block on are run
    /// again.
    pub(crate) sample_fault: Option<io::Error>,
    /// Samples of each cell that are sound in the journal and run again all the same: those whose
    /// lines of `samples.csv` are lost, and those in a last, shorter block.
    pub(crate) redrawn: u64,
}

impl RunRecord {
    /// Opens the record of `experiment`, whose journal has this schema, in `folder`: with everything
    /// stored there if `resume`, from nothing otherwise.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the journal holds samples of something else.
    pub(crate) fn open(
        folder: RunFolder,
        experiment: &Experiment,
        schema: &Arc<JournalSchema>,
        resume: bool,
    ) -> Result<ResumedRun, Failure> {
        let mut journal = Journal::empty(schema);
        let mut timings = Timings::new(experiment.cell_names());
        if resume {
            journal = stored_journal(&folder, experiment, schema)?;
            // A file that does not fit is ignored, for nothing depends on it.
            timings.add_earlier(read_rows(&folder.file("timings.csv")).unwrap_or_default());
        }
        folder.write("config.toml", experiment.resolved_toml().as_bytes())?;
        folder.remove(TALLIES)?;
        let open = |journal: &mut Journal| ClockWriter::open(&folder, experiment, journal);
        let clock = experiment.is_race().then(|| open(&mut journal)).transpose();
        let (clock, raced) = clock.at(&folder.file(CLOCK))?.unzip();
        let keeps_samples = experiment.keeps_samples();
        let table = keeps_samples.then(|| Arc::new(SampleTable::of(experiment, &schema.compiled)));
        let kept = kept_samples(&folder, schema, table.as_ref(), &mut journal)?;
        let parts = (&journal, experiment, &**schema);
        let (stored, drawn_again) = store_again(&folder, parts, kept.as_ref())?;
        let mut known = None;
        if !journal.kept().is_empty() {
            let cells = KeptCells::of(&folder, schema, table.as_ref())?;
            known = Some(Arc::new(cells) as Arc<dyn KnownCells>);
        }
        let (samples, sample_fault) = open_samples(&folder, table.as_ref(), kept)?;
        let path = folder.file("blocks.csv");
        let writer = JournalWriter::append_to(folder.disk().as_ref(), &path, schema);
        Ok(ResumedRun {
            sample_fault,
            redrawn: journal.unused(),
            record: Self {
                journal: writer.at(&path)?,
                schema: Arc::clone(schema),
                samples,
                clock,
                timings,
                synced: Instant::now(),
                folder,
            },
            stored,
            raced,
            drawn_again,
            known,
            damage: journal.damage,
        })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Brings the journal into block order, where gaps were filled late, and everything to disk.
    /// Returns the folder, still locked, and the journal in it, with every stored block; a complete run
    /// needs none that other cells left, and has no damaged row to run again: its journal is left as it is found.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(crate) fn close(self, is_complete: bool) -> Result<(RunFolder, Journal), Failure> {
        self.folder.check_owned().at(self.folder.path())?;
        self.sync()?;
        let path = self.journal_path();
        let (folder, schema) = (self.folder, self.schema);
        // Windows replaces no file that is open.
        drop((self.journal, self.samples));
        let mut journal = folder.journal(&schema)?;
        if is_complete {
            journal.drop_kept();
        }
        let is_damaged = is_complete && journal.damage.rows > 0;
        if !journal.is_sealed() && !is_damaged {
            let place = (folder.disk().as_ref(), path.as_path());
            rewrite(place, &journal, &mut |_, block| Ok(block.rows)).at(&path)?;
            journal = folder.journal(&schema)?;
        }
        folder.write("timings.csv", &self.timings.to_csv())?;
        if journal.kept().is_empty() {
            folder.remove(ASIDE)?;
        }
        Ok((folder, journal))
    }

    fn journal_path(&self) -> PathBuf {
        self.folder.file("blocks.csv")
    }

    /// Brings samples, times and journal to disk, in this order: a block in the journal has its samples.
    fn sync(&self) -> Result<(), Failure> {
        if let Some(samples) = &self.samples {
            samples.sync().at(&self.folder.file("samples.csv"))?;
        }
        if let Some(clock) = &self.clock {
            clock.sync().at(&self.folder.file(CLOCK))?;
        }
        self.journal.sync().at(&self.journal_path())
    }

    fn append(&mut self, finished: &FinishedBlock) -> Result<(), Failure> {
        self.folder.check_owned().at(self.folder.path())?;
        let mut rows = None;
        if let Some(samples) = &mut self.samples {
            let appended = samples.append(finished);
            rows = Some(appended.at(&self.folder.file("samples.csv"))?);
        }
        if let Some(clock) = &mut self.clock {
            let appended = clock.append(&finished.timings);
            appended.at(&self.folder.file(CLOCK))?;
        }
        let path = self.journal_path();
        let appended = (self.journal).append(finished.block, &finished.tally, rows);
        appended.at(&path)?;
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
struct StoredSamples {
    /// The hashes of the lines of the stored blocks, and of those that are aside.
    digests: BTreeMap<u64, Digest>,
    /// The bytes up to the end of the last of them; `None` for a new file.
    length: Option<u64>,
    /// The reason why the lines of the next stored block could not be kept.
    fault: Option<io::Error>,
}

impl StoredSamples {
    /// Reads `samples.csv` as far as it has the lines of the first blocks of `journal`, as they
    /// were written; those before an error are kept.
    fn read(
        &mut self,
        folder: &RunFolder,
        schema: &JournalSchema,
        table: &Arc<SampleTable>,
        journal: &Journal,
    ) -> io::Result<()> {
        let is_stored = |block: &Block| journal.indices().contains(&block.index);
        let mut blocks = schema.plan.blocks().take_while(is_stored).peekable();
        if blocks.peek().is_none() {
            return Ok(());
        }
        let mut reader = SampleReader::open(&folder.file("samples.csv"), table)?;
        for block in blocks {
            let rows = reader.stored_block(&block, journal)?;
            self.digests.insert(block.index, Digest::of(&rows));
            self.length = Some(reader.offset());
        }
        Ok(())
    }
}

/// Makes the samples in the folder ready to go on with: those of cells that a run of other cells has left
/// are set aside, and blocks whose lines are lost leave the journal. Where none are kept the files are
/// removed.
fn kept_samples(
    folder: &RunFolder,
    schema: &JournalSchema,
    table: Option<&Arc<SampleTable>>,
    journal: &mut Journal,
) -> Result<Option<StoredSamples>, Failure> {
    let Some(table) = table else {
        folder.remove(ASIDE)?;
        folder.remove("samples.csv")?;
        return Ok(None);
    };
    let mut aside = BTreeMap::new();
    if journal.kept().is_empty() {
        folder.remove(ASIDE)?;
    } else {
        aside = set_aside(folder, journal, &schema.plan, table)?;
    }
    let path = folder.file("samples.csv");
    reopen((folder.disk().as_ref(), &path), table).at(&path)?;
    let mut kept = StoredSamples::default();
    kept.fault = kept.read(folder, schema, table, journal).err();
    let own = |index: &u64| kept.digests.contains_key(index);
    journal.retain(own, |block| aside.contains_key(&block.index));
    kept.digests.append(&mut aside);
    Ok(Some(kept))
}

/// Writes the blocks of `journal` to the folder's journal, in order. Returns those that are whole, and the
/// cells of the others that are drawn again though they are stored.
fn store_again(
    folder: &RunFolder,
    (journal, experiment, schema): (&Journal, &Experiment, &JournalSchema),
    samples: Option<&StoredSamples>,
) -> Result<(StoredBlocks, BTreeSet<usize>), Failure> {
    let path = folder.file("blocks.csv");
    let (mut stored, mut drawn_again) = (StoredBlocks::default(), BTreeSet::new());
    let place = (folder.disk().as_ref(), path.as_path());
    rewrite(place, journal, &mut |index, block| {
        if journal.indices().contains(&index) {
            stored.add(index, &block.tally);
            stored.look(experiment, (&schema.compiled, &schema.plan), index);
        } else if samples.is_none() {
            let missing = (0..).zip(block.tally.missing(&schema.compiled));
            let again = missing.filter(|(cell, missing)| *missing && block.tally.has(*cell));
            drawn_again.extend(again.map(|(cell, _)| cell));
        }
        Ok(samples.and_then(|samples| samples.digests.get(&index).copied()))
    })
    .at(&path)?;
    Ok((stored, drawn_again))
}

/// Opens the samples, to be appended to those that are kept. Returns with them the first line that could not
/// be used.
fn open_samples(
    folder: &RunFolder,
    table: Option<&Arc<SampleTable>>,
    kept: Option<StoredSamples>,
) -> Result<(Option<SampleWriter>, Option<io::Error>), Failure> {
    let Some((kept, table)) = kept.zip(table) else {
        return Ok((None, None));
    };
    let path = folder.file("samples.csv");
    let place = (folder.disk().as_ref(), path.as_path());
    let writer = SampleWriter::open(place, table, kept.length).at(&path)?;
    Ok((Some(writer), kept.fault))
}

/// The journal of a run to go on with. Nothing is lost to it but damaged rows.
fn stored_journal(
    folder: &RunFolder,
    experiment: &Experiment,
    schema: &Arc<JournalSchema>,
) -> Result<Journal, Failure> {
    let mut journal = folder.journal(schema)?;
    let refuse = |reason: &str| mismatch(&folder.file("blocks.csv"), reason);
    if journal.is_archived() {
        return Err(refuse(
            "the folder is archived: its journal holds only the hashes of blocks, and only question, answer, \
             analysis, page and labels can be changed (of another program's samples, not the cell that the headline \
             names)",
        ));
    }
    let manifest = Manifest::read(&folder.file("manifest.json"));
    let files = manifest.as_ref().map(|manifest| &manifest.files);
    let is_listed = |name: &&str| files.is_ok_and(|files| files.contains_key(*name));
    let is_lost = journal.indices().is_empty() && journal.kept().is_empty();
    if let Some(name) = [CLOCK, TALLIES]
        .into_iter()
        .find(is_listed)
        .filter(|_| is_lost)
    {
        return Err(refuse(&format!(
            "it has none of the blocks that {name} beside it is of, which going on would replace: restore it from a \
             copy, or start over with --force"
        )));
    }
    let samples = journal.unused();
    // Of what was merged in part, only the blocks of an undivided run go on.
    let is_partial = manifest.is_ok_and(|manifest| manifest.shard.is_partial());
    if samples > schema.plan.block_size() && !is_partial {
        return Err(refuse(&format!(
            "the {samples} stored samples are in blocks that do not fit the new stop rule or number of \
             cells"
        )));
    }
    if experiment.stop.stops_each_cell() {
        // What cells draw depends on all looks before, so that blocks behind a hole are looked at again.
        let indices = (0..).zip(journal.indices());
        let prefix = indices.take_while(|(at, index)| at == *index).count() as u64;
        journal.retain(|&index| index < prefix, |_| true);
    }
    Ok(journal)
}
