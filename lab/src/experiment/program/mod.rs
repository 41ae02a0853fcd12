//! `[command]` and `[players.NAME]`: external programs, as an experiment file declares them.

mod players;

pub(super) use players::compile_players;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::files;
use crate::programs::command::ExternalCommand;
use crate::programs::declaration::{Declaration, DeclaredProgram, HashedFile};
use crate::programs::executable::Executable;
use crate::programs::hello::Disagreement;
use crate::programs::once;
use crate::task::{Metric, MetricTable, ParamError, ParamSpec, ParamTable, Value};

use super::document::Document;
use super::error::{Faults, Problem};
use super::file::{CommandTable, OnTimeout};
use super::{ConfigError, Experiment, suggest, truth};

/// Streams at most: each costs a seed a sample.
const MOST_STREAMS: usize = 16;

/// The longest silence in seconds: about thirty years.
const LONGEST: f64 = 1e9;

/// The keys that a command and a player share.
struct ProgramKeys<'a> {
    /// The path of their table.
    path: &'a str,
    /// The key that names the program.
    verb: &'static str,
    argv: &'a [String],
    files: &'a [String],
    hashes: &'a mut Option<Vec<String>>,
    version: &'a Option<String>,
    patience: &'a mut f64,
}

/// Compiles `[command]`, and completes it. `folders` are those that the program may run in.
pub(super) fn compile_command(
    table: &mut CommandTable,
    document: &Document,
    folders: &[PathBuf],
    faults: &mut Faults,
) -> Option<Arc<ExternalCommand>> {
    let params = faults.keep_all((table.params.iter()).map(|named| param(named, document)));
    let columns = faults.keep_all((table.metrics.iter()).map(|named| column(named, document)));
    let verb = faults.keep(verb((&table.run, &table.once), "command", document));
    faults.keep(check_streams(&table.streams, document));
    let timeout = faults.keep(timeout(table, document));
    let verb = verb?;
    let argv = table.run.as_ref().or(table.once.as_ref());
    let program = faults.keep(program(
        ProgramKeys {
            path: "command",
            verb,
            argv: argv.map_or(&[], Vec::as_slice),
            files: &table.files,
            hashes: &mut table.hashes,
            version: &table.version,
            patience: &mut table.patience,
        },
        document,
        folders,
    ));
    let declaration = Declaration {
        once: verb == "once",
        streams: table.streams.clone(),
        batch: table.batch,
        timeout: timeout?,
        params: params?,
        columns: columns?,
        program: program?,
    };
    faults.keep(check(&declaration, document))?;
    complete(table, &declaration);
    Some(Arc::new(ExternalCommand::new(declaration)))
}

/// A parameter that the table of a command declares.
fn param((name, table): (&String, &ParamTable), document: &Document) -> Result<ParamSpec, Problem> {
    let path = format!("command.params.{name}");
    check_name(name, &path, document)?;
    ParamSpec::declared(name, table).map_err(|error| refused(error, &path, document))
}

/// A metric that the table of a command declares.
fn column((name, table): (&String, &MetricTable), document: &Document) -> Result<Metric, Problem> {
    let path = format!("command.metrics.{name}");
    check_name(name, &path, document)?;
    let metric = Metric::declared(name, table);
    let metric = metric.map_err(|error| refused(error, &path, document))?;
    check_truth(&metric, table.truth, &path, document)?;
    Ok(metric)
}

/// Writes the defaults of a declaration into its table.
fn complete(table: &mut CommandTable, declaration: &Declaration) {
    table.timeout = declaration.timeout.map(|timeout| timeout.as_secs_f64());
    for (table, spec) in table.params.values_mut().zip(&declaration.params) {
        *table = spec.table();
    }
    for (table, metric) in table.metrics.values_mut().zip(&declaration.columns) {
        let truth = table.truth;
        *table = metric.table();
        table.truth = truth;
    }
}

/// A fault of the table at a path, or of one of its keys.
fn refused(error: ParamError, path: &str, document: &Document) -> Problem {
    let problem = match error.name.as_str() {
        "" => document.fault_of_key(path, error.message),
        key => document.fault(&format!("{path}.{key}"), error.message),
    };
    problem.help(error.help)
}

