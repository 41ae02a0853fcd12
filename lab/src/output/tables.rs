//! The tables of a run folder.

use crate::config::Experiment;
use crate::harness::{ClaimOutcome, Laboratory, Outcome, known_truths};

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

/// The tables that every run has.
const FIRST: usize = 3;

/// Every table of an experiment's outcome. `stop_reason` says why sampling stopped.
pub fn outcome_tables(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
) -> Vec<Table> {
    let known = known_truths(laboratory, outcome);
    let mut tables = sampled_tables(experiment, laboratory, outcome, claims, stop_reason);
    if !known.is_empty() {
        let after = tables.iter().position(|table| table.name() == "pairs");
        let after = after.or(tables.iter().position(|table| table.name() == "claims"));
        let place = after.map_or(FIRST, |place| place + 1);
        tables.insert(place, truths_table(experiment, outcome, &known));
    }
    tables
}

/// Returns the tables without the exact values of tasks, which may take long to count.
pub fn sampled_tables(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
) -> Vec<Table> {
    let mut tables = vec![
        metrics_table(experiment),
        summary_table(experiment, outcome, stop_reason),
        histograms_table(experiment, &outcome.tally),
    ];
    if !experiment.claims.is_empty() {
        tables.push(claims_table(experiment, claims));
    }
    if !laboratory.pairs().is_empty() {
        tables.push(pairs_table(experiment, &outcome.pairs));
    }
    tables.extend(variance_table(experiment, laboratory, outcome));
    tables.extend(elo_table(experiment, outcome, stop_reason));
    tables.extend(ratings_table(experiment, laboratory, outcome, stop_reason));
    tables.extend(weights_table(experiment, outcome));
    tables.extend(purses_table(experiment, outcome));
    tables
}
