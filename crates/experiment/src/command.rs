//! `[command]`: a simulation in another program, as an experiment file declares it.

use std::path::PathBuf;
use std::time::Duration;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use task::outside::{Declaration, DeclaredProgram, Starter};
use task::{Metric, ParamError, ParamSpec, Value, real};

use super::declared::{
    StartedWords, check_name, check_places, hashes, identified, patience, silence, verb,
};
use super::document::{Document, KeyPath};
use super::error::Checked;
use super::instances::{generator, instances};
use super::{ContenderTable, MetricTable, ParamTable, Problem, whole};

/// Streams at most: each costs a seed a sample.
const MOST_STREAMS: usize = 16;

/// A simulation in another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandTable {
    /// The program and its arguments. The program is started once for each thread and answers line by line.
    /// Relative paths start from the folder of this file.
    pub run: Option<Vec<String>>,
    /// The program and its arguments: started for every sample, with `{seed32}`, `{sample}` and
    /// parameters in braces filled in. The last line of its output holds the values.
    pub once: Option<Vec<String>>,
    /// The standard input of programs started by `once`, with the same places: `"{instance}"`.
    pub stdin: Option<String>,
    /// Files that are the instances, one for each sample, in an order drawn from the seed: a pattern
    /// such as `"cnf/*.cnf"`, relative to the folder of this file. In the arguments of a program started by
    /// `once`, `{instance}` is the path of the sample's file; in its input, the content.
    pub instances: Option<String>,
    /// In place of `instances`, a program and its arguments that writes the instance of a sample to its
    /// standard output: started once for each, before a benchmark and in nobody's time. The program has the seeds
    /// and `{sample}`, and no parameters.
    pub generate: Option<Vec<String>>,
    /// The files that determine the numbers: their hashes are part of the results' fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    pub hashes: Option<Vec<String>>,
    /// The program's version, if no files determine it.
    pub version: Option<String>,
    /// Seconds of silence after which the program counts as hanging; 60 by default.
    #[serde(default = "patience", deserialize_with = "real::above::<0, _>")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub patience: f64,
    /// One independent seed for each of these names and every sample; `seed` by default.
    #[serde(default = "streams")]
    pub streams: Vec<String>,
    /// The most samples requested in one line; 64 by default. The number changes no value.
    #[serde(default = "batch", deserialize_with = "whole::one::<1, 4096, _, _>")]
    #[schemars(range(min = 1, max = 4096))]
    pub batch: u64,
    /// Seconds of silence after which a sample, drawn alone, is given up; only with `on-timeout`.
    #[serde(default, deserialize_with = "real::positive")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub timeout: Option<f64>,
    /// `unresolved`: a sample that takes longer than `timeout` counts as unresolved, anywhere
    /// within the bounds of its metrics. Which samples these are depends on the machine.
    pub on_timeout: Option<OnTimeout>,
    /// The declared parameters.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub params: IndexMap<String, ParamTable>,
    /// The hashes of the instances when the experiment was made; those of the files unless given.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub instance_hashes: IndexMap<String, String>,
    /// The metrics that a sample reports, in the order of a row's values.
    #[serde(default)]
    pub metrics: IndexMap<String, MetricTable>,
}

fn streams() -> Vec<String> {
    vec!["seed".to_owned()]
}

fn batch() -> u64 {
    64
}

/// The meaning of a sample that takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OnTimeout {
    /// Unresolved, anywhere within the bounds of its metrics.
    Unresolved,
}

/// Compiles `[command]` to its declaration, and completes it. Its program is that of the `lender`, if there is one;
/// `folders` are those that it may run in. The seed determines its instances, and the starter makes what
/// generates them.
pub(super) fn compile(
    table: &mut CommandTable,
    lender: Option<&ContenderTable>,
    document: &Document,
    (folders, seed, starter): (&[PathBuf], u64, &dyn Starter),
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
    let program = DeclaredProgram {
        argv: argv.clone(),
        folders: folders.to_vec(),
        files: Vec::new(),
        version: table.version.clone(),
        patience: silence(table.patience),
    };
    let program = identified(program, verb, (&table.files, &table.hashes), &path, false);
    let mut declaration = Declaration {
        once: verb == "once",
        stdin: stdin.clone().unwrap_or_default(),
        instances,
        streams: table.streams.clone(),
        batch: table.batch,
        program: program?,
        timeout,
        params,
        columns,
    };
    if let Some(argv) = &table.generate {
        let generator = generator(argv, table, &declaration, &path)?;
        declaration.instances = Some(starter.generator(generator, seed));
    }
    check(&declaration, &path)?;
    complete(table, &declaration);
    Ok(declaration)
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

/// A parameter that the table of a command declares.
fn param((name, table): (&String, &ParamTable), command: &KeyPath) -> Checked<ParamSpec> {
    let path = command.at("params").at(name);
    check_name(name, &path)?;
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
    let (min, max) = metric.unit_limits().unwrap_or((f64::MIN, f64::MAX));
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
    table.hashes = Some(hashes(&declaration.program));
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

/// Checks a declaration as a whole: placeholders that nothing fills, metrics that are missing.
fn check(declaration: &Declaration, path: &KeyPath) -> Checked {
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
    check_places(declaration, path)
}
