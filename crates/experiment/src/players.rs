//! `[players.NAME]`: players in other programs.

use std::path::PathBuf;

use indexmap::IndexMap;
use task::outside::{DeclaredProgram, Go, PlayerDeclaration};

use super::declared::{check_argv, check_name, hashes, identified, silence};
use super::document::{Document, KeyPath};
use super::error::Checked;
use super::{PlayerFaults, PlayerTable};

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
    let identity = (
        &*table.files,
        table.proven.as_ref().or(table.hashes.as_ref()),
    );
    // One that is not there loses its matches.
    let may_miss = table.faults == PlayerFaults::Lose;
    let program = identified(program, "run", identity, path, may_miss)?;
    table.patience = program.patience.as_secs_f64();
    table.hashes.get_or_insert_with(|| hashes(&program));
    let go = go(&table.go).ok_or_else(|| {
        let problem = path.at("go").mismatch("`nodes`, `nodes N` or `depth N`");
        problem.help("a time limit would make results depend on the clock")
    })?;
    table.go = go.to_string();
    Ok(PlayerDeclaration {
        program,
        go,
        loses: table.faults == PlayerFaults::Lose,
        name: name.to_owned(),
    })
}

/// The budget that a text means: `nodes`, `nodes 500` or `depth 6`.
fn go(text: &str) -> Option<Go> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |text: &str| text.replace('_', "").parse().ok().filter(|&n: &u64| n > 0);
    match words.as_slice() {
        ["nodes"] => Some(Go::Nodes),
        ["nodes", count] => number(count).map(Go::FixedNodes),
        ["depth", count] => number(count).map(Go::Depth),
        _ => None,
    }
}
