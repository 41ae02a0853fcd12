//! Integers of a file as people write them: `1000000`, `1_000_000` and `1e6`.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Number;

use super::decimal;

/// An integer that is written with a fraction or an exponent, or without.
struct Whole<T>(T);

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(from)?;
        let text = || decimal::integer(&number.to_string()).ok().flatten();
        let integer = number.as_u64().or_else(|| text()?.try_into().ok());
        let fitting = integer.and_then(|integer| T::try_from(integer).ok());
        let refused = || D::Error::custom(format!("{number} is not a whole number of this range"));
        fitting.map(Self).ok_or_else(refused)
    }
}

/// The integer that a key holds.
///
/// # Errors
/// If it holds none.
pub fn one<'de, D: Deserializer<'de>, T: TryFrom<u64>>(from: D) -> Result<T, D::Error> {
    Whole::deserialize(from).map(|Whole(integer)| integer)
}

/// The integer that a key holds, if it is there.
///
/// # Errors
/// If it holds something else.
pub fn optional<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let whole = Option::<Whole<T>>::deserialize(from)?;
    Ok(whole.map(|Whole(integer)| integer))
}

/// The integers in a list.
///
/// # Errors
/// If it is no list of integers.
pub fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let list = Vec::<Whole<u64>>::deserialize(from)?;
    Ok(list.into_iter().map(|Whole(integer)| integer).collect())
}
