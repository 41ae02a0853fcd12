//! How the estimates of an experiment settled as its samples came in.

use std::collections::BTreeMap;

use super::laboratory::Laboratory;
use super::outcome::estimates;
use super::plan::Plan;
use super::tally::BlockTally;
use crate::stats::{Confidence, Estimate, Interval};

/// Consecutive checkpoints are at least this factor apart in blocks: even steps on a logarithmic
/// axis, about twenty for a run of the usual size.
const STEP: f64 = 1.4;

/// The estimates after some of the blocks.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Samples so far.
    pub samples: u64,
    /// The estimate of every metric in the first cell.
    pub estimates: Vec<Estimate>,
    /// Its confidence sequence: the interval for someone who looks at every checkpoint and before;
    /// `None` of quantities without bounds.
    pub sequences: Vec<Option<Interval>>,
}

/// The first cell's estimates at growing numbers of blocks, in index order; the last checkpoint
/// has them all. Each interval is the one for a run that had stopped there, with `confidence`; the
/// sequences are those that someone with the confidence `watched` sees.
pub fn convergence(
    laboratory: &Laboratory,
    plan: &Plan,
    blocks: &BTreeMap<u64, BlockTally>,
    (confidence, watched): (Confidence, Confidence),
) -> Vec<Checkpoint> {
    let mut checkpoints = Vec::new();
    let mut tally = BlockTally::new(laboratory);
    let (mut samples, mut due) = (0, 1);
    for (count, (&index, block)) in (1..).zip(blocks) {
        tally.merge(block);
        samples += plan.block(index).samples;
        if count == due || count == blocks.len() {
            due = (count + 1).max((count as f64 * STEP).ceil() as usize);
            let seen = estimates(laboratory, &tally, 0, watched);
            checkpoints.push(Checkpoint {
                samples,
                estimates: estimates(laboratory, &tally, 0, confidence),
                sequences: seen.iter().map(|estimate| estimate.interval).collect(),
            });
        }
    }
    checkpoints
}
