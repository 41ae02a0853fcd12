//! Estimates held against something: a source's claims, and what is known exactly.

use crate::report::figures::Figure;
use crate::report::format::{least_above, of_difference};
use crate::tables::{ClaimRow, TruthRow};

impl ClaimRow {
    /// The statistic as people read it.
    pub(in crate::report) fn figure(&self) -> Figure<'_> {
        Figure::of(&self.measured, self.shown_unit())
    }

    /// The unit that its figure is shown in.
    pub(in crate::report) fn shown_unit(&self) -> &str {
        if self.holds.starts_with("diff(") {
            of_difference(&self.unit)
        } else {
            &self.unit
        }
    }

    /// The estimate with its interval; of a claim that a published value agrees, with what is known of
    /// the difference.
    pub(in crate::report) fn phrase(&self) -> String {
        self.with_difference(self.figure().phrase())
    }

    /// A text with what is known of the difference from a published value, if the claim is about one:
    /// how large it may be, or how large it is.
    pub(in crate::report) fn with_difference(&self, text: String) -> String {
        let Some((lo, hi)) = self.difference_lo.zip(self.difference_hi) else {
            return text;
        };
        let unit = of_difference(&self.unit);
        if self.verdict == "agrees" {
            let most = least_above(lo.abs().max(hi.abs()), unit);
            return format!("{text}; a difference above {most} is excluded");
        }
        let difference = Figure::plain((lo + hi) / 2.0, Some((lo, hi)), unit).phrase();
        format!("{text}; the difference is {difference}")
    }

    /// Returns whether both rows are of one claim, tested in two places.
    pub fn is_of_claim(&self, other: &ClaimRow) -> bool {
        let claim = |row: &ClaimRow| [&row.source, &row.text, &row.holds].map(String::clone);
        claim(self) == claim(other)
    }
}

impl TruthRow {
    /// The estimate as people read it.
    pub(in crate::report) fn figure(&self) -> Figure<'_> {
        Figure::of(&self.estimate, &self.unit)
    }

    /// The exact value, as precise as the estimate beside it.
    pub fn exact(&self) -> String {
        self.truth
            .map_or(String::new(), |truth| self.figure().beside(truth))
    }

    /// Returns whether the interval covers it, in a word.
    pub fn verdict(&self) -> &'static str {
        match self.covered {
            Some(true) => "covered",
            Some(false) => "missed",
            None => "no interval",
        }
    }

    /// Returns the number of intervals that cover the exact value: `19 of 20 intervals cover them`.
    pub fn tally(rows: &[TruthRow]) -> String {
        let decided = rows.iter().filter_map(|row| row.covered);
        let covering = decided.clone().filter(|covered| *covered).count();
        match (covering, decided.count()) {
            (1, 1) => "the interval covers the exact value".to_owned(),
            (_, 1) => "the interval misses the exact value".to_owned(),
            (some, all) => format!("{some} of {all} intervals cover them"),
        }
    }
}
