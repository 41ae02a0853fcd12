//! The canonical file of an experiment, and the hashes that identify it.
//!
//! The layout is fixed, because manifests hold the hash of the file: values before tables, one
//! line a value, a table within `[command.params]` or `[command.metrics]` on one line in braces,
//! numbers with the fewest digits that read back to the same.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::task::outside::PROTOCOL;
use kit::search::Budget;

use super::file::{CommandTable, PlayerTable};
use super::{Cell, Experiment};

/// Separates these hashes from all others; a change of meaning changes it.
const CONTEXT: &str = "etude v1 experiment fingerprint";

impl Experiment {
    /// The canonical file of this experiment, with every default written out: it parses back to
    /// the same experiment.
    pub fn resolved_toml(&self) -> String {
        let mut text = String::new();
        let mut file = object(&self.file);
        if !self.ratio_claims.is_empty() {
            let claims = file.entry("claims").or_insert_with(|| json!([]));
            let of_ratios = self.ratio_claims.iter().map(|claim| json!(claim.table));
            if let Some(claims) = claims.as_array_mut() {
                claims.extend(of_ratios);
            }
        }
        write_tables(&mut text, &[], &file);
        text
    }

    /// All that determines the value of a sample, one fact a line: task, seed, every cell's
    /// parameters and budget, and what is tallied with it to reduce variance; neither the number
    /// of samples nor the prose.
    pub fn sample_facts(&self) -> String {
        let mut text = String::new();
        let out = &mut text;
        self.write_task(out);
        self.player_facts()
            .for_each(|(_, facts)| out.push_str(&facts));
        self.write_draws(out);
        self.cells.iter().for_each(|cell| write_cell(out, cell));
        text
    }

    /// Hashes in hex of the cells, in order: of the parameters of each and of the players in other programs
    /// that they name. A cell keeps its hash wherever it stands in a sweep.
    pub fn cell_hashes(&self) -> Vec<String> {
        let players: Vec<(&str, String)> = self.player_facts().collect();
        let hash = |cell: &Cell| {
            let mut facts = String::new();
            write_cell(&mut facts, cell);
            let named = players.iter().filter(|(name, _)| cell.names(name));
            named.for_each(|(_, player)| facts.push_str(player));
            hashed(&facts)[..16].to_owned()
        };
        self.cells.iter().map(hash).collect()
    }

    /// The facts among [`sample_facts`](Self::sample_facts) that all cells and players share.
    pub fn shared_facts(&self) -> String {
        let mut text = String::new();
        self.write_task(&mut text);
        self.write_draws(&mut text);
        text
    }

    /// The facts of each player in another program, with the player's name, in file order.
    pub fn player_facts(&self) -> impl Iterator<Item = (&str, String)> {
        self.file.players.iter().map(|(name, player)| {
            let mut facts = String::new();
            write_player_facts(&mut facts, name, player);
            (name.as_str(), facts)
        })
    }

    fn write_task(&self, out: &mut String) {
        line(out, "task", &json!(self.file.task));
        if let Some(command) = &self.file.command {
            write_command_facts(out, command);
        }
    }

    /// Writes the seed, the budget and the control variate.
    fn write_draws(&self, out: &mut String) {
        line(out, "seed", &json!(self.file.seed));
        match &self.file.budget {
            Some(budget) => line(out, "nodes", &json!(budget.nodes)),
            None => line(out, "nodes", &json!(Budget::UNLIMITED.limit())),
        }
        if let Some(variance) = &self.file.variance {
            write_tables(out, &["variance"], &object(variance));
        }
    }

    /// A hash in hex of all that determines the value of a sample.
    pub fn fingerprint(&self) -> String {
        hashed(&self.sample_facts())
    }

    /// A hash in hex of the facts that all cells and players share.
    pub fn shared_fingerprint(&self) -> String {
        hashed(&self.shared_facts())
    }

    /// A hash in hex of the whole resolved experiment.
    pub fn digest(&self) -> String {
        let text = self.resolved_toml();
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }
}

/// A hash in hex of facts that determine samples.
fn hashed(facts: &str) -> String {
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(facts.as_bytes());
    hasher.finalize().to_hex().to_string()
}

fn write_cell(out: &mut String, cell: &Cell) {
    out.push_str("[[cells]]\n");
    for (name, value) in cell.params.iter() {
        line(out, name, &json!(value));
    }
}

