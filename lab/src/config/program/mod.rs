//! `[command]` and `[players.NAME]`: external programs, as an experiment file declares them.

mod declared;
mod places;
mod player;

pub(super) use player::players;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use toml::Spanned;

use crate::external::command::ExternalCommand;
use crate::external::declaration::{Declaration, DeclaredProgram, HashedFile};
use crate::external::executable::Executable;
use crate::external::once;
use crate::files;

use super::error::{Faults, Problem};
use super::value::texts;
use super::wire::{CommandTable, Item, Scalar, TomlTable};
use super::{suggest, value};

use declared::{column, param};
use places::{Places, places};

/// Streams at most: each costs a seed a sample.
const MOST_STREAMS: usize = 16;

/// A program that was read, with the places of its keys.
#[derive(Clone, Debug)]
pub struct CommandPart {
    /// The program with its processes.
    pub command: Arc<ExternalCommand>,
    places: Places,
}

/// The keys that a command and a player share.
struct ProgramKeys<'a> {
    pub run: (&'static str, &'a Item),
    pub files: &'a Option<Item>,
    pub hashes: &'a Option<Item>,
    pub version: &'a Option<Item>,
    pub patience: &'a Option<Item>,
    pub table: Range<usize>,
}

/// Reads `[command]`. `folders` are those that the program may run in.
pub(super) fn read(
    table: &Spanned<TomlTable<CommandTable>>,
    folders: &[PathBuf],
    faults: &mut Faults,
) -> Option<CommandPart> {
    let place = table.span();
    let table = table.get_ref();
    let params = faults.keep_all(table.params.0.iter().map(param));
    let columns = faults.keep_all(table.metrics.0.iter().map(column));
    let run = faults.keep(which(table, &place));
    let streams = faults.keep(streams(&table.streams));
    let batch = table.batch.as_ref();
    let batch = faults.keep(batch.map_or(Ok(64), |item| value::whole("batch", item, 1..=4096)));
    let timeout = faults.keep(timeout(table));
    let run = run?;
    let program = faults.keep(program(
        &ProgramKeys {
            run,
            files: &table.files,
            hashes: &table.hashes,
            version: &table.version,
            patience: &table.patience,
            table: place.clone(),
        },
        folders,
    ));
    let declaration = Declaration {
        once: run.0 == "once",
        streams: streams?,
        batch: batch?,
        timeout: timeout?,
        params: params?,
        columns: columns?,
        program: program?,
    };
    faults.keep(check(&declaration, run.1, &place))?;
    Some(CommandPart {
        places: places(table, &place),
        command: Arc::new(ExternalCommand::new(declaration)),
    })
}

/// `run` or `once`, whichever there is.
fn which<'a>(
    table: &'a CommandTable,
    place: &Range<usize>,
) -> Result<(&'static str, &'a Item), Problem> {
    match (&table.run, &table.once) {
        (Some(run), None) => Ok(("run", run)),
        (None, Some(once)) => Ok(("once", once)),
        (None, None) => Err(Problem::at(place.clone(), "no program is named").help(
            "add `run = [\"python3\", \"queue.py\"]` for a program that answers line by line, or \
             `once = [...]` for one that is started for every sample",
        )),
        (Some(_), Some(once)) => Err(Problem::at(once.span(), "both `run` and `once` are there")
            .help("keep `run` for a program that answers line by line, `once` for one started for every sample")),
    }
}

/// `timeout` and `on-timeout`: both or neither.
fn timeout(table: &CommandTable) -> Result<Option<Duration>, Problem> {
    let (seconds, item) = match (&table.timeout, &table.on_timeout) {
        (None, None) => return Ok(None),
        (Some(timeout), Some(item)) => (value::positive("timeout", timeout)?, item),
        (Some(timeout), None) => {
            return Err(Problem::at(timeout.span(), "`on-timeout` is missing").help(
                "add `on-timeout = \"unresolved\"`, or give `patience`, after which silence ends \
                 the run",
            ));
        }
        (None, Some(item)) => {
            let problem = Problem::at(item.span(), "`timeout` is missing");
            return Err(problem.help("add `timeout = 10`, in seconds"));
        }
    };
    match value::text("on-timeout", item)?.as_str() {
        "unresolved" => Ok(Some(Duration::from_secs_f64(seconds.min(1e9)))),
        _ => Err(value::mismatch("on-timeout", item, "`unresolved`")),
    }
}

/// A sample that is given up lies within the bounds of its metrics.
fn check_bounds(declaration: &Declaration, table: &Range<usize>) -> Result<(), Problem> {
    let mut columns = declaration.columns.iter();
    let unbounded = columns.find(|column| column.unknown().is_none());
    match (unbounded, declaration.timeout) {
        (Some(column), Some(_)) => Err(Problem::at(
            table.clone(),
            format!(
                "`{}` has no bounds, so nothing can be said of a sample that takes longer than \
                 `timeout`",
                column.metric.name
            ),
        )
        .help(
            "declare its `min` and `max`; ratios and weights have none: then leave `timeout` out",
        )),
        _ => Ok(()),
    }
}

