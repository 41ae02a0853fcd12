//! The page on one result, as the templates show it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Citation;
use super::claims::ClaimCard;
use super::exhibit::Shown;
use super::gallery::{Gallery, Picture};
use super::played::ShownSample;
use figures::Sheet;
use figures::plot::Plot;
use lab::tables::MetricRow;

/// The page on the result of a run, a proof or a benchmark.
#[derive(Debug, Default, Serialize)]
pub struct ResultPage {
    /// The name of the experiment or its folder.
    pub name: String,
    /// The game that it is about.
    pub game: String,
    /// The question that it answers.
    pub question: String,
    /// The main number, or a few words, for the top.
    pub number: String,
    /// The sentence that goes with the number.
    pub sentence: String,
    /// The certainty of the number, in a line.
    pub certainty: String,
    /// Reasons to trust it less.
    pub cautions: Vec<String>,
    /// The origin of its samples, where that has a line of its own.
    pub seed: String,
    /// The assumptions; may be empty.
    pub assumes: String,
    /// The standing of a contest whose file has no page of its own.
    pub standing: Option<Sheet>,
    /// The answer with its figures; may be empty.
    pub answer: String,
    /// Paragraphs below the answer.
    pub notes: Vec<String>,
    /// Claims with their verdicts.
    pub claims: Vec<ClaimCard>,
    /// The explanation of these cards.
    pub claims_note: String,
    /// The verdict on each claim, those that are not shown included.
    pub verdicts: Vec<String>,
    /// The pictures, the first on top.
    pub pictures: Vec<Picture>,
    /// A sample that is shown step by step.
    pub exhibit: Option<Shown>,
    /// The tables; of a proof or a benchmark the first is on top where there is no picture.
    pub tables: Vec<Sheet>,
    /// The words for names in the tables: of cells, differences and metrics.
    pub labels: BTreeMap<String, String>,
    /// The meanings of the metrics in the first table.
    pub meanings: Vec<MetricRow>,
    /// Pictures below the tables.
    pub galleries: Vec<Gallery>,
    /// Names and their meanings: the way in which a run was measured.
    pub facts: Vec<(&'static str, String)>,
    /// The way in which another result was checked or measured: a title, and lines under it.
    pub how: (&'static str, Vec<String>),
    /// The commands that make it again and check it.
    pub commands: Vec<String>,
    /// The result as other works name it.
    pub cite: Citation,
    /// The text of the file that says what was run or proved.
    pub source: String,
    /// The sample that is shown step by step, as an experiment draws it.
    #[serde(skip)]
    pub shown: Option<ShownSample>,
    /// The number on the card of an index, where it is another than on top.
    #[serde(skip)]
    pub figure: String,
    /// The picture on the card of an index.
    #[serde(skip)]
    pub card: Option<Plot>,
    /// True if it stands among the first of a site.
    #[serde(skip)]
    pub featured: bool,
    /// True if it stands last, as it shows how other programs take part.
    #[serde(skip)]
    pub demonstration: bool,
}
