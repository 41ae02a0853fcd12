//! The tables of a run folder.

use crate::experiment::Experiment;
use crate::run::{ClaimOutcome, CompiledExperiment, KnownTruth, Outcome, known_truths};

use super::claims::claims_table;
use super::elo::elo_table;
use super::histograms::histograms_table;
use super::metrics::metrics_table;
use super::pairs::pairs_table;
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

/// Every table of an experiment's outcome. `stop_reason` says why sampling stopped.
pub fn outcome_tables(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
) -> Vec<Table> {
    let known = known_truths(compiled, outcome);
    tables(experiment, compiled, outcome, claims, stop_reason, &known)
}

/// Returns the tables without the exact values of tasks, which may take long to count.
pub fn sampled_tables(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
) -> Vec<Table> {
    tables(experiment, compiled, outcome, claims, stop_reason, &[])
}

fn tables(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
    known: &[KnownTruth],
) -> Vec<Table> {
    let given = |has_rows: bool, table: &dyn Fn() -> Table| has_rows.then(table);
    let always = [
        metrics_table(experiment),
        summary_table(experiment, outcome, stop_reason),
        histograms_table(experiment, &outcome.tally),
    ];
    let optional = [
        given(!experiment.claims.is_empty(), &|| {
            claims_table(experiment, claims)
        }),
        given(!compiled.pairs().is_empty(), &|| {
            pairs_table(experiment, &outcome.pairs)
        }),
        given(!known.is_empty(), &|| {
            truths_table(experiment, outcome, known)
        }),
        variance_table(experiment, compiled, outcome),
        elo_table(experiment, outcome, stop_reason),
        ratings_table(experiment, compiled, outcome, stop_reason),
        weights_table(experiment, outcome),
        purses_table(experiment, outcome),
    ];
    always
        .into_iter()
        .chain(optional.into_iter().flatten())
        .collect()
}
