//! Integers as people write them on a command line.

use super::decimal;

/// Reads `1000`, `10_000` and `1e6`.
///
/// # Errors
/// If it is not a non-negative integer.
pub fn parse_integer(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(integer) = plain.parse() {
        return Ok(integer);
    }
    let integer = decimal::integer(&plain).ok().flatten();
    let integer = integer.and_then(|integer| u64::try_from(integer).ok());
    integer.ok_or_else(|| {
        "expected a non-negative integer below 2^64, such as 1000, 10_000 or 1e6".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_people_write_them() {
        assert_eq!(parse_integer("10_000"), Ok(10_000));
        assert_eq!(parse_integer("1e6"), Ok(1_000_000));
        assert_eq!(parse_integer("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["-1", "1.5", "", "1e99", "ten"] {
            assert!(parse_integer(wrong).is_err(), "{wrong}");
        }
    }
}
