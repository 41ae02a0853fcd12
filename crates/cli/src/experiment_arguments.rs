//! Experiments named on the command line.

use std::path::Path;

use base::parse_integer;
use clap::Args;
use experiment::{Experiment, Overrides, Setting};
use lab::job::{read_experiment, read_folder};
use lab::store::{Stored, holds_run};

use super::Application;
use super::failure::Failure;
use super::progress::Display;

/// Leave to start the programs of somebody else's folder.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Leave {
    /// Start the programs that a run folder names, even if you did not make the folder on this machine
    #[arg(long)]
    pub(crate) run_programs: bool,
}

/// An experiment file and what overrides it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExperimentArguments {
    /// The experiment file (TOML), `-` for standard input, or the name of a built-in experiment (see `list
    /// experiments`)
    #[arg(value_name = "EXPERIMENT")]
    pub(crate) file: String,
    /// Samples per cell (overrides the file)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    pub(crate) samples: Option<u64>,
    /// The seed (overrides the file)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Values in place of those of an experiment file.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Settings {
    /// Another value of a key of the file, such as `params.strategy=greedy` or `budget.nodes=1_000`; once for
    /// each key
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<Setting>,
}

impl ExperimentArguments {
    /// Reads and checks the experiment, with these values and those of the options in place of the file's.
    pub(crate) fn load(
        &self,
        app: &Application,
        overrides: Overrides,
    ) -> Result<Experiment, Failure> {
        let overrides = self.overrides(overrides);
        read_experiment(app, &self.file, &overrides, &mut Display::default())
    }

    /// Like [`Self::load`], also where a run folder is named: its experiment as it was run.
    pub(crate) fn load_of_folder(&self, app: &Application) -> Result<Experiment, Failure> {
        let folder = Path::new(&self.file);
        if !folder.is_dir() {
            return self.load(app, Overrides::default());
        }
        // A copy of the experiment alone has neither; a run that lost its manifest may have been changed.
        if holds_run(folder) {
            Stored::open(folder)?.check(|name| name == "config.toml")?;
        }
        let overrides = self.overrides(Overrides::default());
        read_folder(app, folder, &overrides, &mut Display::default())
    }

    /// These values with those of the options.
    pub(crate) fn overrides(&self, overrides: Overrides) -> Overrides {
        Overrides {
            samples: self.samples,
            seed: self.seed,
            set: self.settings.set.clone(),
            ..overrides
        }
    }
}
