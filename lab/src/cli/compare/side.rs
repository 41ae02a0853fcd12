//! One of two runs that are compared: its folder, experiment, tallies and clock.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::experiment::{laboratory, load_from_folder, plan};
use crate::cli::failure::Failure;
use crate::cli::program::Program;
use crate::config::Experiment;
use crate::harness::{BlockTally, Laboratory, Measured};
use crate::output::{Journal, Timings};
use crate::stats::Confidence;

pub struct Side {
    pub folder: PathBuf,
    pub experiment: Experiment,
    laboratory: Arc<Laboratory>,
    tally: BlockTally,
    timings: Timings,
}

impl Side {
    /// Reads a run folder: what was asked, what its journal holds, and how long it took.
    pub fn read(program: &Program, folder: &Path) -> Result<Self, Failure> {
        let experiment = load_from_folder(program, folder)?;
        let laboratory = laboratory(&experiment)?;
        let path = folder.join("blocks.csv");
        let plan = plan(&experiment);
        let journal = Journal::read(&path, &laboratory, &plan, &experiment.fingerprint())
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        if journal.blocks.is_empty() || !journal.damage.is_empty() {
            let what = match journal.damage.first() {
                Some(damage) => format!("line {}: {}", damage.line, damage.reason),
                None => "no block is stored here".to_owned(),
            };
            return Err(Failure::failed(format!("{}: {what}", path.display()))
                .with_help("restore it, or make the run again: etude run ... --resume"));
        }
        let mut tally = BlockTally::new(&laboratory);
        journal.blocks.values().for_each(|block| tally.merge(block));
        let mut timings = Timings::new(experiment.cell_names());
        timings.add_earlier(&folder.join("timings.csv"));
        Ok(Self {
            folder: folder.to_owned(),
            experiment,
            laboratory,
            tally,
            timings,
        })
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
        Measured {
            laboratory: &self.laboratory,
            tally: &self.tally,
            place,
            looks: self.confidence().looks,
        }
    }

    /// Samples a second of one thread.
    pub fn speed(&self, cell: usize) -> Option<f64> {
        self.timings.samples_per_second(self.cell(cell))
    }

    /// Whether both drew the same instances: one game, one seed.
    pub fn shares_instances(&self, other: &Self) -> bool {
        self.experiment.seed == other.experiment.seed && self.game() == other.game()
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        let name = self.experiment.task.name;
        name.split_once('/').map_or(name, |(game, _)| game)
    }
}
