//! The tables of a run folder.

use crate::experiment::Experiment;
use crate::run::{ClaimOutcome, CompiledExperiment, Outcome, known_truths};

use super::facts::RunFacts;
use super::table::Table;
use super::{
    claims, elo, histograms, metrics, pairs, purses, ratings, repeats, summary, truths, variance,
    weights,
};

/// The tables that some runs have and others have not.
pub const OPTIONAL_TABLES: [&str; 9] = [
    "claims", "pairs", "truths", "variance", "elo", "ratings", "weights", "purses", "repeats",
];

/// Each table, in the order of the description; `None` where a run has no such table.
const TABLES: [fn(&RunFacts<'_>) -> Option<Table>; 12] = [
    metrics::table,
    summary::table,
    histograms::table,
    claims::table,
    pairs::table,
    truths::table,
    variance::table,
    elo::table,
    ratings::table,
    weights::table,
    purses::table,
    repeats::table,
];

fn tables(facts: RunFacts<'_>) -> impl Iterator<Item = Table> {
    TABLES.iter().filter_map(move |table| table(&facts))
}

/// Every table of an experiment's outcome, made one by one: of a wide sweep they are large.
/// `stop_reason` says why sampling stopped.
pub fn outcome_tables<'run>(
    experiment: &'run Experiment,
    compiled: &'run CompiledExperiment,
    outcome: &'run Outcome,
    claims: &'run [ClaimOutcome],
    stop_reason: &'run str,
) -> impl Iterator<Item = Table> + 'run {
    let truths = known_truths(compiled, outcome);
    let facts = RunFacts {
        experiment,
        compiled,
        outcome,
        claims,
        truths,
        stop_reason,
    };
    tables(facts)
}

/// Returns the tables of a run without claims, and without the exact values of tasks, which may take
/// long to count.
pub fn sampled_tables<'run>(
    experiment: &'run Experiment,
    compiled: &'run CompiledExperiment,
    outcome: &'run Outcome,
) -> impl Iterator<Item = Table> + 'run {
    let facts = RunFacts {
        experiment,
        compiled,
        outcome,
        claims: &[],
        truths: Vec::new(),
        stop_reason: "samples",
    };
    tables(facts)
}
