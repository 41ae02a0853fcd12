//! The random draws of an estimator.

/// The two random decisions that all estimators are made of.
///
/// Any source of uniform reals in `[0, 1)` is one, so games pass `|| unit(&mut stream)`. Tests
/// pass one that goes through all decisions with their probabilities, which makes "unbiased" a
/// statement that can be checked exactly.
pub trait Draws {
    /// True with the given probability.
    fn chance(&mut self, probability: f64) -> bool;

    /// An index below `len`, each equally likely. `len` is at least 1.
    fn index(&mut self, len: usize) -> usize;
}

impl<F: FnMut() -> f64> Draws for F {
    #[inline]
    fn chance(&mut self, probability: f64) -> bool {
        self() < probability
    }

    #[inline]
    fn index(&mut self, len: usize) -> usize {
        ((self() * len as f64) as usize).min(len - 1)
    }
}
