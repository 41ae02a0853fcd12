//! Amounts of memory as people write them: `"2 GiB"`, `"500 MB"`, `1048576`.

use std::borrow::Cow;
use std::fmt;

use base::decimal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The units of memory in bytes, the largest of each kind first.
const UNITS: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
];

/// The least amount: no program starts with less.
const LEAST: u64 = 1 << 20;

/// An amount of memory in bytes, at least 1 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySize(pub u64);

impl MemorySize {
    /// The amount that a text says.
    fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, unit) = (text[..end].trim(), &text[end..]);
        let unit = UNITS.iter().find(|(name, _)| *name == unit)?.1;
        let bytes = decimal::real(number)? * unit as f64;
        let is_held = (LEAST as f64..=i64::MAX as f64).contains(&bytes);
        is_held.then_some(Self(bytes as u64))
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = UNITS.iter().find(|(_, size)| self.0.is_multiple_of(*size));
        let (unit, size) = whole.copied().unwrap_or(("B", 1));
        write!(f, "{} {unit}", self.0 / size)
    }
}

impl Serialize for MemorySize {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Reads a [`MemorySize`].
struct SizeVisitor;

impl Visitor<'_> for SizeVisitor {
    type Value = MemorySize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "an amount of at least 1 MiB, such as \"2 GiB\", \"500 MB\" or a number of bytes",
        )
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MemorySize, E> {
        let size = MemorySize::of_text(text);
        size.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_u64<E: Error>(self, bytes: u64) -> Result<MemorySize, E> {
        let known = Some(bytes).filter(|bytes| (LEAST..=i64::MAX as u64).contains(bytes));
        known
            .map(MemorySize)
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(bytes), &self))
    }

    fn visit_i64<E: Error>(self, bytes: i64) -> Result<MemorySize, E> {
        match u64::try_from(bytes) {
            Ok(bytes) => self.visit_u64(bytes),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(bytes), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(SizeVisitor)
    }
}

impl JsonSchema for MemorySize {
    fn schema_name() -> Cow<'static, str> {
        "MemorySize".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer"],
            "pattern": "^ *[0-9.]+ *([TGMK]i|[TGMk])?B *$",
            "minimum": LEAST,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_their_units_and_written_with_the_largest_whole_one() {
        let read = |text: &str| MemorySize::of_text(text).map(|size| size.0);
        assert_eq!(read("2 GiB"), Some(2 << 30));
        assert_eq!(read("1.5GiB"), Some(3 << 29));
        assert_eq!(read(" 500 MB "), Some(500_000_000));
        for wrong in [
            "",
            "GiB",
            "2",
            "2 gib",
            "2 GiB more",
            "-2 GiB",
            "1 KiB",
            "9e30 TiB",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        for text in ["2 GiB", "500 MB", "1048577 B"] {
            assert_eq!(MemorySize::of_text(text).unwrap().to_string(), text);
        }
    }
}
