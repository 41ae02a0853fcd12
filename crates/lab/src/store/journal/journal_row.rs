//! A row of a journal: `block,first,samples,kept,rows,tally,checksum`.
//!
//! `kept` is 1 where a run of other cells drew what the row holds, which may lack cells, and 0 of a block
//! that the run has counted. `rows` is the hash of the block's lines of `samples.csv`, empty if none are
//! kept. `tally` is the exact tally in Base64, compressed if long, or its hash in an archived folder. There
//! the checksum is short: the manifest has a hash of the whole file, which no longer grows.

use std::str::FromStr;

use crate::run::Block;

use super::super::packed::{field, of_field};
use super::digest::Digest;

const HASHED: &str = "b3:";
/// Digits of a checksum, and of one in an archived folder.
const DIGITS: usize = 16;
const FEW_DIGITS: usize = 4;

/// The key that a row's checksum is bound to: a row copied from another run does not pass.
pub(in crate::store) type ChecksumKey = [u8; 32];

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct JournalRow {
    pub(crate) block: Block,
    /// 1 if a run of other cells drew it.
    pub(crate) kept: u8,
    /// The hash of the block's lines of `samples.csv`.
    pub(crate) rows: Option<Digest>,
    /// The field as it stands.
    pub(crate) tally: String,
}

impl JournalRow {
    /// The row of a block that the run itself drew, with its encoded tally.
    pub(crate) fn new(block: Block, rows: Option<Digest>, encoded: &[u8]) -> Self {
        Self {
            block,
            kept: 0,
            rows,
            tally: field(encoded),
        }
    }

    /// The line, with its line feed.
    pub(crate) fn to_line(&self, key: &ChecksumKey) -> String {
        let Block {
            index,
            first,
            samples,
        } = self.block;
        let rows = self.rows.map_or_else(String::new, String::from);
        let body = format!(
            "{index},{first},{samples},{},{rows},{}",
            self.kept, self.tally
        );
        let checksum = checksum(&body, key);
        format!("{body},{}\n", &checksum[..digits(self.is_hashed())])
    }

    /// The row in a line.
    pub(crate) fn parse(line: &[u8], key: &ChecksumKey) -> Result<Self, &'static str> {
        let line = line.strip_suffix(b"\n").ok_or("the line is incomplete")?;
        let line = std::str::from_utf8(line).map_err(|_| "the line is not text")?;
        let (body, stored) = line.rsplit_once(',').ok_or("the line has no checksum")?;
        let checksum = checksum(body, key);
        let row = Self::parse_body(body);
        let digits = digits(row.as_ref().is_some_and(Self::is_hashed));
        if checksum[..digits] != *stored {
            return Err("the checksum does not match");
        }
        row.ok_or("the row does not belong to a journal")
    }

    fn parse_body(body: &str) -> Option<Self> {
        let mut fields = body.split(',');
        let block = Block {
            index: number(fields.next())?,
            first: number(fields.next())?,
            samples: number(fields.next())?,
        };
        let row = Self {
            block,
            kept: number(fields.next())?,
            rows: match fields.next()? {
                "" => None,
                digest => Some(Digest::parse(digest)?),
            },
            tally: fields.next()?.to_owned(),
        };
        if fields.next().is_some() {
            return None;
        }
        row.block.first.checked_add(row.block.samples)?;
        (row.kept <= 1).then_some(row)
    }

    /// Replaces the tally by its hash.
    pub(crate) fn into_hashed(self, largest: u64) -> Option<Self> {
        let tally = format!("{HASHED}{}", self.digest(largest)?);
        Some(Self { tally, ..self })
    }

    /// The hash of the encoded tally, as [`Digest::short`] writes it.
    pub(crate) fn digest(&self, largest: u64) -> Option<String> {
        match self.stored_digest() {
            Some(digest) => Some(digest.to_owned()),
            None => Some(Digest::of(&self.encoded(largest)?).short()),
        }
    }

    /// Returns whether only the hash of the tally is there.
    pub(crate) fn is_hashed(&self) -> bool {
        self.stored_digest().is_some()
    }

    fn stored_digest(&self) -> Option<&str> {
        self.tally.strip_prefix(HASHED)
    }

    /// The encoded tally; `None` where only its hash is there, or more than `largest` bytes.
    pub(crate) fn encoded(&self, largest: u64) -> Option<Vec<u8>> {
        if self.is_hashed() {
            return None;
        }
        of_field(&self.tally, largest)
    }
}

