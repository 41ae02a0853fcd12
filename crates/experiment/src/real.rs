//! Real numbers of a file within limits.

use std::fmt;

use base::real::of_integer;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A finite number above `LO` and below `HI`; the least and the greatest `i64` stand for no limit.
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
        match (LO, HI) {
            (i64::MIN, _) => write!(out, "a number"),
            (_, i64::MAX) => write!(out, "a number above {LO}"),
            _ => write!(out, "a number between {LO} and {HI}; 95 % is 0.95"),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        let is_above = LO == i64::MIN || value > LO as f64;
        let is_within = is_above && (HI == i64::MAX || value < HI as f64);
        let known = Some(value).filter(|_| value.is_finite() && is_within);
        known.ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        self.visit_f64(of_integer(value.into())?)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        self.visit_f64(of_integer(value.into())?)
    }
}

/// The number that a key holds.
///
/// # Errors
/// If it holds none.
pub(crate) fn one<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Real::<{ i64::MIN }, { i64::MAX }>::deserialize(from).map(|real| real.0)
}

/// The number that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub(crate) fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let real = Option::<Real<{ i64::MIN }, { i64::MAX }>>::deserialize(from)?;
    Ok(real.map(|real| real.0))
}

/// The two numbers that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub(crate) fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 2]>, D::Error> {
    let pair = Option::<[Real<{ i64::MIN }, { i64::MAX }>; 2]>::deserialize(from)?;
    Ok(pair.map(|pair| pair.map(|real| real.0)))
}

/// The number above `LO` that a key holds.
///
/// # Errors
/// If it holds none.
pub(crate) fn above<'de, const LO: i64, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Real::<LO, { i64::MAX }>::deserialize(from).map(|real| real.0)
}

/// The number above 0 that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub(crate) fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let real = Option::<Real<0, { i64::MAX }>>::deserialize(from)?;
    Ok(real.map(|real| real.0))
}

/// The number between 0 and 1 that a key holds.
///
/// # Errors
/// If it holds none.
pub(crate) fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Real::<0, 1>::deserialize(from).map(|real| real.0)
}

/// The number between 0 and 1 that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub(crate) fn optional_share<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let real = Option::<Real<0, 1>>::deserialize(from)?;
    Ok(real.map(|real| real.0))
}
