//! `[players.NAME]`: players in other programs.

use std::path::PathBuf;
use std::sync::Arc;

use toml::Spanned;

use crate::config::error::{Faults, Problem};
use crate::config::value;
use crate::config::wire::{Item, NamedTables, PlayerTable, TomlTable};
use crate::external::player::{ExternalPlayer, Go, PlayerDeclaration};

use super::declared::checked_name;
use super::{ProgramKeys, program};

/// Reads `[players.NAME]`, in file order.
pub fn players(
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
