//! The difference of two estimated quantities, from the limits of each.
//!
//! Square-and-add recovers from each limit how far the quantity may be off on that side, so a
//! difference inherits the asymmetry, and with exact limits the safety, of what it is made of:
//! nothing is a width of zero because nothing was seen. References: Newcombe 1998, *Statistics in
//! Medicine* 17, 873 and 2635; Zou and Donner 2008, *Statistics in Medicine* 27.

use super::interval::{Estimate, Interval, Method, Validity};
use super::{Level, SampledMean, Span, welch_interval};

/// The dependence of two estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dependence {
    /// Correlated so much, in -1..=1; 0 for independent ones.
    Correlation(f64),
    /// The sides may depend on each other in any way.
    Unknown,
}

impl Dependence {
    /// Independent estimates.
    pub(super) const INDEPENDENT: Self = Self::Correlation(0.0);

    /// The method by which their difference has an interval.
    pub(super) fn method(self) -> Method {
        if self == Self::INDEPENDENT {
            Method::SquareAndAdd
        } else {
            Method::Enclosing
        }
    }
}

/// An estimated quantity within its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limited {
    /// The estimate.
    pub value: f64,
    /// The limits at the level asked for.
    pub limits: Span,
}

/// The limits of `x - y`.
pub fn difference_interval(x: Limited, y: Limited, dependence: Dependence) -> Span {
    let join = |a: f64, b: f64| match dependence {
        Dependence::Correlation(r) => (a * a + b * b - 2.0 * r * a * b).max(0.0).sqrt(),
        Dependence::Unknown => a + b,
    };
    let difference = x.value - y.value;
    let below = |side: Limited| side.value - side.limits.lo;
    let above = |side: Limited| side.limits.hi - side.value;
    Span::new(
        difference - join(below(x), above(y)),
        difference + join(above(x), below(y)),
    )
}

/// An estimated quantity whose estimate is known only between two values, within its limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedQuantity {
    pub values: Span,
    pub limits: Span,
}

/// The limits of `x - y`, whatever both are between their values.
pub(super) fn widest_difference(
    x: BoundedQuantity,
    y: BoundedQuantity,
    dependence: Dependence,
) -> Span {
    let at = |value: f64, limits: Span| Limited { value, limits };
    let least = [at(x.values.lo, x.limits), at(y.values.hi, y.limits)];
    let most = [at(x.values.hi, x.limits), at(y.values.lo, y.limits)];
    let [least, most] = [least, most].map(|[x, y]| difference_interval(x, y, dependence));
    Span::new(least.lo, most.hi)
}

/// Returns `x - y`. `watched` says that either was looked at before its samples ended; the intervals
/// of both then hold at once.
pub fn subtracted(x: &Estimate, y: &Estimate, dependence: Dependence, watched: bool) -> Estimate {
    let subtract = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
    let difference = Estimate {
        value: subtract(x.value, y.value),
        interval: sampled_interval(x, y, dependence, watched),
        withheld: x.withheld.or(y.withheld),
        n: x.n.min(y.n),
        unresolved: x.unresolved + y.unresolved,
        lower: subtract(x.lower, y.upper),
        upper: subtract(x.upper, y.lower),
        ..Estimate::default()
    };
    // Roundings of both sides may go apart in every sample, so they add up whatever else does.
    difference.rounded_by(x.rounding + y.rounding)
}

/// The interval of a difference as far as it comes from the samples, without their rounding.
fn sampled_interval(
    x: &Estimate,
    y: &Estimate,
    dependence: Dependence,
    watched: bool,
) -> Option<Interval> {
    let (a, b) = x.interval.zip(y.interval)?;
    let is = |method: Method| a.method == method && b.method == method;
    if is(Method::Exact) {
        let value = x.value? - y.value?;
        return Interval::new(
            Span::point(value),
            a.level,
            Method::Exact,
            Validity::AnyTime,
        );
    }
    let lower = if a.level < b.level { a.level } else { b.level };
    let level = if watched {
        Level::new(1.0 - a.level.alpha() - b.level.alpha())?
    } else {
        lower
    };
    if is(Method::StudentT) && dependence == Dependence::INDEPENDENT {
        return welch_interval(sampled_mean(x)?, sampled_mean(y)?, level);
    }
    let bounded = |estimate: &Estimate, interval: Interval| {
        // The estimate with its unresolved samples at their least and at their most.
        let values = Span::between(estimate.lower, estimate.upper)?;
        let lo = (interval.lo + estimate.rounding).min(values.lo);
        let hi = (interval.hi - estimate.rounding).max(values.hi);
        let limits = Span::new(lo, hi);
        Some(BoundedQuantity { values, limits })
    };
    let ends = widest_difference(bounded(x, a)?, bounded(y, b)?, dependence);
    let validity = if [a, b].iter().all(|side| side.validity == Validity::AnyTime) {
        Validity::AnyTime
    } else {
        Validity::FixedN
    };
    Interval::new(ends, level, dependence.method(), validity)
}

