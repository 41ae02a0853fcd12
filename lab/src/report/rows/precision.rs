//! The concentration of weights, as people read it.

use crate::report::format::{level_text, quantity};
use crate::stats::{Concentration, Level};
use crate::tables::WeightRow;

impl WeightRow {
    /// Returns whether an interval can be believed.
    pub fn is_trusted(&self) -> bool {
        self.trusted == "true"
    }

    /// The effective sample size: `12.3`.
    pub fn effective(&self) -> String {
        self.effective_n
            .map_or(String::new(), |size| format!("{size:.1}"))
    }

    /// The largest weight's share of the sum: `41.2 %`.
    pub fn share(&self) -> String {
        percent(self.largest_share)
    }

    /// The largest weight's share of the variance: `87.5 %`.
    pub fn spread(&self) -> String {
        percent(self.spread_share)
    }

    /// Describes the bound that the true value exceeds, with its level: `more than 2.04e15 (95 %)`.
    pub fn bound(&self) -> String {
        let bound = self.at_least.filter(|&bound| bound > 0.0);
        let said = bound.zip(self.at_least_level).map(|(bound, level)| {
            // Rounded down: more than 0.6 is not more than 1.
            let (digits, step) = match bound {
                ..10.0 if bound.fract() > 0.0 => (2, 0.01),
                _ => (0, 1.0),
            };
            let bound = quantity((bound / step).floor() * step, digits, &self.unit);
            format!("more than {bound} ({})", level_text(level))
        });
        said.unwrap_or_default()
    }

    /// Returns a warning if the estimate is not trusted.
    pub fn warning(&self) -> Option<String> {
        let (cell, metric) = (&self.cell, &self.metric);
        (!self.is_trusted()).then(|| format!("{cell}, {metric}: {}", self.reason()))
    }

    fn reason(&self) -> String {
        if self.looks_even() {
            return "this estimator can miss most of the mean even if its weights look even; \
                    use another"
                .to_owned();
        }
        let sample = match self.largest_share {
            Some(_) => format!(
                "an effective sample size of {}, and one of them makes {} of the variance",
                self.effective(),
                self.spread()
            ),
            None => "no sample has any".to_owned(),
        };
        format!(
            "the weights are too concentrated for an interval ({sample}); take more samples or \
             another estimator"
        )
    }

    /// Returns whether the sample alone is no reason not to trust it.
    fn looks_even(&self) -> bool {
        let level = self.at_least_level.and_then(Level::new);
        let sample = Concentration {
            n: self.n,
            effective_size: self.effective_n.unwrap_or(0.0),
            largest_share: self.largest_share,
            spread_share: self.spread_share,
        };
        level.is_some_and(|level| sample.allows(level))
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
}
