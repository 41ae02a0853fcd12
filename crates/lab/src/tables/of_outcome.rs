//! The tables of a run folder.

use super::facts::RunFacts;
use super::row::TableRow;
use super::table::Table;
use super::{
    claims, elo, histograms, metrics, pairs, purses, ratings, repeats, summary, truths, variance,
    weights,
};

/// The maker of a table; `None` where the run has none.
type Make = for<'run> fn(&'run RunFacts<'_>) -> Option<Table<'run>>;

/// The tables of an outcome, in the order of the description: the name of the file without `.csv`, true if
/// some runs have it and others have not, and the maker.
const TABLES: [(&str, bool, Make); 12] = [
    (metrics::MetricRow::TABLE, false, metrics::table),
    (summary::SummaryRow::TABLE, false, summary::table),
    (histograms::HistogramRow::TABLE, false, histograms::table),
    (claims::ClaimRow::TABLE, true, claims::table),
    (pairs::PairRow::TABLE, true, pairs::table),
    (truths::TruthRow::TABLE, true, truths::table),
    (variance::VarianceRow::TABLE, true, variance::table),
    (elo::EloRow::TABLE, true, elo::table),
    (ratings::RatingRow::TABLE, true, ratings::table),
    (weights::WeightRow::TABLE, true, weights::table),
    (purses::PurseRow::TABLE, true, purses::table),
    (repeats::RepeatRow::TABLE, true, repeats::table),
];

/// Returns the names of the tables that some runs have and others have not.
pub fn optional_tables() -> impl Iterator<Item = &'static str> {
    let optional = TABLES.iter().filter(|(_, is_optional, _)| *is_optional);
    optional.map(|(name, ..)| *name)
}

/// Every table of a run's outcome.
pub fn outcome_tables<'run>(facts: &'run RunFacts<'_>) -> impl Iterator<Item = Table<'run>> {
    TABLES.iter().filter_map(|(.., make)| make(facts))
}