/// Checks the name of a table.
fn check_name(name: &str, path: &str, document: &Document) -> Result<(), Problem> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts && name.chars().all(fits) {
        return Ok(());
    }
    Err(document
        .fault_of_key(path, format!("`{name}` cannot be a name"))
        .expected("expected letters, digits, hyphens and underscores, a letter first"))
}

fn check_truth(
    metric: &Metric,
    truth: Option<f64>,
    path: &str,
    document: &Document,
) -> Result<(), Problem> {
    let checked = truth.map_or(Ok(()), |truth| truth::check(metric, truth));
    checked.map_err(|(message, expected)| {
        let problem = document.fault(&format!("{path}.truth"), message);
        problem.expected(expected)
    })
}

/// `run` or `once` of the table at a path, whichever there is.
pub(super) fn verb(
    words: (&Option<Vec<String>>, &Option<Vec<String>>),
    path: &str,
    document: &Document,
) -> Result<&'static str, Problem> {
    match words {
        (Some(_), None) => Ok("run"),
        (None, Some(_)) => Ok("once"),
        (None, None) => Err(document.fault(path, "no program is named").help(
            "add `run = [\"python3\", \"queue.py\"]` for a program that answers line by line, or \
             `once = [...]` for one that is started for every sample",
        )),
        (Some(_), Some(_)) => Err(document
            .fault(&format!("{path}.once"), "both `run` and `once` are there")
            .help("keep `run` for a program that answers line by line, `once` for one started for every sample")),
    }
}

/// `timeout` and `on-timeout`: both or neither.
fn timeout(table: &CommandTable, document: &Document) -> Result<Option<Duration>, Problem> {
    match (table.timeout, table.on_timeout) {
        (None, None) => Ok(None),
        (Some(seconds), Some(OnTimeout::Unresolved)) => {
            Ok(Some(Duration::from_secs_f64(seconds.min(LONGEST))))
        }
        (Some(_), None) => Err(document
            .fault("command.timeout", "`on-timeout` is missing")
            .help(
                "add `on-timeout = \"unresolved\"`, or give `patience`, after which silence ends \
                 the run",
            )),
        (None, Some(_)) => Err(document
            .fault("command.on-timeout", "`timeout` is missing")
            .help("add `timeout = 10`, in seconds")),
    }
}

/// The program that the keys name; they get its hashes.
fn program(
    keys: ProgramKeys,
    document: &Document,
    folders: &[PathBuf],
) -> Result<DeclaredProgram, Problem> {
    let verb = format!("{}.{}", keys.path, keys.verb);
    if keys.argv.first().is_none_or(String::is_empty) {
        let problem = document.fault(&verb, format!("`{}` names no program", keys.verb));
        return Err(problem.expected("expected a program and its arguments"));
    }
    // What was resolved before may be read where the program is not.
    let is_resolved = keys.hashes.is_some();
    let files = files(&keys, document, folders)?;
    let patience = Duration::from_secs_f64(keys.patience.min(LONGEST));
    *keys.patience = patience.as_secs_f64();
    *keys.hashes = Some(files.iter().map(|file| file.hash.clone()).collect());
    let program = DeclaredProgram {
        files,
        argv: keys.argv.to_vec(),
        folders: folders.to_vec(),
        version: keys.version.clone(),
        patience,
    };
    if program.files.is_empty() && program.version.is_none() {
        return Err(document.fault(keys.path, "the program is not identified").help(
            "add `files = [\"queue.py\"]`, whose hashes become part of the results' fingerprint, \
             or `version = \"1.3\"`",
        ));
    }
    if !is_resolved {
        Executable::find(&program.argv, home(folders)).map_err(|missing| {
            document.fault(&verb, missing).help(
                "a program with a slash is a file beside this experiment, any other is looked for \
                 on the PATH",
            )
        })?;
    }
    Ok(program)
}

fn home(folders: &[PathBuf]) -> &Path {
    folders.first().map_or(Path::new(""), PathBuf::as_path)
}

