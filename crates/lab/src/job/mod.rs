//! Whole jobs on run folders: run, resume, merge, verify, archive, forecast.
//!
//! A [`Job`] is an experiment, ready to be drawn, and the folder it goes to. It prints nothing and
//! ends no process: what a person may want to know is told to an [`Observer`], and what went wrong
//! is a [`Failure`].
//!
//! ```
#![doc = include_str!("../../examples/folder.rs")]
//! ```

mod alike;
mod archive;
mod changes;
mod choice;
mod compare;
mod difference;
mod final_tables;
mod finished;
mod forecast;
mod merge;
pub mod programs;
mod race;
mod remake;
mod rerun;
mod session;
mod sources;
mod start;
mod step;
#[cfg(test)]
mod tests;
mod verify;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::run::{CellLimits, CompiledExperiment, Observer, Plan, StoredBlocks};
use crate::store::{Journal, JournalSchema, Manifest, Stored};
use crate::tables::SampleTable;
use experiment::{Experiment, Overrides};

use base::Failure;
pub use choice::{BlockNumbers, ChosenBlocks};
pub use compare::{ComparedMetric, compare};
pub use finished::FinishedRun;
pub use forecast::Pilot;
pub use merge::{MergeJob, WaveDecision};
pub use race::{GO_ON, StoredRace};
pub use sources::{read_experiment, read_folder};
pub use start::ResumeMode;
use stats::Confidence;
use task::Application;
use task::outside::Consent;
pub use verify::{BlockCounts, Verification};

/// An experiment that is ready to be drawn, and the folder that its run is in.
pub struct Job {
    /// The program that the run folder names, with its games.
    app: Application,
    /// The question, and all that determines the numbers that answer it.
    pub experiment: Experiment,
    /// The tasks of its cells.
    pub compiled: Arc<CompiledExperiment>,
    /// The samples in blocks, and the shard of them to be run.
    pub plan: Plan,
    /// The sample from which on a block may begin only in a later session; none unless set.
    pub to: u64,
    /// The run folder; `results/NAME` unless another is set.
    pub folder: PathBuf,
    /// Worker threads; one for each core unless set.
    pub threads: usize,
    /// The wish for a run that is in the folder already.
    pub mode: ResumeMode,
    /// True if the user gave leave to start the programs that somebody else's folder names.
    pub starts_programs: bool,
    /// The leave to start programs; none before it is asked for.
    consent: Consent,
    /// The folder for transcripts of the faults of programs.
    pub transcripts: Option<PathBuf>,
    /// The manifest of the sessions so far.
    pub manifest: Manifest,
    began: SystemTime,
}

impl Job {
    /// The job of an experiment that was made in Rust.
    ///
    /// # Errors
    /// If the task of a cell cannot be built.
    pub fn new(experiment: Experiment) -> Result<Self, Failure> {
        Self::of_app(&Application::LIBRARY, experiment)
    }

    /// The job of an experiment with a task of a program's games.
    ///
    /// # Errors
    /// If the task of a cell cannot be built.
    pub fn of_app(app: &Application, experiment: Experiment) -> Result<Self, Failure> {
        Ok(Self {
            app: *app,
            compiled: Arc::new(CompiledExperiment::of_experiment(&experiment)?),
            plan: Plan::of(&experiment),
            to: u64::MAX,
            folder: Path::new("results").join(experiment.name()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            mode: ResumeMode::default(),
            starts_programs: false,
            consent: Consent::default(),
            transcripts: None,
            manifest: Manifest::default(),
            began: SystemTime::now(),
            experiment,
        })
    }

    /// The job of the run in `folder`.
    ///
    /// # Errors
    /// If the folder holds no run of the program's games, or has no manifest.
    pub fn of_folder(
        app: &Application,
        folder: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let experiment = read_folder(app, folder, &Overrides::default(), observer)?;
        let Stored { manifest, .. } = Stored::open(folder)?;
        let job = Self::of_app(app, experiment)?.in_folder(folder);
        Ok(Self {
            plan: job.plan.with_shard(manifest.shard),
            manifest,
            ..job
        })
    }

    /// Returns the job with its run in this folder.
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// The folder as the manifest describes it.
    pub(super) fn stored(&self) -> Stored {
        Stored {
            folder: self.folder.clone(),
            manifest: self.manifest.clone(),
        }
    }

    fn schema(&self) -> Arc<JournalSchema> {
        JournalSchema::of(&self.experiment, &self.compiled, &self.plan)
    }

    /// The columns and the cells of the run's `samples.csv`.
    pub(super) fn sample_table(&self) -> Arc<SampleTable> {
        Arc::new(SampleTable::of(&self.experiment, &self.compiled))
    }

    /// Returns the confidence of the results: that of repeated looks if the run was cut short,
    /// because whoever cut it short may have seen its numbers.
    fn confidence(&self) -> Confidence {
        match self.manifest.exit_reason.completed() {
            Some(_) => self.experiment.confidence(),
            None => self.experiment.watched(),
        }
    }

    /// The cells that draw no more, as the samples in a journal settled them; of an archive, as its manifest says.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn limits(&self, journal: &Journal) -> Result<CellLimits, Failure> {
        if journal.is_archived() {
            let cells = self.experiment.cell_names().zip(0..);
            let settled = |(name, cell)| Some((cell, *self.manifest.settled.get(name)?));
            return Ok(cells.filter_map(settled).collect());
        }
        let mut stored = StoredBlocks::default();
        let looks = self.experiment.stop.stops_each_cell();
        let blocks = looks.then(|| journal.blocks()).into_iter().flatten();
        for (at, block) in (0..).zip(blocks) {
            let (index, block) = block.map_err(|error| self.unreadable(&error))?;
            if at != index {
                break;
            }
            stored.add(index, &block.tally);
            stored.look(&self.experiment, (&self.compiled, &self.plan), index);
        }
        Ok(stored.limits)
    }

    /// The cells that drew fewer samples than `done`, by name.
    fn settled(&self, limits: &CellLimits, done: u64) -> BTreeMap<String, u64> {
        let fewer = limits.iter().filter(|(_, samples)| *samples < done);
        let name = |cell: usize| self.experiment.cells[cell].name.clone();
        fewer.map(|(cell, samples)| (name(cell), samples)).collect()
    }

    /// The journal in a folder of the experiment.
    ///
    /// # Errors
    /// If the journal cannot be read.
    fn journal_in(&self, folder: &Path) -> Result<Journal, Failure> {
        Journal::read(&folder.join("blocks.csv"), &self.schema())
    }
}
