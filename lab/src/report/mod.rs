//! Reports: what a run folder says, for people.
//!
//! Reads files only. Everything shown is in the folder, so a report can be made anywhere and at
//! any time after the run. Knows no game and no harness.

mod abridged;
mod answer;
mod cells;
mod figures;
mod fit;
mod format;
mod html;
mod markdown;
mod money;
pub mod plot;
mod results;
mod rows;
#[cfg(test)]
mod sample;
mod sheet;
mod text;
mod verdicts;

pub use answer::{AnswerError, filled};
pub use cells::{ReportAxis, Sweep};
pub use figures::Figure;
pub use fit::{fitted, folded};
pub use format::{count, counted, level_text, of_difference, quantity, with_unit};
pub use html::{Site, to_html, to_site};
pub use markdown::{MarkerError, splice_markdown};
pub use results::{Header, ReadError, Results, WagerFigures};
pub use rows::{
    ClaimRow, ConvergenceRow, CumulativeRow, EloRow, HistogramRow, MetricRow, PairRow, PointRow,
    RatingRow, RatioRow, SummaryRow, TruthRow, VarianceRow, WeightRow,
};
pub use text::to_text;
