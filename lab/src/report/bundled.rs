//! The page, the labels and the answer of an older run, from today's experiment file.

use super::answer::filled;
use super::results::Results;
use crate::experiment::ExperimentFile;

impl Results {
    /// The results with the page and the labels of this experiment file, where their own file has
    /// none, and with its answer, if all figures that it asks for are there: a folder may be older
    /// than its experiment's page.
    #[must_use]
    pub fn with_page_of(mut self, text: &str) -> Self {
        if let Ok(file) = ExperimentFile::read(text) {
            self.config.page = self.config.page.or(file.page);
            if self.config.labels.is_empty() {
                self.config.labels = file.labels;
            }
            let fits = |answer: &String| filled(answer, &self).is_ok();
            if let Some(answer) = file.answer.filter(fits) {
                self.config.answer = Some(answer);
            }
        }
        self
    }
}
