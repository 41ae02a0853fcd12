//! The record a run keeps while it goes: its folder, journal, samples and timings.

use std::collections::BTreeMap;
use std::io;

use crate::config::Experiment;
use crate::harness::{BlockTally, FinishedBlock, Laboratory, Plan, Sink, SinkError};

use super::folder::{FolderError, RunFolder};
use super::journal::{Journal, JournalDamage, JournalWriter};
use super::samples::SampleWriter;
use super::timings::Timings;

/// An open run folder that blocks are stored in.
#[derive(Debug)]
pub struct Record {
    folder: RunFolder,
    journal: JournalWriter,
    samples: Option<SampleWriter>,
    timings: Timings,
}

/// What a closed record leaves: the folder, still locked, and the blocks stored in it.
#[derive(Debug)]
pub struct Sealed {
    /// The folder.
    pub folder: RunFolder,
    /// Every stored block, by index.
    pub blocks: BTreeMap<u64, BlockTally>,
}

/// A record together with what was found in its folder.
#[derive(Debug)]
pub struct Opened {
    /// The record, ready to store blocks.
    pub record: Record,
    /// The blocks that an earlier session stored.
    pub stored: BTreeMap<u64, BlockTally>,
    /// Journal rows that were of no use; their blocks are run again.
    pub damage: Vec<JournalDamage>,
}

impl Record {
    /// Opens the record of `experiment` in `folder`: with everything stored there if `resume`,
    /// from nothing otherwise.
    pub fn open(
        folder: RunFolder,
        experiment: &Experiment,
        laboratory: &Laboratory,
        plan: &Plan,
        resume: bool,
    ) -> Result<Opened, FolderError> {
        let fingerprint = experiment.fingerprint();
        let path = folder.file("blocks.csv");
        let refuse = |source| FolderError::Io {
            path: path.clone(),
            source,
        };
        let mut journal = Journal::default();
        let mut timings = Timings::new(experiment.cell_names());
        if resume {
            journal = Journal::read(&path, laboratory, plan, &fingerprint).map_err(refuse)?;
            timings.add_earlier(&folder.file("timings.csv"));
        }
        folder.write("config.toml", experiment.resolved_toml().as_bytes())?;
        let samples = match experiment.keep_samples {
            true => open_samples(&folder, experiment, laboratory, plan, &mut journal.blocks)?,
            false => None,
        };
        let writer =
            JournalWriter::open(&path, &journal.blocks, plan, &fingerprint).map_err(refuse)?;
        Ok(Opened {
            record: Self {
                folder,
                journal: writer,
                samples,
                timings,
            },
            stored: journal.blocks,
            damage: journal.damage,
        })
    }

    /// The folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Brings the journal into block order, where gaps were filled late, and everything to disk.
    pub fn seal(
        self,
        laboratory: &Laboratory,
        plan: &Plan,
        fingerprint: &str,
    ) -> Result<Sealed, FolderError> {
        let path = self.folder.file("blocks.csv");
        let refuse = |source| FolderError::Io {
            path: path.clone(),
            source,
        };
        self.journal.sync().map_err(refuse)?;
        let journal = Journal::read(&path, laboratory, plan, fingerprint).map_err(refuse)?;
        let bytes = Journal::to_bytes(&journal.blocks, plan, fingerprint);
        if std::fs::read(&path).map_err(refuse)? != bytes {
            self.folder.write("blocks.csv", &bytes)?;
        }
        self.folder.write("timings.csv", &self.timings.to_csv())?;
        Ok(Sealed {
            folder: self.folder,
            blocks: journal.blocks,
        })
    }
}

impl Sink for Record {
    /// Samples go first: a block in the journal has its samples stored.
    fn store(&mut self, finished: &FinishedBlock) -> Result<(), SinkError> {
        if let Some(samples) = &mut self.samples {
            samples
                .append(finished)
                .map_err(|source| unstored(&self.folder, "samples.csv", source))?;
        }
        self.journal
            .append(&finished.block, &finished.tally)
            .map_err(|source| unstored(&self.folder, "blocks.csv", source))?;
        self.timings.add(finished.block.samples, &finished.seconds);
        Ok(())
    }
}

/// Opens `samples.csv` after those rows that belong to the stored blocks it begins with; the
/// other blocks are taken out of `blocks`, to be run again.
fn open_samples(
    folder: &RunFolder,
    experiment: &Experiment,
    laboratory: &Laboratory,
    plan: &Plan,
    blocks: &mut BTreeMap<u64, BlockTally>,
) -> Result<Option<SampleWriter>, FolderError> {
    let path = folder.file("samples.csv");
    let open = |kept| {
        let names = experiment.cells.iter().map(|cell| cell.name.clone());
        SampleWriter::open(&path, names.collect(), laboratory.metrics(), kept).map_err(|source| {
            FolderError::Io {
                path: path.clone(),
                source,
            }
        })
    };
    match open(keep_prefix(blocks, plan))? {
        Some(samples) => Ok(Some(samples)),
        None => {
            blocks.clear();
            open(0)
        }
    }
}

fn unstored(folder: &RunFolder, name: &str, source: io::Error) -> SinkError {
    SinkError {
        message: format!(
            "{} cannot be written: {source}",
            folder.file(name).display()
        ),
        source,
    }
}

/// Drops blocks after the first gap, for samples are stored in order; returns the samples kept.
fn keep_prefix(blocks: &mut BTreeMap<u64, BlockTally>, plan: &Plan) -> u64 {
    let mut kept = 0;
    let mut gap = false;
    for block in plan.blocks() {
        gap |= !blocks.contains_key(&block.index);
        if gap {
            blocks.remove(&block.index);
        } else {
            kept += block.samples;
        }
    }
    kept
}
