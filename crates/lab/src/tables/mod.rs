//! The tables of a run folder, one file each: the row, which is written, read and described by one
//! declaration, and the function that makes the rows of an outcome.
//!
//! A table is a pure function of the experiment. Knows no game and no folder.

mod claims;
mod convergence;
mod elo;
mod estimate;
mod facts;
mod formula;
mod from_file;
mod histograms;
mod metric_in_cell;
mod metrics;
mod number;
mod of_outcome;
mod pairs;
mod purses;
mod race;
mod ratings;
mod record_fields;
mod repeats;
mod row;
mod samples;
mod summary;
mod table;
mod timings;
mod truths;
mod variance;
mod weights;

pub use claims::ClaimRow;
pub use convergence::ConvergenceRow;
pub(crate) use convergence::convergence;
pub use elo::EloRow;
pub use facts::RunFacts;
pub use formula::guarded;
pub use from_file::each_row;
pub(crate) use from_file::read_rows;
pub(crate) use from_file::read_whole_rows;
pub use histograms::HistogramRow;
pub use metrics::MetricRow;
pub use number::{Exact, exact, number};
pub(crate) use of_outcome::optional_tables;
pub use of_outcome::{outcome_tables, standard_columns};
pub use pairs::PairRow;
pub use purses::PurseRow;
pub use race::{BenchClaimRow, Comparison, GrowthRow, GrowthStatistic, SpeedRow, swept_series};
pub(crate) use race::{ClockRow, clock_table};
pub use ratings::{RatingMethod, RatingRow};
pub use record_fields::RecordFields;
pub use repeats::RepeatRow;
pub use row::{Column, ColumnKind, Keys, TableRow};
pub(crate) use row::{ColumnNames, RowValue};
pub(crate) use samples::SampleTable;
pub use summary::{CellParams, SummaryRow, read_summary};
pub use table::Table;
pub(crate) use timings::{TimingRow, Timings};
pub use truths::TruthRow;
pub use variance::VarianceRow;
pub use weights::WeightRow;
