//! Reports: what a run folder says, for people.
//!
//! Reads files only; whatever is shown is in the folder, so a report can be made anywhere and any
//! time after the run. Knows no game, no harness.

mod answer;
mod figures;
mod results;
mod text;

pub use answer::{AnswerError, splice};
pub use figures::{Figure, quantity};
pub use results::{ClaimRow, PairRow, ReadError, Results, SummaryRow};
pub use text::to_text;
