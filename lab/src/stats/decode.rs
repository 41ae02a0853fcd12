//! The text form accumulators take in journals, and what is wrong with a text that is not one.
//!
//! A journal may have been cut short or edited, so decoding checks everything and never panics.

use std::str::FromStr;

/// A text that does not hold the accumulator it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read {what} from `{text}`: expected {expected}")]
pub struct DecodeError {
    what: &'static str,
    expected: &'static str,
    text: String,
}

/// The most samples a decoded accumulator may hold: sums of merged ones stay in range.
pub(super) const MAX_COUNT: u64 = 1 << 44;

/// Characters of an offending text that a message quotes.
const QUOTED: usize = 40;

impl DecodeError {
    /// `what` could not be read from `text`, which should have looked like `expected`.
    pub(super) fn new(what: &'static str, expected: &'static str, text: &str) -> Self {
        let mut quoted: String = text.chars().take(QUOTED).collect();
        if quoted.len() < text.len() {
            quoted.push_str("...");
        }
        Self {
            what,
            expected,
            text: quoted,
        }
    }
}

/// Splits `text` at `separator` into exactly `N` fields.
pub(super) fn fields<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    let parts: Vec<&str> = text.split(separator).collect();
    parts.try_into().ok()
}

/// A number in its plain form: no plus sign, no leading zeros.
pub(super) fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    let value: T = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// A plausible count of samples.
pub(super) fn count_or_zero(text: &str) -> Option<u64> {
    number(text).filter(|n| *n <= MAX_COUNT)
}

/// A plausible count of samples, at least one.
pub(super) fn count(text: &str) -> Option<u64> {
    count_or_zero(text).filter(|n| *n > 0)
}