/// Writes the facts of a command that determine the samples: protocol, arguments, hashes or
/// version, declarations, streams. Patience and texts that are only shown are left out.
fn write_command_facts(out: &mut String, command: &CommandTable) {
    line(out, "protocol", &json!(PROTOCOL));
    line(out, "once", &json!(command.once.is_some()));
    let argv = command.run.as_ref().or(command.once.as_ref());
    write_program(
        out,
        &json!(argv),
        &command.files,
        &command.hashes,
        &command.version,
    );
    line(out, "streams", &json!(command.streams));
    if let Some(seconds) = command.timeout {
        line(out, "timeout", &json!(seconds));
        line(out, "on-timeout", &json!(command.on_timeout));
    }
    for (name, metric) in &command.metrics {
        let mut facts = object(metric);
        facts.retain(|key, _| ["kind", "min", "max", "decimals"].contains(&key.as_str()));
        line(out, name, &Value::Object(facts));
    }
}

fn write_player_facts(out: &mut String, name: &str, player: &PlayerTable) {
    let _ = writeln!(out, "[players.{name}]");
    write_program(
        out,
        &json!(player.run),
        &player.files,
        &player.hashes,
        &player.version,
    );
    line(out, "go", &json!(player.go));
    line(out, "faults", &json!(player.faults));
}

/// Writes the arguments of a program, and its files with their hashes or its version.
fn write_program(
    out: &mut String,
    argv: &Value,
    files: &[String],
    hashes: &Option<Vec<String>>,
    version: &Option<String>,
) {
    line(out, "argv", argv);
    for (path, hash) in files.iter().zip(hashes.iter().flatten()) {
        let _ = writeln!(out, "file = {} {hash}", quoted_toml(path));
    }
    if let Some(version) = version {
        line(out, "version", &json!(version));
    }
}

/// The keys of a table; null says nothing.
fn object(table: &impl Serialize) -> Map<String, Value> {
    // The types of the file have texts for keys and finite numbers: they always have a form.
    match serde_json::to_value(table) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    }
}

/// Writes a table and the tables within it.
fn write_tables(out: &mut String, path: &[&str], table: &Map<String, Value>) {
    let stands_apart = |value: &Value| match value {
        Value::Object(_) => path.len() < 2,
        Value::Array(items) => items.first().is_some_and(Value::is_object),
        _ => false,
    };
    let entries = || table.iter().filter(|(_, value)| !value.is_null());
    let values = || entries().filter(|(_, value)| !stands_apart(value));
    if !path.is_empty() && (values().next().is_some() || entries().next().is_none()) {
        let keys: Vec<String> = path.iter().copied().map(key).collect();
        let _ = writeln!(out, "\n[{}]", keys.join("."));
    }
    values().for_each(|(name, value)| line(out, name, value));
    for (name, value) in entries().filter(|(_, value)| stands_apart(value)) {
        if let Value::Object(inner) = value {
            write_tables(out, &[path, &[name]].concat(), inner);
        }
        for item in value.as_array().into_iter().flatten() {
            let _ = writeln!(out, "\n[[{name}]]");
            write_tables(out, &[], item.as_object().unwrap_or(&Map::new()));
        }
    }
}

fn line(out: &mut String, name: &str, value: &Value) {
    let _ = writeln!(out, "{} = {}", key(name), literal(value));
}

/// A value on one line; a real number has the fewest digits that read back to the same, with a point
/// or exponent.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => quoted_toml(text),
        Value::Number(number) if number.is_f64() => {
            format!("{:?}", number.as_f64().unwrap_or_default())
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(keys) => braces(keys),
        other => other.to_string(),
    }
}

/// A table on one line. The bounds of a metric have its decimals.
fn braces(keys: &Map<String, Value>) -> String {
    let decimals = keys.get("decimals").and_then(Value::as_u64);
    let literal = |name: &str, value: &Value| match (name, decimals, value) {
        ("min" | "max", Some(decimals), Value::Number(bound)) if bound.is_f64() => {
            let bound = bound.as_f64().unwrap_or_default();
            format!("{bound:.*}", decimals as usize)
        }
        _ => literal(value),
    };
    let given = keys.iter().filter(|(_, value)| !value.is_null());
    let pairs: Vec<String> = given
        .map(|(name, value)| format!("{name} = {}", literal(name, value)))
        .collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A text as TOML writes it.
fn quoted_toml(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        quoted_toml(name)
    }
}

/// Words as a list in TOML.
pub fn toml_list(words: &[String]) -> String {
    toml::Value::from(words.to_vec()).to_string()
}
