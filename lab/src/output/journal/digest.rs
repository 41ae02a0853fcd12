//! Short hashes as journals write them.

use std::fmt;

/// The first 128 bits of a BLAKE3 hash, 32 digits in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self(digest)
    }

    /// The first half, 16 digits: enough to tell blocks apart.
    pub fn short(&self) -> String {
        self.to_string()[..16].to_owned()
    }

    /// The hash that [`fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut digest = [0; 16];
        if text.len() != 2 * digest.len() {
            return None;
        }
        for (byte, pair) in digest.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Self(digest))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}
