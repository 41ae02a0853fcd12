//! The page, the labels and the answer of an older run, from today's experiment file.

use indexmap::IndexMap;

use super::answer::filled;
use super::results::Results;
use crate::experiment::PageTable;

impl Results {
    /// The results with the page and the labels of this experiment file, where their own file has
    /// none, and with its answer, if all figures that it asks for are there: a folder may be older
    /// than its experiment's page.
    #[must_use]
    pub fn with_page_of(mut self, text: &str) -> Self {
        #[derive(serde::Deserialize)]
        struct Shown {
            page: Option<PageTable>,
            #[serde(default)]
            labels: IndexMap<String, String>,
            answer: Option<String>,
        }
        if let Ok(shown) = toml::from_str::<Shown>(text) {
            self.config.page = self.config.page.or(shown.page);
            if self.config.labels.is_empty() {
                self.config.labels = shown.labels;
            }
            let fits = |answer: &String| filled(answer, &self).is_ok();
            if let Some(answer) = shown.answer.filter(fits) {
                self.config.answer = Some(answer);
            }
        }
        self
    }
}
