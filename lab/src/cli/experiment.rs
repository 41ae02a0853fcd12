//! Experiments named on the command line: read, checked, made ready to run.

use std::path::Path;
use std::sync::Arc;

use crate::config::{Experiment, Overrides};
use crate::harness::Laboratory;
use clap::Args;

use super::failure::Failure;
use super::game_verbs::parse_integer;
use super::program::Program;

/// An experiment file and what overrides it.
#[derive(Clone, Debug, Args)]
pub struct ExperimentArguments {
    /// The experiment file (TOML), or the name of one that the program brings with it
    #[arg(value_name = "EXPERIMENT")]
    file: String,
    /// Samples of each cell, instead of the file's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    samples: Option<u64>,
    /// The seed, instead of the file's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    seed: Option<u64>,
}

impl ExperimentArguments {
    /// Reads and checks the experiment.
    pub fn load(&self, program: &Program) -> Result<Experiment, Failure> {
        let overrides = Overrides {
            samples: self.samples,
            seed: self.seed,
        };
        load(program, &self.file, &overrides)
    }
}

/// Reads and checks the experiment file at `path`; without such a file, the experiment of that
/// name which the program brings with it.
pub fn load(program: &Program, path: &str, overrides: &Overrides) -> Result<Experiment, Failure> {
    let bytes = match (std::fs::read(path), program.experiment(path)) {
        (Ok(bytes), _) => bytes,
        (Err(_), Some(text)) => {
            let source = format!("{path}.toml");
            return Ok(Experiment::parse(text, &source, program.games, overrides)?);
        }
        (Err(error), None) => return Err(unreadable(program, path, &error)),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Failure::usage(format!("{path}: byte {offset} is not UTF-8 text"))
            .with_help("an experiment file is TOML in UTF-8; see `etude schema`")
    })?;
    Ok(Experiment::parse(&text, path, program.games, overrides)?)
}

fn unreadable(program: &Program, path: &str, error: &std::io::Error) -> Failure {
    let names: Vec<&str> = program.experiments.iter().map(|(name, _)| *name).collect();
    Failure::usage(format!("{path}: {error}")).with_help(format!(
        "give the path of an experiment file, or the name of one on board: {}",
        names.join(", ")
    ))
}

/// Reads the experiment that a run folder's `config.toml` holds.
pub fn load_from_folder(program: &Program, folder: &Path) -> Result<Experiment, Failure> {
    let path = folder.join("config.toml");
    if !path.is_file() {
        return Err(
            Failure::usage(format!("{}: not a run folder", folder.display())).with_help(
                "a run folder holds the files that `etude run` wrote, config.toml first",
            ),
        );
    }
    load(program, &path.to_string_lossy(), &Overrides::default())
}

/// The laboratory of an experiment.
pub fn laboratory(experiment: &Experiment) -> Result<Arc<Laboratory>, Failure> {
    Laboratory::of_experiment(experiment)
        .map(Arc::new)
        .map_err(|error| Failure::usage(&error).with_help(error.help))
}
