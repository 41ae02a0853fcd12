//! The part of a run that one machine draws.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// Shard `index` of `count`: of the samples, cut into blocks that do not depend on their number, blocks `index`,
/// `index + count`, `index + 2 count`, ...; as text `I/K` with I counted from 1. One that leaves the first samples
/// to others is `I/K from N`, and what was merged of a run with blocks missing is `1/1 in part`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: NonZeroU64,
    from: u64,
    is_partial: bool,
}

impl Shard {
    /// The one shard of an undivided run.
    pub const WHOLE: Shard = Shard {
        index: 0,
        count: NonZeroU64::MIN,
        from: 0,
        is_partial: false,
    };

    /// The blocks that were merged of shards of which some are missing.
    pub(crate) const PARTIAL: Shard = Shard {
        is_partial: true,
        ..Self::WHOLE
    };

    /// Shard `index` of `count`, counted from 0; `None` unless `index < count`.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        let count = NonZeroU64::new(count)?;
        (index < count.get()).then_some(Self {
            index,
            count,
            ..Self::WHOLE
        })
    }

    /// Returns the shard without the blocks that end before sample `from`, which others hold.
    pub fn with_first(self, from: u64) -> Self {
        Self { from, ..self }
    }

    /// The shard's number, from 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns the number of shards.
    pub fn count(&self) -> u64 {
        self.count.get()
    }

    /// The first sample that nobody else holds.
    pub(crate) fn first(&self) -> u64 {
        self.from
    }

    /// Returns whether this is everything.
    pub fn is_whole(&self) -> bool {
        *self == Self::WHOLE
    }

    /// Returns whether this was merged of shards of which some are missing.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index + 1, self.count)?;
        match (self.from, self.is_partial) {
            (0, false) => Ok(()),
            (0, true) => out.write_str(IN_PART),
            (from, _) => write!(out, "{FROM}{from}"),
        }
    }
}

/// The ends of the texts of shards that are no plain part of all samples.
const IN_PART: &str = " in part";
const FROM: &str = " from ";

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = |text: &str| {
            let (index, count) = text.split_once('/')?;
            let index: u64 = index.parse().ok()?;
            Shard::new(index.checked_sub(1)?, count.parse().ok()?)
        };
        if text.strip_suffix(IN_PART) == Some("1/1") {
            return Ok(Self::PARTIAL);
        }
        let (shard, from) = text.split_once(FROM).unwrap_or((text, "0"));
        let whole = |shard: Shard| Some(shard.with_first(from.parse().ok()?));
        parsed(shard)
            .and_then(whole)
            .ok_or_else(|| format!("expected I/K with 1 <= I <= K, such as 2/8, not `{text}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_reads_back_as_itself() {
        let shard = Shard::new(1, 8).unwrap();
        for (shard, text) in [
            (shard, "2/8"),
            (shard.with_first(40_000), "2/8 from 40000"),
            (Shard::WHOLE, "1/1"),
            (Shard::PARTIAL, "1/1 in part"),
        ] {
            assert_eq!(shard.to_string(), text);
            assert_eq!(text.parse(), Ok(shard));
        }
        for text in [
            "",
            "0/8",
            "9/8",
            "2/8 from",
            "2/8 from x",
            "2/8 in part",
            "auto",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_shard_past_the_last_does_not_exist() {
        assert_eq!(Shard::new(3, 3), None);
        assert_eq!(Shard::new(0, 0), None);
        assert!(Shard::WHOLE.is_whole());
        assert!(Shard::PARTIAL.is_partial() && !Shard::PARTIAL.is_whole());
        assert!(!Shard::WHOLE.is_partial() && !Shard::new(1, 3).unwrap().is_partial());
    }
}
