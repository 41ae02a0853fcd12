//! `[players.NAME]`: players in other programs, as an experiment file declares them.

use std::path::PathBuf;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use task::outside::{DeclaredProgram, Go, PlayerDeclaration};
use task::real;

use super::declared::{check_argv, check_name, hashes, identified, patience, silence};
use super::document::{Document, KeyPath};
use super::error::Checked;

/// A player in another program, which speaks UGI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerTable {
    /// The program and its arguments. Relative paths start from the folder of this file.
    pub run: Vec<String>,
    /// The files that determine its moves: their hashes are part of the results' fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    pub hashes: Option<Vec<String>>,
    /// The program's version, if no files determine it.
    pub version: Option<String>,
    /// Seconds that an answer may take; 60 by default.
    #[serde(default = "patience", deserialize_with = "real::above::<0, _>")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub patience: f64,
    /// The most that a move may cost: `nodes` (no limit, the default), `nodes 500` or `depth 6`.
    #[serde(default = "go")]
    pub go: String,
    /// The consequence of a fault of the player: `stop` the run (the default) or `lose` the match.
    /// Faults are an illegal move, no answer in time, a second answer, a repeated crash, play that does
    /// not repeat, and a program that is missing.
    #[serde(default)]
    pub faults: PlayerFaults,
}

fn go() -> String {
    "nodes".to_owned()
}

/// The consequence of a player's fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum PlayerFaults {
    /// The run stops.
    #[default]
    Stop,
    /// The player loses the match.
    Lose,
}

/// Compiles `[players.NAME]` to declarations, in file order, and completes it.
pub(super) fn compile(
    tables: &mut IndexMap<String, PlayerTable>,
    document: &Document,
    folders: &[PathBuf],
) -> Checked<Vec<PlayerDeclaration>> {
    let players = tables.iter_mut();
    let compiled = players.map(|(name, table)| {
        let path = document.at("players").at(name);
        player(name, table, &path, folders)
    });
    compiled.collect()
}

fn player(
    name: &str,
    table: &mut PlayerTable,
    path: &KeyPath,
    folders: &[PathBuf],
) -> Checked<PlayerDeclaration> {
    check_name(name, path)?;
    check_argv("run", &table.run, path)?;
    let program = DeclaredProgram {
        argv: table.run.clone(),
        folders: folders.to_vec(),
        files: Vec::new(),
        version: table.version.clone(),
        patience: silence(table.patience),
    };
    let identity = (&*table.files, &table.hashes);
    // One that is not there loses its matches.
    let may_miss = table.faults == PlayerFaults::Lose;
    let program = identified(program, "run", identity, path, may_miss)?;
    table.patience = program.patience.as_secs_f64();
    table.hashes = Some(hashes(&program));
    let (go, written) = budget(&table.go).ok_or_else(|| {
        let problem = path.at("go").mismatch("`nodes`, `nodes N` or `depth N`");
        problem.help("a time limit would make results depend on the clock")
    })?;
    table.go = written;
    Ok(PlayerDeclaration {
        program,
        go,
        loses: table.faults == PlayerFaults::Lose,
        name: name.to_owned(),
    })
}

/// `nodes`, `nodes 500` or `depth 6`, and its usual spelling.
fn budget(text: &str) -> Option<(Go, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |text: &str| text.replace('_', "").parse().ok().filter(|&n: &u64| n > 0);
    Some(match words.as_slice() {
        ["nodes"] => (Go::Nodes, "nodes".to_owned()),
        ["nodes", count] => {
            let count = number(count)?;
            (Go::FixedNodes(count), format!("nodes {count}"))
        }
        ["depth", count] => {
            let count = number(count)?;
            (Go::Depth(count), format!("depth {count}"))
        }
        _ => return None,
    })
}
