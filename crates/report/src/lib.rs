#![doc = include_str!("../README.md")]

mod abridged;
mod answer;
mod cautions;
mod cells;
mod compare;
mod contents;
mod export;
mod figures;
mod fit;
mod format;
mod html;
pub mod plot;
mod proof;
mod race;
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
pub use compare::{ComparedMetric, compare};
pub use export::{Export, ExportedFigure};
pub use figures::Figure;
pub use fit::{cut, fitted, folded};
pub use format::{
    count, counted, duration, level_text, of_difference, paragraphs, quantity, sentence, with_unit,
};
pub use html::{ClaimCard, Site, StatedPage, TitledLines, to_html, to_site};
pub use proof::{LayerAudit, StatedProof};
pub use race::{
    ComparedSpeeds, RaceResults, SpeedTable, compared, compared_sheet, conclusion, speed_text,
};
pub use results::Results;
pub use sheet::{Sheet, SheetColumn, SheetText};
pub use text::{TextStyle, to_text};
