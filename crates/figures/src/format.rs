//! Numbers as people read them: with their unit, digits in groups, shares in per cent.

use base::grouped;
use task::UNITLESS;

/// A text as a sentence: with a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let is_ended = text.is_empty() || text.ends_with(['.', '!', '?']);
    capitalized(text) + if is_ended { "" } else { "." }
}

/// A text with a capital.
pub fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest.as_str().chars()).collect()
}

/// Returns a confidence level, its error with two digits: `95 %`, `98.3 %`, `99.77 %`.
pub fn level_text(level: f64) -> String {
    let digits = share_digits(1.0 - level, 2).clamp(1, 6);
    let text = format!("{:.digits$}", level * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Digits after the point of any number, at most.
pub const MOST_DECIMALS: usize = 17;

/// The least number that is written with an exponent whatever is known of its digits.
pub const EXPONENT_FROM: f64 = 1e16;

/// Returns the decimals that show a number of digits of a small share in per cent, or of the rest to a large one.
pub fn share_digits(share: f64, significant: usize) -> usize {
    let percent = (share * 100.0).abs();
    let small = if percent > 50.0 {
        100.0 - percent
    } else {
        percent
    };
    let first = -libm::log10(small.max(1e-15)).floor();
    (first + significant as f64 - 1.0).clamp(0.0, MOST_DECIMALS as f64) as usize
}

/// The unit of a difference of shares, which are in per cent.
pub const POINTS: &str = "percentage points";

/// The unit of a difference of quantities in this one.
pub fn of_difference(unit: &str) -> &str {
    if unit.is_empty() { POINTS } else { unit }
}

/// The factor from a stored number to the one that is shown.
pub fn scale(unit: &str) -> f64 {
    match unit {
        "" | POINTS => 100.0,
        _ => 1.0,
    }
}

/// Returns the step of numbers that `plain` writes with a number of digits.
pub fn step(digits: usize, unit: &str) -> f64 {
    10_f64.powi(-(shown_digits(digits, unit) as i32)) / scale(unit)
}

/// The digits after the point that are shown: dollars have cents or none.
fn shown_digits(digits: usize, unit: &str) -> usize {
    if unit == "$" && digits == 1 {
        2
    } else {
        digits
    }
}

/// A number in its unit; with an empty unit it is a share and shown in per cent.
pub fn quantity(value: f64, digits: usize, unit: &str) -> String {
    with_unit(value, &plain(value, digits, unit), unit)
}

/// Seconds as people say them: `12 µs`, `3.2 s`, `1.5 min`, `47.0 h`, `2.5 days`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        0.0 => "0 s".to_owned(),
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 0.1 => format!("{:.0} ms", s * 1e3),
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3_600.0 => format!("{:.1} min", s / 60.0),
        s if s < 48.0 * 3_600.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

/// A number written as `text`, with its unit: in the singular for 1, dollars in front and with
/// whole cents or none.
pub fn with_unit(value: f64, text: &str, unit: &str) -> String {
    match (unit, text) {
        ("", text) => format!("{text} %"),
        (UNITLESS, text) => text.to_owned(),
        ("$", text) => signed(value, text, unit),
        (unit, "1") => format!("1 {}", singular(unit)),
        (unit, text) => format!("{text} {unit}"),
    }
}

/// Dollars with the sign first; other numbers as they are.
pub(crate) fn signed(value: f64, text: &str, unit: &str) -> String {
    if unit != "$" {
        return text.to_owned();
    }
    let amount = text.trim_start_matches('-');
    let is_zero = amount.bytes().all(|digit| !(b'1'..=b'9').contains(&digit));
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    format!("{sign}${amount}")
}

/// Returns the unit in the singular: `card`, `pass`.
pub(crate) fn singular(unit: &str) -> &str {
    let sibilant = |stem: &&str| {
        ["ss", "ch", "sh", "x"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    if unit == "plies" {
        return "ply";
    }
    let stem = unit.strip_suffix("es").filter(sibilant);
    stem.or_else(|| unit.strip_suffix('s')).unwrap_or(unit)
}

/// A number without its unit, with these digits after the point; a very large one with an exponent and all of
/// its digits.
pub(crate) fn plain(value: f64, digits: usize, unit: &str) -> String {
    let (value, digits) = (value * scale(unit), shown_digits(digits, unit));
    if value.abs() >= EXPONENT_FROM {
        return format!("{value:e}");
    }
    let text = grouped(&format!("{value:.digits$}"));
    let is_zero = text.bytes().all(|digit| !(b'1'..=b'9').contains(&digit));
    if is_zero {
        // No negative zero.
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_a_capital_and_one_full_stop() {
        let told = ["the hens win", "A customer waits.", ""].map(sentence);
        assert_eq!(told, ["The hens win.", "A customer waits.", ""]);
    }

    #[test]
    fn dollars_have_their_sign_in_front_and_no_half_cents() {
        let money = |value, digits| quantity(value, digits, "$");
        assert_eq!(money(-8.0, 1), "-$8.00");
        assert_eq!(money(22.364, 2), "$22.36");
        assert_eq!(money(-1234567.0, 0), "-$1,234,567");
        assert_eq!(money(-0.001, 2), "$0.00");
    }

    #[test]
    fn a_duration_is_said_in_the_unit_that_fits_it() {
        let times = [0.0, 2e-5, 0.012, 8.0, 90.0, 7_200.0, 259_200.0].map(duration);
        let told = [
            "0 s", "20 µs", "12 ms", "8.0 s", "1.5 min", "2.0 h", "3.0 days",
        ];
        assert_eq!(times, told);
    }

    #[test]
    fn levels_are_as_precise_as_what_they_leave_open() {
        let levels = [0.95, 0.5, 1.0 - 0.05 / 3.0, 1.0 - 0.05 / 22.0, 0.9999].map(level_text);
        assert_eq!(levels, ["95 %", "50 %", "98.3 %", "99.77 %", "99.99 %"]);
    }

    #[test]
    fn one_thing_is_not_called_several() {
        assert_eq!(quantity(1.0, 0, "cards"), "1 card");
        assert_eq!(quantity(1.0, 0, "passes"), "1 pass");
        assert_eq!(quantity(1.0, 0, "searches"), "1 search");
        assert_eq!(quantity(2.0, 0, "moves"), "2 moves");
        assert_eq!(quantity(1.0, 0, UNITLESS), "1");
    }
}
