//! Differences and ratios as people read them.

use crate::report::figures::Figure;
use crate::report::format::of_difference;
use crate::stats::Estimate;
use crate::tables::{PairRow, RatioRow};

impl PairRow {
    /// The difference as people read it.
    pub(in crate::report) fn figure(&self) -> Figure<'_> {
        Figure::of(&self.estimate, of_difference(&self.unit))
    }
}

impl RatioRow {
    /// The geometric mean of the ratio as people read it.
    pub(in crate::report) fn figure(&self) -> Figure<'_> {
        let estimate = Estimate {
            n: self.n,
            value: self.ratio,
            interval: self.interval,
            ..Estimate::default()
        };
        Figure::of(&estimate, "times")
    }
}
