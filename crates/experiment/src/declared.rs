//! `[command]`: a simulation in another program, and what is the same for every program of a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use stats::Span;
use task::outside::{
    Declaration, DeclaredInstances, DeclaredProgram, Executable, HashedFile, INSTANCE,
    INSTANCE_FILE, PLACES,
};
use task::{Metric, ParamError, ParamSpec, Value};

use super::document::{Document, KeyPath};
use super::error::{Checked, Problem, position_of};
use super::file::places;
use super::instances::{generator, instances};
use super::sweep::ZIP;
use super::{CommandTable, ContenderTable, MetricTable, OnTimeout, ParamTable};

/// Streams at most: each costs a seed a sample.
const MOST_STREAMS: usize = 16;

/// The words of `run` and of `once`.
type StartedWords<'a> = (&'a Option<Vec<String>>, &'a Option<Vec<String>>);

/// The longest silence in seconds: about thirty years.
const LONGEST: f64 = 1e9;

/// Compiles `[command]` to its declaration, and completes it. Its program is that of the `lender`, if there is one;
/// `folders` are those that it may run in. The seed determines the order of its instances.
pub(super) fn compile_command(
    table: &mut CommandTable,
    lender: Option<&ContenderTable>,
    document: &Document,
    (folders, seed): (&[PathBuf], u64),
) -> Checked<Declaration> {
    let path = document.at("command");
    let params = table.params.iter().map(|one| param(one, &path));
    let params = params.collect::<Checked<_>>()?;
    let columns = table.metrics.iter().map(|one| column(one, &path));
    let columns = columns.collect::<Checked<_>>()?;
    let instances = instances(
        (table.instances.as_deref(), &mut table.instance_hashes),
        (seed, folders),
        &path,
    )?;
    let (words, stdin) = lent(table, lender);
    let (verb, argv) = verb(words, &path)?;
    check_streams(&table.streams, &path.at("streams"))?;
    let timeout = timeout(table, &path)?;
    check_input(table, verb, &path)?;
    let program = drawing_program(table, (verb, argv), folders, &path)?;
    let mut declaration = Declaration {
        once: verb == "once",
        stdin: stdin.clone().unwrap_or_default(),
        instances,
        streams: table.streams.clone(),
        batch: table.batch,
        program,
        timeout,
        params,
        columns,
    };
    if let Some(argv) = &table.generate {
        let generator = generator(argv, table, &declaration, &path)?;
        declaration.instances = Some(DeclaredInstances::Made(Box::new(generator)));
    }
    check_metrics(&declaration, &path)?;
    if lender.is_none() {
        // Those of contenders are checked at their tables.
        check_places(&declaration, &path)?;
    }
    complete(table, &declaration);
    Ok(declaration)
}

/// The program that draws the samples, with the files that tell it from another.
fn drawing_program(
    table: &CommandTable,
    (verb, argv): (&str, &[String]),
    folders: &[PathBuf],
    path: &KeyPath,
) -> Checked<DeclaredProgram> {
    let program = DeclaredProgram {
        argv: argv.to_vec(),
        folders: folders.to_vec(),
        files: Vec::new(),
        version: table.version.clone(),
        patience: silence(table.patience),
    };
    let known = table.proven.as_ref().or(table.hashes.as_ref());
    identified(program, verb, (&table.files, known), path, false)
}

/// The words of `run` and `once`, and the standard input: the lender's, where it has any.
fn lent<'a>(
    table: &'a CommandTable,
    lender: Option<&'a ContenderTable>,
) -> (StartedWords<'a>, &'a Option<String>) {
    let words = match lender {
        Some(lender) if lender.run.is_some() => (&lender.run, &None),
        Some(lender) => (&None, &lender.once),
        None => (&table.run, &table.once),
    };
    let lent = lender.map(|lender| &lender.stdin);
    (
        words,
        lent.filter(|lent| lent.is_some()).unwrap_or(&table.stdin),
    )
}

/// The time of a key in seconds.
pub(super) fn silence(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.min(LONGEST))
}

pub(super) fn hashes(program: &DeclaredProgram) -> Vec<String> {
    let files = program.files.iter();
    files.map(|file| file.hash.clone()).collect()
}

/// A parameter that the table of a command declares.
fn param((name, table): (&String, &ParamTable), command: &KeyPath) -> Checked<ParamSpec> {
    let path = command.at("params").at(name);
    check_name(name, &path)?;
    if name == ZIP {
        let problem = path.fault_of_key("`zip` cannot be a parameter: it is a key of [sweep]");
        return Err(problem.help("choose another name"));
    }
    table.param(name).map_err(|error| refused(error, &path))
}

/// A metric that the table of a command declares.
fn column((name, table): (&String, &MetricTable), command: &KeyPath) -> Checked<Metric> {
    let path = command.at("metrics").at(name);
    check_name(name, &path)?;
    let metric = table.metric(name).map_err(|error| refused(error, &path))?;
    let path = path.at("truth");
    (table.truth).map_or(Ok(()), |truth| check_truth(&metric, truth, &path))?;
    Ok(metric)
}