/// Bytes of a row with this encoded tally, about, with the hash of its samples or without.
pub(crate) fn journal_row_size(encoded: &[u8], keeps_samples: bool) -> u64 {
    let block = Block {
        index: 1_000,
        first: 100_000,
        samples: 1_000,
    };
    let rows = keeps_samples.then(|| Digest::of(b""));
    let row = JournalRow::new(block, rows, encoded);
    row.to_line(&ChecksumKey::default()).len() as u64
}

/// The number in a field, if it is one.
fn number<T: FromStr>(field: Option<&str>) -> Option<T> {
    field?.parse().ok()
}

/// Digits of the checksum of a row.
fn digits(is_hashed: bool) -> usize {
    if is_hashed { FEW_DIGITS } else { DIGITS }
}

fn checksum(body: &str, key: &ChecksumKey) -> String {
    let hash = blake3::keyed_hash(key, body.as_bytes());
    hash.to_hex()[..DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Block = Block {
        index: 3,
        first: 12,
        samples: 4,
    };

    #[test]
    fn rows_come_back_short_or_long_and_their_hash_is_that_of_the_text() {
        let long = b"0:4|||0 ".repeat(5_000);
        for bytes in [b"0:4|||0", long.as_slice()] {
            let row = JournalRow {
                kept: 1,
                ..JournalRow::new(BLOCK, Some(Digest::of(b"rows")), bytes)
            };
            let line = row.to_line(&[7; 32]);
            assert!(line.len() < 5_000, "{}", line.len());
            let back = JournalRow::parse(line.as_bytes(), &[7; 32]).unwrap();
            assert_eq!(back, row);
            assert_eq!(back.encoded(40_000).unwrap(), bytes);
            assert_eq!(back.encoded(1_000).is_none(), bytes.len() > 1_000);
            let hashed = back.into_hashed(40_000).unwrap();
            assert_eq!(hashed.digest(0), Some(Digest::of(bytes).short()));
            assert_eq!(hashed.encoded(40_000), None);
            let line = hashed.to_line(&[7; 32]);
            assert_eq!(JournalRow::parse(line.as_bytes(), &[7; 32]), Ok(hashed));
        }
    }

    /// A short checksum of a row with its tally, and a long one of a row with a hash.
    #[test]
    fn only_archived_rows_have_short_checksums() {
        let hash = Digest::of(b"x").short();
        let sealed =
            |body: &str, digits: usize| format!("{body},{}\n", &checksum(body, &[7; 32])[..digits]);
        let parse = |line: &str| JournalRow::parse(line.as_bytes(), &[7; 32]);
        let hashed = format!("3,12,4,0,,{HASHED}{hash}");
        let row = parse(&sealed(&hashed, FEW_DIGITS)).unwrap();
        assert_eq!((row.digest(0), row.is_hashed()), (Some(hash), true));
        let refused = Err("the checksum does not match");
        assert_eq!(parse(&sealed(&hashed, DIGITS)), refused);
        assert_eq!(parse(&sealed("3,12,4,0,,0:4|||0", FEW_DIGITS)), refused);
    }

    #[test]
    fn a_row_has_six_fields_and_is_kept_or_not() {
        let parse = |body: &str| {
            let line = format!("{body},{}\n", checksum(body, &[7; 32]));
            JournalRow::parse(line.as_bytes(), &[7; 32]).map(|row| row.kept)
        };
        assert_eq!(
            [0, 1].map(|kept| parse(&format!("3,12,4,{kept},,x"))),
            [Ok(0), Ok(1)]
        );
        for foreign in ["3,12,4,2,,x", "3,12,4,0,,x,y", "3,12,4,0,", "3,12,,0,,x"] {
            assert_eq!(parse(foreign), Err("the row does not belong to a journal"));
        }
    }

    #[test]
    fn a_row_of_another_journal_is_refused() {
        let line = JournalRow::new(BLOCK, None, b"x").to_line(&[7; 32]);
        let refused = JournalRow::parse(line.as_bytes(), &[8; 32]);
        assert_eq!(refused, Err("the checksum does not match"));
    }
}
