//! Texts and numbers as pages and their pictures set them.

use base::grouped;
use figures::{MOST_DECIMALS, quantity, scale};
use stats::{Outward, outward, rounded};

/// The paragraphs of a text, such as an experiment's analysis, a line each.
pub(crate) fn paragraphs(text: Option<&str>) -> Vec<String> {
    let parts = text.unwrap_or_default().split("\n\n").map(str::trim);
    let is_filled = |part: &&str| !part.is_empty();
    let line = |part: &str| part.replace('\n', " ");
    parts.filter(is_filled).map(line).collect()
}

/// The sentences that apply, in one text.
pub(crate) fn said(sentences: &[(bool, &str)]) -> String {
    let applying = sentences.iter().filter(|(applies, _)| *applies);
    applying.map(|said| said.1).collect::<Vec<_>>().join(" ")
}

/// A positive quantity with two significant digits, rounded up: nothing below it is lost.
pub(crate) fn least_above(value: f64, unit: &str) -> String {
    let shown = value * scale(unit);
    if shown <= 0.0 || !shown.is_finite() {
        return quantity(value, 0, unit);
    }
    let digits = |value: f64| 1 - libm::log10(value).floor() as i32;
    let step = 10_f64.powi(-digits(shown));
    let up = rounded(outward(shown, step, Outward::Above), 2);
    quantity(
        up / scale(unit),
        digits(up).clamp(0, MOST_DECIMALS as i32) as usize,
        unit,
    )
}

/// A number as pictures show it: short, in per cent where there is no unit, dollars marked, other
/// units left to the title.
pub(crate) fn tick(value: f64, unit: &str) -> String {
    tick_to(value, unit, TICK_DIGITS)
}

/// A number that somebody wrote, such as a claimed one, with all its digits; the unit as in pictures.
pub(crate) fn exactly(value: f64, unit: &str) -> String {
    tick_to(value, unit, WRITTEN_DIGITS)
}

/// Significant digits of a number that somebody wrote, at most.
const WRITTEN_DIGITS: usize = 6;

/// Significant digits of a number beside a mark, and of one on an axis unless its steps need more.
const TICK_DIGITS: usize = 3;

/// The numbers of an axis, in ascending order, with as many digits as its steps need.
pub(crate) fn axis_labels(values: &[f64], unit: &str) -> Vec<String> {
    let scale = scale(unit);
    let gaps = values.windows(2).map(|pair| pair[1] - pair[0]);
    let step = scale * gaps.fold(f64::INFINITY, f64::min);
    let is_told = |digits: &usize| {
        let error = |value: f64| (rounded(value, *digits) - value).abs();
        let scaled = values.iter().map(|value| value * scale);
        scaled
            .into_iter()
            .all(|value| error(value) <= (0.01 * step).max(1e-9 * value.abs()))
    };
    let digits = (TICK_DIGITS..=9).find(is_told).unwrap_or(TICK_DIGITS);
    let label = |&value: &f64| tick_to(value, unit, digits);
    values.iter().map(label).collect()
}

fn tick_to(value: f64, unit: &str, digits: usize) -> String {
    match unit {
        "" => format!("{} %", compact(value * scale(unit), digits)),
        "$" if value < 0.0 => format!("-${}", compact(-value, digits)),
        "$" => format!("${}", compact(value, digits)),
        _ => compact(value * scale(unit), digits),
    }
}

/// A text with its numbers set as on a page: true minus signs, powers of ten in full, no line
/// broken before a per cent sign.
pub(crate) fn typeset(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let letters: Vec<char> = text.chars().collect();
    let is_digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let mut at = 0;
    while at < letters.len() {
        let starts = at == 0 || " (\u{a0}".contains(letters[at - 1]);
        let goes_on = is_digit(at + 1) || letters.get(at + 1) == Some(&'$');
        let sign = usize::from(letters.get(at + 1) == Some(&'-'));
        let digits = (at + 1 + sign..)
            .take_while(|index| is_digit(*index))
            .count();
        let exponent = at + 1..at + 1 + sign + digits;
        let ends = !letters
            .get(exponent.end)
            .is_some_and(|next| next.is_alphanumeric());
        match letters[at] {
            '-' if starts && goes_on => out.push('\u{2212}'),
            ' ' if letters.get(at + 1) == Some(&'%') => out.push('\u{a0}'),
            'e' if at > 0 && is_digit(at - 1) && digits > 0 && ends => {
                out.push_str("\u{a0}×\u{a0}10");
                out.extend(letters[exponent.clone()].iter().map(raised));
                at = exponent.end - 1;
            }
            letter => out.push(letter),
        }
        at += 1;
    }
    out
}

