//! `tallies.csv`: the sums of an archived run's blocks, of which its tables can be made anew without drawing.
//!
//! Its first two lines and its rows are those of a journal. A row holds the sum of the blocks before it and up to the
//! last of `samples` samples of each cell, at growing numbers of them: all but the last row that of the first cell
//! alone, the last one that of all cells and pairs.

use std::path::Path;
use std::sync::Arc;

use super::Lines;
use base::Failure;
use base::files;

use super::error::{AtPath, mismatch};
use super::journal::{HEADER, JournalRow, JournalSchema};
use crate::run::{Block, BlockTally, Look, RunTallies};

/// The file of the sums.
pub(crate) const TALLIES: &str = "tallies.csv";

/// The text of the file.
pub(crate) fn tallies_csv(tallies: &RunTallies, schema: &JournalSchema) -> String {
    let before = tallies
        .looks
        .split_last()
        .map_or(&[][..], |(_, before)| before);
    let parts = before.iter().map(|look| (look.samples, &look.first_cell));
    let sums = parts.chain([(tallies.samples(), &tallies.total)]);
    let row = |(index, (samples, sum)): (u64, (u64, &BlockTally))| {
        let first = 0;
        let block = Block {
            index,
            first,
            samples,
        };
        JournalRow::new(block, None, &sum.encode_sum()).to_line(&schema.own.key)
    };
    let rows: String = (0..).zip(sums).map(row).collect();
    format!("{HEADER}{}{rows}", schema.to_line())
}

/// Reads the file of a run with so many samples of each cell.
///
/// # Errors
/// If it is not there, cannot be read, or holds sums that are damaged or cannot be those of the run.
pub(crate) fn read_tallies(
    path: &Path,
    schema: &Arc<JournalSchema>,
    samples: u64,
) -> Result<RunTallies, Failure> {
    let rows = read_rows(path, schema)?;
    let refuse = |reason: &str| mismatch(path, reason);
    let (last, before) = rows.split_last().ok_or_else(|| refuse("it has no rows"))?;
    let sum = |row: &JournalRow, is_part: bool| {
        let bytes = row.encoded(schema.longest_sum());
        let counts = (row.block.samples, is_part);
        bytes.and_then(|bytes| BlockTally::decode_sum(&bytes, &schema.compiled, counts))
    };
    let look = |row: &JournalRow| {
        let first_cell = sum(row, true)?;
        let samples = row.block.samples;
        Some(Look {
            samples,
            first_cell,
        })
    };
    let read = || {
        let total = sum(last, false)?;
        let mut looks: Vec<Look> = before.iter().map(look).collect::<Option<_>>()?;
        looks.push(Look {
            samples: last.block.samples,
            first_cell: total.first_cell(),
        });
        Some(RunTallies { total, looks })
    };
    let tallies = read().filter(|tallies| tallies.is_consistent());
    let tallies = tallies.ok_or_else(|| refuse("its sums are not possible"))?;
    if tallies.samples() != samples {
        let stored = tallies.samples();
        return Err(refuse(&format!(
            "it sums up {stored} samples of each cell, and blocks.csv has {samples}"
        )));
    }
    Ok(tallies)
}

/// The rows of the file.
fn read_rows(path: &Path, schema: &JournalSchema) -> Result<Vec<JournalRow>, Failure> {
    let mut lines = Lines::new(files::open(path).at(path)?, 0, schema.longest_sum());
    for expected in [HEADER.to_owned(), schema.to_line()] {
        if !lines.advance().at(path)? || lines.line != expected.as_bytes() {
            let reason = format!("line {} is not that of this experiment", lines.number);
            return Err(mismatch(path, reason));
        }
    }
    let mut rows = Vec::new();
    while lines.advance().at(path)? {
        let row = JournalRow::parse(&lines.line, &schema.own.key);
        let row = row.map_err(|reason| mismatch(path, format!("line {}: {reason}", lines.number)));
        rows.push(row?);
    }
    Ok(rows)
}
