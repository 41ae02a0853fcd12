//! Real numbers of a file, held as they are written.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// The number of the machine that is an integer.
///
/// # Errors
/// If there is none: beyond 2^53 not every integer is one.
pub fn of_integer<E: Error>(integer: i128) -> Result<f64, E> {
    held(integer).ok_or_else(|| {
        let near = integer as f64;
        let expected = format!("a number that is held exactly, such as {near}");
        E::invalid_value(Unexpected::Other("integer"), &expected.as_str())
    })
}

/// The number of the machine that is an integer, if there is one.
pub fn held(integer: i128) -> Option<f64> {
    let near = integer as f64;
    (near as i128 == integer).then_some(near)
}

/// The number that a key holds, finite or not.
///
/// # Errors
/// If it holds none, or an integer that no number of the machine is.
pub fn any<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    struct Any;

    impl Visitor<'_> for Any {
        type Value = f64;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a number")
        }

        fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
            Ok(value)
        }

        fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
            of_integer(value.into())
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
            of_integer(value.into())
        }
    }
    from.deserialize_any(Any)
}
