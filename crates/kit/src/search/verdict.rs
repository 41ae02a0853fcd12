//! The result of an exact search for a value.

/// The value of an instance, or bounds on it where the budget ran out.
///
/// An instance past its budget is *unresolved*; it is bounded, and never guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The exact value.
    Proved(T),
    /// The value lies in `lower..=upper`.
    Bounds {
        /// The best value reached.
        lower: T,
        /// The best value not yet excluded.
        upper: T,
    },
}

impl<T: Copy + PartialEq> Verdict<T> {
    /// A verdict from two bounds: proved where they meet.
    pub fn from_bounds(lower: T, upper: T) -> Self {
        if lower == upper {
            Verdict::Proved(lower)
        } else {
            Verdict::Bounds { lower, upper }
        }
    }

    /// The largest value known to be reached.
    pub fn lower(&self) -> T {
        match *self {
            Verdict::Proved(value) => value,
            Verdict::Bounds { lower, .. } => lower,
        }
    }

    /// The smallest value known not to be exceeded.
    pub fn upper(&self) -> T {
        match *self {
            Verdict::Proved(value) => value,
            Verdict::Bounds { upper, .. } => upper,
        }
    }

    /// Returns whether the value is exact.
    pub fn is_proved(&self) -> bool {
        matches!(self, Verdict::Proved(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_proved_where_its_bounds_meet() {
        let (proved, open) = (Verdict::from_bounds(3, 3), Verdict::from_bounds(3, 5));
        assert_eq!(proved, Verdict::Proved(3));
        assert_eq!(open, Verdict::Bounds { lower: 3, upper: 5 });
        assert_eq!((proved.lower(), proved.upper()), (3, 3));
        assert_eq!((open.lower(), open.upper()), (3, 5));
        assert!(proved.is_proved() && !open.is_proved());
    }
}
