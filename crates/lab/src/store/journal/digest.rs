//! Short hashes as journals write them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The first 128 bits of a BLAKE3 hash, 32 digits in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Digest(u128);

impl Digest {
    /// The hash of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self(u128::from_be_bytes(digest))
    }

    /// The first half, 16 digits: enough to tell blocks apart.
    pub(crate) fn short(&self) -> String {
        format!("{:016x}", self.0 >> 64)
    }

    /// The hash that [`fmt::Display`] wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digest = u128::from_str_radix(text, 16).map(Self).ok()?;
        (digest.to_string() == text).then_some(digest)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not 32 digits in hex")
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BLAKE3 of nothing, from its specification; one upper-case digit, one digit less, a sign.
    #[test]
    fn a_digest_is_read_as_it_was_written_and_in_no_other_way() {
        let written = "af1349b9f5f9a1a6a0404dea36dcc949";
        assert_eq!(Digest::of(b"").to_string(), written);
        assert_eq!(Digest::of(b"").short(), written[..16]);
        assert_eq!(Digest::parse(written), Some(Digest::of(b"")));
        let zeros = "0".repeat(31);
        assert_eq!(Digest::parse(&format!("{zeros}7")), Some(Digest(7)));
        for text in [
            "",
            "7",
            "AF1349b9f5f9a1a6a0404dea36dcc949",
            &zeros,
            &format!("+{zeros}"),
        ] {
            assert_eq!(Digest::parse(text), None, "{text}");
        }
    }
}
