//! The programs of an experiment in its canonical file, and their part of its fingerprint.

use std::fmt::{self, Write};

use crate::external::declaration::{Declaration, DeclaredMetric, DeclaredProgram};
use crate::external::player::{Go, PlayerDeclaration};
use crate::external::value::shown;
use crate::external::wire::PROTOCOL;
use crate::task::{ParamKind, ParamSpec, Value};

use super::Experiment;
use super::resolved::{key, literal, quoted};

impl Experiment {
    /// `[command]` and `[players.NAME]`, with the hashes of their files.
    pub(super) fn write_programs(&self, out: &mut String) -> fmt::Result {
        if let Some(part) = &self.command {
            write_command(out, part.command.declaration())?;
        }
        let mut players = self.players.iter();
        players.try_for_each(|player| write_player(out, player.declaration()))
    }

    /// Writes the facts of the programs that determine the samples: protocol, arguments, hashes or
    /// version, declarations, streams. Patience and texts that are only shown are left out.
    pub(super) fn write_fingerprints(&self, out: &mut String) -> fmt::Result {
        if let Some(part) = &self.command {
            let declaration = part.command.declaration();
            writeln!(out, "protocol = {PROTOCOL}\nonce = {}", declaration.once)?;
            write_identity(out, &declaration.program)?;
            writeln!(out, "streams = {}", list(&declaration.streams))?;
            write_timeout(out, declaration)?;
            let mut columns = declaration.columns.iter();
            columns.try_for_each(|column| {
                writeln!(out, "{} = {}", column.metric.name, column_facts(column))
            })?;
        }
        self.players.iter().try_for_each(|player| {
            let declaration = player.declaration();
            writeln!(out, "[players.{}]", declaration.name)?;
            write_identity(out, &declaration.program)?;
            writeln!(out, "go = {}", quoted(&go(declaration.go)))?;
            writeln!(out, "faults = {}", faults(declaration))
        })
    }
}

fn write_command(out: &mut String, declaration: &Declaration) -> fmt::Result {
    writeln!(out, "\n[command]")?;
    let verb = if declaration.once { "once" } else { "run" };
    write_program(out, verb, &declaration.program)?;
    writeln!(out, "streams = {}", list(&declaration.streams))?;
    writeln!(out, "batch = {}", declaration.batch)?;
    write_timeout(out, declaration)?;
    if !declaration.params.is_empty() {
        writeln!(out, "\n[command.params]")?;
    }
    for spec in &declaration.params {
        writeln!(out, "{} = {}", key(&spec.name), param_facts(spec))?;
    }
    writeln!(out, "\n[command.metrics]")?;
    let mut columns = declaration.columns.iter();
    columns.try_for_each(|column| {
        writeln!(
            out,
            "{} = {}",
            key(&column.metric.name),
            column_table(column)
        )
    })
}

fn write_timeout(out: &mut String, declaration: &Declaration) -> fmt::Result {
    match declaration.timeout {
        Some(timeout) => {
            let seconds = timeout.as_secs_f64();
            writeln!(out, "timeout = {seconds:?}\non-timeout = \"unresolved\"")
        }
        None => Ok(()),
    }
}

fn write_player(out: &mut String, player: &PlayerDeclaration) -> fmt::Result {
    writeln!(out, "\n[players.{}]", key(&player.name))?;
    write_program(out, "run", &player.program)?;
    writeln!(out, "go = {}", quoted(&go(player.go)))?;
    writeln!(out, "faults = {}", faults(player))
}

fn go(go: Go) -> String {
    match go {
        Go::Nodes => "nodes".to_owned(),
        Go::FixedNodes(nodes) => format!("nodes {nodes}"),
        Go::Depth(depth) => format!("depth {depth}"),
    }
}

fn faults(player: &PlayerDeclaration) -> &'static str {
    if player.loses { "\"lose\"" } else { "\"stop\"" }
}

fn write_program(out: &mut String, verb: &str, program: &DeclaredProgram) -> fmt::Result {
    writeln!(out, "{verb} = {}", list(&program.argv))?;
    if !program.files.is_empty() {
        let paths: Vec<String> = program.files.iter().map(|file| file.path.clone()).collect();
        let hashes: Vec<String> = program.files.iter().map(|file| file.hash.clone()).collect();
        writeln!(out, "files = {}\nhashes = {}", list(&paths), list(&hashes))?;
    } else {
        // Without files there is nothing to hash; that the list is there says it was resolved.
        writeln!(out, "hashes = []")?;
    }
    if let Some(version) = &program.version {
        writeln!(out, "version = {}", quoted(version))?;
    }
    writeln!(out, "patience = {:?}", program.patience.as_secs_f64())
}

fn write_identity(out: &mut String, program: &DeclaredProgram) -> fmt::Result {
    writeln!(out, "argv = {}", list(&program.argv))?;
    for file in &program.files {
        writeln!(out, "file = {} {}", quoted(&file.path), file.hash)?;
    }
    match &program.version {
        Some(version) => writeln!(out, "version = {}", quoted(version)),
        None => Ok(()),
    }
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A table in braces of these keys.
fn braces(keys: &[(&str, Option<String>)]) -> String {
    let given = keys
        .iter()
        .filter_map(|(key, value)| Some((key, value.as_ref()?)));
    let pairs: Vec<String> = given
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    format!("{{ {} }}", pairs.join(", "))
}

fn param_facts(spec: &ParamSpec) -> String {
    let bound = |bound: i64| {
        let is_given = bound != i64::MIN && bound != i64::MAX;
        is_given.then(|| bound.to_string())
    };
    let real = |bound: f64| (bound.abs() < f64::MAX).then(|| format!("{bound:?}"));
    let (kind, min, max, choices) = match &spec.kind {
        ParamKind::Integer { min, max } => ("integer", bound(*min), bound(*max), None),
        ParamKind::Number { min, max } => ("number", real(*min), real(*max), None),
        ParamKind::Flag => ("flag", None, None, None),
        ParamKind::Text => ("text", None, None, None),
        ParamKind::Choice(words) => {
            let words: Vec<String> = words.iter().map(str::to_owned).collect();
            ("choice", None, None, Some(list(&words)))
        }
    };
    braces(&[
        ("kind", Some(quoted(kind))),
        ("min", min),
        ("max", max),
        ("choices", choices),
        ("default", spec.default.as_ref().map(literal)),
        ("summary", some_text(&spec.summary)),
    ])
}

fn some_text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| quoted(text))
}

/// Returns the facts of a metric that its values must satisfy.
fn column_facts(column: &DeclaredMetric) -> String {
    braces(&value_keys(column))
}

fn value_keys(column: &DeclaredMetric) -> [(&'static str, Option<String>); 4] {
    let has_bounds = ["integer", "number", "total"].contains(&column.kind);
    let bound = |bound: Option<i64>| {
        let bound = bound.filter(|_| has_bounds)?;
        Some(shown(column, Value::Exact(bound)))
    };
    let decimals = (column.kind == "number").then(|| column.decimals.to_string());
    [
        ("kind", Some(quoted(column.kind))),
        ("min", bound(column.min)),
        ("max", bound(column.max)),
        ("decimals", decimals),
    ]
}

fn column_table(column: &DeclaredMetric) -> String {
    let mut keys = value_keys(column).to_vec();
    keys.extend([
        ("unit", some_text(&column.metric.unit)),
        ("summary", some_text(&column.metric.summary)),
        ("truth", column.truth.map(|truth| format!("{truth:?}"))),
    ]);
    braces(&keys)
}