/// Refuses an expectation that the metric's values cannot have.
fn check_truth(metric: &Metric, value: f64, path: &KeyPath) -> Checked {
    let Span { lo: min, hi: max } = metric
        .unit_limits()
        .unwrap_or(Span::new(f64::MIN, f64::MAX));
    if (min..=max).contains(&value) {
        return Ok(());
    }
    let message = format!("`{}` cannot be {value} on average", metric.name);
    let problem = path.fault(message);
    Err(problem.expected(format!("its values lie between {min} and {max}")))
}

/// Writes the defaults of a declaration into its table.
fn complete(table: &mut CommandTable, declaration: &Declaration) {
    table.patience = declaration.program.patience.as_secs_f64();
    let found = || hashes(&declaration.program);
    table.hashes.get_or_insert_with(found);
    table.timeout = declaration.timeout.map(|timeout| timeout.as_secs_f64());
    for (table, spec) in table.params.values_mut().zip(&declaration.params) {
        *table = ParamTable::of(spec);
    }
    for (table, metric) in table.metrics.values_mut().zip(&declaration.columns) {
        *table = MetricTable {
            truth: table.truth,
            ..MetricTable::of(metric)
        };
    }
}

/// A fault of the table at a path, or of one of its keys.
fn refused(error: ParamError, path: &KeyPath) -> Problem {
    let problem = match error.name.as_str() {
        "" => path.fault_of_key(error.message),
        key => path.at(key).fault(error.message),
    };
    problem.help(error.help)
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
    if let Some(sign) = argv[0].chars().find(|c| c.is_control()) {
        let sign = sign.escape_default();
        let problem = path.at(verb).fault(format!(
            "the program's name has the control character `{sign}`"
        ));
        return Err(problem.help(
            "between double quotes a backslash begins an escape sequence: write single quotes, as in 'C:\\bin\\sim.exe', \
             or each backslash twice",
        ));
    }
    Ok(())
}

/// `timeout` and `on-timeout`: both or neither.
fn timeout(table: &CommandTable, path: &KeyPath) -> Checked<Option<Duration>> {
    match (table.timeout, table.on_timeout) {
        (None, None) => Ok(None),
        (Some(seconds), Some(OnTimeout::Unresolved)) => Ok(Some(silence(seconds))),
        (Some(_), None) => {
            let problem = path.at("timeout").fault("`on-timeout` is missing");
            Err(problem.help(
                "add `on-timeout = \"unresolved\"`, or give `patience`, after which silence ends \
                 the run",
            ))
        }
        (None, Some(_)) => {
            let problem = path.at("on-timeout").fault("`timeout` is missing");
            Err(problem.help("add `timeout = 10`, in seconds"))
        }
    }
}

/// The program that stands in the table at a path, with its files, checked to be there unless it
/// `may_miss`. What was resolved before, and has hashes, may be read where the program is not.
pub(super) fn identified(
    mut program: DeclaredProgram,
    verb: &str,
    (paths, hashes): (&[String], Option<&Vec<String>>),
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

/// Refuses what only programs started by `once` are told.
fn check_input(table: &CommandTable, verb: &str, path: &KeyPath) -> Checked {
    let told = [
        ("stdin", table.stdin.is_some()),
        ("instances", table.instances.is_some()),
        ("generate", table.generate.is_some()),
    ];
    let told = told.into_iter().find(|(_, is_there)| *is_there);
    let Some((key, _)) = told.filter(|_| verb == "run") else {
        return Ok(());
    };
    let fault = path.at(key).fault_of_key(format!(
        "`{key}` is for programs started by `once`, and one is started by `run`"
    ));
    Err(fault.help("a program started by `run` draws from its seeds: start it by `once`"))
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

fn check_streams(names: &[String], path: &KeyPath) -> Checked {
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(path.fault(format!("the stream `{}` is there twice", names[twice])));
    }
    if names.len() > MOST_STREAMS || names.iter().any(String::is_empty) {
        let problem = path.fault("a stream has no name, or there are too many");
        return Err(problem.expected(format!("expected at most {MOST_STREAMS} names")));
    }
    Ok(())
}

/// Checks the metrics of a declaration: there are some, and those of a sample that takes too long have bounds.
fn check_metrics(declaration: &Declaration, path: &KeyPath) -> Checked {
    if declaration.columns.is_empty() {
        return Err(path.fault("the command has no metrics").help(
            "add a table\n    [command.metrics]\n    wait = { kind = \"number\", decimals = 3 }",
        ));
    }
    let mut columns = declaration.columns.iter();
    let unbounded = columns.find(|column| column.unknown() == Value::Missing);
    if let (Some(column), Some(_)) = (unbounded, declaration.timeout) {
        let problem = path.fault(format!(
            "`{}` has no bounds, so nothing can be said of a sample that takes longer than \
             `timeout`",
            column.name
        ));
        return Err(problem.help(
            "declare its `min` and `max`; ratios and weights have none: then leave `timeout` out",
        ));
    }
    Ok(())
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
