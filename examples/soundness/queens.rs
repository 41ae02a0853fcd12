//! Laws of queens. Its counter takes whole boards alone, so there are no positions in progress.

use super::{Findings, Law, Trial};
use kit::rng::{Stream, below};
use queens::bitmask::{count, tree_profile};

/// The laws.
pub static LAWS: [Law; 1] = [Law {
    name: "queens/tree",
    says: "A pruned count of a board up to 12 by 12 is the number of leaves of the tree without pruning, and lies within \
           twice and eight times the classes.",
    instances: 60,
    sample: 12,
    start: tree,
}];

fn tree() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let n = 4 + below(stream, 9) as usize;
        let counts = count(n);
        let leaves = tree_profile(n).get(n).copied();
        found.check(leaves == Some(counts.solutions), || {
            format!("n = {n}: {counts:?}, leaves {leaves:?}")
        });
        let classes = counts.fundamental;
        let fits = (2 * classes..=8 * classes).contains(&counts.solutions);
        found.check(fits, || format!("n = {n}: {counts:?}"));
    })
}
