//! `[players.NAME]`: players in other programs.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::experiment::document::Document;
use crate::experiment::error::{Faults, Problem};
use crate::experiment::file::{PlayerFaults, PlayerTable};
use crate::programs::player::{ExternalPlayer, Go, PlayerDeclaration};

use super::{ProgramKeys, check_name, program};

/// Compiles `[players.NAME]`, in file order, and completes it.
pub fn compile_players(
    tables: &mut IndexMap<String, PlayerTable>,
    document: &Document,
    folders: &[PathBuf],
    faults: &mut Faults,
) -> Option<Vec<Arc<ExternalPlayer>>> {
    let players = tables.iter_mut();
    faults.keep_all(players.map(|(name, table)| player(name, table, document, folders)))
}

fn player(
    name: &str,
    table: &mut PlayerTable,
    document: &Document,
    folders: &[PathBuf],
) -> Result<Arc<ExternalPlayer>, Problem> {
    let path = format!("players.{name}");
    check_name(name, &path, document)?;
    let keys = ProgramKeys {
        path: &path,
        verb: "run",
        argv: &table.run,
        files: &table.files,
        hashes: &mut table.hashes,
        version: &table.version,
        patience: &mut table.patience,
    };
    let program = program(keys, document, folders)?;
    let (go, written) = go(&table.go).ok_or_else(|| {
        document
            .mismatch(&format!("{path}.go"), "`nodes`, `nodes N` or `depth N`")
            .help("a time limit would make results depend on the clock")
    })?;
    table.go = written;
    Ok(Arc::new(ExternalPlayer::new(PlayerDeclaration {
        program,
        go,
        loses: table.faults == PlayerFaults::Lose,
        name: name.to_owned(),
    })))
}

/// `nodes`, `nodes 500` or `depth 6`, and its usual spelling.
fn go(text: &str) -> Option<(Go, String)> {
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
