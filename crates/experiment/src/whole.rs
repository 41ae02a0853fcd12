//! Integers of a file as people write them: `1000000`, `1_000_000` and `1e6`.

use std::fmt;
use std::marker::PhantomData;

use indexmap::IndexMap;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use base::{decimal, grouped};

/// An integer from `MIN` to `MAX`, written with a fraction or an exponent or without.
struct Whole<T, const MIN: u64, const MAX: u64>(T);

/// Reads a [`Whole`].
struct WholeVisitor<T, const MIN: u64, const MAX: u64>(PhantomData<T>);

impl<'de, T: TryFrom<u64>, const MIN: u64, const MAX: u64> Deserialize<'de> for Whole<T, MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(WholeVisitor::<T, MIN, MAX>(PhantomData))
            .map(Self)
    }
}

impl<T: TryFrom<u64>, const MIN: u64, const MAX: u64> Visitor<'_> for WholeVisitor<T, MIN, MAX> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [min, max] = [MIN, MAX].map(digits);
        write!(out, "a whole number from {min} to {max}")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        let known = Some(value).filter(|value| (MIN..=MAX).contains(value));
        let known = known.and_then(|value| T::try_from(value).ok());
        known.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        match decimal::integer(&value.to_string()) {
            Ok(Some(value)) => self.visit_i64(value),
            _ => Err(E::invalid_value(Unexpected::Float(value), &self)),
        }
    }
}

/// The digits in groups of three, as TOML allows them.
pub(crate) fn digits(number: u64) -> String {
    grouped(&number.to_string()).replace(',', "_")
}

/// The integer from `MIN` to `MAX` that a key holds.
///
/// # Errors
/// If it holds none.
pub(crate) fn one<'de, const MIN: u64, const MAX: u64, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    Whole::<T, MIN, MAX>::deserialize(from).map(|whole| whole.0)
}

/// The integer from `MIN` to `MAX` that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub(crate) fn optional<'de, const MIN: u64, const MAX: u64, D, T>(
    from: D,
) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let whole = Option::<Whole<T, MIN, MAX>>::deserialize(from)?;
    Ok(whole.map(|whole| whole.0))
}

/// The integers in a list, each at least 1.
///
/// # Errors
/// If it is no list of such integers.
pub(crate) fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let list = Vec::<Whole<u64, 1, { u64::MAX }>>::deserialize(from)?;
    Ok(list.into_iter().map(|whole| whole.0).collect())
}

/// The integers of a table, each at least 0.
///
/// # Errors
/// If it is no table of such integers.
pub(crate) fn by_name<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<IndexMap<String, u64>, D::Error> {
    let table = IndexMap::<String, Whole<u64, 0, { u64::MAX }>>::deserialize(from)?;
    Ok(table
        .into_iter()
        .map(|(name, whole)| (name, whole.0))
        .collect())
}
