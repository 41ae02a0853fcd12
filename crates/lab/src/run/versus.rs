//! A run against another: the difference of two estimates that do not come from pairs.
//!
//! Each estimate keeps its own method. If either run was stopped by its samples, both intervals
//! are made to hold at once, and the difference lies anywhere within them. It is only as valid as
//! the weaker of the two.

use stats::{Dependence, Estimate, Level, Looks, subtracted};

use super::evidence::Evidence;

/// The measurement of a metric in a cell by one run.
#[derive(Clone, Copy)]
pub enum Measured<'run> {
    /// All that was counted, from which an interval can be made at any level.
    Counted {
        /// The samples of the run, with its confidence.
        evidence: Evidence<'run>,
        /// The cell's number and the metric's place among the task's.
        place: (usize, usize),
    },
    /// The estimate as it was written, at its own level.
    Stated {
        /// The estimate.
        estimate: Estimate,
        /// The looks at the run's samples.
        looks: Looks,
    },
}

impl Measured<'_> {
    fn at(&self, level: Level) -> Estimate {
        match *self {
            Measured::Stated { estimate, .. } => estimate,
            Measured::Counted { evidence, place } => {
                let confidence = evidence.confidence.at(level);
                evidence.with(confidence).estimate_of(place)
            }
        }
    }

    fn is_watched(&self) -> bool {
        let looks = match self {
            Measured::Stated { looks, .. } => *looks,
            Measured::Counted { evidence, .. } => evidence.confidence.looks,
        };
        matches!(looks, Looks::Many { .. })
    }
}

/// `first - second` with the interval that both estimates allow. `independent` says that no sample
/// of the one tells anything of the other's. No interval where either has none.
pub fn difference_of_runs(
    first: Measured<'_>,
    second: Measured<'_>,
    independent: bool,
    level: Level,
) -> Estimate {
    let watched = first.is_watched() || second.is_watched();
    let each = if watched { level.shared_by(2) } else { level };
    let (x, y) = (first.at(each), second.at(each));
    let dependence = if independent && !watched {
        Dependence::Correlation(0.0)
    } else {
        Dependence::Unknown
    };
    subtracted(&x, &y, dependence, watched)
}
