//! The tables of a run folder.

use crate::experiment::Experiment;
use crate::run::{ClaimOutcome, CompiledExperiment, Outcome, known_truths};

use super::facts::RunFacts;
use super::row::TableRow;
use super::table::Table;
use super::{
    claims, elo, histograms, metrics, pairs, purses, ratings, repeats, summary, truths, variance,
    weights,
};

/// A table of a run folder.
struct TableOfRun {
    /// The file's name without `.csv`.
    name: &'static str,
    /// True if some runs have it and others have not.
    optional: bool,
    make: fn(&RunFacts<'_>) -> Option<Table>,
}

/// The tables of an outcome, in the order of the description.
const TABLES: [TableOfRun; 12] = [
    every_run::<metrics::MetricRow>(metrics::table),
    every_run::<summary::SummaryRow>(summary::table),
    every_run::<histograms::HistogramRow>(histograms::table),
    some_runs::<claims::ClaimRow>(claims::table),
    some_runs::<pairs::PairRow>(pairs::table),
    some_runs::<truths::TruthRow>(truths::table),
    some_runs::<variance::VarianceRow>(variance::table),
    some_runs::<elo::EloRow>(elo::table),
    some_runs::<ratings::RatingRow>(ratings::table),
    some_runs::<weights::WeightRow>(weights::table),
    some_runs::<purses::PurseRow>(purses::table),
    some_runs::<repeats::RepeatRow>(repeats::table),
];

const fn every_run<R: TableRow>(make: fn(&RunFacts<'_>) -> Option<Table>) -> TableOfRun {
    TableOfRun {
        name: R::TABLE,
        optional: false,
        make,
    }
}

const fn some_runs<R: TableRow>(make: fn(&RunFacts<'_>) -> Option<Table>) -> TableOfRun {
    TableOfRun {
        optional: true,
        ..every_run::<R>(make)
    }
}

/// Returns the names of the tables that some runs have and others have not.
pub fn optional_tables() -> impl Iterator<Item = &'static str> {
    let optional = TABLES.iter().filter(|table| table.optional);
    optional.map(|table| table.name)
}

fn tables(facts: RunFacts<'_>) -> impl Iterator<Item = Table> {
    TABLES.iter().filter_map(move |table| (table.make)(&facts))
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
