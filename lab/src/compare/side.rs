//! One of the two runs of a comparison: its folder, experiment and tallies.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::experiment::Experiment;
use crate::job::{Failure, Program, read_folder};
use crate::report::Results;
use crate::run::{BlockTally, CompiledExperiment, Measured, Observer, Plan};
use crate::stats::{Confidence, Estimate, Looks, Proportion};
use crate::store::{FolderError, Journal, JournalSchema};
use crate::task::MetricKind;

/// A run that is compared with another.
pub struct ComparedRun {
    pub folder: PathBuf,
    pub experiment: Experiment,
    counted: Option<Counted>,
    results: Results,
}

/// The tallies of a journal that holds all of them.
struct Counted {
    compiled: Arc<CompiledExperiment>,
    tally: BlockTally,
}

impl ComparedRun {
    /// Reads a run folder: what was asked and what was found.
    pub fn read(
        program: &Program,
        folder: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let experiment = read_folder(program, folder, observer)?;
        Ok(Self {
            counted: counted(folder, &experiment)?,
            results: Results::read(folder).map_err(Failure::usage)?,
            folder: folder.to_owned(),
            experiment,
        })
    }

    /// Returns whether its samples are in its folder.
    pub fn has_samples(&self) -> bool {
        self.samples_hash().is_some() && self.folder.join("samples.csv").exists()
    }

    /// The hash of its samples as the run wrote them, if it keeps any.
    pub fn samples_hash(&self) -> Option<&String> {
        self.results.manifest.files.get("samples.csv")
    }

    pub fn name(&self) -> std::path::Display<'_> {
        self.folder.display()
    }

    pub fn cell(&self, cell: usize) -> &str {
        &self.experiment.cells[cell].name
    }

    pub fn confidence(&self) -> Confidence {
        self.experiment.confidence()
    }

    /// A metric in a cell, by their places.
    pub fn measured(&self, place: (usize, usize)) -> Measured<'_> {
        let looks = self.confidence().looks;
        match &self.counted {
            Some(Counted { compiled, tally }) => Measured::Counted {
                compiled,
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
        let metric = &self.experiment.task.metrics[metric];
        let row = self.results.row(self.cell(cell), &metric.name);
        let stated = row.map_or_else(Estimate::default, |row| row.estimate);
        let confidence = self.confidence();
        let exact = || {
            let count = |share: Option<f64>| Some((share? * stated.n as f64).round() as u64);
            let (certain, possible) = (count(stated.lower)?, count(stated.upper)?);
            let unresolved = possible.saturating_sub(certain);
            Proportion::new(certain, unresolved, stated.n)?.clopper_pearson(confidence.level)
        };
        match (metric.kind, confidence.looks) {
            (MetricKind::Flag, Looks::Once) => Estimate {
                interval: exact(),
                ..stated
            },
            _ => stated,
        }
    }

    /// Returns whether both drew the same instances: one game, one seed.
    pub fn shares_instances(&self, other: &Self) -> bool {
        self.experiment.file.seed == other.experiment.file.seed && self.game() == other.game()
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        let name = &*self.experiment.task.name;
        name.split_once('/').map_or(name, |(game, _)| game)
    }
}

/// Returns the tallies of the journal; `None` if it is archived or missing.
fn counted(folder: &Path, experiment: &Experiment) -> Result<Option<Counted>, Failure> {
    let compiled = Arc::new(CompiledExperiment::of_experiment(experiment)?);
    let path = folder.join("blocks.csv");
    let schema = JournalSchema::of(experiment, &compiled, &Plan::of(experiment));
    let journal = match Journal::read(&path, &schema) {
        Ok(journal) => journal,
        // What an earlier version counted is in its tables all the same.
        Err(FolderError::Mismatch { .. }) => return Ok(None),
        Err(error) => return Err(Failure::failed(error)),
    };
    if journal.is_archived() || journal.indices().is_empty() {
        return Ok(None);
    }
    if let Some(damage) = journal.damage.told().first() {
        return Err(Failure::failed(format!("{}: {damage}", folder.display()))
            .with_help("run its blocks again: etude run ... --resume"));
    }
    let tally = journal.total();
    let tally = tally.map_err(|error| Failure::of_file(&path, error))?;
    Ok(Some(Counted { compiled, tally }))
}
