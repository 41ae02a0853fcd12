//! The convergence of an experiment's estimates as its samples arrived.

use super::compiled_experiment::CompiledExperiment;
use super::evidence::Evidence;
use super::tally::BlockTally;
use stats::{Confidence, Estimate, Interval};

/// Consecutive checkpoints are two of these factors apart in blocks, so the number of blocks about
/// doubles: ten checkpoints for a run of the usual size, evenly spaced on a logarithmic axis.
const STEP: f64 = 1.4;

/// The estimates after some of the blocks.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Samples so far.
    pub samples: u64,
    /// The estimate of every metric in the first cell.
    pub estimates: Vec<Estimate>,
    /// The confidence sequence of each estimate: the interval for someone who looks at every checkpoint and before;
    /// `None` of quantities without bounds.
    pub sequences: Vec<Option<Interval>>,
}

/// Watches the first cell's estimates at growing numbers of blocks, which come in index order.
pub struct Convergence<'run> {
    compiled: &'run CompiledExperiment,
    confidence: Confidence,
    watched: Confidence,
    blocks: u64,
    count: u64,
    due: u64,
    samples: u64,
    checkpoints: Vec<Checkpoint>,
}

impl<'run> Convergence<'run> {
    /// The convergence over so many blocks; the last checkpoint has them all. Each interval is the
    /// one for a run that had stopped there, with `confidence`; the sequences are those that
    /// someone with the confidence `watched` sees.
    pub fn new(
        compiled: &'run CompiledExperiment,
        blocks: u64,
        (confidence, watched): (Confidence, Confidence),
    ) -> Self {
        Self {
            compiled,
            confidence,
            watched,
            blocks,
            count: 0,
            due: 1,
            samples: 0,
            checkpoints: Vec::new(),
        }
    }

    /// The next block has `samples` samples; `tally` is the sum of all blocks so far, of the first cell at least.
    pub fn push(&mut self, samples: u64, tally: &BlockTally) {
        self.count += 1;
        self.samples += samples;
        if self.count != self.due && self.count != self.blocks {
            return;
        }
        self.due = later(later(self.count));
        let evidence = Evidence {
            compiled: self.compiled,
            tally,
            confidence: self.confidence,
        };
        let seen = evidence.with(self.watched).estimates(0);
        self.checkpoints.push(Checkpoint {
            samples: self.samples,
            estimates: evidence.estimates(0),
            sequences: seen.iter().map(|estimate| estimate.interval).collect(),
        });
    }

    /// The checkpoints.
    pub fn into_checkpoints(self) -> Vec<Checkpoint> {
        self.checkpoints
    }
}

/// The number of blocks that is a step on from another.
fn later(count: u64) -> u64 {
    (count as f64 * STEP).ceil() as u64
}
