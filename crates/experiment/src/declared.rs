//! Programs as `[command]`, `[players.NAME]` and `[contenders.NAME]` declare them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use task::files;
use task::outside::{
    Declaration, DeclaredProgram, Executable, HashedFile, INSTANCE, INSTANCE_FILE, PLACES,
};

use super::document::KeyPath;
use super::error::{Checked, position_of};
use super::file::places;

/// The words of `run` and of `once`.
pub(super) type StartedWords<'a> = (&'a Option<Vec<String>>, &'a Option<Vec<String>>);

/// The longest silence in seconds: about thirty years.
const LONGEST: f64 = 1e9;

/// The value of `patience` where a table leaves it out, in seconds.
pub(super) fn patience() -> f64 {
    60.0
}

/// The time of a key in seconds.
pub(super) fn silence(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.min(LONGEST))
}

/// The hashes of a program's files, in order.
pub(super) fn hashes(program: &DeclaredProgram) -> Vec<String> {
    let files = program.files.iter();
    files.map(|file| file.hash.clone()).collect()
}

/// Checks the name of a table.
pub(super) fn check_name(name: &str, path: &KeyPath) -> Checked {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts && name.chars().all(fits) {
        return Ok(());
    }
    let problem = path.fault_of_key(format!("`{name}` cannot be a name"));
    Err(problem.expected("expected letters, digits, hyphens and underscores, a letter first"))
}

/// `run` or `once` of the table at a path, whichever there is, with the words that it holds.
pub(super) fn verb<'a>(
    (run, once): StartedWords<'a>,
    path: &KeyPath,
) -> Checked<(&'static str, &'a Vec<String>)> {
    let (verb, argv) = match (run, once) {
        (Some(run), None) => ("run", run),
        (None, Some(once)) => ("once", once),
        (None, None) => {
            return Err(path.fault("no program is named").help(
                "add `run = [\"python3\", \"queue.py\"]` for a program that answers line by line, \
                 or `once = [...]` for one that is started for every sample",
            ));
        }
        (Some(_), Some(_)) => {
            return Err(path.at("once").fault("both `run` and `once` are there").help(
                "keep `run` for a program that answers line by line, `once` for one started for \
                 every sample",
            ));
        }
    };
    check_argv(verb, argv, path)?;
    Ok((verb, argv))
}

pub(super) fn check_argv(verb: &str, argv: &[String], path: &KeyPath) -> Checked {
    if argv.first().is_none_or(String::is_empty) {
        let problem = path.at(verb).fault(format!("`{verb}` names no program"));
        return Err(problem.expected("expected a program and its arguments"));
    }
    Ok(())
}

/// The program that stands in the table at a path, with its files, checked to be there unless it
/// `may_miss`. What was resolved before, and has hashes, may be read where the program is not.
pub(super) fn identified(
    mut program: DeclaredProgram,
    verb: &str,
    (paths, hashes): (&[String], &Option<Vec<String>>),
    path: &KeyPath,
    may_miss: bool,
) -> Checked<DeclaredProgram> {
    let home = program.folders.first();
    let home = home.map_or(Path::new(""), PathBuf::as_path);
    program.files = match hashes {
        Some(hashes) => known_files(paths, hashes, &path.at("hashes"))?,
        None if may_miss => paths
            .iter()
            .map(|file| HashedFile::found(home, file))
            .collect(),
        None => read_files(paths, home, &path.at("files"))?,
    };
    let version = program.version.as_deref().unwrap_or_default();
    if program.files.is_empty() && version.trim().is_empty() {
        return Err(path.fault("the program is not identified").help(
            "add `files = [\"queue.py\"]`, whose hashes become part of the results' fingerprint, \
             or `version = \"1.3\"`",
        ));
    }
    if hashes.is_none() && !may_miss {
        Executable::find(&program.argv, home).map_err(|missing| {
            path.at(verb).fault(missing).help(
                "a program with a slash is a file beside this experiment, any other is looked for \
                 on the PATH",
            )
        })?;
    }
    Ok(program)
}

/// The files with the hashes of the text.
fn known_files(paths: &[String], hashes: &[String], path: &KeyPath) -> Checked<Vec<HashedFile>> {
    if hashes.len() != paths.len() {
        let message = format!("{} hashes for {} files", hashes.len(), paths.len());
        let problem = path.fault(message);
        return Err(problem.expected("expected a hash for each of `files`"));
    }
    let files = paths.iter().cloned().zip(hashes.iter().cloned());
    Ok(files
        .map(|(path, hash)| HashedFile { path, hash })
        .collect())
}

/// The files with their hashes as they are now.
pub(super) fn read_files(
    paths: &[String],
    folder: &Path,
    path: &KeyPath,
) -> Checked<Vec<HashedFile>> {
    let read = |file: &String| {
        HashedFile::read(folder, file).map_err(|error| {
            let problem = path.fault(format!("`{file}` cannot be read: {error}"));
            problem
                .expected(format!("tried {}", folder.join(file).display()))
                .help("a relative file is relative to this experiment file")
        })
    };
    paths.iter().map(read).collect()
}

/// Refuses placeholders that nothing fills in what a program is started with.
pub(super) fn check_places(declaration: &Declaration, path: &KeyPath) -> Checked {
    let argv = declaration.program.argv.iter().filter(|_| declaration.once);
    let argv = argv.map(|argument| (argument, "once"));
    let mut texts = argv.chain([(&declaration.stdin, "stdin")]);
    texts.try_for_each(|(text, key)| {
        places(text).try_for_each(|one| check_placeholder(declaration, one, &path.at(key)))
    })
}

pub(super) fn check_placeholder(
    declaration: &Declaration,
    placeholder: &str,
    path: &KeyPath,
) -> Checked {
    let (name, stream) = placeholder.split_once(':').unwrap_or((placeholder, ""));
    let params = declaration.params.iter().map(|spec| spec.name.as_ref());
    let instance = declaration.instances.is_some();
    let instance = [INSTANCE, INSTANCE_FILE].into_iter().filter(|_| instance);
    let known = PLACES.into_iter().chain(instance).chain(params);
    let streams = declaration.streams.iter().map(String::as_str);
    let unfilled = || path.fault(format!("nothing fills `{{{placeholder}}}`"));
    position_of(name, known, unfilled)?;
    if stream.is_empty() {
        return Ok(());
    }
    let unknown = || path.fault(format!("there is no stream `{stream}`"));
    position_of(stream, streams, unknown).map(drop)
}

/// The folders that the programs of the file at `source_name` may run in: those that the manifest
/// beside a run folder's `config.toml` names, and its own.
pub fn folders(source_name: &str) -> Vec<PathBuf> {
    let path = Path::new(source_name);
    let own = path.parent().unwrap_or(Path::new("")).to_owned();
    let manifest: Option<serde_json::Value> = (path.file_name())
        .filter(|name| *name == "config.toml")
        .and_then(|_| files::read(&own.join("manifest.json")).ok())
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let listed = manifest
        .as_ref()
        .and_then(|value| value.get("program_folders")?.as_array());
    let listed = listed
        .into_iter()
        .flatten()
        .filter_map(|item| item.as_str());
    listed.map(PathBuf::from).chain([own]).collect()
}
