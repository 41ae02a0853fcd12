//! The page on one result, as the templates show it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Citation;
use super::claims::ClaimCard;
use super::exhibit::Shown;
use super::gallery::{Gallery, Picture};
use super::played::ShownSample;
use crate::plot::Plot;
use crate::sheet::Sheet;
use lab::tables::MetricRow;

/// The page on the result of a run, a proof or a benchmark.
#[derive(Debug, Default, Serialize)]
pub struct ResultPage {
    /// The name of the experiment or its folder.
    pub name: String,
    /// The name of the folder of a run.
    pub(crate) folder: String,
    /// The game that it is about.
    pub(crate) game: String,
    /// The question that it answers.
    pub(crate) question: String,
    /// The main number, or a few words, for the top.
    pub(crate) number: String,
    /// The sentence that goes with the number.
    pub(crate) sentence: String,
    /// The certainty of the number, in a line.
    pub(crate) certainty: String,
    /// Reasons to trust it less.
    pub(crate) cautions: Vec<String>,
    /// The origin of its samples, where that has a line of its own.
    pub(crate) seed: String,
    /// The assumptions; may be empty.
    pub(crate) assumes: String,
    /// The standing of a contest whose file has no page of its own.
    pub(crate) standing: Option<Sheet>,
    /// The answer with its figures; may be empty.
    pub(crate) answer: String,
    /// Paragraphs below the answer.
    pub(crate) notes: Vec<String>,
    /// Claims with their verdicts.
    pub(crate) claims: Vec<ClaimCard>,
    /// The explanation of these cards.
    pub(crate) claims_note: String,
    /// The verdict on each claim, those that are not shown included.
    pub(crate) verdicts: Vec<String>,
    /// The pictures, the first on top.
    pub(crate) pictures: Vec<Picture>,
    /// A sample that is shown step by step.
    pub(crate) exhibit: Option<Shown>,
    /// The tables; of a proof or a benchmark the first is on top where there is no picture.
    pub(crate) tables: Vec<Sheet>,
    /// The words for names in the tables: of cells, differences and metrics.
    pub(crate) labels: BTreeMap<String, String>,
    /// The meanings of the metrics in the first table.
    pub(crate) meanings: Vec<MetricRow>,
    /// Pictures below the tables.
    pub(crate) galleries: Vec<Gallery>,
    /// Names and their meanings: the way in which a run was measured.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// The way in which another result was checked or measured: a title, and lines under it.
    pub(crate) how: (&'static str, Vec<String>),
    /// The commands that make it again and check it.
    pub(crate) commands: Vec<String>,
    /// The result as other works name it.
    pub(crate) cite: Citation,
    /// The text of the file that says what was run or proved.
    pub(crate) source: String,
    /// The sample that is shown step by step, as an experiment draws it.
    #[serde(skip)]
    pub(crate) shown: Option<ShownSample>,
    /// The number on the card of an index, where it is another than on top.
    #[serde(skip)]
    pub(crate) figure: String,
    /// The picture on the card of an index.
    #[serde(skip)]
    pub(crate) card: Option<Plot>,
    /// True if it stands among the first of a site.
    #[serde(skip)]
    pub(crate) featured: bool,
    /// True if it stands last, as it shows how other programs take part.
    #[serde(skip)]
    pub(crate) demonstration: bool,
}
