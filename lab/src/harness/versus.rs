//! One run against another: the difference of two estimates that do not come from pairs.
//!
//! Each estimate keeps its own method. If either run was stopped by its samples, both intervals
//! are made to hold at once, and the difference lies anywhere within them. It is only as valid as
//! the weaker of the two.

use crate::stats::{
    Confidence, Dependence, Estimate, Interval, Level, Looks, Method, Validity,
    difference_interval, welch_interval,
};

use super::laboratory::Laboratory;
use super::outcome::claimed_at;
use super::tally::BlockTally;

/// The measurement of a metric in a cell by one run.
#[derive(Clone, Copy)]
pub enum Measured<'run> {
    /// All that was counted, from which an interval can be made at any level.
    Counted {
        /// The run's laboratory.
        laboratory: &'run Laboratory,
        /// The tally of the run.
        tally: &'run BlockTally,
        /// The cell's number and the metric's place among the task's.
        place: (usize, usize),
        /// The looks at the run's samples.
        looks: Looks,
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
            Measured::Counted {
                laboratory,
                tally,
                place,
                looks,
            } => claimed_at(laboratory, tally, place, Confidence { level, looks }),
        }
    }

    fn is_watched(&self) -> bool {
        let (Measured::Stated { looks, .. } | Measured::Counted { looks, .. }) = self;
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

/// `x - y`. `watched` says that either was looked at before its samples ended; the intervals of both
/// then hold at once.
pub(super) fn subtracted(
    x: &Estimate,
    y: &Estimate,
    dependence: Dependence,
    watched: bool,
) -> Estimate {
    let subtract = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
    Estimate {
        value: subtract(x.value, y.value),
        interval: interval(x, y, dependence, watched),
        untrusted: x.untrusted || y.untrusted,
        n: x.n.min(y.n),
        unresolved: x.unresolved + y.unresolved,
        lower: subtract(x.lower, y.upper),
        upper: subtract(x.upper, y.lower),
        ..Estimate::default()
    }
}

fn interval(x: &Estimate, y: &Estimate, dependence: Dependence, watched: bool) -> Option<Interval> {
    let (a, b) = x.interval.zip(y.interval)?;
    let is = |method: Method| a.method == method && b.method == method;
    if is(Method::Exact) {
        let value = x.value? - y.value?;
        return Interval::new((value, value), a.level, Method::Exact, Validity::AnyTime);
    }
    let lower = if a.level < b.level { a.level } else { b.level };
    let level = if watched {
        Level::new(1.0 - a.level.alpha() - b.level.alpha())?
    } else {
        lower
    };
    let independent = dependence == Dependence::Correlation(0.0);
    if is(Method::StudentT) && independent {
        let welch = |estimate: &Estimate| Some((estimate.value?, estimate.mcse?, estimate.n));
        return welch_interval(welch(x)?, welch(y)?, level);
    }
    let ends = |estimate: &Estimate| Some((estimate.lower?, estimate.upper?));
    let ((x_least, x_most), (y_least, y_most)) = (ends(x)?, ends(y)?);
    let (within_a, within_b) = ((a.lo, a.hi), (b.lo, b.hi));
    let (lo, _) = difference_interval((x_least, within_a), (y_most, within_b), dependence);
    let (_, hi) = difference_interval((x_most, within_a), (y_least, within_b), dependence);
    let method = if independent {
        Method::SquareAndAdd
    } else {
        Method::Enclosing
    };
    let validity = if [a, b].iter().all(|side| side.validity == Validity::AnyTime) {
        Validity::AnyTime
    } else {
        Validity::FixedN
    };
    Interval::new((lo, hi), level, method, validity)
}
