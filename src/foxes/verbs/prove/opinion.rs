//! A second opinion on a finished proof: random positions judged by another engine.

use std::path::Path;

use super::{broken, integers, not_proved};
use crate::foxes::proof::{CheckFinding, ProofTables, check};
use base::Failure;
use foxes::notation::write_position;
use foxes::rules::Rules;
use task::Console;

/// Positions judged between two looks at whether to go on.
const ROUND: u64 = 20_000;

pub(super) fn examine(
    folder: &Path,
    rules: &Rules,
    seed: u64,
    count: u64,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    let tables = ProofTables::open(folder).map_err(broken)?;
    // The board is that of the folder, like the hens that may be lost.
    let rules = Rules {
        board: tables.terms().board(),
        ..*rules
    };
    tables.check_rules(&rules).map_err(not_proved)?;
    let mut finding = CheckFinding::default();
    console.stop_when_asked();
    while finding.positions < count {
        let round = finding.positions..count.min(finding.positions + ROUND);
        finding.add(check(&tables, seed, round).map_err(broken)?);
        if console.is_interrupted() {
            console.note("interrupted: the rest is not judged");
            break;
        }
    }
    tables.keep(seed, &finding).map_err(broken)?;
    console.columns(&["seed", "positions", "won", "wrong"]);
    let counts = [
        seed,
        finding.positions,
        finding.won,
        finding.wrong.len() as u64,
    ];
    console.row(&integers(counts));
    match finding.wrong.first() {
        None => Ok(()),
        Some(position) => Err(Failure::failed(format!(
            "the tables are wrong about {}",
            write_position(position, tables.terms().board())
        ))
        .with_help("prove the layers again in a new folder, and report this")),
    }
}
