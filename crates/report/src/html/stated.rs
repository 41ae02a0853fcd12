//! A page that states one result: of a proof, or of a benchmark.

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use super::boards::address;
use super::claims::ClaimCard;
use super::section::Shown;
use super::{environment, filled};
use figures::Sheet;
use figures::plot::Plot;

/// A page that states one result.
#[derive(Debug, Default, Serialize)]
pub struct StatedPage {
    /// The name of its folder.
    pub name: String,
    /// The game that it is about.
    pub game: String,
    /// The question that it answers.
    pub question: String,
    /// The main number of the proof, or a few words, for the top and the index.
    pub number: String,
    /// The sentence that goes with the number.
    pub statement: String,
    /// The certainty of the number, in a line.
    pub certainty: String,
    /// Reasons to trust it less.
    pub cautions: Vec<String>,
    /// Paragraphs below the first picture.
    pub notes: Vec<String>,
    /// Claims with their verdicts.
    pub claims: Vec<ClaimCard>,
    /// The pictures, the first on top.
    pub pictures: Vec<Plot>,
    /// The picture on a card of an index; `None` where the first will do.
    #[serde(skip)]
    pub card: Option<Plot>,
    /// A sample that is shown step by step.
    pub exhibit: Option<Shown>,
    /// The tables; the first is on top where there is no picture.
    pub tables: Vec<Sheet>,
    /// The way in which it was checked or measured.
    pub how: TitledLines,
    /// The commands that make it again.
    pub commands: Vec<String>,
    /// True if it stands among the first of a site.
    pub featured: bool,
    /// The text of the file that says what was proved or measured.
    pub source: String,
}

/// Lines under a title.
#[derive(Debug, Default, Serialize)]
pub struct TitledLines {
    /// The title.
    pub title: &'static str,
    /// The lines.
    pub lines: Vec<String>,
}

impl StatedPage {
    /// The page alone.
    ///
    /// # Errors
    /// If the template cannot be filled, which no page should cause.
    pub fn to_html(&self) -> Result<String, minijinja::Error> {
        self.fill(&environment(Vec::new(), &[]), None)
    }

    /// The page, with a link to its index.
    pub(super) fn fill(
        &self,
        environment: &Environment<'_>,
        home: Option<&str>,
    ) -> Result<String, minijinja::Error> {
        let (page, file) = (
            Value::from(Serde(self)),
            address("text/plain", &self.source),
        );
        filled(environment, "stated.html", context! { page, home, file })
    }
}
