#![doc = include_str!("../README.md")]

mod abridged;
mod answer;
mod cautions;
mod cells;
mod contents;
mod export;
mod format;
mod html;
mod pdf;
mod plot;
mod proof;
mod race;
mod report;
mod results;
mod rows;
#[cfg(test)]
#[path = "tests/sample.rs"]
mod sample;
mod sheet;
mod standing;
mod text;
mod verdicts;

pub use cautions::leading_cautions;
pub use export::{Export, ExportedFigure};
pub use html::{PageFigure, PlayableDeal, PlayableGame, ResultPage, to_html, to_site};
pub use pdf::PaperPdf;
pub use plot::PlotPoint;
pub use proof::{LayerAudit, StatedProof};
pub use race::{ComparedSpeeds, RaceResults, compared, compared_sheet, conclusion, speed_text};
pub use report::Report;
pub use results::Results;
pub use sheet::Sheet;
pub use text::{TextStyle, to_text};
