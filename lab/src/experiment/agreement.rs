//! The right side of a claim of agreement: `0.81945 +- 0.00084`, `4`, `81.9 % ± 0.1 % at 68 %`.

use crate::stats::{Level, Published};
use crate::task::Metric;

use super::error::Problem;
use super::part::TextPart;
use super::threshold::{self, threshold};
use super::{ClaimTest, Stat, Subject};

/// The signs between a value and its error.
const SIGNS: [&str; 2] = ["+-", "±"];

/// The word before the level of an error.
const AT: &str = "at";

/// The least and the greatest level of a published error: half of all and one in a million.
const LEVELS: (f64, f64) = (0.5, 1.0 - 1e-6);

/// The sides of a claim of agreement; `None` of another claim.
pub(super) fn sides(whole: TextPart) -> Option<(TextPart, TextPart)> {
    around_word(whole, ClaimTest::AGREES)
}

/// Refuses a statistic that has no interval, so that no difference from it could be one of chance.
pub(super) fn check_subject(subject: &Subject, part: TextPart) -> Result<(), Problem> {
    match subject {
        Subject::Metric {
            stat: Stat::Min | Stat::Max | Stat::Sd,
            ..
        } => Err(part
            .fault("`agrees` compares intervals, and this statistic has none")
            .expected("expected a mean, a rate, a quantile or a difference")),
        _ => Ok(()),
    }
}

/// The published value with its error and the level of that; 95 % unless given. Without an error
/// the value is exact.
pub(super) fn published(
    subject: &Subject,
    metrics: &[Metric],
    part: TextPart,
) -> Result<Published, Problem> {
    let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = *subject;
    let metric = &metrics[metric];
    let Some((value, rest)) = around_sign(part) else {
        return Ok(Published {
            value: threshold(subject, metrics, part)?,
            error: 0.0,
            level: Level::DEFAULT,
        });
    };
    let (error, stated) = around_word(rest, AT).map_or((rest, None), |(e, l)| (e, Some(l)));
    if value.text.ends_with('%') != error.text.ends_with('%') {
        return Err(part
            .fault("one of these numbers is in per cent and the other is not")
            .expected("expected `%` after both or after neither"));
    }
    Ok(Published {
        value: threshold(subject, metrics, value)?,
        error: size(error, metric)?,
        level: stated.map_or(Ok(Level::DEFAULT), level)?,
    })
}

/// The size of an error: a number that is not negative.
fn size(part: TextPart, metric: &Metric) -> Result<f64, Problem> {
    let size = threshold::number(part, metric)?;
    if size < 0.0 {
        return Err(part
            .fault("an error is not negative")
            .expected("expected 0 or more: half the width of an interval"));
    }
    Ok(size)
}

/// A level in per cent.
fn level(part: TextPart) -> Result<Level, Problem> {
    let digits = part.text.strip_suffix('%').map(str::trim_end);
    let share = digits.and_then(|digits| digits.parse::<f64>().ok());
    let share = share.map(|percent| percent / 100.0);
    let known = share.filter(|share| (LEVELS.0..=LEVELS.1).contains(share));
    known.and_then(Level::new).ok_or_else(|| {
        part.fault(format!("`{}` is not the level of an error", part.text))
            .expected("expected per cent from `50 %` to `99.9999 %`")
            .help("the level of one standard error is `68.27 %`")
    })
}

/// The parts before and after the first sign of an error.
fn around_sign(part: TextPart) -> Option<(TextPart, TextPart)> {
    let first_sign = SIGNS
        .iter()
        .filter_map(|sign| Some((part.text.find(sign)?, *sign)));
    let (at, sign) = first_sign.min()?;
    let (value, rest) = part.split_at(at);
    Some((value, rest.after(sign.len())))
}

/// The parts before and after the first place where a word stands alone.
fn around_word<'a>(part: TextPart<'a>, word: &str) -> Option<(TextPart<'a>, TextPart<'a>)> {
    let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let bytes = part.text.as_bytes();
    let mut starts = part.text.match_indices(word).map(|(at, _)| at);
    let at = starts.find(|&at| {
        at > 0 && is_blank(bytes.get(at - 1)) && is_blank(bytes.get(at + word.len()))
    })?;
    let (before, rest) = part.split_at(at);
    Some((before, rest.after(word.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: [Metric; 2] = [
        Metric::flag("win", ""),
        Metric::integer("score", "cards", (0, 52), ""),
    ];

    fn read(metric: usize, text: &str) -> Result<Published, Problem> {
        let stat = Stat::Mean;
        let subject = Subject::Metric { metric, stat };
        published(&subject, &METRICS, TextPart::whole(text))
    }

    #[test]
    fn values_have_an_error_and_a_level() {
        let cases = [
            (0, "0.81945 +- 0.00084", (0.81945, 0.00084, 0.95)),
            (0, "0.5±0.25", (0.5, 0.25, 0.95)),
            (0, "50 % ± 25 % at 68.27 %", (0.5, 0.25, 0.6827)),
            (1, "11 +- 1e-1 at 99%", (11.0, 0.1, 0.99)),
            (1, "11", (11.0, 0.0, 0.95)),
            (1, "11 +- 0", (11.0, 0.0, 0.95)),
        ];
        for (metric, text, (value, error, level)) in cases {
            let published = read(metric, text).unwrap();
            assert_eq!((published.value, published.error), (value, error), "{text}");
            assert!((published.level.get() - level).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn faults_say_what_was_expected() {
        let cases = [
            (
                0,
                "0.8 +- 1 %",
                "one of these numbers is in per cent and the other is not",
            ),
            (0, "80 +- 1", "never reaches 8000 %"),
            (0, "0.8 +- -0.1", "an error is not negative"),
            (0, "0.8 +-", "the number is missing"),
            (0, "", "the number is missing"),
            (0, "0.8 +- 0.1 at 95", "`95` is not the level of an error"),
            (
                0,
                "0.8 +- 0.1 at 30 %",
                "`30 %` is not the level of an error",
            ),
            (
                0,
                "0.8 +- 0.1 at 100 %",
                "`100 %` is not the level of an error",
            ),
            (0, "0.8 at 95 %", "`0.8 at 95 %` is not a number"),
            (1, "11 % ± 1 %", "`score` is in cards, not a share"),
        ];
        for (metric, text, expected) in cases {
            let message = read(metric, text).unwrap_err().message;
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn the_word_stands_alone() {
        let told = |text| {
            let both = sides(TextPart::whole(text));
            both.map(|(subject, rest)| (subject.text, rest.text))
        };
        assert_eq!(told("win.mean agrees 0.5"), Some(("win.mean", "0.5")));
        assert_eq!(told("win.mean agrees"), Some(("win.mean", "")));
        for text in [
            "agrees.mean > 1",
            "agrees 5",
            "disagrees.mean < 1",
            "win.meanagrees 1",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
