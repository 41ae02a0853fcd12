//! The rows of a run folder's tables, field by field.

mod checks;
mod estimates;
mod fields;
mod matches;
mod precision;
mod purses;
mod work;

pub use checks::{ClaimRow, TruthRow};
pub use estimates::{ConvergenceRow, HistogramRow, MetricRow, PairRow, SummaryRow};
pub use matches::{EloRow, RatingRow};
pub use precision::{VarianceRow, WeightRow};
pub use purses::PurseRow;
pub use work::{CumulativeRow, PointRow, RatioRow};

pub(super) use fields::RecordFields;
