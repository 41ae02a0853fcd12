//! Reads experiments: from a file, from those that a program brings with it, from a run folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::run::Observer;
use crate::store::{Manifest, check_readable, holds_race, holds_run, no_run};
use base::{files, suggest::did_you_mean};
use experiment::{Experiment, Overrides, Source, folder_of};

use base::Failure;
use task::{Application, BuiltIn};

/// Reads and checks the experiment file at `path`, or standard input for `-`; without such a file,
/// the experiment of that name which the program brings with it. Warns of what is sound but hardly
/// meant.
///
/// # Errors
/// If there is no such experiment, or it has faults.
pub fn read_experiment(
    app: &Application,
    path: &str,
    overrides: &Overrides,
    observer: &mut dyn Observer,
) -> Result<Experiment, Failure> {
    let experiment = parsed(app, source_of(path), overrides, observer)?;
    caution(&experiment, observer);
    Ok(experiment)
}

/// Warns of what is sound but hardly meant.
fn caution(experiment: &Experiment, observer: &mut dyn Observer) {
    let wager = experiment.wager.as_ref();
    let caution = wager.and_then(|wager| wager.caution(&experiment.task.metrics[wager.metric]));
    if let Some(caution) = caution {
        observer.warning(&format!("{}: {caution}", experiment.source));
    }
}

/// The source of the experiment file at a path: one in a folder that holds a run is that run's, whatever its
/// name.
fn source_of(path: &str) -> Source {
    let folder = folder_of(Path::new(path));
    if path != "-" && holds_run(folder) {
        stored(path.into())
    } else {
        path.into()
    }
}

/// The source of a file in the folder of a run.
fn stored(path: PathBuf) -> Source {
    let manifest = Manifest::read(&folder_of(&path).join("manifest.json"));
    let folders = manifest.map(|manifest| manifest.program_folders);
    let program_folders = folders.unwrap_or_default().into_iter();
    Source::Stored {
        program_folders: program_folders.map(PathBuf::from).collect(),
        path,
    }
}

/// Returns whether the file that an experiment was built from is here and now says something else: whoever edits
/// it may expect it to be read.
fn is_edited(built_in: &BuiltIn) -> bool {
    let file = files::read(Path::new(built_in.file));
    file.is_ok_and(|bytes| bytes != built_in.text.as_bytes())
}

/// Reads the experiment that a run folder's `config.toml` holds; that of a race where times are in it.
///
/// # Errors
/// If the folder holds no run or another version's, or its experiment has faults.
pub fn read_folder(
    app: &Application,
    folder: &Path,
    overrides: &Overrides,
    observer: &mut dyn Observer,
) -> Result<Experiment, Failure> {
    let path = folder.join("config.toml");
    if !path.is_file() {
        return Err(no_run(folder));
    }
    check_readable(folder)?;
    let experiment = parsed(app, stored(path), overrides, observer)?;
    caution(&experiment, observer);
    if holds_race(folder) {
        return experiment.into_race();
    }
    Ok(experiment)
}

fn parsed(
    app: &Application,
    source: Source,
    overrides: &Overrides,
    observer: &mut dyn Observer,
) -> Result<Experiment, Failure> {
    let path = &*source.to_string();
    let bytes = match (read_source(path), app.experiment(path)) {
        (Ok(bytes), _) => bytes,
        (Err(_), Some(built_in)) => {
            if is_edited(built_in) {
                observer.warning(&format!(
                    "the built-in experiment {path} is read; {} differs from it: to read that, give its path",
                    built_in.file
                ));
            }
            let source = &*format!("{path}.toml");
            return Ok(Experiment::parse(
                built_in.text,
                source,
                app.games,
                overrides,
            )?);
        }
        (Err(error), None) => return Err(unreadable(app, path, &error)),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Failure::usage(format!("{path}: byte {offset} is not UTF-8 text"))
            .with_help("an experiment file is TOML in UTF-8; see `etude schema`")
    })?;
    Ok(Experiment::parse(&text, source, app.games, overrides)?)
}

/// The bytes of an experiment file, or of standard input where the path is `-`.
fn read_source(path: &str) -> io::Result<Vec<u8>> {
    /// The text of standard input, for whoever reads the experiment again: it comes but once.
    static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();
    if path != "-" {
        return files::read(Path::new(path));
    }
    if STANDARD_INPUT.get().is_none() {
        let _ = STANDARD_INPUT.set(files::read_whole(io::stdin().lock())?);
    }
    Ok(STANDARD_INPUT.get().cloned().unwrap_or_default())
}

fn unreadable(app: &Application, path: &str, error: &io::Error) -> Failure {
    if Path::new(path).is_dir() {
        let help = if Path::new(path).join("config.toml").is_file() {
            format!(
                "it is a folder of results: `etude report {path}` shows them, and its config.toml is the \
                 experiment file"
            )
        } else {
            "give the path of a .toml file".to_owned()
        };
        let message = format!("{path}: this is a directory, not an experiment file");
        return Failure::usage(message).with_help(help);
    }
    let message = match error.kind() {
        io::ErrorKind::NotFound => {
            format!("{path}: No such file, and no built-in experiment of this name")
        }
        _ => format!("{path}: {error}"),
    };
    let help = did_you_mean(path, app.experiment_names()).unwrap_or_else(|| {
        "give the path of an experiment file, or the name of a built-in experiment: `etude list \
         experiments` has them"
            .to_owned()
    });
    Failure::usage(message).with_help(help)
}