/// The files with their hashes: those of the text, or those of the files as they are.
fn files(
    keys: &ProgramKeys,
    document: &Document,
    folders: &[PathBuf],
) -> Result<Vec<HashedFile>, Problem> {
    let paths = keys.files.iter();
    if let Some(hashes) = keys.hashes.as_ref() {
        if hashes.len() != paths.len() {
            let path = format!("{}.hashes", keys.path);
            let message = format!("{} hashes for {} files", hashes.len(), paths.len());
            let problem = document.fault(&path, message);
            return Err(problem.expected("expected a hash for each of `files`"));
        }
        let known = paths.cloned().zip(hashes.iter().cloned());
        return Ok(known
            .map(|(path, hash)| HashedFile { path, hash })
            .collect());
    }
    let folder = home(folders);
    let read = |path: &String| {
        HashedFile::read(folder, path).map_err(|error| {
            let message = format!("`{path}` cannot be read: {error}");
            document
                .fault(&format!("{}.files", keys.path), message)
                .expected(format!("tried {}", folder.join(path).display()))
                .help("a relative file is relative to this experiment file")
        })
    };
    paths.map(read).collect()
}

fn check_streams(names: &[String], document: &Document) -> Result<(), Problem> {
    let fault = |message: String| document.fault("command.streams", message);
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(fault(format!(
            "the stream `{}` is there twice",
            names[twice]
        )));
    }
    if names.len() > MOST_STREAMS || names.iter().any(String::is_empty) {
        return Err(
            fault("a stream has no name, or there are too many".to_owned())
                .expected(format!("expected at most {MOST_STREAMS} names")),
        );
    }
    Ok(())
}

/// Checks a declaration as a whole: placeholders that nothing fills, metrics that are missing.
fn check(declaration: &Declaration, document: &Document) -> Result<(), Problem> {
    if declaration.columns.is_empty() {
        return Err(document.fault("command", "the command has no metrics").help(
            "add a table\n    [command.metrics]\n    wait = { kind = \"number\", decimals = 3 }",
        ));
    }
    check_bounds(declaration, document)?;
    if !declaration.once {
        return Ok(());
    }
    for argument in &declaration.program.argv {
        let places = argument
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'));
        for (placeholder, _) in places {
            check_placeholder(declaration, placeholder, document)?;
        }
    }
    Ok(())
}

/// A sample that is given up lies within the bounds of its metrics.
fn check_bounds(declaration: &Declaration, document: &Document) -> Result<(), Problem> {
    let mut columns = declaration.columns.iter();
    let unbounded = columns.find(|column| column.unknown() == Value::Missing);
    match (unbounded, declaration.timeout) {
        (Some(column), Some(_)) => Err(document
            .fault(
                "command",
                format!(
                    "`{}` has no bounds, so nothing can be said of a sample that takes longer than \
                     `timeout`",
                    column.name
                ),
            )
            .help(
                "declare its `min` and `max`; ratios and weights have none: then leave `timeout` out",
            )),
        _ => Ok(()),
    }
}

fn check_placeholder(
    declaration: &Declaration,
    placeholder: &str,
    document: &Document,
) -> Result<(), Problem> {
    let (name, stream) = placeholder.split_once(':').unwrap_or((placeholder, ""));
    let params = declaration.params.iter().map(|spec| spec.name.as_ref());
    let known = once::PLACES.into_iter().chain(params);
    let streams = declaration.streams.iter().map(String::as_str);
    if !known.clone().any(|known| known == name) {
        return Err(document
            .fault("command.once", format!("nothing fills `{{{placeholder}}}`"))
            .help(suggest::help(name, known)));
    }
    if stream.is_empty() || streams.clone().any(|known| known == stream) {
        Ok(())
    } else {
        Err(document
            .fault("command.once", format!("there is no stream `{stream}`"))
            .help(suggest::help(stream, streams)))
    }
}

impl Experiment {
    /// Converts the disagreements between a program's hello and the file to problems at their
    /// places in the file.
    pub fn explain(&self, disagreements: &[Disagreement]) -> ConfigError {
        let (name, text) = &self.source;
        let document = Document::parse(text);
        let problem = |one: &Disagreement| {
            let path = format!("command.{}", one.key);
            let problem = match &document {
                Ok(document) => document.fault(&path, &one.message),
                Err(_) => Problem::nowhere(&one.message),
            };
            problem.help("the file declares, hello confirms: change one of them")
        };
        ConfigError::new(name, text, disagreements.iter().map(problem).collect())
    }
}

/// The file beside an experiment that was written elsewhere, such as for Slurm: where its programs are.
pub const PROGRAMS_FILE: &str = "programs.json";

/// The folders that the programs of the file at `source_name` may run in: those that the manifest
/// beside a run folder's `config.toml` names, those that a `programs.json` names, and its own.
pub fn folders(source_name: &str) -> Vec<PathBuf> {
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
