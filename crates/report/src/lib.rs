#![doc = include_str!("../README.md")]

mod abridged;
mod answer;
mod cautions;
mod cells;
pub mod compare;
mod contents;
mod figures;
mod fit;
mod format;
mod html;
mod markdown;
pub mod plot;
mod proof;
mod results;
mod rows;
#[cfg(test)]
mod sample;
mod sheet;
mod text;
mod verdicts;

pub use answer::filled;
pub use cautions::leading_cautions;
pub use cells::{ReportAxis, Sweep};
pub use figures::Figure;
pub use fit::{cut, fitted, folded};
pub use format::{
    Outward, count, counted, level_text, of_difference, outward, paragraphs, quantity, sentence,
    with_unit,
};
pub use html::{ClaimCard, Site, StatedPage, TitledLines, to_html, to_site};
pub use markdown::{place_text, splice_markdown};
pub use proof::{LayerAudit, StatedProof};
pub use results::Results;
pub use sheet::{Sheet, SheetColumn, SheetText};
pub use text::{TextStyle, to_text};
