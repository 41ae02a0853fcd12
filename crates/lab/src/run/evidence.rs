//! The samples that estimates are made from.

use stats::Confidence;

use super::compiled_experiment::CompiledExperiment;
use super::tally::BlockTally;

/// The tally of an experiment's samples, and the confidence to estimate with.
#[derive(Clone, Copy)]
pub struct Evidence<'run> {
    /// The cells and their metrics.
    pub compiled: &'run CompiledExperiment,
    /// The tally.
    pub tally: &'run BlockTally,
    /// The confidence of intervals.
    pub confidence: Confidence,
}

impl Evidence<'_> {
    /// The evidence of these samples with another confidence.
    pub(crate) fn with(self, confidence: Confidence) -> Self {
        Self { confidence, ..self }
    }
}
