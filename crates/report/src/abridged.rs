//! Cuts a wide sweep to the size of a page. The tables have all of it.

use std::collections::HashSet;

use super::cells::{MOST_CELLS, Sweep};
use super::results::Results;

/// Returns the results of the first cells alone, and a sentence about the others; `None` if all are shown.
pub(super) fn abridged(results: &Results) -> Option<(Results, String)> {
    let cells = results.cells();
    if cells.len() <= MOST_CELLS {
        return None;
    }
    let shown: HashSet<&str> = cells[..MOST_CELLS].iter().copied().collect();
    let mut short = results.clone();
    macro_rules! keep_shown {
        ($($table:ident)*) => {
            $( short.$table.retain(|row| shown.contains(row.cell.as_str())); )*
        };
    }
    keep_shown!(summary histograms truths variance elo weights purses);
    short.claims.truncate(MOST_CELLS);
    short.pairs.truncate(MOST_CELLS);
    // Labels may name other cells, values are those that are shown.
    short.sweep.axes = Sweep::of(results.config.sweep.keys(), &short.summary).axes;
    let all = cells.len();
    let note = format!(
        "The first {MOST_CELLS} of {all} cells are shown; summary.csv has all of them, \
         claims.csv all claims, and pairs.csv the differences from the first cell."
    );
    Some((short, note))
}
