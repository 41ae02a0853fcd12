//! What every tally of integers can do.

use super::{DecodeError, Moments};

/// An exact tally of 64-bit integers.
///
/// Merging is associative and commutative to the last bit, so a result does not depend on how the
/// samples were divided among threads or shards.
pub trait Accumulator: Clone + Default {
    /// Counts one value.
    fn push(&mut self, value: i64);

    /// Adds everything another tally counted.
    fn merge(&mut self, other: &Self);

    /// How many values were counted.
    fn count(&self) -> u64;

    /// Count, sum, sum of squares and extremes.
    fn moments(&self) -> Moments;

    /// One line of text without commas, quotes or blanks; empty for an empty tally.
    fn encode(&self) -> String;

    /// The tally that [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// [`DecodeError`] if `text` is not such a line.
    fn decode(text: &str) -> Result<Self, DecodeError>;

    /// Whether nothing was counted.
    fn is_empty(&self) -> bool {
        self.count() == 0
    }
}
