//! Two numbers in order, and two distances from a third.

/// The numbers from `lo` to `hi`, both included: the ends of an interval, or what a quantity can be. An end is
/// infinite where nothing is known on that side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least of them.
    pub lo: f64,
    /// The greatest of them.
    pub hi: f64,
}

impl Span {
    /// Every number: nothing is known.
    pub const OPEN: Self = Self::new(f64::NEG_INFINITY, f64::INFINITY);

    /// The numbers from `lo` to `hi`.
    pub const fn new(lo: f64, hi: f64) -> Self {
        Self { lo, hi }
    }

    /// One number alone.
    pub const fn point(value: f64) -> Self {
        Self::new(value, value)
    }

    /// The numbers between two ends, as far as both are known.
    pub fn between(lo: Option<f64>, hi: Option<f64>) -> Option<Self> {
        Some(Self::new(lo?, hi?))
    }

    /// The numbers that lie at most so far from `value`.
    pub fn about(value: f64, half_width: f64) -> Self {
        Self::new(value - half_width, value + half_width)
    }

    /// The distance of its ends.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// The least and the greatest of its numbers.
    pub const fn to_array(self) -> [f64; 2] {
        [self.lo, self.hi]
    }

    /// Returns the nearest of its numbers.
    pub(crate) fn clamp(self, value: f64) -> f64 {
        value.clamp(self.lo, self.hi)
    }

    /// The span of a quantity that grows with this one, by the value of each end.
    pub fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self::new(of(self.lo), of(self.hi))
    }
}

/// Distances from a number to either side of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// The distance to the number below.
    pub below: f64,
    /// The distance to the number above.
    pub above: f64,
}
