//! Experiments named on the command line: read, checked and prepared to run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{Experiment, Overrides};
use crate::files;
use crate::harness::Laboratory;
use crate::output::JournalSchema;
use crate::task::suggest::did_you_mean;
use clap::Args;

use super::failure::Failure;
use super::game_verbs::parse_integer;
use super::program::Program;

/// An experiment file and what overrides it.
#[derive(Clone, Debug, Args)]
pub struct ExperimentArguments {
    /// The experiment file (TOML), or the name of a built-in experiment (see `list experiments`)
    #[arg(value_name = "EXPERIMENT")]
    file: String,
    /// Samples per cell (overrides the file)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    samples: Option<u64>,
    /// The seed (overrides the file)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    seed: Option<u64>,
}

impl ExperimentArguments {
    /// Returns these arguments with a run folder replaced by the experiment file in it.
    pub fn of_folder(&self) -> Self {
        let config = Path::new(&self.file).join("config.toml");
        let mut named = self.clone();
        if config.is_file() {
            named.file = config.to_string_lossy().into_owned();
        }
        named
    }

    /// The run folder that the experiment is read from, if it is one's.
    pub fn run_folder(&self) -> Option<PathBuf> {
        let path = Path::new(".").join(&self.file);
        let folder = path.parent()?;
        let is_run = path.ends_with("config.toml") && folder.join("manifest.json").exists();
        is_run.then(|| folder.to_owned())
    }

    /// Reads and checks the experiment.
    pub fn load(&self, program: &Program) -> Result<Experiment, Failure> {
        self.load_with(program, None)
    }

    /// Like `load`, with the metrics of a stored run, which its task may have gained others since.
    pub fn load_with(
        &self,
        program: &Program,
        metrics: Option<Vec<String>>,
    ) -> Result<Experiment, Failure> {
        let overrides = Overrides {
            samples: self.samples,
            seed: self.seed,
            metrics,
        };
        load(program, &self.file, &overrides)
    }
}

/// Reads and checks the experiment file at `path`; without such a file, the experiment of that
/// name which the program brings with it. Warns of what is sound but hardly meant.
pub fn load(program: &Program, path: &str, overrides: &Overrides) -> Result<Experiment, Failure> {
    let experiment = parsed(program, path, overrides)?;
    let wager = experiment.wager.as_ref();
    let caution = wager.and_then(|wager| wager.caution(&experiment.task.metrics[wager.metric]));
    if let Some(caution) = caution {
        warning!("{path}: {caution}");
    }
    Ok(experiment)
}

fn parsed(program: &Program, path: &str, overrides: &Overrides) -> Result<Experiment, Failure> {
    let bytes = match (files::read(Path::new(path)), program.experiment(path)) {
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
    let names = || program.experiments.iter().map(|(name, _)| *name);
    if Path::new(path).is_dir() {
        let failure = Failure::usage(format!(
            "{path}: this is a directory, not an experiment file"
        ));
        return if Path::new(path).join("config.toml").is_file() {
            failure.with_help(format!(
            "it is a run folder: `report {path}` shows the run, `run {path}/config.toml` repeats it"
        ))
        } else {
            failure.with_help("give the path of a .toml file")
        };
    }
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("{path}: No such file, and no built-in experiment of this name")
        }
        _ => format!("{path}: {error}"),
    };
    let all = || {
        program.spelled(
            "give the path of an experiment file, or the name of a built-in experiment: \
             `etude list experiments` has them",
        )
    };
    Failure::usage(message).with_help(did_you_mean(path, names()).unwrap_or_else(all))
}

/// Reads the experiment that a run folder's `config.toml` holds, with the metrics of its journal.
pub fn load_from_folder(program: &Program, folder: &Path) -> Result<Experiment, Failure> {
    let path = folder.join("config.toml");
    if !path.is_file() {
        return Err(no_run(folder));
    }
    let overrides = Overrides {
        metrics: JournalSchema::metrics_of(&folder.join("blocks.csv")),
        ..Overrides::default()
    };
    load(program, &path.to_string_lossy(), &overrides)
}

/// Returns the failure of a folder that holds no run, with advice what to type instead.
pub fn no_run(folder: &Path) -> Failure {
    let path = folder.display();
    let entries = || std::fs::read_dir(folder).into_iter().flatten().flatten();
    let within = entries().map(|entry| entry.path());
    let run = within
        .filter(|path| path.join("config.toml").is_file())
        .min();
    match run {
        None if folder.join("blocks.csv").exists() || folder.join("manifest.json").exists() => {
            Failure::usage(format!(
                "{path}: config.toml is missing from this run folder"
            ))
            .with_help("put it back: it says what the numbers in the other files mean")
        }
        _ if !folder.exists() => {
            Failure::usage(format!("{path}: not a run folder: it does not exist"))
                .with_help("give the folder that `etude run` wrote, such as results/NAME")
        }
        Some(run) => Failure::usage(format!(
            "{path}: not a run folder, but it contains run folders"
        ))
        .with_help(format!("give one of them, such as {}", run.display())),
        None if entries().any(|entry| entry.path().extension().is_some_and(|e| e == "csv")) => {
            Failure::usage(format!("{path}: tables that were not made by `etude run`")).with_help(
                "read the CSV files directly; results/README.md names the command that makes \
                 them",
            )
        }
        None => Failure::usage(format!("{path}: not a run folder")).with_help(
            "a run folder contains the files that `etude run` wrote, such as config.toml",
        ),
    }
}

/// The first line in which two texts differ, for a message.
pub fn first_difference(here: &str, there: &str) -> String {
    let unlimited = format!("nodes = {}", u64::MAX);
    let told = |line: Option<&str>| match line {
        Some(line) if line == unlimited => "no budget".to_owned(),
        Some(line) => format!("`{line}`"),
        None => "nothing".to_owned(),
    };
    let (mut here, mut there) = (here.lines(), there.lines());
    loop {
        match (here.next(), there.next()) {
            (Some(one), Some(other)) if one == other => {}
            (one, other) => return format!("{} instead of {}", told(one), told(other)),
        }
    }
}

/// The laboratory of an experiment.
pub fn laboratory(experiment: &Experiment) -> Result<Arc<Laboratory>, Failure> {
    Laboratory::of_experiment(experiment)
        .map(Arc::new)
        .map_err(|error| Failure::usage(&error).with_help(error.help))
}
