//! `[command]` and `[players.NAME]`: external programs, as an experiment file declares them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use toml::Spanned;

use crate::external::command::ProgramPool;
use crate::external::declaration::{Declaration, DeclaredMetric, DeclaredProgram, HashedFile};
use crate::external::executable::Executable;
use crate::external::hello::Disagreement;
use crate::external::once;
use crate::external::player::{ExternalPlayer, Go, PlayerDeclaration};
use crate::task::decimal::{self, MAX_DECIMALS};
use crate::task::{
    Metric, MetricKind, ParamDefault, ParamKind, ParamSpec, ParamValue, UNITLESS, Words,
};

use super::ConfigError;
use super::error::{Faults, Problem};
use super::wire::{
    CommandTable, Item, MetricTable, NamedTables, ParamTable, PlayerTable, Scalar, TomlTable,
};
use super::{suggest, truth, value};

/// The words of a metric's `kind`.
const METRIC_KINDS: [&str; 7] = [
    "flag", "integer", "number", "total", "ratio", "weight", "pair",
];

/// The words of a parameter's `kind`.
const PARAM_KINDS: [&str; 5] = ["integer", "number", "flag", "text", "choice"];

/// Streams at most: each costs a seed a sample.
const MOST_STREAMS: usize = 16;

/// A program's places in the text, by key relative to its table.
pub(super) type Places = BTreeMap<String, Range<usize>>;

/// A program that was read, with the places of its keys.
#[derive(Clone, Debug)]
pub struct CommandPart {
    /// The program with its processes.
    pub command: Arc<ProgramPool>,
    pub(super) places: Places,
}