/// The program that the keys name.
fn program(keys: &ProgramKeys, folders: &[PathBuf]) -> Result<DeclaredProgram, Problem> {
    let (key, item) = keys.run;
    let argv = argv(key, item)?;
    let seconds = keys.patience.as_ref();
    let seconds = seconds.map_or(Ok(60.0), |item| value::positive("patience", item))?;
    let version = keys.version.as_ref();
    let version = version
        .map(|item| value::text("version", item))
        .transpose()?;
    let program = DeclaredProgram {
        files: files(keys, folders)?,
        argv,
        folders: folders.to_vec(),
        version,
        patience: Duration::from_secs_f64(seconds.min(1e9)),
    };
    if program.files.is_empty() && program.version.is_none() {
        return Err(Problem::at(keys.table.clone(), "the program is not identified").help(
            "add `files = [\"queue.py\"]`, whose hashes become part of the results' fingerprint, \
             or `version = \"1.3\"`",
        ));
    }
    // What was resolved before may be read where the program is not.
    if keys.hashes.is_none() {
        let folder = folders.first().cloned().unwrap_or_default();
        Executable::find(&program.argv, &folder).map_err(|missing| {
            Problem::at(item.span(), missing.to_string()).help(
                "a program with a slash is a file beside this experiment, any other is looked for \
                 on the PATH",
            )
        })?;
    }
    Ok(program)
}

/// A program and its arguments.
fn argv(key: &str, item: &Item) -> Result<Vec<String>, Problem> {
    if let Scalar::Text(text) = item.get_ref() {
        let words: Vec<String> = text
            .split_whitespace()
            .map(|word| format!("{word:?}"))
            .collect();
        return Err(
            value::mismatch(key, item, "a list, the program and its arguments").help(format!(
                "write `{key} = [{}]`: no shell reads it",
                words.join(", ")
            )),
        );
    }
    let words = texts(key, item)?;
    match words.first().map(String::as_str) {
        None | Some("") => Err(value::mismatch(key, item, "a program and its arguments")),
        _ => Ok(words),
    }
}

/// The files with their hashes: those of the text, or those of the files as they are.
fn files(keys: &ProgramKeys, folders: &[PathBuf]) -> Result<Vec<HashedFile>, Problem> {
    let Some(item) = keys.files else {
        return Ok(Vec::new());
    };
    let paths = texts("files", item)?;
    if let Some(hashes) = keys.hashes {
        let known = texts("hashes", hashes)?;
        if known.len() != paths.len() {
            return Err(value::mismatch(
                "hashes",
                hashes,
                "a hash for each of `files`",
            ));
        }
        let pairs = paths.into_iter().zip(known);
        return Ok(pairs
            .map(|(path, hash)| HashedFile { path, hash })
            .collect());
    }
    let folder = folders.first().cloned().unwrap_or_default();
    let read = |path: &String| {
        HashedFile::read(&folder, path).map_err(|error| {
            let full = folder.join(path);
            Problem::at(item.span(), format!("`{path}` cannot be read: {error}"))
                .expected(format!("tried {}", full.display()))
                .help("a relative file is relative to this experiment file")
        })
    };
    paths.iter().map(read).collect()
}

fn streams(item: &Option<Item>) -> Result<Vec<String>, Problem> {
    let Some(item) = item else {
        return Ok(vec!["seed".to_owned()]);
    };
    let names = texts("streams", item)?;
    let twice = (1..names.len()).find(|&at| names[..at].contains(&names[at]));
    match twice {
        Some(at) => Err(Problem::at(
            item.span(),
            format!("the stream `{}` is there twice", names[at]),
        )),
        None if names.len() > MOST_STREAMS || names.iter().any(String::is_empty) => Err(
            value::mismatch("streams", item, &format!("at most {MOST_STREAMS} names")),
        ),
        None => Ok(names),
    }
}

/// Checks a declaration as a whole: placeholders that nothing fills, metrics that are missing.
fn check(declaration: &Declaration, run: &Item, table: &Range<usize>) -> Result<(), Problem> {
    if declaration.columns.is_empty() {
        return Err(Problem::at(table.clone(), "the command has no metrics").help(
            "add a table\n    [command.metrics]\n    wait = { kind = \"number\", decimals = 3 }",
        ));
    }
    check_bounds(declaration, table)?;
    if !declaration.once {
        return Ok(());
    }
    for argument in &declaration.program.argv {
        let places = argument
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'));
        for (place, _) in places {
            check_place(declaration, place, run)?;
        }
    }
    Ok(())
}

fn check_place(declaration: &Declaration, place: &str, run: &Item) -> Result<(), Problem> {
    let (name, stream) = place.split_once(':').unwrap_or((place, ""));
    let params = declaration.params.iter().map(|spec| spec.name.as_ref());
    let known = once::PLACES.into_iter().chain(params);
    let streams = declaration.streams.iter().map(String::as_str);
    if !known.clone().any(|known| known == name) {
        return Err(
            Problem::at(run.span(), format!("nothing fills `{{{place}}}`"))
                .help(suggest::help(name, known)),
        );
    }
    if stream.is_empty() || streams.clone().any(|known| known == stream) {
        Ok(())
    } else {
        Err(
            Problem::at(run.span(), format!("there is no stream `{stream}`"))
                .help(suggest::help(stream, streams)),
        )
    }
}

/// The file beside an experiment that was written elsewhere, such as for Slurm: where its programs are.
pub const PROGRAMS_FILE: &str = "programs.json";

/// The folders that the programs of the file at `source_name` may run in: those that the manifest
/// beside a run folder's `config.toml` names, those that a `programs.json` names, and its own.
pub(super) fn folders(source_name: &str) -> Vec<PathBuf> {
    let path = Path::new(source_name);
    let own = path.parent().unwrap_or(Path::new("")).to_owned();
    let is_resolved = path.file_name().is_some_and(|name| name == "config.toml");
    let name = if is_resolved {
        "manifest.json"
    } else {
        PROGRAMS_FILE
    };
    let value: Option<serde_json::Value> = files::read(&own.join(name))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let listed = value
        .as_ref()
        .and_then(|value| value.get("program_folders")?.as_array());
    let listed = listed
        .into_iter()
        .flatten()
        .filter_map(|item| item.as_str());
    listed.map(PathBuf::from).chain([own]).collect()
}