fn sampled_mean(estimate: &Estimate) -> Option<SampledMean> {
    Some(SampledMean {
        mean: estimate.value?,
        error: estimate.mcse?,
        n: estimate.n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(value: f64, limits: Span) -> Limited {
        Limited { value, limits }
    }

    #[test]
    fn independent_proportions_agree_with_newcombes_published_example() {
        // Newcombe 1998, table II, method 10: 56/70 - 48/80 by Wilson's limits, 0.0524 to 0.3339.
        let first = limited(0.8, Span::new(0.691_833_555, 0.876_952_608));
        let second = limited(0.6, Span::new(0.490_454_650, 0.700_381_724));
        let Span { lo, hi } = difference_interval(first, second, Dependence::Correlation(0.0));
        assert!(
            (lo - 0.0524).abs() < 5e-5 && (hi - 0.3339).abs() < 5e-5,
            "{lo} {hi}"
        );
    }

    /// Ten samples each, of errors 1 and 1: 18 degrees of freedom, `t` 2.100922. Of sides that depend on each other, the
    /// limits go apart.
    #[test]
    fn students_intervals_make_welchs_where_the_sides_are_independent() {
        let side = |value: f64, half: f64| Estimate {
            value: Some(value),
            mcse: Some(1.0),
            n: 10,
            lower: Some(value),
            upper: Some(value),
            interval: Interval::fixed(
                Span::new(value - half, value + half),
                Level::DEFAULT,
                Method::StudentT,
            ),
            ..Estimate::default()
        };
        let of = |dependence| {
            let found = subtracted(&side(5.0, 2.0), &side(2.0, 3.0), dependence, false);
            found.interval.unwrap()
        };
        let welch = of(Dependence::INDEPENDENT);
        assert_eq!(welch.method, Method::Welch);
        assert!((welch.hi - 3.0 - 2.100_922 * 2f64.sqrt()).abs() < 1e-5);
        let apart = of(Dependence::Unknown);
        assert_eq!(apart.method, Method::Enclosing);
        assert_eq!(apart.ends(), Span::new(-2.0, 8.0));
        assert_eq!(apart.validity, Validity::FixedN);
        let at_any_time = |mut side: Estimate| {
            let interval = side.interval.as_mut().unwrap();
            interval.validity = Validity::AnyTime;
            side
        };
        let [x, y] = [side(5.0, 2.0), side(2.0, 3.0)].map(at_any_time);
        for (x, expected) in [(x, Validity::AnyTime), (side(5.0, 2.0), Validity::FixedN)] {
            let found = subtracted(&x, &y, Dependence::Unknown, true);
            let found = found.interval.unwrap();
            assert_eq!(found.validity, expected);
            // Each side misses one time in twenty.
            assert!((found.level.get() - 0.9).abs() < 1e-12);
        }
    }

    #[test]
    fn a_difference_is_antisymmetric_and_widest_where_nothing_is_known() {
        let x = limited(0.5, Span::new(0.3, 0.8));
        let y = limited(0.1, Span::new(0.0, 0.4));
        for dependence in [Dependence::Correlation(-0.4), Dependence::Unknown] {
            let Span { lo, hi } = difference_interval(x, y, dependence);
            assert_eq!(difference_interval(y, x, dependence), Span::new(-hi, -lo));
        }
        let Span { lo, hi } = difference_interval(x, y, Dependence::Unknown);
        assert!((lo + 0.1).abs() < 1e-12 && (hi - 0.8).abs() < 1e-12);
        let Span { lo: near, hi: far } = difference_interval(x, y, Dependence::Correlation(-1.0));
        assert!((near - lo).abs() < 1e-12 && (far - hi).abs() < 1e-12);
    }
}