/// The keys that a command and a player share.
pub(super) struct ProgramKeys<'a> {
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
        params: params?,
        columns: columns?,
        program: program?,
    };
    faults.keep(check(&declaration, run.1, &place))?;
    Some(CommandPart {
        places: places(table, &place),
        command: Arc::new(ProgramPool::new(declaration)),
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

/// The program that the keys name.
pub(super) fn program(keys: &ProgramKeys, folders: &[PathBuf]) -> Result<DeclaredProgram, Problem> {
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
        return Err(Problem::at(keys.table.clone(), "nothing says which program it is").help(
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

/// A list of texts.
fn texts(key: &str, item: &Item) -> Result<Vec<String>, Problem> {
    let Scalar::List(items) = item.get_ref() else {
        return Err(value::mismatch(key, item, "a list of texts"));
    };
    let text = |item: &Item| match item.get_ref() {
        Scalar::Text(text) => Ok(text.clone()),
        _ => Err(value::mismatch(key, item, "a text")),
    };
    items.iter().map(text).collect()
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

/// What only the whole shows: places that nothing fills, metrics that are missing.
fn check(declaration: &Declaration, run: &Item, table: &Range<usize>) -> Result<(), Problem> {
    if declaration.columns.is_empty() {
        return Err(Problem::at(table.clone(), "the command has no metrics").help(
            "add a table\n    [command.metrics]\n    wait = { kind = \"number\", decimals = 3 }",
        ));
    }
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

/// A named table's entry.
type NamedEntry<T> = (Spanned<String>, Spanned<TomlTable<T>>);

fn checked_name(key: &Spanned<String>) -> Result<String, Problem> {
    let name = key.get_ref();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts && name.chars().all(fits) {
        Ok(name.clone())
    } else {
        Err(
            Problem::at(key.span(), format!("`{name}` cannot be a name"))
                .expected("expected letters, digits, hyphens and underscores, a letter first"),
        )
    }
}

fn word<'a>(
    item: &Option<Item>,
    key: &Spanned<String>,
    words: &[&'a str],
) -> Result<&'a str, Problem> {
    let list = || suggest::list(words.iter().copied());
    let Some(item) = item else {
        return Err(
            Problem::at(key.span(), format!("`{}` has no `kind`", key.get_ref()))
                .help(format!("add `kind = ...`, one of {}", list())),
        );
    };
    let text = value::text("kind", item)?;
    let found = words.iter().find(|word| **word == text);
    found
        .copied()
        .ok_or_else(|| value::mismatch("kind", item, &format!("one of {}", list())))
}

fn summary(item: &Option<Item>) -> Result<Cow<'static, str>, Problem> {
    let text = item.as_ref().map(|item| value::text("summary", item));
    Ok(Cow::Owned(text.transpose()?.unwrap_or_default()))
}

fn param((key, table): &NamedEntry<ParamTable>) -> Result<ParamSpec, Problem> {
    let name = checked_name(key)?;
    let table = table.get_ref();
    let real = |item: &Option<Item>, key: &str, otherwise: f64| {
        item.as_ref().map_or(Ok(otherwise), |item| {
            value::real(item.get_ref()).ok_or_else(|| value::mismatch(key, item, "a number"))
        })
    };
    let whole = |item: &Option<Item>, key: &str, otherwise: i64| {
        item.as_ref()
            .map_or(Ok(otherwise), |item| integer(key, item))
    };
    let kind = match word(&table.kind, key, &PARAM_KINDS)? {
        "integer" => ParamKind::Integer {
            min: whole(&table.min, "min", i64::MIN)?,
            max: whole(&table.max, "max", i64::MAX)?,
        },
        "number" => ParamKind::Number {
            min: real(&table.min, "min", f64::MIN)?,
            max: real(&table.max, "max", f64::MAX)?,
        },
        "flag" => ParamKind::Flag,
        "text" => ParamKind::Text,
        _ => ParamKind::Choice(Words::Read(choices(&table.choices, key)?)),
    };
    let mut spec = ParamSpec {
        name: Cow::Owned(name),
        summary: summary(&table.summary)?,
        kind,
        default: ParamDefault::Required,
    };
    if let Some(item) = &table.default {
        spec.default = match value::param(&spec, item)? {
            ParamValue::Text(text) => ParamDefault::Text(Cow::Owned(text)),
            ParamValue::Integer(integer) => ParamDefault::Integer(integer),
            ParamValue::Number(number) => ParamDefault::Number(number),
            ParamValue::Flag(flag) => ParamDefault::Flag(flag),
        };
    }
    Ok(spec)
}

fn choices(item: &Option<Item>, key: &Spanned<String>) -> Result<Vec<String>, Problem> {
    let Some(item) = item else {
        let message = format!("`{}` has no `choices`", key.get_ref());
        return Err(Problem::at(key.span(), message).help("add `choices = [\"a\", \"b\"]`"));
    };
    match texts("choices", item)? {
        words if words.is_empty() => Err(value::mismatch("choices", item, "at least one word")),
        words => Ok(words),
    }
}

fn integer(key: &str, item: &Item) -> Result<i64, Problem> {
    let integer = match *item.get_ref() {
        Scalar::Integer(integer) => i64::try_from(integer).ok(),
        _ => None,
    };
    integer.ok_or_else(|| value::mismatch(key, item, "an integer"))
}

fn column((key, table): &NamedEntry<MetricTable>) -> Result<DeclaredMetric, Problem> {
    let name = checked_name(key)?;
    let table = table.get_ref();
    let kind = word(&table.kind, key, &METRIC_KINDS)?;
    let decimals = decimals(kind, &table.decimals)?;
    let bound = |key: &str, item: &Option<Item>| {
        item.as_ref()
            .map(|item| scaled(key, item, decimals))
            .transpose()
    };
    let (min, max) = (bound("min", &table.min)?, bound("max", &table.max)?);
    let (min, max) = match kind {
        "flag" => (Some(0), Some(1)),
        "pair" => (Some(0), Some(4)),
        _ => (min, max),
    };
    let metric = Metric {
        name: Cow::Owned(name),
        unit: Cow::Owned(unit(kind, &table.unit)?),
        summary: summary(&table.summary)?,
        kind: metric_kind(kind, decimals, (min, max), key)?,
        per: match kind {
            "pair" => 4,
            _ => decimal::scale(decimals),
        },
    };
    Ok(DeclaredMetric {
        truth: truth(&metric, &table.truth)?,
        metric,
        kind,
        decimals,
        min,
        max,
    })
}

/// The decimals of a number; other kinds have none.
fn decimals(kind: &str, item: &Option<Item>) -> Result<u8, Problem> {
    match item {
        Some(item) if kind != "number" => Err(Problem::at(
            item.span(),
            format!("a {kind} has no decimals"),
        )
        .help("remove it, or make it `kind = \"number\"`")),
        Some(item) => Ok(value::whole("decimals", item, 0..=u64::from(MAX_DECIMALS))? as u8),
        None if kind == "number" => Ok(6),
        None => Ok(0),
    }
}

/// The unit that is given. Without one, a flag's mean is a share, and all else is a plain number.
fn unit(kind: &str, item: &Option<Item>) -> Result<String, Problem> {
    match item {
        Some(item) => value::text("unit", item),
        None if kind == "flag" => Ok(String::new()),
        None => Ok(UNITLESS.to_owned()),
    }
}

fn truth(metric: &Metric, item: &Option<Item>) -> Result<Option<f64>, Problem> {
    let Some(item) = item else {
        return Ok(None);
    };
    let value = value::real(item.get_ref());
    let value = value.ok_or_else(|| value::mismatch("truth", item, "a number"))?;
    truth::check(metric, value, item.span())?;
    Ok(Some(value))
}

fn metric_kind(
    kind: &str,
    decimals: u8,
    bounds: (Option<i64>, Option<i64>),
    key: &Spanned<String>,
) -> Result<MetricKind, Problem> {
    if let (Some(min), Some(max)) = bounds
        && min > max
    {
        let message = format!("`{}` has its `min` above its `max`", key.get_ref());
        return Err(Problem::at(key.span(), message));
    }
    Ok(match (kind, bounds) {
        ("flag", _) => MetricKind::Flag,
        ("integer", (Some(min), Some(max))) => MetricKind::Integer { min, max },
        ("integer", _) => {
            let message = format!("the integer `{}` has no bounds", key.get_ref());
            return Err(Problem::at(key.span(), message)
                .help("add `min` and `max`, or make it a `total`, which has none"));
        }
        ("number", (min, max)) => MetricKind::Number {
            decimals,
            limits: min.zip(max),
        },
        ("ratio", _) => MetricKind::Ratio,
        ("weight", _) => MetricKind::Weight,
        ("pair", _) => MetricKind::Pair,
        _ => MetricKind::Total,
    })
}

/// A bound in units of the last decimal.
fn scaled(key: &str, item: &Item, decimals: u8) -> Result<i64, Problem> {
    let text = match item.get_ref() {
        Scalar::Integer(integer) => integer.to_string(),
        Scalar::Number(number) => number.to_string(),
        _ => return Err(value::mismatch(key, item, "a number")),
    };
    // A bound is written out again, and must then read as the same.
    let fits = |bound: &i64| decimals == 0 || bound.unsigned_abs() < 1 << 53;
    let bound = decimal::scaled(&text, decimals).ok().filter(fits);
    bound.ok_or_else(|| {
        value::mismatch(
            key,
            item,
            &format!("a number that fits {decimals} decimals"),
        )
    })
}

/// Where each key stands.
fn places(table: &CommandTable, place: &Range<usize>) -> Places {
    let mut places = Places::from([(String::new(), place.clone())]);
    let mut note = |key: &str, item: &Option<Item>| {
        if let Some(item) = item {
            places.insert(key.to_owned(), item.span());
        }
    };
    note("run", &table.run);
    note("once", &table.once);
    note("version", &table.version);
    note("streams", &table.streams);
    for (key, param) in &table.params.0 {
        let (name, table) = (key.get_ref(), param.get_ref());
        note(&format!("params.{name}.kind"), &table.kind);
        note(&format!("params.{name}.min"), &table.min);
        note(&format!("params.{name}.max"), &table.max);
        note(&format!("params.{name}.default"), &table.default);
        note(&format!("params.{name}.choices"), &table.choices);
    }
    for (key, metric) in &table.metrics.0 {
        let (name, table) = (key.get_ref(), metric.get_ref());
        note(&format!("metrics.{name}.kind"), &table.kind);
        note(&format!("metrics.{name}.unit"), &table.unit);
        note(&format!("metrics.{name}.min"), &table.min);
        note(&format!("metrics.{name}.max"), &table.max);
        note(&format!("metrics.{name}.decimals"), &table.decimals);
    }
    note_keys(&mut places, "params", &table.params);
    note_keys(&mut places, "metrics", &table.metrics);
    places
}

fn note_keys<T>(places: &mut Places, table: &str, entries: &NamedTables<T>) {
    for (key, _) in &entries.0 {
        places.insert(format!("{table}.{}", key.get_ref()), key.span());
    }
    if let Some((key, _)) = entries.0.first() {
        places.insert(table.to_owned(), key.span());
    }
}

/// The place of a key, or of the closest table around it.
pub(super) fn place_of(places: &Places, key: &str) -> Option<Range<usize>> {
    let mut key = key;
    loop {
        match (places.get(key), key.rsplit_once('.')) {
            (Some(place), _) => return Some(place.clone()),
            (None, Some((outer, _))) => key = outer,
            (None, None) if key.is_empty() => return None,
            (None, None) => key = "",
        }
    }
}

/// The file beside an experiment that was written elsewhere, such as for Slurm: where its programs are.
pub const PROGRAMS_FILE: &str = "programs.json";

/// The folders that the programs of the file at `source_name` may run in: those that the manifest
/// beside a run folder's `config.toml` names, those that a `programs.json` names, and its own.
pub(super) fn folders(source_name: &str) -> Vec<PathBuf> {
    let path = std::path::Path::new(source_name);
    let own = path.parent().unwrap_or(std::path::Path::new("")).to_owned();
    let is_resolved = path.file_name().is_some_and(|name| name == "config.toml");
    let name = if is_resolved {
        "manifest.json"
    } else {
        PROGRAMS_FILE
    };
    let value: Option<serde_json::Value> = std::fs::read(own.join(name))
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

impl CommandPart {
    /// What hello says otherwise than the file, at its places in the file.
    pub fn explain(&self, source_name: &str, text: &str, found: &[Disagreement]) -> ConfigError {
        let problem = |one: &Disagreement| Problem {
            span: place_of(&self.places, &one.key),
            ..Problem::nowhere(&one.message)
        };
        let help = "the file declares, hello confirms: change one of them";
        let problems = found.iter().map(|one| problem(one).help(help));
        ConfigError::new(source_name, text, problems.collect())
    }
}

/// Reads `[players.NAME]`, in file order.
pub(super) fn players(
    tables: &NamedTables<PlayerTable>,
    folders: &[PathBuf],
    faults: &mut Faults,
) -> Option<Vec<Arc<ExternalPlayer>>> {
    let players = tables
        .0
        .iter()
        .map(|(key, table)| player(key, table, folders));
    faults.keep_all(players)
}

fn player(
    key: &Spanned<String>,
    table: &Spanned<TomlTable<PlayerTable>>,
    folders: &[PathBuf],
) -> Result<Arc<ExternalPlayer>, Problem> {
    let name = checked_name(key)?;
    let place = table.span();
    let table = table.get_ref();
    let Some(run) = &table.run else {
        return Err(
            Problem::at(key.span(), format!("the player `{name}` names no program"))
                .help("add `run = [\"python3\", \"my_fox.py\"]`"),
        );
    };
    let keys = ProgramKeys {
        run: ("run", run),
        files: &table.files,
        hashes: &table.hashes,
        version: &table.version,
        patience: &table.patience,
        table: place,
    };
    Ok(Arc::new(ExternalPlayer::new(PlayerDeclaration {
        program: program(&keys, folders)?,
        go: table.go.as_ref().map_or(Ok(Go::Nodes), go)?,
        loses: table.faults.as_ref().map_or(Ok(false), loses)?,
        name,
    })))
}

/// `nodes`, `nodes 500` or `depth 6`.
fn go(item: &Item) -> Result<Go, Problem> {
    let text = value::text("go", item)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |text: &str| text.replace('_', "").parse().ok().filter(|&n: &u64| n > 0);
    match words.as_slice() {
        ["nodes"] => Some(Go::Nodes),
        ["nodes", count] => number(count).map(Go::FixedNodes),
        ["depth", count] => number(count).map(Go::Depth),
        _ => None,
    }
    .ok_or_else(|| {
        value::mismatch("go", item, "`nodes`, `nodes N` or `depth N`")
            .help("a time limit would make results depend on the clock")
    })
}

fn loses(item: &Item) -> Result<bool, Problem> {
    match value::text("faults", item)?.as_str() {
        "stop" => Ok(false),
        "lose" => Ok(true),
        _ => Err(value::mismatch("faults", item, "`stop` or `lose`")),
    }
}
