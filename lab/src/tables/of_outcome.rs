//! The tables of a run folder.

use crate::experiment::Experiment;
use crate::run::{ClaimOutcome, CompiledExperiment, KnownTruth, Outcome, Tally, known_truths};
use crate::stats::Estimate;

use super::claims::claims_table;
use super::elo::elo_table;
use super::histograms::histograms_table;
use super::metrics::metrics_table;
use super::pairs::pairs_table;
use super::places::MetricPlace;
use super::purses::purses_table;
use super::ratings::ratings_table;
use super::summary::summary_table;
use super::table::Table;
use super::truths::truths_table;
use super::variance::variance_table;
use super::weights::weights_table;
use super::work::WORK_TABLES;

/// The tables that some runs have and others have not.
pub const OPTIONAL_TABLES: [&str; 11] = [
    "claims",
    "pairs",
    "truths",
    "variance",
    "elo",
    "ratings",
    "weights",
    "purses",
    WORK_TABLES[0],
    WORK_TABLES[1],
    WORK_TABLES[2],
];

/// Each table, in the order of the description; `None` where a run has no such table.
const TABLES: [fn(&RunFacts<'_>) -> Option<Table>; 11] = [
    metrics_table,
    summary_table,
    histograms_table,
    claims_table,
    pairs_table,
    truths_table,
    variance_table,
    elo_table,
    ratings_table,
    weights_table,
    purses_table,
];

/// An experiment and all that its run has found, of which tables are made.
pub(super) struct RunFacts<'run> {
    pub experiment: &'run Experiment,
    pub compiled: &'run CompiledExperiment,
    pub outcome: &'run Outcome,
    pub claims: &'run [ClaimOutcome],
    /// The exact values of tasks, as far as they are to be shown.
    pub truths: Vec<KnownTruth>,
    /// Why sampling stopped.
    pub stop_reason: &'run str,
}

impl<'run> RunFacts<'run> {
    /// Every metric of every cell, with its estimate and its tally.
    pub fn metrics(
        &self,
    ) -> impl Iterator<Item = (MetricPlace<'run>, &'run Estimate, &'run Tally)> {
        let (experiment, outcome) = (self.experiment, self.outcome);
        (0..experiment.cells.len()).flat_map(move |cell| {
            let found = outcome.cells[cell].iter().zip(outcome.tally.cell(cell));
            let place = move |metric| MetricPlace::new(experiment, cell, metric);
            (0..)
                .zip(found)
                .map(move |(metric, (estimate, tally))| (place(metric), estimate, tally))
        })
    }

    fn tables(&self) -> Vec<Table> {
        TABLES.iter().filter_map(|table| table(self)).collect()
    }
}

/// Every table of an experiment's outcome. `stop_reason` says why sampling stopped.
pub fn outcome_tables(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
) -> Vec<Table> {
    let truths = known_truths(compiled, outcome);
    let facts = RunFacts {
        experiment,
        compiled,
        outcome,
        claims,
        truths,
        stop_reason,
    };
    facts.tables()
}

/// Returns the tables of a run without claims, and without the exact values of tasks, which may take
/// long to count.
pub fn sampled_tables(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    outcome: &Outcome,
) -> Vec<Table> {
    let facts = RunFacts {
        experiment,
        compiled,
        outcome,
        claims: &[],
        truths: Vec::new(),
        stop_reason: "samples",
    };
    facts.tables()
}
