//! One of the two runs of a comparison: its folder, experiment and tallies.

use std::path::Path;

use crate::Results;
use lab::job::{Failure, Job, Program};
use lab::run::{BlockTally, Measured, Observer};
use lab::store::FolderError;
use lab::task::MetricKind;
use stats::{Confidence, Estimate, Looks, Proportion};

/// A run that is compared with another.
pub struct ComparedRun {
    pub job: Job,
    /// The tally of a journal that holds all of it.
    tally: Option<BlockTally>,
    results: Results,
}

impl ComparedRun {
    /// Reads a run folder: what was asked and what was found.
    pub fn read(
        program: &Program,
        folder: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let job = Job::of_folder(program, folder, observer)?;
        Ok(Self {
            tally: tally(&job)?,
            results: Results::read(folder)?,
            job,
        })
    }

    /// The hash of its samples as the run wrote them, if it keeps any.
    pub fn samples_hash(&self) -> Option<&String> {
        self.job.manifest.files.get("samples.csv")
    }

    pub fn confidence(&self) -> Confidence {
        self.job.experiment.confidence()
    }

    /// A metric in a cell, by their places.
    pub fn measured(&self, place: (usize, usize)) -> Measured<'_> {
        let looks = self.confidence().looks;
        match &self.tally {
            Some(tally) => Measured::Counted {
                compiled: &self.job.compiled,
                tally,
                place,
                looks,
            },
            None => Measured::Stated {
                estimate: self.stated(place),
                looks,
            },
        }
    }

    /// The estimate in the summary; of a flag, with the exact interval of its counts.
    fn stated(&self, (cell, metric): (usize, usize)) -> Estimate {
        let experiment = &self.job.experiment;
        let (cell, metric) = (&experiment.cells[cell], &experiment.task.metrics[metric]);
        let row = self.results.row(&cell.name, &metric.name);
        let stated = row.map_or_else(Estimate::default, |row| row.estimate);
        let confidence = self.confidence();
        if metric.kind != MetricKind::Flag || confidence.looks != Looks::Once {
            return stated;
        }
        let exact = || {
            let count = |share: Option<f64>| Some((share? * stated.n as f64).round() as u64);
            let (certain, possible) = (count(stated.lower)?, count(stated.upper)?);
            let unresolved = possible.saturating_sub(certain);
            Proportion::new(certain, unresolved, stated.n)?.clopper_pearson(confidence.level)
        };
        Estimate {
            interval: exact(),
            ..stated
        }
    }

    /// Returns whether both drew the same instances: one game, one seed.
    pub fn shares_instances(&self, other: &Self) -> bool {
        self.job.experiment.file.seed == other.job.experiment.file.seed
            && self.game() == other.game()
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        let name = &*self.job.experiment.task.name;
        name.split_once('/').map_or(name, |(game, _)| game)
    }
}

/// Returns the tally of the journal; `None` if it is archived or missing.
fn tally(job: &Job) -> Result<Option<BlockTally>, Failure> {
    let journal = match job.journal_in(&job.folder) {
        Ok(journal) => journal,
        // What an earlier version counted is in its tables all the same.
        Err(FolderError::Mismatch { .. }) => return Ok(None),
        Err(error) => return Err(Failure::failed(error)),
    };
    if journal.is_archived() || journal.indices().is_empty() {
        return Ok(None);
    }
    if let Some(damage) = journal.damage.told().first() {
        return Err(
            Failure::failed(format!("{}: {damage}", job.folder.display()))
                .with_help("run its blocks again: etude run ... --resume"),
        );
    }
    let failed = |error| Failure::of_file(&job.folder.join("blocks.csv"), error);
    journal.total().map(Some).map_err(failed)
}
