//! The difference of two estimated quantities, from the limits of each.
//!
//! Square-and-add recovers from each limit how far the quantity may be off on that side, so a
//! difference inherits the asymmetry, and with exact limits the safety, of what it is made of:
//! nothing is a width of zero because nothing was seen. References: Newcombe 1998, *Statistics in
//! Medicine* 17, 873 and 2635; Zou and Donner 2008, *Statistics in Medicine* 27.

/// The dependence of two estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dependence {
    /// Correlated so much, in -1..=1; 0 for independent ones.
    Correlation(f64),
    /// In any way.
    Unknown,
}

/// An estimated quantity: its value within its limits.
type Limited = (f64, (f64, f64));

/// The limits of `first - second`, both given as value and limits at the level asked for.
pub fn difference_interval(first: Limited, second: Limited, dependence: Dependence) -> (f64, f64) {
    let ((x, (x_lo, x_hi)), (y, (y_lo, y_hi))) = (first, second);
    let join = |a: f64, b: f64| match dependence {
        Dependence::Correlation(r) => (a * a + b * b - 2.0 * r * a * b).max(0.0).sqrt(),
        Dependence::Unknown => a + b,
    };
    let difference = x - y;
    (
        difference - join(x - x_lo, y_hi - y),
        difference + join(x_hi - x, y - y_lo),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Level, Proportion};

    #[test]
    fn independent_proportions_agree_with_newcombes_published_example() {
        // Newcombe 1998, table II, method 10: 56/70 - 48/80, 0.0524 to 0.3339.
        let wilson = |s, n| {
            let found = Proportion::new(s, 0, n)
                .unwrap()
                .wilson(Level::DEFAULT)
                .unwrap();
            (s as f64 / n as f64, (found.lo, found.hi))
        };
        let independent = Dependence::Correlation(0.0);
        let (lo, hi) = difference_interval(wilson(56, 70), wilson(48, 80), independent);
        assert!(
            (lo - 0.0524).abs() < 5e-5 && (hi - 0.3339).abs() < 5e-5,
            "{lo} {hi}"
        );
    }

    #[test]
    fn a_difference_is_antisymmetric_and_widest_where_nothing_is_known() {
        let (x, y) = ((0.5, (0.3, 0.8)), (0.1, (0.0, 0.4)));
        for dependence in [Dependence::Correlation(-0.4), Dependence::Unknown] {
            let (lo, hi) = difference_interval(x, y, dependence);
            assert_eq!(difference_interval(y, x, dependence), (-hi, -lo));
        }
        let (lo, hi) = difference_interval(x, y, Dependence::Unknown);
        assert!((lo + 0.1).abs() < 1e-12 && (hi - 0.8).abs() < 1e-12);
        let (near, far) = difference_interval(x, y, Dependence::Correlation(-1.0));
        assert!((near - lo).abs() < 1e-12 && (far - hi).abs() < 1e-12);
    }
}