/// A digit or the minus sign of an exponent.
fn raised(letter: &char) -> char {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = letter.to_digit(10).map(|digit| raised[digit as usize]);
    digit.unwrap_or('⁻')
}

/// Returns a number with about this many significant digits: `0.25`, `12`, `34k`, `5.6M`, `1e12`.
fn compact(value: f64, digits: usize) -> String {
    let (scaled, suffix) = match value.abs() {
        0.0 => (0.0, ""),
        size if !(1e-4..1e9).contains(&size) => {
            let text = format!("{value:.*e}", digits - 1);
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            return format!("{}e{exponent}", trimmed(mantissa));
        }
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let whole = libm::log10(scaled.abs().max(1e-4)).floor();
    let decimals = (digits as f64 - 1.0 - whole).clamp(0.0, 9.0) as usize;
    format!(
        "{}{suffix}",
        grouped(trimmed(&format!("{scaled:.decimals$}")))
    )
}

/// A decimal number without zeros at its end.
fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use figures::POINTS;

    #[test]
    fn what_is_excluded_is_rounded_up() {
        assert_eq!(least_above(0.00321, POINTS), "0.33 percentage points");
        assert_eq!(least_above(0.003, POINTS), "0.30 percentage points");
        assert_eq!(least_above(0.0995, "cards"), "0.10 cards");
        assert_eq!(least_above(1234.0, "nodes"), "1,300 nodes");
        assert_eq!(least_above(0.0, "cards"), "0 cards");
        assert_eq!(least_above(3.41e17, "nodes"), "3.5e17 nodes");
    }

    #[test]
    fn axes_show_short_numbers() {
        let shown: Vec<String> = [0.0, 0.25, 12.0, 1500.0, 34_000.0, 5.6e6, 1e12, -0.5]
            .map(|value| tick(value, "cards"))
            .into();
        assert_eq!(
            shown,
            ["0", "0.25", "12", "1,500", "34k", "5.6M", "1e12", "-0.5"]
        );
        assert_eq!(tick(0.125, ""), "12.5 %");
        assert_eq!(tick(-5.0, "$"), "-$5");
        assert_eq!(tick(-0.105, POINTS), "-10.5");
    }

    #[test]
    fn a_claimed_number_keeps_its_digits_and_gains_none() {
        assert_eq!(exactly(0.4838, ""), "48.38 %");
        assert_eq!(exactly(0.95, ""), "95 %");
        assert_eq!(exactly(-0.05, POINTS), "-5");
        assert_eq!(exactly(50.0, "$"), "$50");
        assert_eq!(exactly(1234.5, "nodes"), "1,234.5");
        assert_eq!(exactly(1e12, "nodes"), "1e12");
    }

    #[test]
    fn numbers_on_a_page_have_true_signs_and_powers() {
        assert_eq!(typeset("-$5 (-6 to -4)"), "−$5 (−6 to −4)");
        assert_eq!(
            typeset("2.35e17 ways, 5 %"),
            "2.35\u{a0}×\u{a0}10¹⁷ ways, 5\u{a0}%"
        );
        assert_eq!(typeset("2e-5 s"), "2\u{a0}×\u{a0}10⁻⁵ s");
        let words = "seed-2, 3e4x, 1e- and 2e-5x";
        assert_eq!(typeset(words), words);
    }

    #[test]
    fn the_numbers_of_an_axis_differ_and_are_right() {
        let labels = |values: &[f64], unit| axis_labels(values, unit).join(" ");
        let profit = [0.106, 0.1065, 0.107, 0.1075];
        assert_eq!(labels(&profit, ""), "10.6 % 10.65 % 10.7 % 10.75 %");
        let ratio = [0.998, 0.999, 1.0, 1.001];
        assert_eq!(labels(&ratio, "times"), "0.998 0.999 1 1.001");
        assert_eq!(labels(&[24.38, 24.4, 24.42], "jumps"), "24.38 24.4 24.42");
        let large = [1_000_200.0, 1_000_400.0];
        assert_eq!(labels(&large, "$"), "$1.0002M $1.0004M");
        let powers = [1.0, 1e40, 1e80, 1e120];
        assert_eq!(labels(&powers, "boards"), "1 1e40 1e80 1e120");
        assert_eq!(labels(&[7.0], "cards"), "7");
    }
}
