//! The tables of a run folder.

use super::facts::RunFacts;
use super::row::{Column, TableRow};
use super::samples::{SampleTable, own_columns};
use super::table::Table;
use super::{
    claims, convergence, elo, histograms, metrics, pairs, purses, race, ratings, repeats, summary,
    timings, truths, variance, weights,
};

/// The maker of a table; `None` where the run has none.
type Make = for<'run> fn(&'run RunFacts<'_>) -> Option<Table<'run>>;

/// A table of an outcome.
struct Listed {
    name: &'static str,
    columns: fn() -> Vec<Column>,
    /// True if some runs have it and others have not.
    is_optional: bool,
    make: Make,
}

impl Listed {
    const fn of<R: TableRow>(is_optional: bool, make: Make) -> Self {
        Self {
            name: R::TABLE,
            columns: R::columns,
            is_optional,
            make,
        }
    }
}

/// The tables of an outcome, in the order of the description.
const TABLES: [Listed; 12] = [
    Listed::of::<metrics::MetricRow>(false, metrics::table),
    Listed::of::<summary::SummaryRow>(false, summary::table),
    Listed::of::<histograms::HistogramRow>(false, histograms::table),
    Listed::of::<claims::ClaimRow>(true, claims::table),
    Listed::of::<pairs::PairRow>(true, pairs::table),
    Listed::of::<truths::TruthRow>(true, truths::table),
    Listed::of::<variance::VarianceRow>(true, variance::table),
    Listed::of::<elo::EloRow>(true, elo::table),
    Listed::of::<ratings::RatingRow>(true, ratings::table),
    Listed::of::<weights::WeightRow>(true, weights::table),
    Listed::of::<purses::PurseRow>(true, purses::table),
    Listed::of::<repeats::RepeatRow>(true, repeats::table),
];

/// Returns the names of the tables that some runs have and others have not.
pub(crate) fn optional_tables() -> impl Iterator<Item = &'static str> {
    let optional = TABLES.iter().filter(|table| table.is_optional);
    optional.map(|table| table.name)
}

/// Every table of a run's outcome.
pub fn outcome_tables<'run>(facts: &'run RunFacts<'_>) -> impl Iterator<Item = Table<'run>> {
    TABLES.iter().filter_map(|table| (table.make)(facts))
}

/// The columns that all runs share, by table: all but those of parameters and metrics.
pub fn standard_columns() -> impl Iterator<Item = (&'static str, Vec<Column>)> {
    fn of<R: TableRow>() -> (&'static str, Vec<Column>) {
        (R::TABLE, R::columns())
    }
    let others = [
        (SampleTable::NAME, own_columns(true)),
        of::<convergence::ConvergenceRow>(),
        of::<timings::TimingRow>(),
        of::<race::ClockRow>(),
        of::<race::SpeedRow>(),
        of::<race::GrowthRow>(),
        of::<race::BenchClaimRow>(),
    ];
    let tables = TABLES.iter().map(|table| (table.name, (table.columns)()));
    tables.chain(others)
}
