//! The tables of a run folder.

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
    make: for<'run> fn(&'run RunFacts<'_>) -> Option<Table<'run>>,
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

const fn every_run<R: TableRow>(
    make: for<'run> fn(&'run RunFacts<'_>) -> Option<Table<'run>>,
) -> TableOfRun {
    TableOfRun {
        name: R::TABLE,
        optional: false,
        make,
    }
}

const fn some_runs<R: TableRow>(
    make: for<'run> fn(&'run RunFacts<'_>) -> Option<Table<'run>>,
) -> TableOfRun {
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

/// Every table of a run's outcome.
pub fn outcome_tables<'run>(facts: &'run RunFacts<'_>) -> impl Iterator<Item = Table<'run>> {
    TABLES.iter().filter_map(|table| (table.make)(facts))
}
