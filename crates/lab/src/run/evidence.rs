//! The samples that estimates are made from.

use stats::Confidence;

use super::compiled_experiment::CompiledExperiment;
use super::tally::BlockTally;

/// The tally of an experiment's samples, and the confidence to estimate with.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'run> {
    pub compiled: &'run CompiledExperiment,
    pub tally: &'run BlockTally,
    pub confidence: Confidence,
}

impl Evidence<'_> {
    /// The evidence of these samples with another confidence.
    pub fn with(self, confidence: Confidence) -> Self {
        Self { confidence, ..self }
    }
}
