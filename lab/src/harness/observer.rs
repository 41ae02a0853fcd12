//! The reports of a run to an observer.

use super::tally::BlockTally;

/// The progress of a run. Counts samples of this shard.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'run> {
    /// Samples finished, those of an earlier run included.
    pub done: u64,
    /// The finished samples of an earlier run.
    pub resumed: u64,
    /// Samples planned.
    pub planned: u64,
    /// All finished samples, merged.
    pub tally: &'run BlockTally,
}

/// Watches a run. Every method may be left empty.
pub trait Observer {
    /// Called before the first block and after each merged block, in index order.
    fn progress(&mut self, progress: Progress<'_>) {
        let _ = progress;
    }

    /// The first request to stop was seen: blocks under way will be finished.
    fn draining(&mut self) {}

    /// The run has ended, however it did.
    fn ended(&mut self) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
