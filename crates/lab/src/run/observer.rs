//! The reports of a run to an observer.

use experiment::Experiment;

use super::cell_limits::CellLimits;
use super::race::RatioWatch;
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
    /// The cells that draw no more.
    pub limits: &'run CellLimits,
    /// The times of a race so far.
    pub watch: Option<&'run RatioWatch<'run>>,
}

/// Watches a run and hears what a person may want to know. Every method may be left empty.
pub trait Observer {
    /// A remark in one sentence or more.
    fn note(&mut self, remark: &str) {
        let _ = remark;
    }

    /// A remark on something that is hardly meant, or went wrong and did no harm.
    fn warning(&mut self, remark: &str) {
        let _ = remark;
    }

    /// A contender of a race gave no answer to an instance.
    fn trouble(&mut self, told: &str) {
        let _ = told;
    }

    /// Other programs draw some samples twice, to check that they repeat.
    fn checking_repeatable(&mut self) {}

    /// Everything is checked and written for the first sample to be drawn.
    fn started(&mut self, experiment: &Experiment) {
        let _ = experiment;
    }

    /// Called before the first block and after each merged block, in index order.
    fn progress(&mut self, progress: Progress<'_>) {
        let _ = progress;
    }

    /// The first request to stop was seen: blocks under way will be finished.
    fn draining(&mut self) {}

    /// Exact values are worked out, to compare estimates with, which takes seconds.
    fn awaiting_truth(&mut self, values: &str) {
        let _ = values;
    }

    /// The run has ended, however it did.
    fn ended(&mut self) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
