//! Real numbers of a file that lie between limits.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A finite number above `LO` and below `HI`; the largest `i64` stands for no upper limit.
struct Real<const LO: i64, const HI: i64>(f64);

/// Reads a [`Real`].
struct RealVisitor<const LO: i64, const HI: i64>;

impl<'de, const LO: i64, const HI: i64> Deserialize<'de> for Real<LO, HI> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(RealVisitor::<LO, HI>).map(Self)
    }
}

impl<const LO: i64, const HI: i64> Visitor<'_> for RealVisitor<LO, HI> {
    type Value = f64;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match HI {
            i64::MAX => write!(out, "a number above {LO}"),
            _ => write!(out, "a number between {LO} and {HI}, such as 0.95"),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        let is_within = value > LO as f64 && (HI == i64::MAX || value < HI as f64);
        let known = Some(value).filter(|_| value.is_finite() && is_within);
        known.ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }
}

/// The number above `LO` that a key holds.
///
/// # Errors
/// If it holds none.
pub fn above<'de, const LO: i64, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Real::<LO, { i64::MAX }>::deserialize(from).map(|real| real.0)
}

/// The number above 0 that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let real = Option::<Real<0, { i64::MAX }>>::deserialize(from)?;
    Ok(real.map(|real| real.0))
}

/// The number between 0 and 1 that a key holds.
///
/// # Errors
/// If it holds none.
pub fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Real::<0, 1>::deserialize(from).map(|real| real.0)
}
