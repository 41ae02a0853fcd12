//! Reports: what a run folder says, for people.
//!
//! Reads files only; whatever is shown is in the folder, so a report can be made anywhere and any
//! time after the run. Knows no game, no harness.

mod answer;
mod figures;
mod html;
mod markdown;
pub mod plot;
mod results;
mod rows;
#[cfg(test)]
mod sample;
mod sheet;
mod text;

pub use answer::{AnswerError, splice};
pub use figures::{Figure, quantity};
pub use html::to_html;
pub use markdown::{MarkerError, splice_markdown};
pub use results::{Header, ReadError, Results};
pub use rows::{
    ClaimRow, ConvergenceRow, EloRow, HistogramRow, PairRow, RatingRow, SummaryRow, TruthRow,
    VarianceRow, WeightRow,
};
pub use text::to_text;
