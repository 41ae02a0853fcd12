//! Tallies that are kept in files.
//!
//! A file may have been cut short or edited, and reading by serde alone makes any numbers a tally. What
//! was read is used only if it is consistent: sums of merged tallies then stay in range.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A tally that is kept in a file.
pub trait Storable: Serialize + DeserializeOwned {
    /// Returns whether the numbers can come from samples.
    fn is_consistent(&self) -> bool;
}

/// The most samples a tally that was read may hold.
pub(super) const MAX_COUNT: u64 = 1 << 44;
